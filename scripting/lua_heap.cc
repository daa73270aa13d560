// Size classes in slabs for what Lua allocates most (Lua tells a block's size when it frees it, so blocks
// have no headers), malloc for the rest.
#include "scripting/lua_heap.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "lfunc.h"
#include "lua.h"
#include "scripting/lua/pointer_hash.h"

#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_POISON 1
#endif
#endif
#ifdef LOCKSTEP_POISON
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace lockstep {

static_assert(LuaHeap::kLargestSmall >= sizeLclosure(MAXUPVAL), "some table keys would have no stable hash");

struct alignas(16) LuaHeap::Slab {
  uint32_t number;  // in the order in which this heap opened them
};

struct LuaHeap::FreeBlock {
  FreeBlock* next;
};

struct alignas(16) LuaHeap::LargeBlock {
  LargeBlock* previous;
  LargeBlock* next;
};

LuaHeap::~LuaHeap() {
  for (Slab* slab : slabs_) {
    ASAN_UNPOISON_MEMORY_REGION(slab, kSlabBytes);
    std::free(slab);
  }
  while (large_ != nullptr) {
    LargeBlock* next = large_->next;
    std::free(large_);
    large_ = next;
  }
}

void* LuaHeap::allocate(void* heap, void* block, size_t old_size, size_t new_size) {
  auto* self = static_cast<LuaHeap*>(heap);
  if (block == nullptr) {  // old_size then tells what the block is for
    if (new_size == 0 || !self->has_room_for(new_size)) return nullptr;
    void* fresh = self->take(new_size);
    if (fresh != nullptr) self->used_ += new_size;
    return fresh;
  }
  if (new_size == 0) {
    self->give_back(block, old_size);
    self->used_ -= old_size;
    return nullptr;
  }
  if (new_size > old_size && !self->has_room_for(new_size - old_size)) return nullptr;
  void* moved = self->resize(block, old_size, new_size);
  if (moved != nullptr) self->used_ += new_size - old_size;
  return moved;
}

// Without, Lua collects all its garbage and tries again.
bool LuaHeap::has_room_for(size_t bytes) {
  if (used_ + bytes <= limit_) return true;
  take_steps(used_);
  return false;
}

void LuaHeap::take_steps(size_t bytes) {
  constexpr size_t kBytesPerStep = 256;
  if (steps_left_ == nullptr) return;
  const size_t steps = bytes / kBytesPerStep;
  *steps_left_ = steps < static_cast<size_t>(*steps_left_) ? *steps_left_ - static_cast<int>(steps) : 1;
}

void* LuaHeap::resize(void* block, size_t old_size, size_t new_size) {
  if (is_small(old_size) && is_small(new_size) && size_class(old_size) == size_class(new_size)) {
    return block;
  }
  if (!is_small(old_size) && !is_small(new_size)) return resize_large(block, old_size, new_size);
  void* moved = take(new_size);
  if (moved == nullptr) {
    // Lua cannot be told that shrinking failed; this ends the script and discards the state.
    if (new_size < old_size) throw std::bad_alloc();
    return nullptr;
  }
  std::memcpy(moved, block, old_size < new_size ? old_size : new_size);
  give_back(block, old_size);
  return moved;
}

void* LuaHeap::take(size_t size) { return is_small(size) ? take_small(size) : take_large(size); }

void LuaHeap::give_back(void* block, size_t size) {
  if (!is_small(size)) {
    auto* large = static_cast<LargeBlock*>(block) - 1;
    unlink(large);
    large_bytes_ -= size;
    std::free(large);
    return;
  }
  const size_t index = size_class(size);
  auto* freed = new (block) FreeBlock{free_[index]};
  free_[index] = freed;
  ASAN_POISON_MEMORY_REGION(freed, (index + 1) * kStep);
}

void* LuaHeap::take_small(size_t size) {
  const size_t index = size_class(size);
  const size_t rounded = (index + 1) * kStep;
  if (FreeBlock* block = free_[index]) {
    ASAN_UNPOISON_MEMORY_REGION(block, rounded);
    free_[index] = block->next;
    return block;
  }
  if (static_cast<size_t>(fresh_end_ - fresh_) < rounded && !open_slab()) return nullptr;
  void* block = fresh_;
  fresh_ += rounded;
  ASAN_UNPOISON_MEMORY_REGION(block, rounded);
  return block;
}

// The rest of the slab before is lost: less than kLargestSmall bytes of 64 KiB.
bool LuaHeap::open_slab() {
  void* memory = std::aligned_alloc(kSlabBytes, kSlabBytes);
  if (memory == nullptr) return false;
  auto* slab = new (memory) Slab{static_cast<uint32_t>(slabs_.size())};
  try {
    slabs_.push_back(slab);
  } catch (const std::bad_alloc&) {
    std::free(memory);
    return false;
  }
  fresh_ = reinterpret_cast<std::byte*>(slab + 1);
  fresh_end_ = static_cast<std::byte*>(memory) + kSlabBytes;
  ASAN_POISON_MEMORY_REGION(fresh_, static_cast<size_t>(fresh_end_ - fresh_));
  return true;
}

void* LuaHeap::take_large(size_t size) {
  auto* block = static_cast<LargeBlock*>(std::malloc(sizeof(LargeBlock) + size));
  if (block == nullptr) return nullptr;
  link(block);
  large_bytes_ += size;
  take_steps(size);
  return block + 1;
}

void* LuaHeap::resize_large(void* block, size_t old_size, size_t new_size) {
  auto* large = static_cast<LargeBlock*>(block) - 1;
  unlink(large);
  auto* moved = static_cast<LargeBlock*>(std::realloc(large, sizeof(LargeBlock) + new_size));
  link(moved != nullptr ? moved : large);
  if (moved == nullptr) return new_size < old_size ? block : nullptr;
  large_bytes_ += new_size - old_size;
  take_steps(new_size);
  return moved + 1;
}

void LuaHeap::link(LargeBlock* block) {
  block->previous = nullptr;
  block->next = large_;
  if (large_ != nullptr) large_->previous = block;
  large_ = block;
}

void LuaHeap::unlink(LargeBlock* block) {
  if (block->next != nullptr) block->next->previous = block->previous;
  (block->previous != nullptr ? block->previous->next : large_) = block->next;
}

uint32_t LuaHeap::stable_hash(const void* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  const auto* slab = reinterpret_cast<const Slab*>(address & ~uintptr_t{kSlabBytes - 1});
  return slab->number * static_cast<uint32_t>(kSlabBytes) + static_cast<uint32_t>(address & (kSlabBytes - 1));
}

}  // namespace lockstep

// Called from Lua's core.
namespace lockstep::lua_build {

unsigned hash_seed(lua_State* L) {
  void* heap = nullptr;
  lua_getallocf(L, &heap);
  return static_cast<LuaHeap*>(heap)->seed();
}

unsigned hash_of_pointer(const GCObject* object) { return LuaHeap::stable_hash(object); }

}  // namespace lockstep::lua_build
