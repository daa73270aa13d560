// Output waits until the journal is safe as far as the unit that wrote it, and leaves in order.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;
using Ids = std::vector<SessionId>;

// Every unit has effects, which become safe when the test says so.
class HandJournal final : public Journal {
 public:
  void append(int, std::span<const std::string_view>) override {}
  void end_unit() override { ++written_; }
  Position written() const override { return written_; }
  Position safe() const override { return safe_; }

  void make_safe(Position position) { safe_ = position; }
  void make_all_safe() { safe_ = written_; }

 private:
  Position written_ = 0;
  Position safe_ = 0;
};

class Journaled : public testing::Test {
 protected:
  explicit Journaled(std::unique_ptr<HandJournal> made = std::make_unique<HandJournal>())
      : journal(*made), fixture({}, std::move(made)), a(fixture.open()), b(fixture.open()) {}

  // As the shell does when the journal's thread has got further.
  void release(Journal::Position position) {
    journal.make_safe(position);
    fixture.engine().release_output();
  }

  HandJournal& journal;
  EngineFixture fixture;
  const SessionId a, b;
};

TEST_F(Journaled, HoldsRepliesBack) {
  fixture.send(a, "SET k v");
  EXPECT_EQ(fixture.take(a), "");
  EXPECT_TRUE(fixture.engine().session(a)->holds_output_back());
  fixture.dirty();
  release(1);
  EXPECT_EQ(fixture.dirty(), Ids{a});
  EXPECT_EQ(fixture.take(a), "+OK|");
  EXPECT_FALSE(fixture.engine().session(a)->holds_output_back());
}

// A read must not show what a crash can undo.
TEST_F(Journaled, HoldsReadsBackToo) {
  fixture.send(a, "SET k v");
  fixture.send(b, "GET k");
  EXPECT_EQ(fixture.take(b), "");
  release(1);
  EXPECT_EQ(fixture.take(a), "+OK|");
  EXPECT_EQ(fixture.take(b), "");
  release(2);
  EXPECT_EQ(fixture.take(b), "$1|v|");
}

TEST_F(Journaled, ReleasesInOrderUnitByUnit) {
  fixture.send(a, "ECHO 1\nECHO 2\nECHO 3");
  release(2);
  EXPECT_EQ(fixture.take(a), "$1|1|$1|2|");
  fixture.send(a, "ECHO 4");
  EXPECT_EQ(fixture.take(a), "");
  release(3);
  EXPECT_EQ(fixture.take(a), "$1|3|");
  release(4);
  EXPECT_EQ(fixture.take(a), "$1|4|");
}

TEST_F(Journaled, ReleasesWhatIsPartlySent) {
  Session& session = *fixture.engine().session(a);
  fixture.send(a, "ECHO one\nECHO two");
  release(1);
  session.consume(4);
  EXPECT_EQ(session.output(), "one\r\n");
  release(2);
  EXPECT_EQ(fixture.take(a), "one|$3|two|");
}

// Replies that are safe leave, although later ones are not.
TEST_F(Journaled, DoesNotHoldSafeRepliesBehindUnsafeOnes) {
  fixture.send(a, "ECHO 1");
  release(1);
  fixture.send(a, "ECHO 2");
  EXPECT_EQ(fixture.take(a), "$1|1|");
  release(2);
  EXPECT_EQ(fixture.take(a), "$1|2|");
}

// Unit 1 is safe when unit 2 writes; both replies stand in the same buffer.
TEST_F(Journaled, DoesNotHoldBackWhatWasSafeWhenItWasWritten) {
  journal.make_safe(1);
  fixture.send(a, "ECHO 1\nECHO 2");
  EXPECT_EQ(fixture.take(a), "$1|1|");
  release(2);
  EXPECT_EQ(fixture.take(a), "$1|2|");
}

TEST_F(Journaled, HoldsMessagesBackWithTheUnitThatPublished) {
  fixture.send(b, "SUBSCRIBE ch");
  release(1);
  fixture.take(b);
  fixture.send(a, "PUBLISH ch m");
  EXPECT_EQ(fixture.take(b), "");
  release(2);
  EXPECT_EQ(fixture.take(a), ":1|");
  EXPECT_EQ(fixture.take(b), "*3|$7|message|$2|ch|$1|m|");
}

TEST_F(Journaled, HoldsServedWaitersBack) {
  fixture.send(a, "TESTWAIT k 0");       // unit 1
  fixture.send(b, "SET k v");            // unit 2, and 3 serves a
  EXPECT_EQ(fixture.take(a) + fixture.take(b), "");
  release(2);
  EXPECT_EQ(fixture.take(b), "+OK|");
  EXPECT_EQ(fixture.take(a), "");
  release(3);
  EXPECT_EQ(fixture.take(a), "$1|v|");
}

TEST_F(Journaled, HoldsTimeOutsBack) {
  fixture.send(a, "TESTWAIT k 10");
  fixture.advance_to_ms(10);
  EXPECT_EQ(fixture.take(a), "");
  release(2);
  EXPECT_EQ(fixture.take(a), "$-1|");
}

// "Once output() is empty, close": not before what is held back has left.
TEST_F(Journaled, KeepsASessionOpenForWhatItHoldsBack) {
  fixture.send(a, "SET k v\nQUIT");
  Session& session = *fixture.engine().session(a);
  EXPECT_EQ(session.output(), "");
  EXPECT_FALSE(session.wants_close());
  release(2);
  EXPECT_EQ(fixture.take(a), "+OK|+OK|");
  EXPECT_TRUE(session.wants_close());
}

TEST_F(Journaled, ReleasesAtOnceWhatIsSafeAlready) {
  journal.make_safe(1'000'000);
  EXPECT_EQ(fixture.ask(a, "SET k v"), "+OK|");
  EXPECT_FALSE(fixture.engine().session(a)->holds_output_back());
}

TEST_F(Journaled, MakesOnlyThoseDirtyThatHaveSomethingToSend) {
  fixture.send(a, "ECHO 1");
  fixture.send(b, "ECHO 2");
  fixture.dirty();
  release(1);
  EXPECT_EQ(fixture.dirty(), Ids{a});
  fixture.take(a);
  release(1);
  EXPECT_EQ(fixture.dirty(), Ids{});
}

}  // namespace
}  // namespace lockstep
