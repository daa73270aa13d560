// A text that grows, in the memory of the Lua state, so that its limit holds. Unlike luaL_Buffer it does not ask
// for the top of the Lua stack, which libraries need while they walk tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "lua.h"

namespace lockstep {

class ByteBuffer {
 public:
  explicit ByteBuffer(lua_State* L) : lua_(L) {}
  ~ByteBuffer() { release(); }
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;

  size_t size() const { return size_; }

  void add(char byte) {
    *room(1) = byte;
    size_++;
  }
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  void add(const void* bytes, size_t count) {
    if (count == 0) return;
    std::memcpy(room(count), bytes, count);
    size_ += count;
  }
  void add_zeros(size_t count) {
    std::memset(room(count), 0, count);
    size_ += count;
  }

  // Where `count` more bytes may be written; wrote() says how many were.
  char* room(size_t count) {
    if (count > capacity_ - size_) grow(count);
    return data_ + size_;
  }
  void wrote(size_t count) { size_ += count; }

  // Pushes the text as a string.
  void push() const { lua_pushlstring(lua_, data_, size_); }

 private:
  void grow(size_t count) {
    const size_t capacity = std::max(size_ + count, 2 * capacity_);
    char* const block = allocate(capacity);
    if (is_own_block()) {
      data_ = block;
    } else {
      data_ = static_cast<char*>(std::memcpy(block, data_, size_));
    }
    capacity_ = capacity;
  }

  // Resizes the block, or makes the first. Raises a Lua error when memory is out even without the garbage.
  char* allocate(size_t capacity) {
    void* heap = nullptr;
    const lua_Alloc resize = lua_getallocf(lua_, &heap);
    void* const old = is_own_block() ? data_ : nullptr;
    const size_t old_size = is_own_block() ? capacity_ : 0;
    void* block = resize(heap, old, old_size, capacity);
    if (block == nullptr) {
      lua_gc(lua_, LUA_GCCOLLECT);
      block = resize(heap, old, old_size, capacity);
    }
    if (block == nullptr) {
      lua_pushliteral(lua_, "not enough memory");
      lua_error(lua_);
    }
    return static_cast<char*>(block);
  }

  void release() {
    if (!is_own_block()) return;
    void* heap = nullptr;
    lua_getallocf(lua_, &heap)(heap, data_, capacity_, 0);
  }

  bool is_own_block() const { return data_ != small_.data(); }

  lua_State* lua_;
  std::array<char, 256> small_;  // most texts need no more
  char* data_ = small_.data();
  size_t size_ = 0;
  size_t capacity_ = small_.size();
};

}  // namespace lockstep
