// A conversation from the shell's side: feed, output, consume, wants_close, take_dirty.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;
using tests::request;

using Ids = std::vector<SessionId>;

TEST(Session, OutputStaysUntilConsumed) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  Session& session = *fixture.engine().session(id);
  EXPECT_EQ(session.output(), "");
  fixture.feed(id, "PING\r\n");
  EXPECT_EQ(session.output(), "+PONG\r\n");
  EXPECT_EQ(session.output(), "+PONG\r\n");
  session.consume(3);
  EXPECT_EQ(session.output(), "NG\r\n");
  fixture.feed(id, "PING\r\n");
  EXPECT_EQ(session.output(), "NG\r\n+PONG\r\n");
}

TEST(Session, IsDirtyOnceHoweverMuchItSays) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  EXPECT_EQ(fixture.dirty(), Ids{});
  fixture.send(b, "PING\nPING");
  fixture.send(a, "PING");
  fixture.send(b, "PING");
  EXPECT_EQ(fixture.dirty(), (Ids{b, a}));
  EXPECT_EQ(fixture.dirty(), Ids{});
  fixture.send(a, "PING");
  EXPECT_EQ(fixture.dirty(), Ids{a});
}

TEST(Session, IsNotDirtyForNothing) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  fixture.feed(a, "*1\r\n$4\r\nPI");
  fixture.feed(a, "");
  EXPECT_EQ(fixture.dirty(), Ids{});
  fixture.feed(a, "NG\r\n\r\n");
  EXPECT_EQ(fixture.dirty(), Ids{a});
  fixture.send(a, "TESTWAIT k 0");
  EXPECT_EQ(fixture.dirty(), Ids{});
}

TEST(Session, MayBeClosedWhileDirty) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  fixture.send(a, "PING");
  fixture.close(a);
  EXPECT_EQ(fixture.engine().session(a), nullptr);
  for (const SessionId id : fixture.dirty()) EXPECT_EQ(fixture.engine().session(id), nullptr);
  const SessionId b = fixture.open();
  EXPECT_EQ(fixture.ask(b, "PING"), "+PONG|");
  EXPECT_EQ(fixture.dirty(), Ids{b});
  fixture.close(a);  // twice is no harm, nor is it b's
  EXPECT_NE(fixture.engine().session(b), nullptr);
}

TEST(Session, EndsWithQuit) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  fixture.send(a, "SET k 1\nQUIT\nSET k 2");
  Session& session = *fixture.engine().session(a);
  EXPECT_TRUE(session.wants_close());
  EXPECT_EQ(fixture.dirty(), Ids{a});
  EXPECT_EQ(fixture.take(a), "+OK|+OK|");
  fixture.send(a, "SET k 3");
  EXPECT_EQ(fixture.take(a), "");
  EXPECT_EQ(fixture.dirty(), Ids{});
  EXPECT_TRUE(session.wants_close());
  fixture.close(a);
  const SessionId b = fixture.open();
  EXPECT_EQ(fixture.ask(b, "GET k"), "$1|1|");
}

TEST(Session, EndsWithAProtocolError) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  fixture.feed(a, "PING\r\n*1\r\n:4\r\nPING\r\n");
  EXPECT_EQ(fixture.dirty(), Ids{a});
  EXPECT_EQ(fixture.take(a), "+PONG|-ERR Protocol error: expected '$', got ':'|");
  EXPECT_TRUE(fixture.engine().session(a)->wants_close());
  fixture.feed(a, "PING\r\n");
  EXPECT_EQ(fixture.take(a), "");
}

TEST(Session, EndsWithAProtocolErrorThatCameWhileItWaited) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  fixture.feed(a, request("TESTWAIT k 0") + "*x\r\n");
  EXPECT_FALSE(fixture.engine().session(a)->wants_close());
  fixture.dirty();
  fixture.send(b, "SET k v");
  EXPECT_EQ(fixture.dirty(), (Ids{b, a}));
  EXPECT_EQ(fixture.take(a), "$1|v|-ERR Protocol error: invalid multibulk length|");
  EXPECT_TRUE(fixture.engine().session(a)->wants_close());
}

TEST(Session, EndsWithQuitThatCameWhileItWaited) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  fixture.send(a, "TESTWAIT k 0\nQUIT\nSET never v");
  fixture.send(b, "SET k v");
  EXPECT_EQ(fixture.take(a), "$1|v|+OK|");
  EXPECT_TRUE(fixture.engine().session(a)->wants_close());
  fixture.send(a, "SET never v");
  EXPECT_EQ(fixture.ask(b, "EXISTS never"), "+OK|:0|");
}

// What it is sent while it waits is kept, in whatever pieces it comes.
TEST(Session, KeepsItsInputWhileItWaits) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  const std::string value(100'000, 'v');
  const std::string input = request("SET big " + value) + request("STRLEN big") + "PING\r\n*1\r\n$4\r\nPI";
  fixture.send(a, "TESTWAIT k 0");
  for (size_t at = 0; at < input.size(); at += 997) fixture.feed(a, std::string_view(input).substr(at, 997));
  EXPECT_EQ(fixture.take(a), "");
  EXPECT_EQ(fixture.engine().session(a)->input_bytes(), input.size());
  fixture.send(b, "SET k v");
  EXPECT_EQ(fixture.take(a), "$1|v|+OK|:100000|+PONG|");
  fixture.feed(a, "NG\r\n");
  EXPECT_EQ(fixture.take(a), "+PONG|");
  EXPECT_EQ(fixture.engine().session(a)->input_bytes(), 0u);
}

TEST(Session, AreNumberedInTheOrderOfOpening) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  EXPECT_EQ(fixture.ask(a, "CLIENT ID"), ":1|");
  EXPECT_EQ(fixture.ask(b, "CLIENT ID"), ":2|");
  fixture.close(a);
  const SessionId c = fixture.open();
  EXPECT_EQ(c.slot, a.slot);
  EXPECT_EQ(fixture.ask(c, "CLIENT ID"), ":3|");
  EXPECT_EQ(fixture.engine().session_count(), 2u);
}

TEST(Session, ForgetsItsWatchesAndSubscriptions) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  fixture.ask(a, "WATCH k\nSUBSCRIBE ch\nPSUBSCRIBE p*");
  EXPECT_EQ(fixture.ask(b, "PUBSUB NUMSUB ch\nPUBSUB NUMPAT"), "*2|$2|ch|:1|:1|");
  fixture.close(a);
  EXPECT_EQ(fixture.ask(b, "PUBSUB NUMSUB ch\nPUBSUB NUMPAT\nPUBLISH ch m\nSET k v"),
            "*2|$2|ch|:0|:0|:0|+OK|");
}

}  // namespace
}  // namespace lockstep
