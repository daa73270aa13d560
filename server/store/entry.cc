#include "server/store/entry.h"

#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "server/base/bytes.h"
#include "server/base/check.h"

namespace lockstep {

Entry* Entry::make(std::string_view key, size_t value_bytes, uint8_t database) {
  LOCKSTEP_CHECK(key.size() <= kMaxKeyBytes && value_bytes <= kMaxValueBytes);
  const bool long_key = key.size() >= kLongKey;
  const size_t bytes = sizeof(Entry) + (long_key ? sizeof(uint32_t) : 0) + key.size() + value_bytes;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  Entry* entry = new (memory) Entry;
  entry->key_size_ = long_key ? kLongKey : static_cast<uint16_t>(key.size());
  entry->value_size_ = static_cast<uint32_t>(value_bytes);
  entry->database_ = database;
  if (long_key) {
    const uint32_t size = static_cast<uint32_t>(key.size());
    std::memcpy(static_cast<void*>(entry + 1), &size, sizeof size);
  }
  copy_bytes(const_cast<char*>(entry->key_data()), key);
  return entry;
}

void Entry::destroy(Entry* entry) { std::free(entry); }

size_t Entry::key_size() const {
  if (key_size_ != kLongKey) return key_size_;
  uint32_t size;
  std::memcpy(&size, this + 1, sizeof size);
  return size;
}

size_t Entry::memory_bytes() const {
  return malloc_usable_size(const_cast<Entry*>(this)) + sizeof(size_t);
}

size_t Entry::value_capacity() const {
  const char* end = reinterpret_cast<const char*>(this) + malloc_usable_size(const_cast<Entry*>(this));
  return static_cast<size_t>(end - (key_data() + key_size()));
}

}  // namespace lockstep
