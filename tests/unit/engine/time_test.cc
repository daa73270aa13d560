// Time: the caller moves it, and it goes from deadline to deadline (rules 2, 4, 8, 9).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;
using tests::kStartMs;

// The reply of TIME at kStartMs + ms.
std::string time_reply(int64_t ms) {
  const int64_t unix_ms = kStartMs + ms;
  const std::string seconds = std::to_string(unix_ms / 1000);
  const std::string us = std::to_string(unix_ms % 1000 * 1000);
  return "*2|$10|" + seconds + "|$" + std::to_string(us.size()) + "|" + us + "|";
}

TEST(Time, KeysLiveUntilTheirDeadlineAndNotAtIt) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  fixture.ask(id, "SET k v PX 30");
  fixture.engine().advance_to(Instant{(kStartMs + 30) * 1000 - 1});
  EXPECT_EQ(fixture.ask(id, "GET k"), "$1|v|");
  EXPECT_EQ(fixture.info("expired_keys"), 0);
  fixture.engine().advance_to(Instant{(kStartMs + 30) * 1000});
  EXPECT_EQ(fixture.info("expired_keys"), 1);
  EXPECT_EQ(fixture.ask(id, "GET k\nDBSIZE"), "$-1|:0|");
}

// A deadline starts at the millisecond that has begun.
TEST(Time, DeadlinesStartAtWholeMilliseconds) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  fixture.engine().advance_to(Instant{kStartMs * 1000 + 900});
  fixture.ask(id, "SET k v PX 30");
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::from_ms(kStartMs + 30));
  EXPECT_EQ(fixture.ask(id, "PTTL k"), ":30|");
}

TEST(Time, GoesFromDeadlineToDeadline) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  fixture.send(a, "TESTWAIT k 30\nTIME\nTESTWAIT k 40\nTIME");
  fixture.send(b, "TESTWAIT k 50\nTIME");
  fixture.advance_to_ms(200);
  EXPECT_EQ(fixture.take(a), "$-1|" + time_reply(30) + "$-1|" + time_reply(70));
  EXPECT_EQ(fixture.take(b), "$-1|" + time_reply(50));
  EXPECT_EQ(fixture.now_ms(), 200);
}

TEST(Time, TellsItsNextDeadline) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::never());
  fixture.ask(a, "SET k v PX 100");
  fixture.ask(a, "SET l v PX 50");
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::from_ms(kStartMs + 50));
  fixture.ask(a, "PERSIST l");
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::from_ms(kStartMs + 100));
  fixture.send(a, "TESTWAIT x 20");
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::from_ms(kStartMs + 20));
  fixture.advance_to_ms(1000);
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::never());
}

TEST(Time, NeverGoesBack) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  fixture.advance_to_ms(100);
  fixture.ask(a, "SET k v PX 50");
  fixture.advance_to_ms(20);
  EXPECT_EQ(fixture.now_ms(), 100);
  EXPECT_EQ(fixture.ask(a, "PTTL k"), ":50|");
}

TEST(Time, ReachesTheEndOfItsLine) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  // One deadline that can be reached, one that lies past what microseconds can count.
  fixture.ask(a, "SET k v PX 50\nSET far v PXAT 9223372036854775807");
  fixture.engine().advance_to(Instant::never());
  EXPECT_EQ(fixture.engine().now(), Instant::never());
  EXPECT_EQ(fixture.ask(a, "EXISTS k far"), ":1|");
}

// At one millisecond keys expire first, although the waiter was there before the key.
TEST(Time, KeysExpireBeforeWaitersTimeOut) {
  EngineFixture fixture;
  const SessionId waiter = fixture.open();
  const SessionId other = fixture.open();
  fixture.send(waiter, "TESTWAIT x 50\nDBSIZE");
  fixture.send(other, "SET k v PX 50");
  fixture.advance_to_ms(50);
  EXPECT_EQ(fixture.take(waiter), "$-1|:0|");
}

