// A list of strings, cheap at both ends.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "server/store/object.h"

namespace lockstep {

enum class ListEnd : uint8_t { kLeft, kRight };

class ListValue final : public Object {
 public:
  size_t size() const { return items_.size(); }
  bool empty() const override { return items_.empty(); }
  size_t memory_bytes() const override { return sizeof(*this) + bytes_; }
  std::unique_ptr<Object> clone() const override;

  const std::string& at(size_t index) const { return items_[index]; }

  void push(ListEnd end, std::string_view item);
  std::string pop(ListEnd end);  // not of an empty list
  void set(size_t index, std::string_view item);
  void insert(size_t index, std::string_view item);  // before the one that is there now
  void erase(size_t first, size_t last);             // [first, last)

 private:
  static size_t cost(std::string_view item) {
    constexpr size_t kInPlace = 15;  // characters that need no memory of their own
    return sizeof(std::string) + (item.size() > kInPlace ? item.size() + 1 : 0);
  }

  std::deque<std::string> items_;
  size_t bytes_ = 0;
};

}  // namespace lockstep
