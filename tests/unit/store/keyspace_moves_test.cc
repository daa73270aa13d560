// Keys that are copied, moved to another keyspace, replaced and picked by chance; databases that trade numbers.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "server/store/databases.h"
#include "server/store/hash_value.h"
#include "server/store/list_value.h"
#include "tests/unit/store/store_fixture.h"

namespace lockstep {
namespace {

using Events = std::vector<std::string>;
using Location = Keyspace::Location;

std::unique_ptr<ListValue> list_of(std::initializer_list<const char*> items) {
  auto list = std::make_unique<ListValue>();
  for (const char* item : items) list->push(ListEnd::kRight, item);
  return list;
}

TEST(KeyspaceMoves, MoveKeepsTheMemoryAndTheDeadline) {
  StoreFixture store;
  store.put_until("k", "v", 5000);
  Location at = store.keys.locate("k");
  const Entry* entry = at.entry;
  store.recorder.take();
  store.keys.move(at, store.others);
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k", "created 3 k", "changed 3 k"}));
  EXPECT_FALSE(at);
  EXPECT_EQ(store.keys.size(), 0u);
  EXPECT_EQ(store.keys.size_with_deadline(), 0u);
  EXPECT_EQ(store.others.size_with_deadline(), 1u);
  const Location there = store.others.locate("k");
  EXPECT_EQ(there.entry, entry);
  EXPECT_EQ(there->keyspace_id(), 3);
  EXPECT_EQ(store.others.deadline_ms(*there.entry), 5000);
  store.set_now_ms(5000);
  EXPECT_FALSE(store.others.locate("k"));
  EXPECT_EQ(store.shared.value_bytes, 0u);
}

TEST(KeyspaceMoves, CopiesAreApartAndAccounted) {
  StoreFixture store;
  Location from = store.keys.locate("l");
  store.keys.create(from, ValueType::kList, list_of({"a", "b"}));
  store.keys.set_deadline(from, 9000);
  store.put_until("t", "taken", 100'000);
  Location to = store.keys.locate("t");
  store.recorder.take();
  store.keys.copy(*from.entry, to);
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 t", "created 0 t", "changed 0 t", "changed 0 t"}));
  EXPECT_EQ(store.keys.deadline_ms(*to.entry), 9000);
  static_cast<ListValue&>(to->object()).push(ListEnd::kRight, "c");
  store.keys.edited(to);
  EXPECT_EQ(static_cast<ListValue&>(from->object()).size(), 2u);
  Location other = store.others.locate("x");
  store.others.copy(*to.entry, other);
  EXPECT_EQ(static_cast<ListValue&>(other->object()).size(), 3u);
  store.keys.clear();
  store.others.clear();
  EXPECT_EQ(store.shared.value_bytes, 0u);
}

TEST(KeyspaceMoves, HashesAreCopiedInTheirOrder) {
  for (const int fields : {3, 500}) {
    HashValue hash(5);
    for (int i = 0; i < fields; ++i) hash.set("f" + std::to_string(i), "v");
    hash.erase("f1");
    const std::unique_ptr<Object> copy = hash.clone();
    const auto& copied = static_cast<const HashValue&>(*copy);
    EXPECT_EQ(copied.is_listed(), hash.is_listed());
    std::string order, copied_order;
    hash.for_each([&](const Entry& entry) { order += entry.key(); });
    copied.for_each([&](const Entry& entry) { copied_order += entry.key(); });
    if (hash.is_listed()) {
      EXPECT_EQ(copied_order, order);
    }
    EXPECT_EQ(copied.size(), hash.size());
  }
}

TEST(KeyspaceMoves, ReplaceTakesTheDeadlineAwayAndCreatesNothing) {
  StoreFixture store;
  store.put_until("k", "v", 5000);
  Location at = store.keys.locate("k");
  store.recorder.take();
  store.keys.replace(at, ValueType::kList, list_of({"a"}));
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k"}));
  EXPECT_EQ(at->type(), ValueType::kList);
  EXPECT_EQ(store.keys.deadline_ms(*at.entry), std::nullopt);
  store.keys.erase(at);
  store.keys.replace(at, ValueType::kList, list_of({"a"}));
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k", "created 0 k", "changed 0 k"}));
  store.keys.erase(at);
  EXPECT_EQ(store.shared.value_bytes, 0u);
  EXPECT_TRUE(store.shared.deadlines.empty());
}

TEST(KeyspaceMoves, PickIsFair) {
  StoreFixture store;
  store.recorder.set_silent(true);
  std::mt19937_64 random(11);
  EXPECT_EQ(store.keys.pick(random), nullptr);
  constexpr int kKeys = 3000;  // several segments of unlike depth
  for (int i = 0; i < kKeys; ++i) store.put("k" + std::to_string(i), "v");
  std::map<std::string, int> picked;
  constexpr int kEach = 100;
  for (int i = 0; i < kKeys * kEach; ++i) ++picked[std::string(store.keys.pick(random)->key())];
  ASSERT_EQ(picked.size(), size_t{kKeys});
  for (const auto& [key, times] : picked) {
    ASSERT_GT(times, kEach / 3) << key;
    ASSERT_LT(times, kEach * 3) << key;
  }
}

TEST(KeyspaceMoves, PickFindsTheLastKeyOfAnIndexThatWasLarge) {
  StoreFixture store;
  store.recorder.set_silent(true);
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) store.put("k" + std::to_string(i), "v");
  for (int i = 0; i < 20'000; ++i)
    if (i != 777) store.erase("k" + std::to_string(i));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(store.keys.pick(random)->key(), "k777");
}

TEST(KeyspaceMoves, PickPassesWhatIsDue) {
  StoreFixture store;
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) store.put_until("old" + std::to_string(i), "v", 2000);
  store.put("young", "v");
  store.set_now_ms(2000);
  EXPECT_EQ(store.keys.pick(random)->key(), "young");
  store.erase("young");
  EXPECT_EQ(store.keys.pick(random), nullptr);
  EXPECT_EQ(store.keys.size(), 0u);
}

TEST(Databases, SwapTradesNumbersAndKeepsWhomADeadlineBelongsTo) {
  Recorder recorder;
  Databases databases(4, 1, recorder);
  databases.shared().observed = true;
  Location at = databases[0].locate("k");
  databases[0].put(at, "v");
  databases[0].set_deadline(at, 10);
  recorder.take();
  databases.swap(0, 2);
  EXPECT_EQ(recorder.take(), (Events{"swapped 0 2"}));
  EXPECT_EQ(databases[0].number(), 0);
  EXPECT_EQ(databases[2].number(), 2);
  EXPECT_EQ(databases[0].size(), 0u);
  ASSERT_TRUE(databases[2].locate("k"));
  const auto due = databases.shared().deadlines.earliest();
  ASSERT_TRUE(due.has_value());
  Entry& entry = *Entry::of(due->node);
  EXPECT_EQ(&databases.of(entry), &databases[2]);
  databases.of(entry).expire(entry);
  EXPECT_EQ(recorder.take(), (Events{"changed 2 k", "expired 2 k"}));
  databases.swap(1, 1);
  EXPECT_EQ(recorder.take(), Events{});
  at = databases[2].locate("n");
  databases[2].put(at, "v");
  databases.swap(2, 0);
  EXPECT_EQ(databases[0].size(), 1u);
}

}  // namespace
}  // namespace lockstep
