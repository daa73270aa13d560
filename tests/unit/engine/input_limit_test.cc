// Who sends more than client-query-buffer-limit at once is cut off, however its bytes are cut; below it nothing
// happens. What counts is what redis-server 8.0.2 counts: one command, what waits, and what MULTI queues.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/engine_fixture.h"

namespace lockstep::tests {
namespace {

constexpr size_t kMegabyte = 1 << 20;

class InputLimit : public testing::TestWithParam<size_t> {
 protected:
  InputLimit() { fixture_.ask(fixture_.open(), "CONFIG SET client-query-buffer-limit 1mb"); }

  void feed(SessionId id, std::string_view bytes) {
    for (size_t at = 0; at < bytes.size(); at += GetParam())
      fixture_.engine().session(id)->feed(bytes.substr(at, GetParam()));
  }
  bool is_cut_off(SessionId id) { return fixture_.engine().session(id)->state().cut_off; }

  EngineFixture fixture_;
  SessionId id_ = fixture_.open();
};

INSTANTIATE_TEST_SUITE_P(Chunks, InputLimit, testing::Values(size_t{8} * kMegabyte, size_t{64} << 10, 1000));

TEST_P(InputLimit, OneCommand) {
  feed(id_, request("SET k " + std::string(1'000'000, 'v')));
  EXPECT_EQ(fixture_.take(id_), "+OK|");
  feed(id_, request("SET k " + std::string(1'500'000, 'w')));
  EXPECT_TRUE(is_cut_off(id_));
  EXPECT_EQ(fixture_.take(id_), "");
  EXPECT_EQ(fixture_.ask(fixture_.open(), "STRLEN k"), ":1000000|");
}

TEST_P(InputLimit, ManyCommandsAreNotOne) {
  std::string commands;
  for (int i = 0; i < 5; ++i) commands += request("SET k " + std::string(500'000, 'v'));
  feed(id_, commands);
  EXPECT_EQ(fixture_.take(id_), "+OK|+OK|+OK|+OK|+OK|");
}

TEST_P(InputLimit, WhatWaitsBehindACommandThatBlocks) {
  feed(id_, request("BLPOP l 0") + request("SET k " + std::string(900'000, 'v')));
  EXPECT_FALSE(is_cut_off(id_));
  feed(id_, request("SET k " + std::string(200'000, 'v')));
  EXPECT_TRUE(is_cut_off(id_));
  const SessionId other = fixture_.open();
  EXPECT_EQ(fixture_.ask(other, "RPUSH l a"), ":1|");
  EXPECT_EQ(fixture_.ask(other, "LLEN l"), ":1|");  // one that is cut off takes nothing
}

TEST_P(InputLimit, WhatMultiQueues) {
  std::string commands = request("MULTI");
  for (int i = 0; i < 10; ++i) commands += request("SET k " + std::string(100'000, 'v'));
  feed(id_, commands);
  EXPECT_FALSE(is_cut_off(id_));
  feed(id_, request("SET k " + std::string(100'000, 'v')) + request("EXEC"));
  EXPECT_TRUE(is_cut_off(id_));
  EXPECT_EQ(fixture_.ask(fixture_.open(), "EXISTS k"), ":0|");
}

}  // namespace
}  // namespace lockstep::tests
