// Blocked commands: who is served, in which order, and what is left of them afterwards. (TESTWAIT and its
// kin: tests/support/test_commands.h.)
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;

class Waiting : public testing::Test {
 protected:
  Waiting() : a(fixture.open()), b(fixture.open()), c(fixture.open()), d(fixture.open()) {}
  // All that has come for a, b, c and d.
  std::vector<std::string> take_all() { return {fixture.take(a), fixture.take(b), fixture.take(c), fixture.take(d)}; }
  using Replies = std::vector<std::string>;

  EngineFixture fixture;
  const SessionId a, b, c, d;
};

TEST_F(Waiting, NotForWhatIsThere) {
  fixture.ask(d, "SET k v");
  EXPECT_EQ(fixture.ask(a, "TESTWAIT k 0"), "$1|v|");
  EXPECT_EQ(fixture.ask(d, "EXISTS k"), ":0|");
}

TEST_F(Waiting, FirstComeFirstServed) {
  for (const SessionId id : {a, b, c}) EXPECT_EQ(fixture.ask(id, "TESTWAIT k 0"), "");
  EXPECT_EQ(fixture.info("blocked_clients"), 3);
  fixture.send(d, "SET k 1");
  EXPECT_EQ(take_all(), (Replies{"$1|1|", "", "", "+OK|"}));
  fixture.send(d, "SET k 2\nSET k 3\nSET k 4");
  EXPECT_EQ(take_all(), (Replies{"", "$1|2|", "$1|3|", "+OK|+OK|+OK|"}));
  EXPECT_EQ(fixture.ask(d, "GET k"), "$1|4|");
  EXPECT_EQ(fixture.info("blocked_clients"), 0);
}

// Coming again is coming last.
TEST_F(Waiting, QueuesUpAnewAfterBeingServed) {
  fixture.send(a, "TESTWAIT k 0\nTESTWAIT k 0");
  fixture.send(b, "TESTWAIT k 0");
  fixture.send(d, "SET k 1\nSET k 2\nSET k 3");
  EXPECT_EQ(take_all(), (Replies{"$1|1|$1|3|", "$1|2|", "", "+OK|+OK|+OK|"}));
}

TEST_F(Waiting, OneUnitServesManyKeysInTheOrderTheyCameToBe) {
  fixture.send(a, "TESTWAIT k1 0");
  fixture.send(b, "TESTWAIT k2 0");
  fixture.send(c, "TESTWAIT k1 0");
  fixture.dirty();
  fixture.send(d, "MSET k2 x k1 y");
  EXPECT_EQ(fixture.dirty(), (std::vector<SessionId>{d, b, a}));
  EXPECT_EQ(take_all(), (Replies{"$1|y|", "$1|x|", "", "+OK|"}));
}

TEST_F(Waiting, ForTheFirstOfSeveralKeys) {
  fixture.send(a, "TESTWAIT k1 k2 k1 0");
  fixture.send(b, "TESTWAIT k2 k3 0");
  fixture.send(d, "SET k2 x");
  EXPECT_EQ(take_all(), (Replies{"$1|x|", "", "", "+OK|"}));
  fixture.send(d, "SET k1 y\nSET k2 z");  // a waits no more, for either
  EXPECT_EQ(take_all(), (Replies{"", "$1|z|", "", "+OK|+OK|"}));
  EXPECT_EQ(fixture.ask(d, "EXISTS k1 k2"), ":1|");
}

TEST_F(Waiting, InItsOwnDatabaseOnly) {
  fixture.send(a, "SELECT 1\nTESTWAIT k 0");
  fixture.send(b, "TESTWAIT k 0");
  EXPECT_EQ(fixture.take(a), "+OK|");
  fixture.send(d, "SELECT 1\nSET k one");
  EXPECT_EQ(take_all(), (Replies{"$3|one|", "", "", "+OK|+OK|"}));
  fixture.send(d, "SELECT 0\nSET k zero");
  EXPECT_EQ(take_all(), (Replies{"", "$4|zero|", "", "+OK|+OK|"}));
}

TEST_F(Waiting, ForAKeyUnderItsNewName) {
  fixture.send(a, "TESTWAIT k 0");
  fixture.send(d, "SET other v\nRENAME other k");
  EXPECT_EQ(take_all(), (Replies{"$1|v|", "", "", "+OK|+OK|"}));
}

// What the unit itself takes away again, nobody gets.
TEST_F(Waiting, NotServedFromWithinAUnit) {
  fixture.send(a, "TESTWAIT k 0");
  fixture.send(d, "EVAL 'SET k v; DEL k; ECHO done' 0");
  EXPECT_EQ(take_all(), (Replies{"", "", "", "$4|done|"}));
  fixture.send(d, "MULTI\nSET k v\nDEL k\nSET k w\nEXEC");
  EXPECT_EQ(take_all(), (Replies{"$1|w|", "", "", "+OK|+QUEUED|+QUEUED|+QUEUED|*3|+OK|:1|+OK|"}));
}

