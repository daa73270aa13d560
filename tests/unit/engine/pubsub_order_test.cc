// What a unit tells others: after its own reply, in the order produced, before any waiter is served.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;
using Ids = std::vector<SessionId>;

TEST(PubSubOrder, OwnReplyFirst) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  fixture.ask(a, "HELLO 3\nSUBSCRIBE ch");
  EXPECT_EQ(fixture.ask(a, "PUBLISH ch m\nPING"), ":1|>3|$7|message|$2|ch|$1|m|+PONG|");
}

TEST(PubSubOrder, AsPublishedWithinAUnit) {
  EngineFixture fixture;
  const SessionId listener = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(listener, "SUBSCRIBE c2 c1");
  EXPECT_EQ(fixture.ask(a, "EVAL 'PUBLISH c1 1; PUBLISH c2 2; PUBLISH c1 3; ECHO end' 0"), "$3|end|");
  EXPECT_EQ(fixture.take(listener),
            "*3|$7|message|$2|c1|$1|1|*3|$7|message|$2|c2|$1|2|*3|$7|message|$2|c1|$1|3|");
  EXPECT_EQ(fixture.ask(a, "MULTI\nPUBLISH c1 4\nPUBLISH c2 5\nEXEC"), "+OK|+QUEUED|+QUEUED|*2|:1|:1|");
  EXPECT_EQ(fixture.take(listener), "*3|$7|message|$2|c1|$1|4|*3|$7|message|$2|c2|$1|5|");
}

// A RESP3 client that listens and waits at once sees the message of the unit before what served it.
TEST(PubSubOrder, MessagesBeforeServedWaiters) {
  EngineFixture fixture;
  const SessionId waiter = fixture.open();
  const SessionId a = fixture.open();
  const SessionId listener = fixture.open();
  fixture.ask(waiter, "HELLO 3\nSUBSCRIBE ch");
  fixture.send(waiter, "TESTWAIT k 0");
  fixture.ask(listener, "SUBSCRIBE ch");
  fixture.dirty();
  fixture.send(a, "EVAL 'SET k v; PUBLISH ch m' 0");
  EXPECT_EQ(fixture.dirty(), (Ids{a, waiter, listener}));
  EXPECT_EQ(fixture.take(a), ":2|");
  EXPECT_EQ(fixture.take(waiter), ">3|$7|message|$2|ch|$1|m|$1|v|");
}

// What a served waiter publishes follows its own reply, and comes before the next waiter's.
TEST(PubSubOrder, EachServedWaiterIsAUnit) {
  EngineFixture fixture;
  const SessionId mover = fixture.open();
  const SessionId waiter = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(waiter, "HELLO 3\nSUBSCRIBE k2");  // first in line for messages, too
  fixture.ask(mover, "HELLO 3\nSUBSCRIBE k2");
  fixture.send(mover, "TESTMOVE k1 k2 0\nPING");
  fixture.send(waiter, "TESTWAIT k2 0");
  fixture.dirty();
  fixture.send(a, "SET k1 v");
  EXPECT_EQ(fixture.dirty(), (Ids{a, mover, waiter}));
  EXPECT_EQ(fixture.take(mover), "$1|v|>3|$7|message|$2|k2|$1|v|+PONG|");
  EXPECT_EQ(fixture.take(waiter), ">3|$7|message|$2|k2|$1|v|$1|v|");
}

TEST(PubSubOrder, ChannelsBeforePatternsInTheOrderOfSubscribing) {
  EngineFixture fixture;
  const SessionId by_pattern = fixture.open();
  const SessionId late = fixture.open();
  const SessionId early = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(by_pattern, "PSUBSCRIBE c*");
  fixture.ask(early, "SUBSCRIBE ch");
  fixture.ask(late, "SUBSCRIBE ch\nPSUBSCRIBE *h");
  fixture.dirty();
  EXPECT_EQ(fixture.ask(a, "PUBLISH ch m"), ":4|");
  EXPECT_EQ(fixture.dirty(), (Ids{a, early, late, by_pattern}));
  EXPECT_EQ(fixture.take(late), "*3|$7|message|$2|ch|$1|m|*4|$8|pmessage|$2|*h|$2|ch|$1|m|");
  EXPECT_EQ(fixture.take(by_pattern), "*4|$8|pmessage|$2|c*|$2|ch|$1|m|");
}

TEST(PubSubOrder, WhoeverHasQuitHearsNoMore) {
  EngineFixture fixture;
  const SessionId gone = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(gone, "SUBSCRIBE ch\nQUIT");
  fixture.ask(a, "PUBLISH ch m");
  EXPECT_EQ(fixture.take(gone), "");
}

// The message speaks the protocol that its receiver speaks.
TEST(PubSubOrder, InTheReceiversProtocol) {
  EngineFixture fixture;
  const SessionId two = fixture.open();
  const SessionId three = fixture.open();
  const SessionId a = fixture.open();
  fixture.ask(two, "SUBSCRIBE ch");
  fixture.ask(three, "HELLO 3\nSUBSCRIBE ch");
  fixture.ask(a, "PUBLISH ch m");
  EXPECT_EQ(fixture.take(two), "*3|$7|message|$2|ch|$1|m|");
  EXPECT_EQ(fixture.take(three), ">3|$7|message|$2|ch|$1|m|");
}

}  // namespace
}  // namespace lockstep
