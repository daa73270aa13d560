#include "server/store/key_index.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "server/base/check.h"
#include "server/store/key_hash.h"

namespace lockstep {

KeyIndex::KeyIndex(uint64_t hash_seed) : seed_(hash_seed) {
  directory_.push_back(make_segment(0, kMinCapacityBits));
}

KeyIndex::~KeyIndex() { free_segments(); }

void KeyIndex::free_segments() {
  for (size_t at = 0; at < directory_.size();) {
    const size_t span = span_of(*directory_[at]);
    free_segment(directory_[at]);
    at += span;
  }
}

void KeyIndex::reset() {
  free_segments();
  directory_.assign(1, nullptr);
  directory_.shrink_to_fit();
  size_ = 0;
  depth_ = 0;
  directory_[0] = make_segment(0, kMinCapacityBits);
}

uint64_t KeyIndex::hash(std::string_view key) const { return key_hash(key, seed_); }

KeyIndex::Segment* KeyIndex::make_segment(uint8_t depth, uint8_t capacity_bits) {
  const size_t bytes = offsetof(Segment, slots) + (sizeof(uint64_t) << capacity_bits);
  void* memory = std::calloc(1, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  Segment* segment = static_cast<Segment*>(memory);
  segment->depth = depth;
  segment->capacity_bits = capacity_bits;
  memory_ += bytes;
  ++segments_at_depth_[depth];
  return segment;
}

void KeyIndex::free_segment(Segment* segment) {
  memory_ -= offsetof(Segment, slots) + (sizeof(uint64_t) << segment->capacity_bits);
  --segments_at_depth_[segment->depth];
  std::free(segment);
}

Entry* KeyIndex::find(uint64_t hash, std::string_view key) const {
  const Segment& segment = segment_of(hash);
  const size_t mask = segment.capacity() - 1;
  const uint64_t tag = hash & 0xffff;
  for (size_t i = segment.home(tag); segment.slots[i] != 0; i = (i + 1) & mask) {
    if (segment.slots[i] >> 48 != tag) continue;
    Entry* entry = entry_of(segment.slots[i]);
    if (entry->key() == key) return entry;
  }
  return nullptr;
}

void KeyIndex::add(Segment& segment, uint64_t slot) {
  const size_t mask = segment.capacity() - 1;
  size_t i = segment.home_of(slot);
  while (segment.slots[i] != 0) i = (i + 1) & mask;
  segment.slots[i] = slot;
  ++segment.count;
}

void KeyIndex::insert(uint64_t hash, Entry* entry) {
  const Segment* segment = &segment_of(hash);
  // Above four fifths, probe sequences grow faster than memory is saved.
  while (segment->count * 5 >= segment->capacity() * 4) {
    make_room(hash);
    segment = &segment_of(hash);
  }
  add(segment_of(hash), slot_for(hash, entry));
  ++size_;
}

void KeyIndex::make_room(uint64_t hash) {
  const Segment& segment = segment_of(hash);
  // Keys that share more hash bits than their number explains (somebody knows the seed) would double
  // the directory for nothing; such a segment grows instead, as far as tags reach.
  const bool lopsided = segment.depth > 16 && size_ >> (segment.depth - 8) == 0;
  if (segment.capacity_bits < kMaxCapacityBits || (lopsided && segment.capacity_bits < kTagBits)) {
    resize(hash, segment.capacity_bits + 1);
  } else {
    split(hash);
  }
}

void KeyIndex::resize(uint64_t hash, uint8_t capacity_bits) {
  Segment& old_segment = segment_of(hash);
  Segment* segment = make_segment(old_segment.depth, capacity_bits);
  for (size_t i = 0; i < old_segment.capacity(); ++i) {
    const uint64_t slot = old_segment.slots[i];
    if (slot != 0) add(*segment, slot);
  }
  point(hash, segment);
  free_segment(&old_segment);
}

void KeyIndex::split(uint64_t hash) {
  Segment& old_segment = segment_of(hash);
  const uint8_t depth = old_segment.depth + 1;
  if (depth > depth_) double_directory();
  Segment* halves[2] = {make_segment(depth, old_segment.capacity_bits),
                        make_segment(depth, old_segment.capacity_bits)};
  for (size_t i = 0; i < old_segment.capacity(); ++i) {
    const uint64_t slot = old_segment.slots[i];
    if (slot == 0) continue;
    const uint64_t entry_hash = this->hash(entry_of(slot)->key());
    add(*halves[entry_hash >> (64 - depth) & 1], slot);
  }
  const uint64_t bit = uint64_t{1} << (64 - depth);
  point(hash & ~bit, halves[0]);
  point(hash | bit, halves[1]);
  free_segment(&old_segment);
}

// Leads every directory place that shares the segment's bits with `hash` to `segment`.
void KeyIndex::point(uint64_t hash, Segment* segment) {
  const size_t span = span_of(*segment);
  const size_t first = directory_at(hash) & ~(span - 1);
  for (size_t i = 0; i < span; ++i) directory_[first + i] = segment;
}

void KeyIndex::double_directory() {
  LOCKSTEP_CHECK(depth_ < Cursor::kPrefixBits);
  std::vector<Segment*> wider(directory_.size() * 2);
  for (size_t i = 0; i < wider.size(); ++i) wider[i] = directory_[i / 2];
  directory_ = std::move(wider);
  ++depth_;
}

void KeyIndex::halve_directory() {
  std::vector<Segment*> narrower(directory_.size() / 2);
  for (size_t i = 0; i < narrower.size(); ++i) narrower[i] = directory_[i * 2];
  directory_ = std::move(narrower);
  --depth_;
}

uint64_t* KeyIndex::slot_of(uint64_t hash, const Entry* entry) const {
  Segment& segment = segment_of(hash);
  const size_t mask = segment.capacity() - 1;
  const uint64_t wanted = slot_for(hash, entry);
  size_t i = segment.home_of(wanted);
  while (segment.slots[i] != wanted) {
    LOCKSTEP_CHECK(segment.slots[i] != 0);
    i = (i + 1) & mask;
  }
  return &segment.slots[i];
}

void KeyIndex::replace(uint64_t hash, const Entry* old_entry, Entry* new_entry) {
  *slot_of(hash, old_entry) = slot_for(hash, new_entry);
}

void KeyIndex::erase(uint64_t hash, const Entry* entry) {
  Segment& segment = segment_of(hash);
  close_gap(segment, static_cast<size_t>(slot_of(hash, entry) - segment.slots));
  --segment.count;
  --size_;
  if (segment.capacity_bits > kMinCapacityBits && segment.count * 8 < segment.capacity()) {
    if (merge(hash)) return;
    if (segment.depth == 0) resize(hash, segment.capacity_bits - 1);
  }
}

// Moves later entries of the probe run up, so that no tombstone is needed.
void KeyIndex::close_gap(Segment& segment, size_t at) {
  const size_t mask = segment.capacity() - 1;
  for (size_t i = (at + 1) & mask; segment.slots[i] != 0; i = (i + 1) & mask) {
    const size_t home = segment.home_of(segment.slots[i]);
    // The entry at i may move to `at` unless its home lies after `at` (cyclically).
    if (((i - home) & mask) < ((i - at) & mask)) continue;
    segment.slots[at] = segment.slots[i];
    at = i;
  }
  segment.slots[at] = 0;
}

// Joins a sparse segment with its other half. False when the other half is split further or too full.
bool KeyIndex::merge(uint64_t hash) {
  Segment& segment = segment_of(hash);
  if (segment.depth == 0) return false;
  const uint64_t bit = uint64_t{1} << (64 - segment.depth);
  Segment& buddy = segment_of(hash ^ bit);
  if (buddy.depth != segment.depth) return false;
  if ((segment.count + buddy.count) * 4 > segment.capacity()) return false;
  Segment* joined = make_segment(segment.depth - 1, segment.capacity_bits);
  for (const Segment* half : {&segment, &buddy}) {
    for (size_t i = 0; i < half->capacity(); ++i) {
      const uint64_t slot = half->slots[i];
      if (slot != 0) add(*joined, slot);
    }
  }
  point(hash, joined);
  free_segment(&segment);
  free_segment(&buddy);
  while (depth_ > 0 && segments_at_depth_[depth_] == 0) halve_directory();
  return true;
}

uint64_t KeyIndex::Cursor::number() const {
  return prefix >> (64 - kPrefixBits) << (kTagBits + 6) | uint64_t{depth} << kTagBits | tag;
}

Entry* KeyIndex::pick(std::mt19937_64& random) const {
  if (size_ == 0) return nullptr;
  // Segments are seldom emptier than an eighth; should chance fail all the same, the next entry is taken.
  constexpr int kTries = 100;
  uint64_t hash = 0;
  for (int i = 0; i < kTries; ++i) {
    hash = random();
    const Segment& segment = segment_of(hash);
    const uint64_t slot = segment.slots[segment.home(hash & 0xffff)];
    if (slot != 0) return entry_of(slot);
  }
  for (size_t at = directory_at(hash);; at = (at + 1) & (directory_.size() - 1))
    for (size_t i = 0; i < directory_[at]->capacity(); ++i)
      if (directory_[at]->slots[i] != 0) return entry_of(directory_[at]->slots[i]);
}

KeyIndex::Cursor KeyIndex::Cursor::from(uint64_t number) {
  const uint64_t depth = std::min<uint64_t>(number >> kTagBits & 63, kPrefixBits);
  return {number >> (kTagBits + 6) << (64 - kPrefixBits), static_cast<uint8_t>(depth), number & 0xffff};
}

bool KeyIndex::Cursor::covers(uint64_t hash) const { return ((hash ^ prefix) >> (64 - depth)) == 0; }

bool KeyIndex::Cursor::next_block() {
  if (depth == 0) return false;
  const uint64_t step = uint64_t{1} << (64 - depth);
  prefix = (prefix & ~(step - 1)) + step;
  if (prefix == 0) return false;
  // The largest block that begins there; should the segment be smaller, the block will be.
  depth = static_cast<uint8_t>(64 - std::countr_zero(prefix));
  tag = 0;
  return true;
}

// The block that a cursor names lies in one segment, or did when the cursor was given out. Blocks follow
// each other by prefix, and within a block slots by tag, so that a scan only ever goes forward: it ends,
// however often segments split and merge under it.
uint64_t KeyIndex::scan(uint64_t number, size_t count, const std::function<void(Entry&)>& visit) const {
  Cursor cursor = Cursor::from(number);
  size_t visited = 0;
  // As Redis, give up after ten empty places for each entry asked for.
  size_t places_left = count > SIZE_MAX / 10 ? SIZE_MAX : count * 10;
  for (;;) {
    const Segment& segment = segment_of(cursor.prefix);
    // Split since: its first part comes now, the others, in part again, as blocks of their own. Merged
    // since: only what has the block's prefix is meant.
    const bool part = segment.depth < cursor.depth;
    cursor.depth = std::max(segment.depth, cursor.depth);
    const size_t mask = segment.capacity() - 1;
    const size_t first = segment.home(cursor.tag);
    size_t end = first;
    // Ends at an empty slot: every entry whose home lies before it has been passed then.
    while (end < segment.capacity() && (segment.slots[end] != 0 || (visited < count && places_left > 0))) {
      if (segment.slots[end] != 0) ++visited;
      if (places_left > 0) --places_left;
      ++end;
    }
    size_t stop = end;
    if (end == segment.capacity())  // a probe run may go on at the segment's start
      while (segment.slots[stop & mask] != 0 && stop - first < segment.capacity()) ++stop;
    for (size_t i = first; i < stop; ++i) {
      const uint64_t slot = segment.slots[i & mask];
      if (slot == 0) continue;
      const size_t home = segment.home_of(slot);
      if (home < first || home >= end) continue;
      Entry& entry = *entry_of(slot);
      if (!part || cursor.covers(hash(entry.key()))) visit(entry);
    }
    if (end < segment.capacity()) {
      cursor.tag = end << (kTagBits - segment.capacity_bits);
      return cursor.number();
    }
    if (!cursor.next_block()) return 0;
    if (visited >= count || places_left == 0) return cursor.number();
  }
}

}  // namespace lockstep
