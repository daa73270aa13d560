// What a keyspace does with keys, values and deadlines, and whom it tells.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/store/store_fixture.h"

namespace lockstep {
namespace {

using Events = std::vector<std::string>;
using Location = Keyspace::Location;

TEST(Keyspace, PutsAndFinds) {
  StoreFixture store;
  EXPECT_EQ(store.get("a"), "(none)");
  store.put("a", "1");
  store.put("", "empty key");
  store.put(std::string_view("\0", 1), std::string_view("\0\r\n", 3));
  EXPECT_EQ(store.get("a"), "1");
  EXPECT_EQ(store.get(""), "empty key");
  EXPECT_EQ(store.get(std::string_view("\0", 1)), std::string_view("\0\r\n", 3));
  EXPECT_EQ(store.keys.size(), 3u);
  store.put("a", "");
  EXPECT_EQ(store.get("a"), "");
  store.put("a", std::string(100'000, 'x'));
  EXPECT_EQ(store.get("a"), std::string(100'000, 'x'));
  store.put("a", "short again");
  EXPECT_EQ(store.get("a"), "short again");
  EXPECT_EQ(store.keys.size(), 3u);
  EXPECT_TRUE(store.erase("a"));
  EXPECT_EQ(store.get("a"), "(none)");
  EXPECT_EQ(store.keys.size(), 2u);
}

TEST(Keyspace, KeepsDatabasesApart) {
  StoreFixture store;
  store.put("k", "0");
  Location at = store.others.locate("k");
  EXPECT_FALSE(at);
  store.others.put(at, "3");
  EXPECT_EQ(at->keyspace_id(), 3);
  EXPECT_EQ(store.get("k"), "0");
  EXPECT_EQ(store.recorder.take(), (Events{"created 0 k", "changed 0 k", "created 3 k", "changed 3 k"}));
}

TEST(Keyspace, LocationStaysGoodThroughItsOwnChanges) {
  StoreFixture store;
  Location at = store.keys.locate("k");
  store.keys.put(at, "v");
  ASSERT_TRUE(at);
  store.keys.set_deadline(at, 5000);
  store.keys.put(at, std::string(10'000, 'y'));  // other memory
  EXPECT_EQ(at->value(), std::string(10'000, 'y'));
  EXPECT_EQ(store.keys.deadline_ms(*at.entry), 5000);
  store.keys.erase(at);
  EXPECT_FALSE(at);
  store.keys.put(at, "again");
  EXPECT_EQ(at->value(), "again");
  EXPECT_EQ(store.keys.deadline_ms(*at.entry), std::nullopt);
}

// From 65,535 bytes on a key's length has other room.
TEST(Keyspace, TakesLongKeys) {
  StoreFixture store;
  for (const size_t size : {65'534u, 65'535u, 65'536u, 65'537u, 1'000'000u}) {
    std::string key(size, 'k');
    store.put(key, "v" + std::to_string(size));
    key.back() = 'K';
    store.put(key, "w" + std::to_string(size));
  }
  EXPECT_EQ(store.keys.size(), 10u);
  for (const size_t size : {65'534u, 65'535u, 65'536u, 65'537u, 1'000'000u}) {
    std::string key(size, 'k');
    EXPECT_EQ(store.get(key), "v" + std::to_string(size));
    Location at = store.keys.locate(key);
    EXPECT_EQ(at->key(), key);
    store.keys.set_deadline(at, 2000);
    store.keys.put(at, std::string(300, 'z'));
    EXPECT_EQ(at->key(), key);
    EXPECT_EQ(at->value(), std::string(300, 'z'));
    EXPECT_EQ(store.keys.deadline_ms(*at.entry), 2000);
    const std::string other_key = key + "!";
    Location to = store.keys.locate(other_key);
    store.keys.rename(at, to);
    EXPECT_EQ(store.get(key), "(none)");
    EXPECT_EQ(store.get(other_key), std::string(300, 'z'));
    EXPECT_TRUE(store.erase(other_key));
  }
  EXPECT_EQ(store.keys.size(), 5u);
}

TEST(Keyspace, ResizesKeepingWhatWasThere) {
  StoreFixture store;
  Location at = store.keys.locate("k");
  std::memcpy(store.keys.resize(at, 3), "abc", 3);
  EXPECT_EQ(store.get("k"), "abc");
  char* bytes = store.keys.resize(at, 6);
  EXPECT_EQ(std::string_view(bytes, 3), "abc");
  std::memcpy(bytes + 3, "def", 3);
  EXPECT_EQ(store.get("k"), "abcdef");
  store.keys.set_deadline(at, 5000);
  bytes = store.keys.resize(at, 100'000);
  EXPECT_EQ(std::string_view(bytes, 6), "abcdef");
  std::memset(bytes + 6, '-', 100'000 - 6);
  EXPECT_EQ(store.get("k"), "abcdef" + std::string(100'000 - 6, '-'));
  EXPECT_EQ(store.deadline_of("k"), 5000);
  store.keys.resize(at, 2);
  EXPECT_EQ(store.get("k"), "ab");
}

TEST(Keyspace, RenamesWithValueAndDeadline) {
  StoreFixture store;
  store.put_until("from", "v", 9000);
  store.put_until("to", "old", 7000);
  store.recorder.take();
  Location from = store.keys.locate("from");
  Location to = store.keys.locate("to");
  store.keys.rename(from, to);
  EXPECT_FALSE(from);
  EXPECT_EQ(store.get("from"), "(none)");
  EXPECT_EQ(store.get("to"), "v");
  EXPECT_EQ(store.deadline_of("to"), 9000);
  EXPECT_EQ(store.keys.size(), 1u);
  EXPECT_EQ(store.keys.size_with_deadline(), 1u);
  EXPECT_EQ(store.shared.deadlines.size(), 1u);
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 from", "created 0 to", "changed 0 to"}));
}

// The deadline that the target had is gone as well.
TEST(Keyspace, RenamesWithoutDeadline) {
  StoreFixture store;
  store.put("from", "v");
  store.put_until("to", "old", 7000);
  store.recorder.take();
  Location from = store.keys.locate("from");
  Location to = store.keys.locate("to");
  store.keys.rename(from, to);
  EXPECT_EQ(store.deadline_of("to"), std::nullopt);
  EXPECT_EQ(store.keys.size_with_deadline(), 0u);
  EXPECT_TRUE(store.shared.deadlines.empty());
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 from", "created 0 to", "changed 0 to"}));
}

TEST(Keyspace, SetsAndClearsDeadlines) {
  StoreFixture store;
  store.put("k", "v");
  Location at = store.keys.locate("k");
  EXPECT_FALSE(store.keys.clear_deadline(at));
  store.keys.set_deadline(at, 5000);
  EXPECT_EQ(store.deadline_of("k"), 5000);
  EXPECT_EQ(store.keys.size_with_deadline(), 1u);
  store.keys.set_deadline(at, 6000);
  EXPECT_EQ(store.keys.size_with_deadline(), 1u);
  EXPECT_EQ(store.shared.deadlines.size(), 1u);
  EXPECT_TRUE(store.keys.clear_deadline(at));
  EXPECT_EQ(store.deadline_of("k"), std::nullopt);
  EXPECT_EQ(store.keys.size_with_deadline(), 0u);
  // One that lies before the start of the time line is long past.
  store.keys.set_deadline(at, INT64_MIN);
  EXPECT_EQ(store.keys.deadline_ms(*at.entry), 0);
  EXPECT_EQ(store.get("k"), "(none)");
}

TEST(Keyspace, KeepsDeadlinesBeyondFortyFourBits) {
  StoreFixture store;
  store.put_until("k", "v", INT64_MAX);
  EXPECT_EQ(store.deadline_of("k"), INT64_MAX);
  store.put("k", std::string(5000, 'x'));  // other memory
  EXPECT_EQ(store.deadline_of("k"), INT64_MAX);
  Location at = store.keys.locate("k");
  store.keys.set_deadline(at, 1500);
  store.set_now_ms(1500);
  EXPECT_EQ(store.get("k"), "(none)");
  EXPECT_TRUE(store.shared.deadlines.empty());
}

TEST(Keyspace, LosesAKeyAtItsDeadline) {
  StoreFixture store;
  store.put_until("k", "v", 2000);
  store.recorder.take();
  store.shared.now = Instant{1'999'999};
  EXPECT_EQ(store.get("k"), "v");
  store.shared.now = Instant{2'000'000};
  int listed = 0;
  store.keys.for_each([&](const Entry&) { ++listed; });
  store.keys.scan(0, 10, [&](const Entry&) { ++listed; });
  EXPECT_EQ(listed, 0);
  EXPECT_EQ(store.keys.size(), 1u);  // nobody has looked at it yet
  EXPECT_FALSE(store.keys.locate("k"));
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k", "expired 0 k"}));
  EXPECT_EQ(store.keys.size(), 0u);
  EXPECT_EQ(store.keys.size_with_deadline(), 0u);
}

TEST(Keyspace, ExpiresWhatTheHeapNames) {
  StoreFixture store;
  store.put_until("late", "v", 3000);
  store.put_until("soon", "v", 2000);
  Location at = store.others.locate("other");
  store.others.put(at, "v");
  store.others.set_deadline(at, 2500);
  store.recorder.take();
  std::vector<std::string> order;
  while (const auto due = store.shared.deadlines.earliest()) {
    Entry& entry = *Entry::of(due->node);
    order.emplace_back(entry.key());
    (entry.keyspace_id() == 0 ? store.keys : store.others).expire(entry);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"soon", "other", "late"}));
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 soon", "expired 0 soon", "changed 3 other", "expired 3 other",
                                           "changed 0 late", "expired 0 late"}));
  EXPECT_EQ(store.keys.size() + store.others.size(), 0u);
}

TEST(Keyspace, TellsOnlyThoseWhoAsked) {
  StoreFixture store;
  store.shared.observed = false;
  store.put_until("k", "v", 2000);
  store.set_now_ms(2000);
  EXPECT_EQ(store.get("k"), "(none)");
  EXPECT_EQ(store.recorder.take(), (Events{"created 0 k", "expired 0 k"}));
}

TEST(Keyspace, TellsOfEveryKindOfChange) {
  StoreFixture store;
  Location at = store.keys.locate("k");
  store.keys.resize(at, 1);
  EXPECT_EQ(store.recorder.take(), (Events{"created 0 k", "changed 0 k"}));
  store.keys.put(at, "v");
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k"}));
  store.keys.set_deadline(at, 2000);
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k"}));
  store.keys.clear_deadline(at);
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k"}));
  store.keys.clear_deadline(at);
  EXPECT_EQ(store.recorder.take(), Events{});
  store.keys.erase(at);
  EXPECT_EQ(store.recorder.take(), (Events{"changed 0 k"}));
}

TEST(Keyspace, Clears) {
  StoreFixture store;
  for (int i = 0; i < 5000; ++i) store.put_until("k" + std::to_string(i), "v", i % 2 == 0 ? 2000 : INT64_MAX);
  store.put_until("n", "v", 3000);
  store.recorder.take();
  store.keys.clear();
  EXPECT_EQ(store.recorder.take(), (Events{"flushed 0 5001"}));
  EXPECT_EQ(store.keys.size(), 0u);
  EXPECT_EQ(store.keys.size_with_deadline(), 0u);
  EXPECT_TRUE(store.shared.deadlines.empty());
  EXPECT_EQ(store.get("k1"), "(none)");
  store.put("k1", "v");
  EXPECT_EQ(store.get("k1"), "v");
}

TEST(Keyspace, KnowsTheMeanOfWhatIsLeft) {
  StoreFixture store;
  EXPECT_EQ(store.keys.mean_ttl_ms(10), 0);
  store.put("for ever", "v");
  EXPECT_EQ(store.keys.mean_ttl_ms(10), 0);
  store.put_until("a", "v", 2000);
  store.put_until("b", "v", 4000);
  EXPECT_EQ(store.keys.mean_ttl_ms(1000), 2000);
}

}  // namespace
}  // namespace lockstep