TEST_F(Waiting, NotAtAllWhereNothingMayBlock) {
  EXPECT_EQ(fixture.ask(a, "MULTI\nTESTWAIT k 0\nEXEC"), "+OK|+QUEUED|*1|$-1|");
  EXPECT_EQ(fixture.ask(a, "EVAL 'TESTWAIT k 0' 0"), "$-1|");
  EXPECT_EQ(fixture.info("blocked_clients"), 0);
}

// A command that is run again and must go on waiting keeps its place in the queue.
TEST_F(Waiting, KeepsItsPlace) {
  fixture.send(a, "TESTMATCH k x 0");
  fixture.send(b, "TESTMATCH k y 0");
  fixture.send(c, "TESTMATCH k x 0");
  fixture.send(d, "SET k z\nDEL k\nSET k y");
  EXPECT_EQ(take_all(), (Replies{"", "$1|y|", "", "+OK|:1|+OK|"}));
  fixture.send(d, "SET k x");
  EXPECT_EQ(take_all(), (Replies{"$1|x|", "", "", "+OK|"}));
  fixture.send(d, "SET k x");
  EXPECT_EQ(take_all(), (Replies{"", "", "$1|x|", "+OK|"}));
}

TEST_F(Waiting, KeepsItsDeadline) {
  fixture.send(a, "TESTMATCH k x 100");
  fixture.advance_to_ms(60);
  fixture.send(d, "SET k z\nDEL k");
  fixture.advance_to_ms(99);
  EXPECT_EQ(fixture.take(a), "");
  fixture.advance_to_ms(100);
  EXPECT_EQ(fixture.take(a), "$-1|");
}

// Each served waiter is a unit, and what it makes ready comes after what was ready before it.
TEST_F(Waiting, ServedWaitersServeOthers) {
  fixture.send(a, "TESTMOVE k1 k2 0");
  fixture.send(b, "TESTMOVE k2 k3 0");
  fixture.send(c, "TESTWAIT k3 0");
  fixture.dirty();
  fixture.send(d, "SET k1 v");
  EXPECT_EQ(fixture.dirty(), (std::vector<SessionId>{d, a, b, c}));
  EXPECT_EQ(take_all(), (Replies{"$1|v|", "$1|v|", "$1|v|", "+OK|"}));
  EXPECT_EQ(fixture.ask(d, "DBSIZE"), ":0|");
}

TEST_F(Waiting, InARingOfMovesEndsWithTheLastWaiter) {
  fixture.send(a, "TESTMOVE k1 k2 0");
  fixture.send(b, "TESTMOVE k2 k1 0");
  fixture.send(c, "TESTMOVE k1 k2 0");
  fixture.send(d, "SET k1 v");
  EXPECT_EQ(take_all(), (Replies{"$1|v|", "$1|v|", "$1|v|", "+OK|"}));
  EXPECT_EQ(fixture.ask(d, "KEYS *"), "*1|$2|k2|");
}

TEST_F(Waiting, ClosedSessionsLeaveNoTrace) {
  fixture.send(a, "TESTWAIT k 50");
  fixture.send(b, "TESTWAIT k 0");
  fixture.close(a);
  EXPECT_EQ(fixture.engine().next_deadline(), Instant::never());
  EXPECT_EQ(fixture.info("blocked_clients"), 1);
  fixture.send(d, "SET k v");
  EXPECT_EQ(fixture.take(b), "$1|v|");
  fixture.send(b, "TESTWAIT k 50");
  fixture.close(b);
  EXPECT_EQ(fixture.ask(d, "SET k w"), "+OK|+OK|");
  fixture.advance_to_ms(100);
  EXPECT_EQ(fixture.ask(d, "GET k"), "$1|w|");
  EXPECT_EQ(fixture.info("blocked_clients"), 0);
}

// A new session in the slot of a closed one does not inherit what that waited for.
TEST_F(Waiting, ClosedSessionsLeaveNothingToTheirSuccessors) {
  fixture.send(a, "TESTWAIT k 50");
  fixture.close(a);
  const SessionId successor = fixture.open();
  EXPECT_EQ(successor.slot, a.slot);
  EXPECT_EQ(fixture.ask(successor, "PING"), "+PONG|");
  fixture.send(d, "SET k v");
  fixture.advance_to_ms(60);
  EXPECT_EQ(fixture.take(successor), "");
}

TEST_F(Waiting, EnginesDieWithTheirWaiters) {
  fixture.send(a, "TESTWAIT k 50");
  fixture.send(b, "TESTMOVE k l 0");
  fixture.send(c, "WATCH k\nSUBSCRIBE ch");
  // The fixture goes away now; sanitizers see what is left.
}

}  // namespace
}  // namespace lockstep
