// What is kept of commands and how long they took, with a stopwatch in the test's hand: each reading of it is
// a step later than the one before, and a plain command lies between two readings.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;

class Recording : public testing::Test {
 protected:
  EngineFixture& fixture() {
    if (!fixture_) {
      config_.stopwatch_us = [this] { return time_us_ += step_us_; };
      fixture_ = std::make_unique<EngineFixture>(std::move(config_));
      session_ = fixture_->open();
    }
    return *fixture_;
  }
  // An option, before the first command.
  void set(const std::string& name, const std::string& value) {
    ASSERT_EQ(config_.settings.set(name, {&value, 1}), std::nullopt);
  }
  std::string ask(std::string_view lines) { return fixture().ask(session_, lines); }
  // A command that takes so long.
  std::string ask_slowly(std::string_view lines, int64_t duration_us) {
    fixture();
    step_us_ = duration_us;
    std::string reply = ask(lines);
    step_us_ = 0;
    return reply;
  }
  void advance_slowly_to_ms(int64_t ms, int64_t duration_us) {
    step_us_ = duration_us;
    fixture().advance_to_ms(ms);
    step_us_ = 0;
  }
  // The bulk or verbatim string that a command answers, '|' for its line ends.
  std::string text(std::string_view line) {
    const std::string reply = ask(line);
    return reply.substr(reply.find('|') + 1);
  }

  SessionId session_;

 private:
  EngineConfig config_;
  std::unique_ptr<EngineFixture> fixture_;
  int64_t time_us_ = 1'000'000;
  int64_t step_us_ = 0;
};

TEST_F(Recording, SlowLogKeepsWhatReachesTheThreshold) {
  set("slowlog-log-slower-than", "1000");
  ask_slowly("ECHO fast", 999);
  EXPECT_EQ(ask("SLOWLOG LEN"), ":0|");
  ask("CLIENT SETNAME me");
  fixture().advance_to_ms(2500);
  ask_slowly("ECHO slow", 1000);
  EXPECT_EQ(ask("SLOWLOG GET"),
            "*1|*6|:0|:1700000002|:1000|*2|$4|ECHO|$4|slow|$10|in-process|$2|me|");
  ask("SLOWLOG RESET");
  EXPECT_EQ(ask("SLOWLOG GET"), "*0|");
  ask_slowly("ECHO again", 5000);
  EXPECT_EQ(ask("SLOWLOG GET").substr(0, 11), "*1|*6|:1|:1");  // the id goes on
}

TEST_F(Recording, TheEndOfACommandIsTheStartOfTheNext) {
  set("slowlog-log-slower-than", "1");
  ask_slowly("ECHO a\nECHO b\nECHO c", 10);
  EXPECT_EQ(ask("SLOWLOG LEN"), ":3|");
  EXPECT_NE(text("INFO commandstats").find("cmdstat_echo:calls=3,usec=30,usec_per_call=10.00,"), std::string::npos);
}

// A script takes all of its time, what it calls only its own.
TEST_F(Recording, ScriptsAndWhatTheyCall) {
  ask_slowly("EVAL 'ECHO a; ECHO b' 0", 10);
  const std::string stats = text("INFO commandstats");
  EXPECT_NE(stats.find("cmdstat_echo:calls=2,usec=20,"), std::string::npos) << stats;
  EXPECT_NE(stats.find("cmdstat_eval:calls=1,usec=50,"), std::string::npos) << stats;
}

TEST_F(Recording, TransactionsAndWhatTheyRun) {
  ask_slowly("MULTI\nECHO a\nECHO b\nEXEC", 10);
  const std::string stats = text("INFO commandstats");
  EXPECT_NE(stats.find("cmdstat_echo:calls=2,usec=20,"), std::string::npos) << stats;
  EXPECT_NE(stats.find("cmdstat_exec:calls=1,usec=30,"), std::string::npos) << stats;
}

