// The hash index against a std::map, while it grows, splits, merges and shrinks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/store/index_fixture.h"

namespace lockstep {
namespace {

std::string key_of(uint64_t number) { return "lock:" + std::to_string(number); }

// Every key is found, and for_each sees each entry once.
void expect_complete(const IndexFixture& fixture, const KeyIndex& index) {
  ASSERT_EQ(index.size(), fixture.entries().size());
  for (const auto& [key, entry] : fixture.entries()) ASSERT_EQ(fixture.find(key), entry) << key;
  std::set<const Entry*> seen;
  index.for_each([&](const Entry& entry) { EXPECT_TRUE(seen.insert(&entry).second) << entry.key(); });
  ASSERT_EQ(seen.size(), fixture.entries().size());
}

TEST(KeyIndex, FindsNothingInNothing) {
  IndexFixture fixture;
  EXPECT_EQ(fixture.find("a"), nullptr);
  EXPECT_EQ(fixture.find(""), nullptr);
  EXPECT_EQ(fixture.index().size(), 0u);
}

TEST(KeyIndex, TellsKeysApart) {
  IndexFixture fixture;
  const std::vector<std::string> keys = {"", std::string(1, '\0'), std::string(2, '\0'), "a", "A", "a ",
                                         std::string(70000, 'k'), std::string(70001, 'k')};
  for (const std::string& key : keys) ASSERT_TRUE(fixture.insert(key));
  expect_complete(fixture, fixture.index());
  ASSERT_TRUE(fixture.erase(""));
  EXPECT_EQ(fixture.find(""), nullptr);
  expect_complete(fixture, fixture.index());
}

TEST(KeyIndex, HashesBySeed) {
  const KeyIndex a(1), b(1), c(2);
  EXPECT_EQ(a.hash("lock"), b.hash("lock"));
  EXPECT_NE(a.hash("lock"), c.hash("lock"));
  EXPECT_NE(a.hash("lock"), a.hash("lock2"));
}

TEST(KeyIndex, ListsEqualKeysInEqualOrderForEqualSeeds) {
  IndexFixture a(5), b(5);
  for (uint64_t i = 0; i < 3000; ++i) a.insert(key_of(i));
  for (uint64_t i = 3000; i-- > 0;) b.insert(key_of(i));
  // The same keys in another order of coming: the same up to probing, so compare what both must share.
  std::set<std::string> keys_a, keys_b;
  a.index().for_each([&](const Entry& entry) { keys_a.emplace(entry.key()); });
  b.index().for_each([&](const Entry& entry) { keys_b.emplace(entry.key()); });
  EXPECT_EQ(keys_a, keys_b);
  IndexFixture again(5);
  for (uint64_t i = 0; i < 3000; ++i) again.insert(key_of(i));
  std::vector<std::string> order_a, order_again;
  a.index().for_each([&](const Entry& entry) { order_a.emplace_back(entry.key()); });
  again.index().for_each([&](const Entry& entry) { order_again.emplace_back(entry.key()); });
  EXPECT_EQ(order_a, order_again);
}

TEST(KeyIndex, GrowsAndShrinksBackToNothing) {
  constexpr uint64_t kKeys = 200'000;
  IndexFixture fixture;
  const size_t empty = fixture.index().memory_bytes();
  for (uint64_t i = 0; i < kKeys; ++i) ASSERT_TRUE(fixture.insert(key_of(i)));
  expect_complete(fixture, fixture.index());
  const size_t full = fixture.index().memory_bytes();
  EXPECT_GE(full, kKeys * 8);
  EXPECT_LE(full, kKeys * 8 * 3);  // load factors lie between two fifths and four fifths

  std::vector<std::string> order;
  for (uint64_t i = 0; i < kKeys; ++i) order.push_back(key_of(i));
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  for (size_t i = 0; i < order.size(); ++i) {
    ASSERT_TRUE(fixture.erase(order[i]));
    if (i == order.size() / 2 || i == order.size() - 1000) expect_complete(fixture, fixture.index());
  }
  EXPECT_EQ(fixture.index().size(), 0u);
  EXPECT_EQ(fixture.index().memory_bytes(), empty);
}

// Emptied in its own order, so that neighbouring segments empty one after the other.
TEST(KeyIndex, ShrinksWhenEmptiedInItsOrder) {
  IndexFixture fixture;
  const size_t empty = fixture.index().memory_bytes();
  for (uint64_t i = 0; i < 50'000; ++i) fixture.insert(key_of(i));
  std::vector<std::string> order;
  fixture.index().for_each([&](const Entry& entry) { order.emplace_back(entry.key()); });
  for (const std::string& key : order) ASSERT_TRUE(fixture.erase(key));
  EXPECT_EQ(fixture.index().memory_bytes(), empty);
}

TEST(KeyIndex, StartsAnewAfterReset) {
  IndexFixture fixture;
  const size_t empty = fixture.index().memory_bytes();
  std::vector<Entry*> made;
  for (uint64_t i = 0; i < 20'000; ++i) {
    made.push_back(Entry::make(key_of(i), 0, 0));
    fixture.index().insert(fixture.index().hash(key_of(i)), made.back());
  }
  fixture.index().reset();
  for (Entry* entry : made) Entry::destroy(entry);
  EXPECT_EQ(fixture.index().size(), 0u);
  EXPECT_EQ(fixture.index().memory_bytes(), empty);
  EXPECT_EQ(fixture.find(key_of(1)), nullptr);
  for (uint64_t i = 0; i < 3000; ++i) ASSERT_TRUE(fixture.insert(key_of(i)));
  expect_complete(fixture, fixture.index());
}

void compare_with_model(uint64_t seed, uint64_t keys) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  IndexFixture fixture(seed);
  for (int phase = 0; phase < 6; ++phase) {
    const uint64_t inserts_in_ten = phase % 2 == 0 ? 8 : 2;
    for (uint64_t step = 0; step < keys; ++step) {
      const std::string key = key_of(random() % keys);
      if (random() % 10 < inserts_in_ten) {
        if (!fixture.insert(key)) fixture.replace(key);
      } else {
        fixture.erase(key);
      }
      const std::string other = key_of(random() % keys);
      const auto expected = fixture.entries().find(other);
      ASSERT_EQ(fixture.find(other), expected == fixture.entries().end() ? nullptr : expected->second);
    }
    expect_complete(fixture, fixture.index());
  }
}

TEST(KeyIndex, AgreesWithAModel) {
  compare_with_model(1, 40);
  compare_with_model(2, 900);
  compare_with_model(3, 60'000);
}

}  // namespace
}  // namespace lockstep
