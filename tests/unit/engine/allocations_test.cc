// The budget of the hot path, counted from the bytes fed to the bytes answered: no allocation to read or
// overwrite a lock, one to make a new one.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/allocation_counter.h"
#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::allocations_in;
using tests::EngineFixture;
using tests::request;

class HotPath : public testing::Test {
 protected:
  HotPath() : session_(*fixture_.engine().session(fixture_.open())) {
    // Buffers, the index's first segment, the heap's first chunk: made once.
    for (const char* line : {"SET a 0123456789abcdef0123456789abcdef0123 PX 30000",
                             "SET b 0123456789abcdef0123456789abcdef0123 PX 30000", "GET a", "DEL b"})
      run(request(line));
  }

  void run(std::string_view bytes) {
    session_.feed(bytes);
    session_.consume(session_.output().size());
    fixture_.engine().take_dirty();
  }
  size_t allocations(std::string_view line) {
    const std::string bytes = request(line);
    return allocations_in([&] { run(bytes); });
  }

  EngineFixture fixture_;
  Session& session_;
};

TEST_F(HotPath, AllocatesNothingToRead) {
  EXPECT_EQ(allocations("GET a"), 0u);
  EXPECT_EQ(allocations("GET missing"), 0u);
  EXPECT_EQ(allocations("PTTL a"), 0u);
  EXPECT_EQ(allocations("EXISTS a"), 0u);
  EXPECT_EQ(allocations("PING"), 0u);
}

TEST_F(HotPath, AllocatesNothingToOverwrite) {
  EXPECT_EQ(allocations("SET a 0123456789abcdef0123456789abcdef4567 PX 30000"), 0u);
  EXPECT_EQ(allocations("SET a 0123456789abcdef0123456789abcdef8901 NX PX 30000"), 0u);
  EXPECT_EQ(allocations("PEXPIRE a 60000"), 0u);
}

TEST_F(HotPath, AllocatesOnceForANewKey) {
  EXPECT_EQ(allocations("SET b 0123456789abcdef0123456789abcdef0123 NX PX 30000"), 1u);
  EXPECT_EQ(allocations("DEL b"), 0u);
}

TEST_F(HotPath, AllocatesNothingToExpire) {
  const SessionId id = fixture_.open();
  fixture_.ask(id, "SET c v PX 10");
  EXPECT_EQ(allocations_in([&] { fixture_.advance_to_ms(20); }), 0u);
  EXPECT_EQ(fixture_.ask(id, "EXISTS c"), ":0|");
}

}  // namespace
}  // namespace lockstep
