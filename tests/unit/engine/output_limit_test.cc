// Who leaves too much unread is cut off, as soon as it is too much: within a unit, within one feed.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/engine_fixture.h"

namespace lockstep::tests {
namespace {

constexpr size_t kMegabyte = 1 << 20;

std::string publish(size_t megabytes) {
  return "PUBLISH ch " + std::string(megabytes * kMegabyte, 'x');
}

bool is_cut_off(EngineFixture& fixture, SessionId id) {
  Session& session = *fixture.engine().session(id);
  return session.wants_close() && session.output_bytes() == 0;
}

TEST(OutputLimit, ASubscriberMayLeave32MegabytesUnread) {
  EngineFixture fixture;
  const SessionId reader = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(reader, "SUBSCRIBE ch");
  for (int i = 0; i < 31; ++i) fixture.ask(writer, publish(1));
  EXPECT_FALSE(is_cut_off(fixture, reader));
  EXPECT_GT(fixture.take(reader).size(), 31 * kMegabyte);
  for (int i = 0; i < 33; ++i) fixture.ask(writer, publish(1));
  EXPECT_TRUE(is_cut_off(fixture, reader));
  EXPECT_EQ(fixture.ask(writer, "PING"), "+PONG|");
}

TEST(OutputLimit, OneThatReadsLosesNothing) {
  EngineFixture fixture;
  const SessionId reader = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(reader, "SUBSCRIBE ch");
  for (int i = 0; i < 100; ++i) {
    fixture.ask(writer, publish(1));
    ASSERT_GT(fixture.take(reader).size(), kMegabyte);
  }
  EXPECT_FALSE(is_cut_off(fixture, reader));
}

// A unit keeps no more of its messages than somebody may still get.
TEST(OutputLimit, HoldsWithinAUnit) {
  EngineFixture fixture;
  const SessionId reader = fixture.open();
  const SessionId other = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(reader, "SUBSCRIBE ch");
  fixture.ask(other, "SUBSCRIBE quiet");
  fixture.ask(writer, "MULTI");
  for (int i = 0; i < 40; ++i) fixture.ask(writer, publish(1));
  fixture.ask(writer, "PUBLISH quiet small");
  EXPECT_TRUE(fixture.ask(writer, "EXEC").ends_with(":1|:1|"));
  EXPECT_TRUE(is_cut_off(fixture, reader));
  EXPECT_EQ(fixture.take(other), "*3|$7|message|$5|quiet|$5|small|");
}

// Who comes or goes within the unit that publishes is counted right in the next ones.
TEST(OutputLimit, ComingAndGoingWithinAUnitLeavesNothing) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  const SessionId other = fixture.open();
  fixture.ask(other, "SUBSCRIBE ch");
  fixture.ask(id, "HELLO 3");
  for (int i = 0; i < 12; ++i) {
    fixture.ask(id, "SUBSCRIBE ch");
    fixture.ask(id, "MULTI\n" + publish(4) + "\nUNSUBSCRIBE ch\nEXEC");
    fixture.ask(id, "MULTI\n" + publish(4) + "\nSUBSCRIBE ch\nEXEC");
    fixture.ask(id, publish(4));
    fixture.ask(id, "UNSUBSCRIBE ch");
    ASSERT_FALSE(is_cut_off(fixture, id)) << i;
    ASSERT_GT(fixture.take(other).size(), 12 * kMegabyte);
  }
  fixture.ask(id, "SUBSCRIBE ch");
  EXPECT_NE(fixture.ask(id, "PUBLISH ch hello").find("$5|hello|"), std::string::npos);
}

// As redis-server 7.0.15 does: it may have more than the soft limit unread for so many whole seconds.
TEST(OutputLimit, TheSoftOneHoldsInTime) {
  EngineFixture fixture;
  const SessionId reader = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(writer, "CONFIG SET client-output-buffer-limit 'pubsub 8mb 1mb 2'");
  fixture.ask(reader, "SUBSCRIBE ch");
  fixture.ask(writer, publish(2));
  fixture.advance_to_ms(2'900);
  fixture.engine().every_second();
  EXPECT_FALSE(is_cut_off(fixture, reader));
  EXPECT_GT(fixture.take(reader).size(), 2 * kMegabyte);
  fixture.engine().every_second();  // it has read: the count starts anew
  fixture.ask(writer, publish(2));
  fixture.advance_to_ms(5'800);
  fixture.ask(writer, publish(1));
  EXPECT_FALSE(is_cut_off(fixture, reader));
  fixture.advance_to_ms(5'900);
  fixture.engine().every_second();
  EXPECT_TRUE(is_cut_off(fixture, reader));
}

TEST(OutputLimit, GrowthMeetsTheSoftOneToo) {
  EngineFixture fixture;
  const SessionId reader = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(writer, "CONFIG SET client-output-buffer-limit 'normal 0 1mb 1'");
  fixture.ask(writer, "SET k " + std::string(2 * kMegabyte, 'v'));
  fixture.send(reader, "GET k");
  fixture.advance_to_ms(2'000);
  fixture.send(reader, "PING");
  EXPECT_TRUE(is_cut_off(fixture, reader));
}

TEST(OutputLimit, EachClassHasItsOwn) {
  EngineFixture fixture;
  const SessionId asking = fixture.open();
  const SessionId listening = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(writer, "CONFIG SET client-output-buffer-limit 'normal 1mb 0 0 pubsub 4mb 0 0'");
  fixture.ask(listening, "SUBSCRIBE ch");
  fixture.ask(writer, publish(3));
  EXPECT_FALSE(is_cut_off(fixture, listening));
  fixture.ask(writer, "SET k " + std::string(2 * kMegabyte, 'v'));
  fixture.send(asking, "GET k");
  EXPECT_TRUE(is_cut_off(fixture, asking));
}

TEST(OutputLimit, NoneIsNone) {
  EngineFixture fixture;
  const SessionId reader = fixture.open();
  const SessionId writer = fixture.open();
  fixture.ask(writer, "CONFIG SET client-output-buffer-limit 'pubsub 0 0 0'");
  fixture.ask(reader, "SUBSCRIBE ch");
  for (int i = 0; i < 40; ++i) fixture.ask(writer, publish(1));
  EXPECT_FALSE(is_cut_off(fixture, reader));
  EXPECT_GT(fixture.take(reader).size(), 40 * kMegabyte);
}

// Or nobody could lift it again.
TEST(OutputLimit, TheSmallestLeavesRoomForSmallReplies) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  EXPECT_EQ(fixture.ask(id, "CONFIG SET client-output-buffer-limit 'normal 1 1 0'"), "+OK|");
  EXPECT_EQ(fixture.ask(id, "PING"), "+PONG|");
}

TEST(OutputLimit, HoldsWithinOneFeed) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  fixture.ask(id, "SET k " + std::string(64 * kMegabyte, 'v'));
  std::string gets;
  for (int i = 0; i < 20; ++i) gets += request("GET k");
  fixture.engine().session(id)->feed(gets);
  EXPECT_TRUE(is_cut_off(fixture, id));
}

}  // namespace
}  // namespace lockstep::tests
