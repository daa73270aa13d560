// What keys cost: allocations a command, the account of memory, and bytes a lock.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "tests/support/allocation_counter.h"
#include "tests/unit/store/store_fixture.h"

namespace lockstep {
namespace {

using tests::allocations_in;

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef0123";  // 36 bytes, as clients send

class KeyspaceAllocations : public testing::Test {
 protected:
  KeyspaceAllocations() {
    store_.recorder.set_silent(true);  // writing down allocates
    // What the heap and the index get ready for their first entries is theirs.
    store_.put_until("lock:b", kToken, 5000);
    store_.put_until("lock:c", kToken, 5000);
  }
  StoreFixture store_;
};

TEST_F(KeyspaceAllocations, NoneToReadOrOverwrite) {
  EXPECT_EQ(allocations_in([&] { store_.keys.locate("lock:b"); }), 0u);
  EXPECT_EQ(allocations_in([&] { store_.keys.locate("not there"); }), 0u);
  EXPECT_EQ(allocations_in([&] { store_.put_until("lock:b", kToken, 9000); }), 0u);
  EXPECT_EQ(allocations_in([&] { store_.put("lock:b", "shorter"); }), 0u);
  EXPECT_EQ(allocations_in([&] { store_.put("lock:b", kToken); }), 0u);
}

TEST_F(KeyspaceAllocations, OneForANewKey) {
  EXPECT_EQ(allocations_in([&] { store_.put_until("lock:a", kToken, 5000); }), 1u);
  EXPECT_EQ(allocations_in([&] { store_.erase("lock:a"); }), 0u);
}

TEST_F(KeyspaceAllocations, OneForALongerValue) {
  const std::string longer(300, 'x');
  EXPECT_EQ(allocations_in([&] { store_.put("lock:b", longer); }), 1u);
  EXPECT_EQ(store_.get("lock:b"), longer);
}

TEST_F(KeyspaceAllocations, NoneToExpire) {
  store_.set_now_ms(5000);
  EXPECT_EQ(allocations_in([&] { store_.keys.locate("lock:b"); }), 0u);
}

// Appending byte by byte: new memory each time it doubles, not each time.
TEST_F(KeyspaceAllocations, FewToAppend) {
  Keyspace::Location at = store_.keys.locate("log");
  const size_t allocations = allocations_in([&] {
    for (size_t size = 1; size <= 100'000; ++size) store_.keys.resize(at, size)[size - 1] = 'x';
  });
  EXPECT_LE(allocations, 20u);
}

// A value that was huge once does not keep its memory for ever.
TEST(KeyspaceMemory, GivesBackWhatAHugeValueTook) {
  StoreFixture store;
  store.put("k", std::string(10'000'000, 'x'));
  EXPECT_GE(store.shared.value_bytes, 10'000'000u);
  store.put("k", "small");
  EXPECT_LE(store.shared.value_bytes, 200u);
}

TEST(KeyspaceMemory, AccountReturnsToZero) {
  StoreFixture store;
  store.recorder.set_silent(true);
  const size_t empty_index = store.keys.memory_bytes();
  std::mt19937_64 random(11);
  for (int step = 0; step < 60'000; ++step) {
    const std::string key = "k" + std::to_string(random() % 3000);
    Keyspace::Location at = store.keys.locate(key);
    switch (random() % 8) {
      case 0:
        if (at) store.keys.erase(at);
        break;
      case 1:
        if (at) store.keys.set_deadline(at, static_cast<int64_t>(random() % 100'000));
        break;
      case 2:
        if (at) store.keys.clear_deadline(at);
        break;
      case 3: {
        const size_t size = random() % 500;
        std::memset(store.keys.resize(at, size), 'r', size);
        break;
      }
      case 4: {
        const std::string target = "k" + std::to_string(random() % 3000);
        Keyspace::Location to = store.keys.locate(target);
        if (at && at.entry != to.entry) store.keys.rename(at, to);
        break;
      }
      default:
        store.keys.put(at, std::string(random() % 100, 'p'));
    }
    if (step % 100 == 0) store.set_now_ms(store.shared.now.ms() + 500);
  }
  size_t bytes = 0;
  size_t armed = 0;
  store.set_now_ms(0);  // so that all are listed
  store.keys.for_each([&](const Entry& entry) {
    bytes += entry.memory_bytes();
    armed += entry.deadline().armed() ? 1 : 0;
  });
  EXPECT_EQ(store.shared.value_bytes, bytes);
  EXPECT_EQ(store.keys.size_with_deadline(), armed);
  EXPECT_EQ(store.shared.deadlines.size(), armed);
  for (int i = 0; i < 3000; ++i) store.erase("k" + std::to_string(i));
  EXPECT_EQ(store.keys.size(), 0u);
  EXPECT_EQ(store.shared.value_bytes, 0u);
  EXPECT_EQ(store.keys.memory_bytes(), empty_index);
  EXPECT_TRUE(store.shared.deadlines.empty());
}

TEST(KeyspaceMemory, AccountReturnsToZeroWhenClearedOrDropped) {
  StoreShared shared;
  Recorder recorder;
  shared.listener = &recorder;
  {
    Keyspace keys(0, 1, shared);
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 3000; ++i) {
        const std::string key = "k" + std::to_string(i);
        Keyspace::Location at = keys.locate(key);
        keys.put(at, "v");
        keys.set_deadline(at, 1'000'000);
      }
      EXPECT_GT(shared.value_bytes, 0u);
      if (round == 1) break;
      keys.clear();
      EXPECT_EQ(shared.value_bytes, 0u);
    }
  }
  EXPECT_EQ(shared.value_bytes, 0u);
  EXPECT_TRUE(shared.deadlines.empty());
}

// The goal of the design: 120 bytes a lock, all told. (Where a sanitizer serves malloc, this counts what was
// asked for, not what the allocator takes.)
TEST(KeyspaceMemory, ALockCosts120Bytes) {
  constexpr size_t kLocks = 200'000;
  StoreFixture store;
  store.recorder.set_silent(true);
  for (size_t i = 0; i < kLocks; ++i) store.put_until("lock:" + std::to_string(i), kToken, 100'000);
  const size_t bytes =
      store.shared.value_bytes + store.shared.deadlines.memory_bytes() + store.keys.memory_bytes();
  EXPECT_LE(bytes / kLocks, 120u);
}

}  // namespace
}  // namespace lockstep