// Time in which a command waits is not its own: it is that of its attempts.
TEST_F(Recording, WaitingIsNotSlow) {
  set("slowlog-log-slower-than", "1");
  const SessionId waiter = (fixture(), fixture().open());
  ask_slowly("PING", 5);
  fixture().send(waiter, "BLPOP list 0");
  EXPECT_EQ(text("INFO commandstats").find("cmdstat_blpop"), std::string::npos);  // not yet at its end
  fixture().advance_to_ms(60'000);
  ask_slowly("RPUSH list x", 7);
  EXPECT_EQ(fixture().take(waiter), "*2|$4|list|$1|x|");
  EXPECT_NE(text("INFO commandstats").find("cmdstat_blpop:calls=1,usec=7,"), std::string::npos);
  EXPECT_EQ(ask("SLOWLOG GET 1").substr(0, 53), "*1|*6|:2|:1700000060|:7|*3|$5|BLPOP|$4|list|$1|0|$10|");
}

TEST_F(Recording, UnblockedWithAnErrorHasFailed) {
  fixture();
  const SessionId waiter = fixture().open();
  fixture().send(waiter, "BLPOP list 0");
  EXPECT_EQ(ask("CLIENT UNBLOCK 2 ERROR"), ":1|");
  EXPECT_EQ(fixture().take(waiter), "-UNBLOCKED client unblocked via CLIENT UNBLOCK|");
  EXPECT_NE(text("INFO commandstats").find("cmdstat_blpop:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=1"),
            std::string::npos);
  EXPECT_EQ(text("INFO errorstats"), "# Errorstats|errorstat_UNBLOCKED:count=1||");
}

TEST_F(Recording, PercentilesAndHistogram) {
  ask_slowly("ECHO a", 1);
  ask_slowly("ECHO a", 1);
  ask_slowly("ECHO a", 133);
  EXPECT_NE(text("INFO latencystats").find("latency_percentiles_usec_echo:p50=1.003,p99=133.119,p99.9=133.119|"),
            std::string::npos);
  EXPECT_EQ(ask("LATENCY HISTOGRAM echo"), "*2|$4|echo|*4|$5|calls|:3|$14|histogram_usec|*4|:1|:2|:264|:3|");
}

TEST_F(Recording, WithoutAStopwatchNothingTakesTime) {
  EngineFixture plain;
  const SessionId id = plain.open();
  plain.ask(id, "ECHO a");
  EXPECT_NE(plain.ask(id, "INFO commandstats").find("cmdstat_echo:calls=1,usec=0,usec_per_call=0.00"), std::string::npos);
}

// LATENCY ---------------------------------------------------------------------------------------------

TEST_F(Recording, SpikesByKindOfCommand) {
  set("latency-monitor-threshold", "10");
  ask_slowly("ECHO a", 9'999);
  EXPECT_EQ(ask("LATENCY LATEST"), "*0|");
  ask_slowly("ECHO a", 10'000);
  ask_slowly("KEYS x", 12'999);
  EXPECT_EQ(ask("LATENCY LATEST"),
            "*2|*4|$7|command|:1700000000|:12|:12|*4|$12|fast-command|:1700000000|:10|:10|");
}

TEST_F(Recording, OneSpikeASecondTheWorst) {
  set("latency-monitor-threshold", "1");
  for (const int64_t ms : {5, 30, 20}) ask_slowly("KEYS x", ms * 1000);
  fixture().advance_to_ms(1000);
  ask_slowly("KEYS x", 7'000);
  EXPECT_EQ(ask("LATENCY HISTORY command"), "*2|*2|:1700000000|:30|*2|:1700000001|:7|");
  EXPECT_EQ(ask("LATENCY LATEST"), "*1|*4|$7|command|:1700000001|:7|:30|");
  EXPECT_EQ(ask("LATENCY RESET nosuch command command"), ":1|");
  EXPECT_EQ(ask("LATENCY HISTORY command"), "*0|");
}

TEST_F(Recording, TheLatest160Spikes) {
  set("latency-monitor-threshold", "1");
  for (int64_t s = 0; s < 170; ++s) {
    fixture().advance_to_ms(s * 1000);
    ask_slowly("KEYS x", (170 - s) * 1000);
  }
  EXPECT_EQ(ask("LATENCY HISTORY command").substr(0, 27), "*160|*2|:1700000010|:160|*2");
  EXPECT_EQ(ask("LATENCY LATEST"), "*1|*4|$7|command|:1700000169|:1|:170|");
}

TEST_F(Recording, ExpiringManyKeysMayBeASpike) {
  set("latency-monitor-threshold", "1");
  ask("SET k v PX 10");
  advance_slowly_to_ms(5, 3'000);
  EXPECT_EQ(ask("LATENCY LATEST"), "*0|");  // nothing was due
  advance_slowly_to_ms(1010, 3'000);
  EXPECT_EQ(ask("LATENCY LATEST"), "*1|*4|$12|expire-cycle|:1700000001|:3|:3|");
}

// Drawn by redis-server 8.0.2 from these spikes.
TEST_F(Recording, Graph) {
  set("latency-monitor-threshold", "1");
  const std::pair<int64_t, int64_t> spikes[] = {{0, 5},  {1, 200}, {2, 10}, {3, 20}, {5, 50},
                                                {6, 30}, {7, 30},  {8, 50}, {9, 20}, {10, 10}};
  for (const auto& [s, ms] : spikes) {
    fixture().advance_to_ms(s * 1000);
    ask_slowly("KEYS x", ms * 1000);
  }
  EXPECT_EQ(ask("LATENCY GRAPH command"),
            "$224|command - high 200 ms, low 5 ms (all time high 200 ms)\n"
            "--------------------------------------------------------------------------------\n"
            " #        \n"
            " |        \n"
            " |        \n"
            "_|__#oo#__\n"
            "          \n"
            "1987543210\n"
            "0sssssssss\n"
            "s         \n|");
}

TEST_F(Recording, Doctor) {
  set("latency-monitor-threshold", "1");
  set("slowlog-log-slower-than", "-1");
  ask_slowly("KEYS x", 5'000);
  fixture().advance_to_ms(1000);
  ask_slowly("KEYS x", 200'000);
  const std::string report = text("LATENCY DOCTOR");
  // As redis-server counts them.
  EXPECT_NE(report.find("1. command: 2 latency spikes (average 102ms, mean deviation 97ms, period 0.50 sec). "
                        "Worst all time event 200ms.\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("'CONFIG SET slowlog-log-slower-than 1000'"), std::string::npos) << report;
}

// Statistics ------------------------------------------------------------------------------------------

TEST_F(Recording, RatesAreOfTheTimeBetweenSamples) {
  ask("PING\nPING\nPING");
  fixture().engine().stats().input_bytes = 4096;
  fixture().advance_to_ms(2000);
  fixture().engine().every_second();
  EXPECT_EQ(fixture().info("instantaneous_ops_per_sec"), 1);
  EXPECT_NE(text("INFO stats").find("instantaneous_input_kbps:2.00|"), std::string::npos);
  ask("CONFIG RESETSTAT\nPING\nPING\nPING\nPING");
  fixture().advance_to_ms(3000);
  fixture().engine().every_second();
  EXPECT_EQ(fixture().info("instantaneous_ops_per_sec"), 5);  // with RESETSTAT itself
}

TEST_F(Recording, MemoryOfSessionsAndItsPeak) {
  const int64_t before = fixture().info("mem_clients_normal");
  const SessionId id = fixture().open();
  fixture().feed(id, "*2\r\n$4\r\nECHO\r\n$100000\r\n" + std::string(50'000, 'x'));
  EXPECT_GE(fixture().info("mem_clients_normal"), before + 50'000);
  const int64_t peak = fixture().info("used_memory_peak");
  EXPECT_GE(peak, fixture().info("used_memory") - 1);
  fixture().close(id);
  EXPECT_LT(fixture().info("used_memory"), peak);
  EXPECT_GE(fixture().info("used_memory_peak"), peak);
}

TEST_F(Recording, MemoryDoctor) {
  EXPECT_EQ(text("MEMORY DOCTOR"), "Too little memory is in use to say anything about it.\n|");
  const std::string value(6'000'000, 'x');
  ask("SET a " + value);
  EXPECT_EQ(text("MEMORY DOCTOR"), "Nothing conspicuous about the memory.\n|");
  ask("MSET b " + value + " c " + value);
  text("MEMORY DOCTOR");
  ask("DEL b c");
  EXPECT_EQ(text("MEMORY DOCTOR").substr(0, 60), "- At its peak the server used more than 1.5 times as much. T");
}

}  // namespace
}  // namespace lockstep
