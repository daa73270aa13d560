// One key with its value, in one allocation: a 12-byte header, then the key, then the value. A header
// of 16 would cost a size class of malloc on typical locks. Owned by its Keyspace; handlers see it
// until they return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "server/base/check.h"
#include "server/store/deadlines.h"
#include "server/store/object.h"

namespace lockstep {

enum class ValueType : uint8_t { kString, kHash, kList };

// As TYPE names them.
std::string_view type_name(ValueType type);

class Entry {
 public:
  static constexpr size_t kMaxKeyBytes = 512u << 20;
  static constexpr size_t kMaxValueBytes = UINT32_MAX;

  // `value_bytes` are left unset.
  static Entry* make(std::string_view key, size_t value_bytes, uint8_t keyspace_id);
  // With a value of another type than string, which it owns.
  static Entry* make(std::string_view key, ValueType type, std::unique_ptr<Object> object, uint8_t keyspace_id);
  static void destroy(Entry* entry);

  std::string_view key() const { return {key_data(), key_size()}; }
  // Of strings alone.
  std::string_view value() const {
#ifdef LOCKSTEP_CHECKED
    LOCKSTEP_CHECK(type_ == ValueType::kString);
#endif
    return {value_begin(), value_size_};
  }
  char* value_data() { return const_cast<char*>(value_begin()); }
  size_t value_size() const { return value_size_; }
  ValueType type() const { return type_; }
  // Of all types but string.
  Object& object() const;
  // Leaves an empty string behind.
  std::unique_ptr<Object> take_object();
  // The keyspace it belongs to, whatever that one's number is now; a deadline that fires has nothing else
  // to tell it by.
  uint8_t keyspace_id() const { return keyspace_id_; }
  void set_keyspace_id(uint8_t id) { keyspace_id_ = id; }

  // Bytes the value could have without another allocation.
  size_t value_capacity() const;
  // Such a value has room here, and is not far smaller than the memory it would keep.
  bool fits(size_t value_bytes) const;
  void set_value_size(size_t size) { value_size_ = static_cast<uint32_t>(size); }
  size_t memory_bytes() const;

  DeadlineNode& deadline() { return deadline_; }
  const DeadlineNode& deadline() const { return deadline_; }
  static Entry* of(DeadlineNode* node) { return reinterpret_cast<Entry*>(node); }

 private:
  // Keys of 65,535 bytes and more say so here and keep their length in 4 bytes before the key.
  static constexpr uint16_t kLongKey = UINT16_MAX;

  Entry() = default;
  size_t key_size() const;
  const char* value_begin() const { return key_data() + key_size(); }
  const char* key_data() const {
    return reinterpret_cast<const char*>(this + 1) + (key_size_ == kLongKey ? sizeof(uint32_t) : 0);
  }

  DeadlineNode deadline_;  // first: Entry::of
  uint32_t value_size_ = 0;
  uint16_t key_size_ = 0;
  ValueType type_ = ValueType::kString;
  uint8_t keyspace_id_ = 0;
};

static_assert(sizeof(Entry) == 12);

}  // namespace lockstep
