#include "server/store/entry.h"

#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "server/base/bytes.h"
#include "server/base/check.h"

namespace lockstep {

Entry* Entry::make(std::string_view key, size_t value_bytes, uint8_t keyspace_id) {
  LOCKSTEP_CHECK(key.size() <= kMaxKeyBytes && value_bytes <= kMaxValueBytes);
  const bool long_key = key.size() >= kLongKey;
  const size_t bytes = sizeof(Entry) + (long_key ? sizeof(uint32_t) : 0) + key.size() + value_bytes;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  Entry* entry = new (memory) Entry;
  entry->key_size_ = long_key ? kLongKey : static_cast<uint16_t>(key.size());
  entry->value_size_ = static_cast<uint32_t>(value_bytes);
  entry->keyspace_id_ = keyspace_id;
  if (long_key) {
    const uint32_t size = static_cast<uint32_t>(key.size());
    std::memcpy(static_cast<void*>(entry + 1), &size, sizeof size);
  }
  copy_bytes(const_cast<char*>(entry->key_data()), key);
  return entry;
}

Entry* Entry::make(std::string_view key, ValueType type, std::unique_ptr<Object> object, uint8_t keyspace_id) {
  Entry* entry = make(key, sizeof(Object*), keyspace_id);
  entry->type_ = type;
  Object* const held = object.release();
  std::memcpy(entry->value_data(), &held, sizeof held);
  return entry;
}

Object& Entry::object() const {
  LOCKSTEP_CHECK(type_ != ValueType::kString);
  Object* held;
  std::memcpy(&held, value_begin(), sizeof held);
  return *held;
}

std::unique_ptr<Object> Entry::take_object() {
  std::unique_ptr<Object> taken(&object());
  type_ = ValueType::kString;
  value_size_ = 0;
  return taken;
}

void Entry::destroy(Entry* entry) {
  if (entry->type_ != ValueType::kString) entry->take_object().reset();
  std::free(entry);
}

std::string_view type_name(ValueType type) {
  switch (type) {
    case ValueType::kString: return "string";
    case ValueType::kHash: return "hash";
    case ValueType::kList: return "list";
  }
  return "none";
}

size_t Entry::key_size() const {
  if (key_size_ != kLongKey) return key_size_;
  uint32_t size;
  std::memcpy(&size, this + 1, sizeof size);
  return size;
}

size_t Entry::memory_bytes() const {
  return malloc_usable_size(const_cast<Entry*>(this)) + sizeof(size_t);
}

bool Entry::fits(size_t value_bytes) const {
  constexpr size_t kSmall = 128;
  const size_t capacity = value_capacity();
  return value_bytes <= capacity && (capacity <= kSmall || value_bytes >= capacity / 2);
}

size_t Entry::value_capacity() const {
  const char* end = reinterpret_cast<const char*>(this) + malloc_usable_size(const_cast<Entry*>(this));
  return static_cast<size_t>(end - value_begin());
}

}  // namespace lockstep
