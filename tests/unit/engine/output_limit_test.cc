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
  for (int i = 0; i < 32; ++i) fixture.ask(writer, publish(1));
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
