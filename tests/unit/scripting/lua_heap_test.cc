// The allocator of Lua states: accounting, the limit, and addresses that do not matter. Under
// AddressSanitizer it also poisons what is free.
#include "scripting/lua_heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace lockstep::test {
namespace {

void* take(LuaHeap& heap, size_t size) { return LuaHeap::allocate(&heap, nullptr, 0, size); }
void* resize(LuaHeap& heap, void* block, size_t from, size_t to) {
  return LuaHeap::allocate(&heap, block, from, to);
}
void release(LuaHeap& heap, void* block, size_t size) { LuaHeap::allocate(&heap, block, size, 0); }

TEST(LuaHeap, KeepsContentsAcrossEverySizeAndCountsBytes) {
  LuaHeap heap(64 << 20, 0);
  struct Block {
    unsigned char* bytes;
    size_t size;
    unsigned char mark;
  };
  std::vector<Block> blocks;
  size_t used = 0;
  std::mt19937 random(7);
  const auto check = [](const Block& block, size_t size) {
    for (size_t i = 0; i < size; i++) ASSERT_EQ(block.bytes[i], block.mark);
  };
  for (int i = 0; i < 20000; i++) {
    const size_t size = 1 + (random() % 4 == 0 ? random() % 6000 : random() % 200);
    if (blocks.size() < 300 || random() % 3 == 0) {
      auto* bytes = static_cast<unsigned char*>(take(heap, size));
      ASSERT_NE(bytes, nullptr);
      const auto mark = static_cast<unsigned char>(random());
      std::memset(bytes, mark, size);
      blocks.push_back({bytes, size, mark});
      used += size;
    } else {
      Block& block = blocks[random() % blocks.size()];
      check(block, block.size);
      if (random() % 2 == 0) {
        block.bytes = static_cast<unsigned char*>(resize(heap, block.bytes, block.size, size));
        check(block, std::min(size, block.size));
        std::memset(block.bytes, block.mark, size);
        used = used - block.size + size;
        block.size = size;
      } else {
        release(heap, block.bytes, block.size);
        used -= block.size;
        block = blocks.back();
        blocks.pop_back();
      }
    }
    ASSERT_EQ(heap.used_bytes(), used);
    ASSERT_GE(heap.reserved_bytes(), used);
  }
}  // what is left is the heap's to free

TEST(LuaHeap, RefusesToPassTheLimitButAlwaysShrinks) {
  LuaHeap heap(10000, 0);
  void* block = take(heap, 8000);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(take(heap, 3000), nullptr);
  EXPECT_EQ(resize(heap, block, 8000, 10001), nullptr);
  EXPECT_EQ(heap.used_bytes(), 8000u);
  block = resize(heap, block, 8000, 100);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.used_bytes(), 100u);
  EXPECT_NE(take(heap, 9900), nullptr);
}

TEST(LuaHeap, HashesOfBlocksRepeat) {
  const auto hashes = [] {
    LuaHeap heap(64 << 20, 0);
    std::vector<uint32_t> result;
    for (size_t i = 0; i < 5000; i++) result.push_back(LuaHeap::stable_hash(take(heap, 16 + i % 300)));
    return result;
  };
  const std::vector<uint32_t> first = hashes();
  LuaHeap between(1 << 20, 0);
  take(between, 100);
  EXPECT_EQ(hashes(), first);
}

}  // namespace
}  // namespace lockstep::test
