// Hashes and lists as values, against models: through growth into an index, and the account of memory.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>

#include "server/store/hash_value.h"
#include "server/store/list_value.h"

namespace lockstep {
namespace {

std::string text_of(std::mt19937_64& random, size_t most) { return std::string(random() % (most + 1), 'v'); }

void expect_equal(const HashValue& hash, const std::map<std::string, std::string>& model) {
  ASSERT_EQ(hash.size(), model.size());
  std::map<std::string, std::string> seen;
  hash.for_each([&](const Entry& entry) { seen.emplace(entry.key(), entry.value()); });
  ASSERT_EQ(seen, model);
}

TEST(HashValue, IsAMapWhateverItsSize) {
  for (const uint64_t fields : {5u, 120u, 200u, 5000u}) {
    SCOPED_TRACE(fields);
    std::mt19937_64 random(fields);
    HashValue hash(7);
    std::map<std::string, std::string> model;
    for (int step = 0; step < 20'000; ++step) {
      const std::string field = "f" + std::to_string(random() % fields);
      if (random() % 3 == 0) {
        ASSERT_EQ(hash.erase(field), model.erase(field) == 1);
      } else {
        const std::string value = text_of(random, 60);
        ASSERT_EQ(hash.set(field, value), model.insert_or_assign(field, value).second);
      }
      const Entry* found = hash.find(field);
      ASSERT_EQ(found != nullptr, model.contains(field));
      if (found != nullptr) {
        ASSERT_EQ(found->value(), model[field]);
      }
    }
    expect_equal(hash, model);
  }
}

TEST(HashValue, KeepsTheOrderOfInsertionWhileSmall) {
  HashValue hash(1);
  for (const char* field : {"z", "a", "m"}) hash.set(field, "1");
  hash.set("a", std::string(64, 'x'));  // as long as a list takes
  std::string order;
  hash.for_each([&](const Entry& entry) { order += entry.key(); });
  EXPECT_EQ(order, "zam");
  EXPECT_TRUE(hash.is_listed());
  hash.set("a", std::string(65, 'x'));
  EXPECT_FALSE(hash.is_listed());
}

TEST(HashValue, BecomesAnIndexWithItsFieldsUnharmed) {
  HashValue hash(1);
  std::map<std::string, std::string> model;
  for (size_t i = 0; i <= HashValue::kMaxListed; ++i) {
    EXPECT_TRUE(hash.is_listed());
    hash.set("f" + std::to_string(i), std::to_string(i));
    model["f" + std::to_string(i)] = std::to_string(i);
  }
  EXPECT_FALSE(hash.is_listed());
  expect_equal(hash, model);
}

TEST(HashValue, ScanSeesAll) {
  for (const int fields : {0, 3, 128, 129, 4000}) {
    HashValue hash(3);
    for (int i = 0; i < fields; ++i) hash.set("f" + std::to_string(i), "v");
    std::set<std::string> seen;
    uint64_t cursor = 0;
    int steps = 0;
    do {
      cursor = hash.scan(cursor, 10, [&](const Entry& entry) { seen.emplace(entry.key()); });
      ASSERT_LT(++steps, 5000);
    } while (cursor != 0);
    EXPECT_EQ(seen.size(), static_cast<size_t>(fields));
  }
}

TEST(HashValue, AccountsForWhatItHolds) {
  HashValue hash(1);
  const size_t before = hash.memory_bytes();
  hash.set("f", std::string(10'000, 'x'));
  EXPECT_GE(hash.memory_bytes(), before + 10'000);
  hash.set("f", "small");
  EXPECT_LT(hash.memory_bytes(), before + 1000);
}

TEST(ListValue, IsADequeWhateverIsDone) {
  std::mt19937_64 random(5);
  ListValue list;
  std::deque<std::string> model;
  for (int step = 0; step < 20'000; ++step) {
    const std::string item = text_of(random, 40);
    const ListEnd end = random() % 2 == 0 ? ListEnd::kLeft : ListEnd::kRight;
    const size_t index = model.empty() ? 0 : random() % model.size();
    switch (model.empty() ? 0 : random() % 6) {
      case 0:
      case 1:
        list.push(end, item);
        end == ListEnd::kLeft ? model.push_front(item) : model.push_back(item);
        break;
      case 2: {
        const std::string& expected = end == ListEnd::kLeft ? model.front() : model.back();
        ASSERT_EQ(list.pop(end), expected);
        end == ListEnd::kLeft ? model.pop_front() : model.pop_back();
        break;
      }
      case 3:
        list.set(index, item);
        model[index] = item;
        break;
      case 4:
        list.insert(index, item);
        model.insert(model.begin() + static_cast<std::ptrdiff_t>(index), item);
        break;
      default:
        list.erase(index, index + 1);
        model.erase(model.begin() + static_cast<std::ptrdiff_t>(index));
    }
    ASSERT_EQ(list.size(), model.size());
    if (!model.empty()) {
      ASSERT_EQ(list.at(index % model.size()), model[index % model.size()]);
    }
  }
  while (!list.empty()) list.pop(ListEnd::kLeft);
  EXPECT_EQ(list.memory_bytes(), ListValue().memory_bytes());
}

}  // namespace
}  // namespace lockstep
