// The memory of one Lua state: a limit, a use count, and everything released at once when the state is
// dropped, whatever condition it is in. Block addresses repeat from run to run relative to their slabs, so
// that hashing them is deterministic. One thread; used by the interpreter, and by Lua through allocate().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

class LuaHeap {
 public:
  // `seed` is for the hashes of strings in this heap's state.
  LuaHeap(size_t limit_bytes, uint32_t seed) : limit_(limit_bytes), seed_(seed) {}
  ~LuaHeap();
  LuaHeap(const LuaHeap&) = delete;
  LuaHeap& operator=(const LuaHeap&) = delete;

  // A lua_Alloc; `heap` is the LuaHeap. Null when the limit would be passed or the system has no more;
  // shrinking and freeing never fail.
  static void* allocate(void* heap, void* block, size_t old_size, size_t new_size);

  // From now on what large blocks and a full heap cost takes steps off this count (scripting/lua/steps.h), which
  // must live as long as the state.
  void charge(int& steps_left) { steps_left_ = &steps_left; }

  size_t used_bytes() const { return used_; }
  // What the system gave: used blocks and free ones that wait for reuse.
  size_t reserved_bytes() const { return slabs_.size() * kSlabBytes + large_bytes_; }
  uint32_t seed() const { return seed_; }

  // The same number for the same block in every process. Only for blocks of up to kLargestSmall bytes.
  static uint32_t stable_hash(const void* block);

  // Large enough for every kind of object that can be a table key: a closure of 255 upvalues.
  static constexpr size_t kLargestSmall = 2112;

 private:
  static constexpr size_t kSlabBytes = 64 * 1024;  // and their alignment
  static constexpr size_t kStep = 16;

  struct Slab;
  struct FreeBlock;
  struct LargeBlock;

  static size_t size_class(size_t size) { return (size - 1) / kStep; }
  static bool is_small(size_t size) { return size <= kLargestSmall; }

  void* resize(void* block, size_t old_size, size_t new_size);
  void* take(size_t size);
  void give_back(void* block, size_t size);
  void* take_small(size_t size);
  bool open_slab();
  void* take_large(size_t size);
  void* resize_large(void* block, size_t old_size, size_t new_size);
  void link(LargeBlock* block);
  void unlink(LargeBlock* block);
  bool has_room_for(size_t bytes);
  void take_steps(size_t bytes);

  const size_t limit_;
  const uint32_t seed_;
  size_t used_ = 0;
  size_t large_bytes_ = 0;
  std::byte* fresh_ = nullptr;  // the untouched rest of the newest slab
  std::byte* fresh_end_ = nullptr;
  std::array<FreeBlock*, kLargestSmall / kStep> free_{};
  std::vector<Slab*> slabs_;
  LargeBlock* large_ = nullptr;
  int* steps_left_ = nullptr;
};

}  // namespace lockstep