TEST(Time, EqualTimeOutsInTheOrderOfBlocking) {
  EngineFixture fixture;
  std::vector<SessionId> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(fixture.open());
  fixture.send(ids[2], "TESTWAIT x 100\nAPPEND log 2");
  fixture.advance_to_ms(40);
  fixture.send(ids[0], "TESTWAIT y 60\nAPPEND log 0");
  fixture.send(ids[3], "TESTWAIT x 60\nAPPEND log 3");
  fixture.dirty();
  fixture.advance_to_ms(100);
  EXPECT_EQ(fixture.dirty(), (std::vector<SessionId>{ids[2], ids[0], ids[3]}));
  EXPECT_EQ(fixture.ask(ids[1], "GET log"), "$3|203|");
}

// Served at the very millisecond at which it would have given up: the key comes from a waiter that timed
// out just before.
TEST(Time, ServedAtTheLastMoment) {
  EngineFixture fixture;
  const SessionId first = fixture.open();
  const SessionId second = fixture.open();
  fixture.send(first, "TESTWAIT x 50\nSET k v");
  fixture.send(second, "TESTWAIT k 50");
  fixture.advance_to_ms(50);
  EXPECT_EQ(fixture.take(second), "$1|v|");
}

TEST(Time, TimedOutWaitersWaitNoMore) {
  EngineFixture fixture;
  const SessionId waiter = fixture.open();
  const SessionId other = fixture.open();
  fixture.send(waiter, "TESTWAIT k 50");
  fixture.advance_to_ms(50);
  EXPECT_EQ(fixture.take(waiter), "$-1|");
  EXPECT_EQ(fixture.info("blocked_clients"), 0);
  fixture.ask(other, "SET k v");
  EXPECT_EQ(fixture.take(waiter), "");
  EXPECT_EQ(fixture.ask(waiter, "GET k"), "$1|v|");
}

// A served waiter's deadline is gone with it.
TEST(Time, ServedWaitersDoNotTimeOut) {
  EngineFixture fixture;
  const SessionId waiter = fixture.open();
  const SessionId other = fixture.open();
  fixture.send(waiter, "TESTWAIT k 50");
  fixture.ask(other, "SET k v");
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::never());
  fixture.advance_to_ms(100);
  EXPECT_EQ(fixture.take(waiter), "$1|v|");
}

TEST(Time, StopsWhenItsBudgetIsSpent) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  for (int i = 0; i < 10; ++i) fixture.ask(id, "SET k" + std::to_string(i) + " v PX " + std::to_string(10 + i));
  EXPECT_FALSE(fixture.engine().advance_to(Instant::from_ms(kStartMs + 100), 4));
  EXPECT_EQ(fixture.now_ms(), 100);
  EXPECT_EQ(fixture.info("expired_keys"), 4);
  // Nobody sees what is due but has not been swept.
  EXPECT_EQ(fixture.ask(id, "GET k7\nKEYS *"), "$-1|*0|");
  EXPECT_EQ(fixture.info("expired_keys"), 5);
  EXPECT_FALSE(fixture.engine().advance_to(Instant::from_ms(kStartMs + 100), 2));
  EXPECT_TRUE(fixture.engine().advance_to(Instant::from_ms(kStartMs + 101), 3));
  EXPECT_EQ(fixture.info("expired_keys"), 10);
  EXPECT_TRUE(fixture.engine().advance_to(Instant::from_ms(kStartMs + 102), 0));
}

TEST(Time, ShowsUnixTimeByItsOffset) {
  EngineConfig config;
  config.wall_offset_ms = 1'000'000;
  EngineFixture fixture(std::move(config));
  const SessionId id = fixture.open();
  EXPECT_EQ(fixture.ask(id, "TIME"), time_reply(1'000'000));
  fixture.ask(id, "SET k v PXAT " + std::to_string(kStartMs + 1'000'000 + 70));
  EXPECT_EQ(fixture.ask(id, "PTTL k\nPEXPIRETIME k"), ":70|:" + std::to_string(kStartMs + 1'000'070) + "|");
  // An armed deadline does not move with the wall.
  fixture.engine().set_wall_offset_ms(2'000'000);
  EXPECT_EQ(fixture.ask(id, "PTTL k"), ":70|");
  EXPECT_EQ(fixture.ask(id, "TIME"), time_reply(2'000'000));
}

}  // namespace
}  // namespace lockstep
