#include "server/store/keyspace.h"

#include <algorithm>

#include "server/base/bytes.h"
#include "server/base/check.h"

namespace lockstep {

bool Keyspace::due(const Entry& entry) const {
  const int64_t now_ms = shared_.now.ms();
  // Usually nothing at all is due, and the entry's slot in the heap need not be touched.
  if (shared_.deadlines.earliest_ms() > now_ms) return false;
  return entry.deadline().armed() && shared_.deadlines.at_ms(entry.deadline()) <= now_ms;
}

Keyspace::Location Keyspace::locate(std::string_view key) {
  Location at{key, index_.hash(key), nullptr};
  at.entry = index_.find(at.hash, key);
  if (at.entry != nullptr && due(*at.entry)) {
    expire(*at.entry);
    at.entry = nullptr;
  }
  return at;
}

Entry* Keyspace::make_entry(std::string_view key, size_t value_bytes) {
  Entry* entry = Entry::make(key, value_bytes, id_);
  shared_.value_bytes += entry->memory_bytes();
  return entry;
}

void Keyspace::destroy(Entry* entry) {
  shared_.value_bytes -= entry->memory_bytes();
  if (entry->type() != ValueType::kString) shared_.value_bytes -= entry->object().accounted_bytes_;
  Entry::destroy(entry);
}

void Keyspace::account(Object& object) {
  shared_.value_bytes -= object.accounted_bytes_;
  object.accounted_bytes_ = object.memory_bytes();
  shared_.value_bytes += object.accounted_bytes_;
}

void Keyspace::create(Location& at, ValueType type, std::unique_ptr<Object> object) {
  LOCKSTEP_CHECK(at.entry == nullptr);
  account(*object);
  Entry* entry = Entry::make(at.key, type, std::move(object), id_);
  shared_.value_bytes += entry->memory_bytes();
  insert(at, entry);
  changed(at.key);
}

void Keyspace::replace(Location& at, ValueType type, std::unique_ptr<Object> object) {
  if (at.entry == nullptr) return create(at, type, std::move(object));
  account(*object);
  Entry* entry = Entry::make(at.key, type, std::move(object), id_);
  shared_.value_bytes += entry->memory_bytes();
  swap_entry(at, entry);
  if (!clear_deadline(at)) changed(at.key);
}

void Keyspace::edited(Location& at) {
  Object& object = at.entry->object();
  if (object.empty()) return erase(at);
  account(object);
  changed(at.key);
}

void Keyspace::insert(Location& at, Entry* entry) {
  index_.insert(at.hash, entry);
  at.entry = entry;
  shared_.listener->key_created(number_, entry->key());
}

void Keyspace::swap_entry(Location& at, Entry* fresh) {
  Entry* old = at.entry;
  const bool far = old->deadline().position == DeadlineNode::kFar;
  if (far) {
    const int64_t at_ms = shared_.deadlines.at_ms(old->deadline());
    shared_.deadlines.disarm(old->deadline());
    shared_.deadlines.arm(fresh->deadline(), Deadlines::Class::kExpiry, at_ms);
  } else {
    fresh->deadline() = old->deadline();
    shared_.deadlines.relocated(fresh->deadline());
  }
  index_.replace(at.hash, old, fresh);
  at.entry = fresh;
  destroy(old);
}

void Keyspace::put(Location& at, std::string_view value) {
  if (at.entry == nullptr) {
    Entry* entry = make_entry(at.key, value.size());
    copy_bytes(entry->value_data(), value);
    insert(at, entry);
  } else {
    if (at->type() != ValueType::kString || !at->fits(value.size())) swap_entry(at, make_entry(at.key, value.size()));
    copy_bytes(at.entry->value_data(), value);
    at.entry->set_value_size(value.size());
  }
  changed(at.key);
}

char* Keyspace::resize(Location& at, size_t size) {
  if (at.entry == nullptr) {
    insert(at, make_entry(at.key, size));
  } else if (size > at.entry->value_capacity()) {
    constexpr size_t kMaxSpare = 1 << 20;
    Entry* fresh = make_entry(at.key, std::min(size + std::min(size, kMaxSpare), Entry::kMaxValueBytes));
    copy_bytes(fresh->value_data(), at.entry->value());
    swap_entry(at, fresh);
  }
  at.entry->set_value_size(size);
  changed(at.key);
  return at.entry->value_data();
}

void Keyspace::remove(uint64_t hash, Entry* entry) {
  if (entry->deadline().armed()) {
    shared_.deadlines.disarm(entry->deadline());
    --armed_;
  }
  index_.erase(hash, entry);
}

void Keyspace::erase(Location& at) {
  LOCKSTEP_CHECK(at.entry != nullptr);
  changed(at.key);
  remove(at.hash, at.entry);
  destroy(at.entry);
  at.entry = nullptr;
}

void Keyspace::expire(Entry& entry) {
  const std::string_view key = entry.key();
  remove(index_.hash(key), &entry);
  changed(key);
  shared_.listener->key_expired(number_, key);
  destroy(&entry);
}

// A new entry with the value of an old one, which is about to be erased.
Entry* Keyspace::take_value(Entry& from, std::string_view key) {
  if (from.type() == ValueType::kString) {
    Entry* entry = make_entry(key, from.value_size());
    copy_bytes(entry->value_data(), from.value());
    return entry;
  }
  const ValueType type = from.type();
  Entry* entry = Entry::make(key, type, from.take_object(), id_);
  shared_.value_bytes += entry->memory_bytes();
  return entry;
}

void Keyspace::rename(Location& from, Location& to) {
  const std::optional<int64_t> at_ms = deadline_ms(*from.entry);
  Entry* moved = take_value(*from.entry, to.key);
  if (to.entry != nullptr) {
    remove(to.hash, to.entry);
    destroy(to.entry);
    to.entry = nullptr;
  }
  erase(from);
  insert(to, moved);
  if (at_ms) {
    set_deadline(to, *at_ms);
  } else {
    changed(to.key);
  }
}

void Keyspace::copy(const Entry& from, Location& to) {
  LOCKSTEP_CHECK(&from != to.entry);
  if (to) erase(to);
  if (from.type() == ValueType::kString) {
    put(to, from.value());
  } else {
    create(to, from.type(), from.object().clone());
  }
  if (const auto at_ms = deadline_ms(from)) set_deadline(to, *at_ms);
}

void Keyspace::move(Location& at, Keyspace& to) {
  Entry* entry = at.entry;
  changed(at.key);
  index_.erase(at.hash, entry);
  at.entry = nullptr;
  if (entry->deadline().armed()) {
    --armed_;
    ++to.armed_;
  }
  entry->set_keyspace_id(to.id_);
  Location there{entry->key(), to.index_.hash(entry->key()), nullptr};
  to.insert(there, entry);
  to.changed(there.key);
}

const Entry* Keyspace::pick(std::mt19937_64& random) {
  while (Entry* entry = index_.pick(random)) {
    if (!due(*entry)) return entry;
    expire(*entry);
  }
  return nullptr;
}

void Keyspace::clear() {
  shared_.listener->database_flushed(*this);
  release_all();
}

void Keyspace::release_all() {
  index_.for_each([this](Entry& entry) {
    shared_.deadlines.disarm(entry.deadline());
    destroy(&entry);
  });
  index_.reset();
  armed_ = 0;
}

std::optional<int64_t> Keyspace::deadline_ms(const Entry& entry) const {
  if (!entry.deadline().armed()) return std::nullopt;
  return shared_.deadlines.at_ms(entry.deadline());
}

void Keyspace::set_deadline(Location& at, int64_t at_ms) {
  if (!at.entry->deadline().armed()) ++armed_;
  shared_.deadlines.arm(at.entry->deadline(), Deadlines::Class::kExpiry, std::max<int64_t>(at_ms, 0));
  changed(at.key);
}

bool Keyspace::clear_deadline(Location& at) {
  if (!at.entry->deadline().armed()) return false;
  shared_.deadlines.disarm(at.entry->deadline());
  --armed_;
  changed(at.key);
  return true;
}

size_t Keyspace::memory_bytes(const Entry& entry) {
  size_t bytes = entry.memory_bytes() + KeyIndex::kSlotBytes;
  if (entry.type() != ValueType::kString) bytes += entry.object().memory_bytes();
  if (entry.deadline().armed()) bytes += Deadlines::kSlotBytes;
  return bytes;
}

int64_t Keyspace::mean_ttl_ms(size_t samples) const {
  constexpr double kMostMs = 9e18;  // deadlines may lie at the end of time
  double sum_ms = 0;
  int64_t seen = 0;
  scan(0, samples, [&](const Entry& entry) {
    if (const auto at_ms = deadline_ms(entry)) {
      sum_ms += static_cast<double>(std::max<int64_t>(*at_ms - shared_.now.ms(), 0));
      ++seen;
    }
  });
  return seen == 0 ? 0 : static_cast<int64_t>(std::min(sum_ms / static_cast<double>(seen), kMostMs));
}

uint64_t Keyspace::scan(uint64_t cursor, size_t count,
                        const std::function<void(const Entry&)>& visit) const {
  return index_.scan(cursor, count, [&](Entry& entry) {
    if (!due(entry)) visit(entry);
  });
}

}  // namespace lockstep
