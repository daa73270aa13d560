// Rules 5 and 6 of a unit: what a unit wakes runs before whoever fed it goes on, last wave first, in order
// inside a wave. So the answers do not depend on how the bytes were cut.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;
using tests::request;

TEST(Waves, WokenInputRunsBeforeTheFeederGoesOn) {
  EngineFixture fixture;
  const SessionId waiter = fixture.open();
  const SessionId feeder = fixture.open();
  fixture.send(waiter, "TESTWAIT k 0\nAPPEND log w");
  fixture.send(feeder, "SET k v\nAPPEND log f\nGET log");
  EXPECT_EQ(fixture.take(feeder), "+OK|:2|$2|wf|");
  EXPECT_EQ(fixture.take(waiter), "$1|v|:1|");
}

// The second wave goes before the rest of the first, and the session that woke it comes between.
TEST(Waves, LastWaveFirst) {
  EngineFixture fixture;
  const SessionId first = fixture.open();
  const SessionId second = fixture.open();
  const SessionId woken_by_first = fixture.open();
  const SessionId feeder = fixture.open();
  fixture.send(first, "TESTWAIT k1 0\nAPPEND log 1\nSET k3 v\nAPPEND log 1");
  fixture.send(second, "TESTWAIT k2 0\nAPPEND log 2");
  fixture.send(woken_by_first, "TESTWAIT k3 0\nAPPEND log x");
  fixture.send(feeder, "MSET k1 v k2 v\nAPPEND log f\nGET log");
  EXPECT_EQ(fixture.take(feeder), "+OK|:5|$5|1x12f|");
}

TEST(Waves, OrderInsideAWaveIsTheOrderOfBeingServed) {
  EngineFixture fixture;
  std::vector<SessionId> waiters;
  for (int i = 0; i < 5; ++i) {
    waiters.push_back(fixture.open());
    // The later ones wait for the keys that come to be first.
    fixture.send(waiters.back(), "TESTWAIT k" + std::to_string(4 - i) + " 0\nAPPEND log " + std::to_string(i));
  }
  const SessionId feeder = fixture.open();
  fixture.send(feeder, "MSET k0 v k1 v k2 v k3 v k4 v\nGET log");
  EXPECT_EQ(fixture.take(feeder), "+OK|$5|43210|");
}

// Woken, it blocks again in its own input: then the next one's turn comes.
TEST(Waves, AWokenSessionMayBlockAgain) {
  EngineFixture fixture;
  const SessionId a = fixture.open();
  const SessionId b = fixture.open();
  const SessionId feeder = fixture.open();
  fixture.send(a, "TESTWAIT k 0\nAPPEND log a\nTESTWAIT k 0\nAPPEND log A");
  fixture.send(b, "TESTWAIT k 0\nAPPEND log b");
  fixture.send(feeder, "SET k 1\nSET k 2\nSET k 3\nGET log");
  EXPECT_EQ(fixture.take(feeder), "+OK|+OK|+OK|$3|abA|");
  EXPECT_EQ(fixture.take(a), "$1|1|:1|$1|3|:3|");
  EXPECT_EQ(fixture.take(b), "$1|2|:2|");
}

// The woken session wakes the one that fed it, which has blocked meanwhile.
TEST(Waves, ThereAndBack) {
  EngineFixture fixture;
  const SessionId ping = fixture.open();
  const SessionId pong = fixture.open();
  fixture.send(pong, "TESTWAIT ping 0\nSET pong 1\nTESTWAIT ping 0\nSET pong 2");
  fixture.send(ping, "SET ping 1\nTESTWAIT pong 0\nSET ping 2\nTESTWAIT pong 0\nECHO end");
  EXPECT_EQ(fixture.take(ping), "+OK|$1|1|+OK|$1|2|$3|end|");
  EXPECT_EQ(fixture.take(pong), "$1|1|+OK|$1|2|+OK|");
}

TEST(Waves, FollowATimeOutAsWell) {
  EngineFixture fixture;
  const SessionId first = fixture.open();
  const SessionId second = fixture.open();
  const SessionId third = fixture.open();
  fixture.send(first, "TESTWAIT k 10\nAPPEND log 1\nSET k2 v\nAPPEND log 1");
  fixture.send(second, "TESTWAIT k2 0\nAPPEND log 2");
  fixture.send(third, "TESTWAIT k 10\nAPPEND log 3");
  fixture.advance_to_ms(10);
  EXPECT_EQ(fixture.ask(third, "GET log"), "$-1|:4|$4|1213|");
}

// Each step is what one session sends; replies are collected per session.
using History = std::vector<std::pair<int, std::string>>;

std::vector<std::string> play(const History& history, size_t piece) {
  EngineFixture fixture;
  std::vector<SessionId> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(fixture.open());
  for (const auto& [who, bytes] : history) {
    const SessionId id = ids[static_cast<size_t>(who)];
    for (size_t at = 0; at < bytes.size(); at += piece)
      fixture.feed(id, std::string_view(bytes).substr(at, piece));
  }
  std::vector<std::string> replies;
  for (const SessionId id : ids) replies.push_back(fixture.take(id));
  return replies;
}

std::string requests(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += request(line);
  return bytes;
}

TEST(Waves, AnswersDoNotDependOnHowBytesWereCut) {
  const History history = {
      {0, requests({"TESTWAIT k1 0", "APPEND log 0", "SET k2 from0", "GET log", "TESTWAIT k4 0", "APPEND log O"})},
      {1, requests({"TESTWAIT k2 0", "APPEND log 1", "TESTMOVE k3 k4 0", "APPEND log I"})},
      {2, "INCR n\r\n" + requests({"SUBSCRIBE k4", "PING"})},
      {3, requests({"INCR n", "SET k1 v", "GET log", "MSET k3 a k1 b", "GET log", "EVAL 'SET k4 z; GET log' 0"}) +
              "GET log\r\n*0\r\n\r\nKEYS \"*\"\r\n"},
      {0, requests({"PING"})},
      {1, "bad \"quote\r\n"},
      {3, requests({"GET n", "*"})},
  };
  const std::vector<std::string> whole = play(history, SIZE_MAX / 2);
  for (const size_t piece : {1, 2, 3, 5, 7, 17, 64}) EXPECT_EQ(play(history, piece), whole) << piece;
}

}  // namespace
}  // namespace lockstep
