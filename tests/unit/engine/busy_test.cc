// A script that takes long is suspended in the middle of its unit, and others are served beside it: rule 7. The
// answers are those of redis-server 8.0.2.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/engine_fixture.h"

namespace lockstep::tests {
namespace {

constexpr const char* kBusy = "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.|";
constexpr const char* kKilled = "-ERR Script killed by user with SCRIPT KILL...|";
constexpr const char* kForEver = "EVAL LOOP 0";

EngineConfig with_threshold(const std::string& ms) {
  EngineConfig config;
  config.settings.set("busy-reply-threshold", {&ms, 1});
  return config;
}

// After 1 ms of steps, which are 100 checks.
class Busy : public testing::Test {
 protected:
  EngineFixture fixture{with_threshold("1")};
  Engine& engine = fixture.engine();
  const SessionId owner = fixture.open();
  const SessionId other = fixture.open();

  void start(const char* script = kForEver) {
    fixture.send(owner, script);
    ASSERT_TRUE(engine.suspended());
  }
  void finish() {
    for (int slices = 0; engine.suspended(); ++slices) {
      ASSERT_LT(slices, 100);
      engine.resume();
    }
  }
  void kill() {
    EXPECT_EQ(fixture.ask(other, "SCRIPT KILL"), "+OK|");
    engine.resume();
    EXPECT_FALSE(engine.suspended());
  }
};

TEST_F(Busy, AShortScriptIsNeverSuspended) {
  EXPECT_EQ(fixture.ask(owner, "EVAL \"LOOP 99\" 0\nPING"), "+OK|+PONG|");
  EXPECT_EQ(fixture.ask(other, "SCRIPT KILL"), "-NOTBUSY No scripts in execution right now.|");
}

TEST_F(Busy, OthersAreToldSo) {
  start();
  EXPECT_EQ(fixture.ask(other, "GET a"), kBusy);
  EXPECT_EQ(fixture.ask(other, "PING\nCLIENT ID\nSCRIPT EXISTS x\nINFO"), std::string(kBusy) + kBusy + kBusy + kBusy);
  EXPECT_EQ(fixture.ask(fixture.open(), "CLIENT LIST"), kBusy) << "one that comes meanwhile";
  EXPECT_EQ(fixture.take(owner), "");
  engine.resume();
  EXPECT_TRUE(engine.suspended());
  EXPECT_EQ(fixture.ask(other, "PING"), kBusy);
  kill();
  EXPECT_EQ(fixture.take(owner), kKilled);
  EXPECT_EQ(fixture.ask(other, "PING"), "+PONG|");
}

// Its arguments have been copied once already.
TEST_F(Busy, ARequestThatAPauseHeldBack) {
  fixture.ask(other, "CLIENT PAUSE 1000 WRITE");
  EXPECT_EQ(fixture.ask(owner, "EVAL \"LOOP 150\" 0 a-rather-long-argument-that-lies-on-the-heap\nPING"), "");
  fixture.send(other, "CLIENT UNPAUSE");
  ASSERT_TRUE(engine.suspended());
  finish();
  EXPECT_EQ(fixture.take(owner), "+OK|+PONG|");
}

TEST_F(Busy, WhatIsWrongAnywayIsSaidFirst) {
  start();
  EXPECT_EQ(fixture.ask(other, "NOSUCH"), "-ERR unknown command 'NOSUCH', with args beginning with: |");
  EXPECT_EQ(fixture.ask(other, "GET"), "-ERR wrong number of arguments for 'get' command|");
  EXPECT_EQ(fixture.ask(other, "SCRIPT KILL x"), "-ERR wrong number of arguments for 'script|kill' command|");
}

TEST_F(Busy, SomeCommandsRunAllTheSame) {
  start();
  EXPECT_EQ(fixture.ask(other, "WATCH k\nUNWATCH\nMULTI\nDISCARD\nHELLO 9"), "+OK|+OK|+OK|+OK|-NOPROTO unsupported protocol version|");
  EXPECT_EQ(fixture.ask(other, "AUTH x"),
            "-ERR AUTH <password> called without any password configured for the default user. Are you sure your "
            "configuration is correct?|");
  EXPECT_EQ(fixture.ask(other, "SHUTDOWN ABORT"), "-ERR No shutdown in progress.|");
  EXPECT_EQ(fixture.ask(other, "RESET"), "+RESET|");
  EXPECT_EQ(fixture.ask(other, "QUIT"), "+OK|");
  EXPECT_TRUE(engine.session(other)->wants_close());
}

TEST_F(Busy, OnlyShutdownNosaveEndsTheServer) {
  start();
  for (const char* words : {"SHUTDOWN", "SHUTDOWN SAVE", "SHUTDOWN NOW", "SHUTDOWN FORCE"})
    EXPECT_EQ(fixture.ask(other, words), kBusy) << words;
  EXPECT_FALSE(engine.shutdown_requested());
  EXPECT_EQ(fixture.ask(other, "SHUTDOWN NOSAVE NOW"), "");
  EXPECT_TRUE(engine.shutdown_requested());
}

TEST_F(Busy, InTransactions) {
  fixture.ask(other, "MULTI\nSET k v");
  start();
  EXPECT_EQ(fixture.ask(other, "GET k"), kBusy);
  EXPECT_EQ(fixture.ask(other, "EXEC"),
            "-EXECABORT Transaction discarded because of: BUSY Redis is busy running a script. You can only call "
            "SCRIPT KILL or SHUTDOWN NOSAVE.|");
  EXPECT_EQ(fixture.ask(other, "DISCARD"), "-ERR DISCARD without MULTI|");
  EXPECT_EQ(fixture.ask(other, "MULTI\nSCRIPT KILL\nAUTH x\nSHUTDOWN NOSAVE"),
            "+OK|+QUEUED|+QUEUED|-ERR Command not allowed inside a transaction|");
}

TEST_F(Busy, InSubscriberMode) {
  fixture.ask(other, "SUBSCRIBE ch");
  start();
  EXPECT_EQ(fixture.ask(other, "PING"), kBusy);
  EXPECT_EQ(fixture.ask(other, "SCRIPT KILL"),
            "-ERR Can't execute 'script|kill': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "
            "allowed in this context|");
}

TEST_F(Busy, WithoutThePassword) {
  const std::string word = "pw";
  engine.settings().set("requirepass", {&word, 1});
  const SessionId stranger = fixture.open();
  start();
  EXPECT_EQ(fixture.ask(stranger, "GET a"), "-NOAUTH Authentication required.|");
  EXPECT_EQ(fixture.ask(stranger, "SCRIPT KILL"), "-NOAUTH Authentication required.|");
  EXPECT_EQ(fixture.ask(stranger, "AUTH pw\nPING\nSCRIPT KILL"), std::string("+OK|") + kBusy + "+OK|");
}

TEST_F(Busy, AScriptThatHasWrittenIsNotKilled) {
  fixture.ask(other, "RPUSH list x");
  for (const char* script : {"EVAL \"SET k v; LOOP\" 0", "EVAL \"DEL none; LOOP\" 0", "EVAL \"INCR list; LOOP\" 0"}) {
    EngineFixture own{with_threshold("1")};
    const SessionId writer = own.open();
    own.send(writer, script);
    EXPECT_EQ(own.ask(own.open(), "SCRIPT KILL"),
              "-UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait "
              "the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.|")
        << script;
    own.engine().resume();
    EXPECT_TRUE(own.engine().suspended()) << script;
  }
}

TEST_F(Busy, AScriptThatCouldNotWriteIsKilled) {
  for (const char* script : {"EVAL \"GET k; PUBLISH ch x; SET k; LOOP\" 0", "EVAL_RO \"SET k v; LOOP\" 0"}) {
    start(script);
    kill();
    EXPECT_EQ(fixture.take(owner), kKilled);
  }
}

TEST_F(Busy, ItMayEndByItself) {
  start("EVAL \"LOOP 1000; SET k v; GET k\" 0");
  EXPECT_EQ(fixture.ask(other, "GET k"), kBusy);
  finish();
  EXPECT_EQ(fixture.take(owner), "$1|v|");
  EXPECT_EQ(fixture.ask(other, "GET k"), "$1|v|");
}

// The arguments outlive the bytes that they came in, whatever else is fed meanwhile.
TEST_F(Busy, ItsArgumentsStay) {
  fixture.send(owner, "EVAL \"LOOP 1000; SET KEYS[1] ARGV[1]; GET KEYS[1]\" 1 key-of-the-script 'a value of it'\nECHO next");
  fixture.send(owner, "ECHO more\nECHO 'and more, so that the buffer moves: " + std::string(10000, 'x') + "'");
  finish();
  EXPECT_EQ(fixture.take(owner).substr(0, 34), "$13|a value of it|$4|next|$4|more|");
}

TEST_F(Busy, WhatItsOwnClientSendsWaits) {
  start("EVAL LOOP 0\nSCRIPT KILL\nPING");
  EXPECT_EQ(fixture.ask(owner, "SCRIPT KILL\nECHO x"), "");
  kill();
  EXPECT_EQ(fixture.take(owner), std::string(kKilled) + "-NOTBUSY No scripts in execution right now.|+PONG|"
                                                        "-NOTBUSY No scripts in execution right now.|$1|x|");
}

TEST_F(Busy, WhatCameBeforeLeavesAtOnce) {
  start("ECHO before\nEVAL LOOP 0");
  EXPECT_EQ(fixture.dirty(), std::vector{owner});
  EXPECT_EQ(fixture.take(owner), "$6|before|");
}

TEST_F(Busy, NothingOfAnUnfinishedTransactionLeaves) {
  fixture.ask(owner, "MULTI\nSET a 1\nEVAL \"GET a; LOOP\" 0\nSET b 2");
  start("EXEC\nECHO behind");
  EXPECT_EQ(fixture.take(owner), "");
  const SessionId watcher = fixture.open();
  EXPECT_EQ(fixture.ask(watcher, "WATCH b\nMULTI"), "+OK|+OK|");
  kill();
  EXPECT_EQ(fixture.take(owner), std::string("*3|+OK|") + kKilled + "+OK|$6|behind|");
  EXPECT_EQ(fixture.ask(watcher, "GET b\nEXEC"), "+QUEUED|*-1|") << "b was written behind the WATCH";
}

TEST_F(Busy, EachScriptOfATransactionHasItsTime) {
  fixture.ask(owner, "MULTI\nEVAL \"LOOP 99\" 0\nEVAL \"LOOP 99\" 0");
  EXPECT_EQ(fixture.ask(owner, "EXEC"), "*2|+OK|+OK|");
  fixture.ask(owner, "MULTI\nEVAL LOOP 0\nEVAL \"LOOP 99\" 0\nEVAL LOOP 0");
  start("EXEC");
  EXPECT_EQ(fixture.ask(other, "SCRIPT KILL"), "+OK|");
  engine.resume();
  EXPECT_TRUE(engine.suspended()) << "in the third";
  kill();
  EXPECT_EQ(fixture.take(owner), std::string("*3|") + kKilled + "+OK|" + kKilled);
}

TEST_F(Busy, AKillHoldsForOneScript) {
  start();
  EXPECT_EQ(fixture.ask(other, "SCRIPT KILL\nPING\nSCRIPT KILL"), std::string("+OK|") + kBusy + "+OK|");
  engine.resume();
  EXPECT_EQ(fixture.take(owner), kKilled);
  start("EVAL \"LOOP 150\" 0");
  finish();
  EXPECT_EQ(fixture.take(owner), "+OK|");
}

// Messages --------------------------------------------------------------------------------------------

TEST_F(Busy, ItsMessagesWaitForItsEnd) {
  const SessionId listener = fixture.open();
  fixture.ask(listener, "SUBSCRIBE ch");
  start("EVAL \"PUBLISH ch early; LOOP 150; PUBLISH ch late\" 0");
  EXPECT_EQ(fixture.ask(other, "WATCH k\nMULTI\nDISCARD"), "+OK|+OK|+OK|");
  EXPECT_EQ(fixture.take(listener), "");
  finish();
  EXPECT_EQ(fixture.take(listener), "*3|$7|message|$2|ch|$5|early|*3|$7|message|$2|ch|$4|late|");
}

TEST_F(Busy, WaitersAreServedAtItsEnd) {
  const SessionId waiter = fixture.open();
  fixture.send(waiter, "TESTWAIT k 0\nECHO woken");
  start("EVAL \"SET k v; LOOP 150\" 0\nEXISTS k");
  EXPECT_EQ(fixture.take(waiter), "");
  finish();
  EXPECT_EQ(fixture.take(waiter), "$1|v|$5|woken|");
  EXPECT_EQ(fixture.take(owner), "+OK|:0|");
}

// Others who were about to run --------------------------------------------------------------------------

// The feeder has woken a client that had an endless script behind what it waited for.
class BusyWoken : public Busy {
 protected:
  const SessionId feeder = fixture.open();
  void SetUp() override { fixture.send(owner, "TESTWAIT k 0\nEVAL LOOP 0\nECHO owner"); }
};

TEST_F(BusyWoken, TheFeederGoesOnWhenItEnds) {
  fixture.send(feeder, "SET k v\nECHO feeder");
  ASSERT_TRUE(engine.suspended());
  EXPECT_EQ(fixture.take(feeder), "+OK|");
  kill();
  EXPECT_EQ(fixture.take(owner), std::string("$1|v|") + kKilled + "$5|owner|");
  EXPECT_EQ(fixture.take(feeder), "$6|feeder|");
}

TEST_F(BusyWoken, TheFeederCanKillIt) {
  fixture.send(feeder, "SET k v");
  EXPECT_EQ(fixture.ask(feeder, "PING\nSCRIPT KILL"), std::string("+OK|") + kBusy + "+OK|");
  finish();
  EXPECT_EQ(fixture.take(owner), std::string("$1|v|") + kKilled + "$5|owner|");
}

TEST_F(BusyWoken, TheFeederMayLeave) {
  fixture.send(feeder, "SET k v\nECHO feeder\nSET left behind");
  fixture.close(feeder);
  kill();
  EXPECT_EQ(fixture.take(owner), std::string("$1|v|") + kKilled + "$5|owner|");
  EXPECT_EQ(fixture.ask(other, "EXISTS left"), ":0|");
}

TEST_F(BusyWoken, AlsoByADeadline) {
  const SessionId late = fixture.open();
  fixture.send(late, "TESTWAIT none 50\nEVAL LOOP 0");
  EXPECT_FALSE(engine.advance_to(Instant::from_ms(kStartMs + 70)));
  ASSERT_TRUE(engine.suspended());
  EXPECT_EQ(fixture.now_ms(), 50);
  EXPECT_EQ(fixture.take(late), "$-1|");
  kill();
  EXPECT_EQ(fixture.take(late), kKilled);
}

// Time -----------------------------------------------------------------------------------------------

TEST_F(Busy, TimeStands) {
  const SessionId waiter = fixture.open();
  fixture.ask(other, "SET lock token PX 30");
  fixture.send(waiter, "TESTWAIT none 20");
  start("EVAL \"LOOP 150; PTTL lock\" 0");
  EXPECT_FALSE(engine.advance_to(Instant::from_ms(kStartMs + 1000)));
  EXPECT_EQ(fixture.now_ms(), 0);
  EXPECT_EQ(fixture.take(waiter), "");
  finish();
  EXPECT_EQ(fixture.take(owner), ":30|");
  EXPECT_TRUE(engine.advance_to(Instant::from_ms(kStartMs + 1000)));
  EXPECT_EQ(fixture.take(waiter), "$-1|");
  EXPECT_EQ(fixture.ask(other, "EXISTS lock"), ":0|");
}

TEST_F(Busy, TheThresholdMayChange) {
  const auto set = [&](std::string_view name, const std::string& ms) { engine.settings().set(name, {&ms, 1}); };
  set("lua-time-limit", "2");
  EXPECT_EQ(fixture.ask(owner, "EVAL \"LOOP 199\" 0"), "+OK|");
  start("EVAL \"LOOP 201\" 0");
  finish();
  fixture.take(owner);
  set("busy-reply-threshold", "0");
  EXPECT_EQ(fixture.ask(owner, "EVAL \"LOOP 1000000\" 0"), "+OK|") << "never";
  set("busy-reply-threshold", std::to_string(INT64_MAX));
  EXPECT_EQ(fixture.ask(owner, "EVAL \"LOOP 1000000\" 0"), "+OK|");
}

TEST(BusyByStopwatch, RealTimeCounts) {
  int64_t now_us = 5'000'000;
  int64_t step_us = 100;
  EngineConfig config = with_threshold("3");
  config.stopwatch_us = [&] { return now_us += step_us; };
  EngineFixture fixture(std::move(config));
  const SessionId owner = fixture.open();
  fixture.send(owner, "EVAL LOOP 0");
  ASSERT_TRUE(fixture.engine().suspended());
  EXPECT_GE(now_us, 5'003'000);
  EXPECT_LE(now_us, 5'003'400);
  now_us += 60'000'000;  // others took their time; a slice begins when it is resumed
  const int64_t resumed_us = now_us;
  fixture.engine().resume();
  EXPECT_GE(now_us, resumed_us + 2000);
  EXPECT_LE(now_us, resumed_us + 2400);
}

// Going away ------------------------------------------------------------------------------------------

TEST_F(Busy, ItsClientMayLeave) {
  start("EVAL \"LOOP 150; SET k v; CLIENT LIST\" 0\nSET behind x");
  fixture.ask(owner, "ECHO x");
  const size_t sessions = engine.session_count();
  fixture.close(owner);
  EXPECT_EQ(engine.session_count(), sessions) << "it is there as long as its script";
  finish();
  EXPECT_EQ(engine.session_count(), sessions - 1);
  EXPECT_EQ(engine.session(owner), nullptr);
  EXPECT_EQ(fixture.ask(other, "GET k\nEXISTS behind"), "$1|v|:0|");
}

TEST_F(Busy, TheTransactionOfWhoHasLeftIsFinished) {
  fixture.ask(owner, "SUBSCRIBE ch\nRESET\nWATCH k\nMULTI\nEVAL \"LOOP 150\" 0\nCLIENT LIST\nSET k v");
  start("EXEC");
  fixture.close(owner);
  EXPECT_EQ(fixture.take(owner), "") << "nobody reads what it would answer";
  finish();
  EXPECT_EQ(engine.session(owner), nullptr);
  EXPECT_EQ(fixture.ask(fixture.open(), "GET k"), "$1|v|");
}

TEST_F(Busy, AListenerThatLeavesGetsNoMessages) {
  const SessionId listener = fixture.open();
  fixture.ask(listener, "SUBSCRIBE ch");
  start("EVAL \"PUBLISH ch early; LOOP 150\" 0");
  fixture.close(listener);
  finish();
  EXPECT_EQ(fixture.take(owner), "+OK|");
}

TEST(BusyEngine, MayGoAway) {
  auto fixture = std::make_unique<EngineFixture>(with_threshold("1"));
  const SessionId owner = fixture->open();
  fixture->ask(owner, "MULTI\nEVAL \"GET a; LOOP\" 0\nEVAL LOOP 0");
  fixture->send(owner, "EXEC\nECHO " + std::string(100, 'x'));
  ASSERT_TRUE(fixture->engine().suspended());
  fixture.reset();
}

// With every script run to its end between two pieces, the answers do not depend on the pieces.
TEST(BusyEngine, HowTheBytesAreCutChangesNothing) {
  const std::string bytes = request("SET a 1") + request("EVAL \"LOOP 250; INCR a; LOOP 150\" 0") + request("GET a") +
                            request("MULTI") + request("EVAL \"LOOP 101; INCR a\" 0") + request("GET a") + request("EXEC") +
                            request("SET k v") + request("GET a");
  std::string whole;
  for (const size_t piece : {bytes.size(), size_t{1}, size_t{3}, size_t{17}}) {
    EngineFixture fixture(with_threshold("1"));
    const SessionId feeder = fixture.open();
    const SessionId waiter = fixture.open();
    fixture.send(waiter, "TESTWAIT k 0\nEVAL \"LOOP 300; INCR a\" 0\nECHO x");
    for (size_t at = 0; at < bytes.size(); at += piece) {
      fixture.feed(feeder, std::string_view(bytes).substr(at, piece));
      while (fixture.engine().suspended()) fixture.engine().resume();
    }
    const std::string text = fixture.take(feeder) + " " + fixture.take(waiter);
    if (whole.empty()) whole = text;
    EXPECT_EQ(text, whole) << piece;
  }
  EXPECT_EQ(whole, "+OK|+OK|$1|2|+OK|+QUEUED|+QUEUED|*2|:3|$1|3|+OK|$1|4| $1|v|:4|$1|x|");
}

}  // namespace
}  // namespace lockstep::tests
