// MONITOR beyond what its transcript shows: where lines stand among other messages, and a monitor that does
// not read.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;

TEST(Monitor, LinesHaveTheTimeOfTheUnit) {
  EngineFixture fixture;
  const SessionId monitor = fixture.open();
  const SessionId a = fixture.open();
  EXPECT_EQ(fixture.ask(monitor, "MONITOR"), "+OK|");
  fixture.engine().advance_to(Instant{tests::kStartMs * 1000 + 1'000'042});
  fixture.ask(a, "SET k v\nGET k");
  EXPECT_EQ(fixture.take(monitor), "+1700000001.000042 [0 in-process] \"SET\" \"k\" \"v\"|"
                                   "+1700000001.000042 [0 in-process] \"GET\" \"k\"|");
}

TEST(Monitor, NamesUnixSockets) {
  EngineFixture fixture;
  const SessionId monitor = fixture.open();
  const SessionId a = fixture.engine().open(
      {.address = "/run/a:b.sock:0", .local_address = "/run/a:b.sock:0", .descriptor = 9, .unix_socket = true});
  fixture.ask(monitor, "MONITOR");
  fixture.ask(a, "PING");
  EXPECT_EQ(fixture.take(monitor), "+1700000000.000000 [0 unix:/run/a:b.sock] \"PING\"|");
}

// What a script publishes before it is over comes before the lines of what it runs later.
TEST(Monitor, LinesAndMessagesInTheOrderProduced) {
  EngineFixture fixture;
  const SessionId monitor = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(monitor, "SUBSCRIBE ch\nRESET\nHELLO 3\nSUBSCRIBE ch\nMONITOR");
  fixture.take(monitor);
  fixture.ask(a, "EVAL 'PUBLISH ch m; ECHO x' 0");
  EXPECT_EQ(fixture.take(monitor), "+1700000000.000000 [0 in-process] \"EVAL\" \"PUBLISH ch m; ECHO x\" \"0\"|"
                                   ">3|$7|message|$2|ch|$1|m|"
                                   "+1700000000.000000 [0 lua] \"PUBLISH\" \"ch\" \"m\"|"
                                   "+1700000000.000000 [0 lua] \"ECHO\" \"x\"|");
}

TEST(Monitor, ClosedOnesAreForgotten) {
  EngineFixture fixture;
  const SessionId monitor = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(monitor, "MONITOR");
  fixture.close(monitor);
  EXPECT_EQ(fixture.ask(a, "PING"), "+PONG|");
  const SessionId killed = fixture.open();
  fixture.ask(killed, "MONITOR");
  EXPECT_EQ(fixture.ask(a, "CLIENT KILL ID 3"), ":1|");
  EXPECT_EQ(fixture.ask(a, "PING"), "+PONG|");
  EXPECT_EQ(fixture.take(killed), "");
}

// Also as a subscriber, whose limit is lower.
TEST(Monitor, OneThatDoesNotReadIsCutOff) {
  EngineFixture fixture;
  const SessionId monitor = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(monitor, "SUBSCRIBE ch\nRESET\nHELLO 3\nSUBSCRIBE ch\nMONITOR");
  const std::string value(1 << 20, 'x');
  for (int i = 0; i < 40 && !fixture.engine().session(monitor)->state().cut_off; ++i) fixture.ask(a, "SET k " + value);
  EXPECT_TRUE(fixture.engine().session(monitor)->state().cut_off);
  EXPECT_EQ(fixture.ask(a, "PING"), "+PONG|");
}

}  // namespace
}  // namespace lockstep
