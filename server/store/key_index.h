// The hash index of one database: extendible hashing, a directory of small open-addressed segments
// that each grow and split alone, so that no insertion ever rehashes more than one segment.
// A slot is 8 bytes: 16 bits of hash (the tag) and the entry's 48-bit address. Owns no entries.
//
// The hash's highest bits choose the segment, its lowest 16 the place in it, so all that happens within
// a segment reads its slots alone. Segments follow each other in the order of the former, slots but for
// probing in the order of the latter: a scan's cursor is a pair of both and stays a place whatever
// grows, splits or merges meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include "server/store/entry.h"

namespace lockstep {

class KeyIndex {
 public:
  static constexpr size_t kSlotBytes = sizeof(uint64_t);

  explicit KeyIndex(uint64_t hash_seed);
  ~KeyIndex();
  KeyIndex(const KeyIndex&) = delete;
  KeyIndex& operator=(const KeyIndex&) = delete;

  uint64_t hash(std::string_view key) const;
  uint64_t seed() const { return seed_; }

  Entry* find(uint64_t hash, std::string_view key) const;
  void insert(uint64_t hash, Entry* entry);  // its key must not be there yet
  void erase(uint64_t hash, const Entry* entry);
  void replace(uint64_t hash, const Entry* old_entry, Entry* new_entry);  // of the same key
  void reset();  // as new; the entries are the caller's to destroy

  size_t size() const { return size_; }
  size_t memory_bytes() const { return memory_; }

  // Every entry, in index order. The callee may not change the index.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t at = 0; at < directory_.size(); at += span_of(*directory_[at])) {
      const Segment& segment = *directory_[at];
      for (size_t i = 0; i < segment.capacity(); ++i)
        if (segment.slots[i] != 0) visit(*entry_of(segment.slots[i]));
    }
  }

  // An entry by chance: a slot of a hash by chance, until one is taken. nullptr without entries.
  Entry* pick(std::mt19937_64& random) const;

  // About `count` entries from `cursor` on (0: from the start); the next cursor, 0 at the end. What is
  // there during a whole scan is visited at least once. Cursors stay below 2^53, since some clients
  // hold them in doubles.
  uint64_t scan(uint64_t cursor, size_t count, const std::function<void(Entry&)>& visit) const;

 private:
  struct Segment {
    uint32_t count = 0;
    uint8_t depth = 0;          // hash bits that all its keys share
    uint8_t capacity_bits = 0;
    uint64_t slots[1];          // capacity() of them

    size_t capacity() const { return size_t{1} << capacity_bits; }
    size_t home(uint64_t tag) const { return tag >> (kTagBits - capacity_bits); }
    size_t home_of(uint64_t slot) const { return home(slot >> 48); }
  };
  static constexpr int kTagBits = 16;
  static constexpr uint8_t kMinCapacityBits = 3;
  static constexpr uint8_t kMaxCapacityBits = 10;

  // Where a scan goes on: in the block of hashes that begin with `depth` bits of `prefix`, at the first
  // slot whose tag is not below `tag`.
  struct Cursor {
    uint64_t prefix;  // the highest kPrefixBits of a hash, the others 0
    uint8_t depth;
    uint64_t tag;

    static constexpr int kPrefixBits = 31;
    static Cursor from(uint64_t number);
    uint64_t number() const;  // below 2^53
    bool covers(uint64_t hash) const;
    bool next_block();        // false: that was the last
  };

  static Entry* entry_of(uint64_t slot) {
    return reinterpret_cast<Entry*>(slot & 0xffff'ffff'ffff);
  }
  static uint64_t slot_for(uint64_t hash, const Entry* entry) {
    return hash << 48 | reinterpret_cast<uint64_t>(entry);
  }
  size_t directory_at(uint64_t hash) const { return depth_ == 0 ? 0 : hash >> (64 - depth_); }
  // Directory places that lead to this segment.
  size_t span_of(const Segment& segment) const { return size_t{1} << (depth_ - segment.depth); }
  Segment& segment_of(uint64_t hash) const { return *directory_[directory_at(hash)]; }

  void free_segments();
  Segment* make_segment(uint8_t depth, uint8_t capacity_bits);
  void free_segment(Segment* segment);
  static void add(Segment& segment, uint64_t slot);
  uint64_t* slot_of(uint64_t hash, const Entry* entry) const;
  static void close_gap(Segment& segment, size_t at);
  void make_room(uint64_t hash);
  void resize(uint64_t hash, uint8_t capacity_bits);
  void split(uint64_t hash);
  bool merge(uint64_t hash);
  void point(uint64_t hash, Segment* segment);
  void double_directory();
  void halve_directory();

  const uint64_t seed_;
  size_t size_ = 0;
  size_t memory_ = 0;
  uint8_t depth_ = 0;             // of the directory: it has 2^depth_ places
  size_t segments_at_depth_[64] = {};
  std::vector<Segment*> directory_;
};

}  // namespace lockstep
