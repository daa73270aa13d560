// The players on a server of canned answers: what passes, what fails and how it is reported, and what
// recording writes.
#include "tests/transcript/player.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/transcript/rewriter.h"

namespace lockstep::transcript {
namespace {

// Answers each command by the bytes kept for its name; the answer "close" closes, and what is kept for
// "name!" goes to every other session.
class CannedDriver : public Driver {
 public:
  explicit CannedDriver(std::map<std::string, std::string> answers) : answers_(std::move(answers)) {}

  void reset(const Settings& settings) override {
    peers_.clear();
    settings_ = settings;
  }
  Session open() override {
    peers_.emplace_back();
    return peers_.size() - 1;
  }
  void send(Session session, std::string_view bytes) override {
    sent_ += bytes;
    for (const auto& [name, answer] : answers_) {
      if (bytes.find(name.substr(0, name.find('!'))) == bytes.npos) continue;
      for (Session peer = 0; peer < peers_.size(); ++peer) {
        if ((peer == session) == (name.back() != '!')) deliver(peers_[peer], answer);
      }
    }
  }
  void close(Session session) override { peers_[session].closed = true; }
  std::string_view received(Session session) const override { return peers_[session].received; }
  void consume(Session session, std::size_t size) override { peers_[session].received.erase(0, size); }
  bool receive(Session) override { return false; }
  bool is_closed(Session session) const override { return peers_[session].closed; }
  void settle() override {}
  bool has_manual_clock() const override { return true; }
  void advance_clock(std::int64_t duration_us) override { advanced_us_ += duration_us; }

  std::string sent_;
  Settings settings_;
  std::int64_t advanced_us_ = 0;

 private:
  struct Peer {
    std::string received;
    bool closed = false;
  };
  static void deliver(Peer& peer, const std::string& answer) {
    if (answer == "close") {
      peer.closed = true;
    } else {
      peer.received += answer;
    }
  }

  std::map<std::string, std::string> answers_;
  std::vector<Peer> peers_;
};

CannedDriver canned() {
  return CannedDriver({{"PING", "+PONG\r\n"},
                       {"ID", ":42\r\n"},
                       {"TWO", ":1\r\n:2\r\n"},
                       {"PUBLISH", ":1\r\n"},
                       {"PUBLISH!", "+message\r\n"},
                       {"QUIT", "close"},
                       {"PART", "$5\r\nab"}});
}

std::string played(const std::string& steps) {
  CannedDriver driver = canned();
  const Transcript transcript = parse_transcript("x.txt", "== s\n" + steps);
  return diff_text(transcript, transcript.scenarios[0], play(transcript.scenarios[0], driver));
}

TEST(Player, PassesWhatIsAsExpected) {
  EXPECT_EQ(played("A> PING\nA< +PONG\n"), "");
  EXPECT_EQ(played("A> TWO\nA< :1\nA< :2\nA<-\n"), "");
  EXPECT_EQ(played("A> PING\nA<raw \"+PO\"\nA<raw \"NG\\r\\n\"\n"), "");
  EXPECT_EQ(played("A> ID\nA<~ :[0-9]+\n"), "");
  EXPECT_EQ(played("A> QUIT\nA< closed\n"), "");
  EXPECT_EQ(played("A<-\nB> PUBLISH\nB< :1\nA< +message\n"), "");
  EXPECT_EQ(played("A> ID\nA<~ :<id:[0-9]+>\nA> ID\nA< :<id>\nA> ID\nA<~ :<id>\n"), "");
}

TEST(Player, ReportsLineAndDifference) {
  EXPECT_EQ(played("A> PING\nA< +OK\n"), "x.txt:3: in scenario 's'\n  - A< +OK\n  + A< +PONG\n");
  EXPECT_EQ(played("A> NOSUCH\nA< +OK\n"), "x.txt:3: in scenario 's'\n  - A< +OK\n  + A<-\n");
  EXPECT_EQ(played("A> ID\nA<~ :[0-9]\n"), "x.txt:3: in scenario 's'\n  - A<~ :[0-9]\n  + A< :42\n");
  EXPECT_EQ(played("A> PING\nA<raw \"+PONX\"\nA<raw \"\\r\\n\"\n"),
            "x.txt:3: in scenario 's'\n  - A<raw \"+PONX\"\n  + A<raw \"+PONG\"\n");
}

TEST(Player, LeftoversFail) {
  EXPECT_EQ(played("A> PING\n"), "x.txt:2: in scenario 's'\n  + A< +PONG\n");
  EXPECT_EQ(played("A> TWO\nA< :1\n"), "x.txt:3: in scenario 's'\n  + A< :2\n");
  EXPECT_EQ(played("A> QUIT\n"), "x.txt:2: in scenario 's'\n  + A< closed\n");
  EXPECT_EQ(played("A> PART\n"), "x.txt:2: in scenario 's'\n  + A<? a part of a reply: \"$5\\r\\nab\"\n");
  EXPECT_EQ(played("A<-\nB> PUBLISH\nB< :1\n"), "x.txt:4: in scenario 's'\n  + A< +message\n");
}

TEST(Player, SilenceAndClosingAreExpectations) {
  EXPECT_EQ(played("A> PING\nA<-\n"), "x.txt:3: in scenario 's'\n  - A<-\n  + A< +PONG\n");
  EXPECT_EQ(played("A> QUIT\nA<-\nA< closed\n"), "x.txt:3: in scenario 's'\n  - A<-\n  + A< closed\n");
  EXPECT_EQ(played("A> PING\nA< +PONG\nA< closed\n"), "x.txt:4: in scenario 's'\n  - A< closed\n  + A<-\n");
}

TEST(Player, SendsArraysAndMovesTheClock) {
  CannedDriver driver = canned();
  const Transcript transcript = parse_transcript(
      "x.txt", "== s\n@config a b\nA> ID\nA<~ :<id:[0-9]+>\nA> SET \"k \" <id>\nA>raw \"x\\r\\n\"\n+5ms\n");
  EXPECT_TRUE(play(transcript.scenarios[0], driver).empty());
  EXPECT_EQ(driver.sent_, "*1\r\n$2\r\nID\r\n*3\r\n$3\r\nSET\r\n$2\r\nk \r\n$2\r\n42\r\nx\r\n");
  EXPECT_EQ(driver.advanced_us_, 5'000);
  EXPECT_EQ(driver.settings_, (Driver::Settings{{"a", "b"}}));
}

TEST(Player, SkipsWithAReason) {
  CannedDriver driver = canned();
  const Transcript transcript = parse_transcript("x.txt", "== a\n@since 7.2\n== b\n@not-redis why\n== c\n");
  const Target old_redis{.version = "7.0.15", .is_redis = true};
  EXPECT_EQ(reason_to_skip(transcript.scenarios[0], old_redis, driver), "since 7.2");
  EXPECT_EQ(reason_to_skip(transcript.scenarios[1], old_redis, driver), "differs from Redis: why");
  EXPECT_EQ(reason_to_skip(transcript.scenarios[2], old_redis, driver), "");
  const Target new_redis{.version = "7.2.1", .is_redis = true};
  EXPECT_EQ(reason_to_skip(transcript.scenarios[0], new_redis, driver), "");
  EXPECT_EQ(reason_to_skip(transcript.scenarios[1], Target{}, driver), "");
}

std::string rewritten_text(const std::string& text) {
  CannedDriver driver = canned();
  return rewritten(parse_transcript("x.txt", text), driver, Target{});
}

TEST(Rewriter, RecordsAfterEachAction) {
  EXPECT_EQ(rewritten_text("# c\n== s\nA> PING\n# d\nA> TWO\nB> PUBLISH\n\n== t\nA> QUIT\n"),
            "# c\n== s\nA> PING\nA< +PONG\n# d\nA> TWO\nA< :1\nA< :2\nB> PUBLISH\nA< +message\nB< :1\n\n"
            "== t\nA> QUIT\nA< closed\n");
}

TEST(Rewriter, KeepsWhatHolds) {
  const std::string text =
      "== s\nA> ID\n# why\nA<~ :<id:[0-9]+>\nA> ID\nA< :<id>\nA> PING\nA<raw \"+PONG\\r\\n\"\nA<-\n\nA> "
      "QUIT\nA< closed\n# end\n";
  EXPECT_EQ(rewritten_text(text), text);
}

TEST(Rewriter, ReplacesWhatDoesNot) {
  EXPECT_EQ(
      rewritten_text("== s\nA> PING\nA< +OK\nA< :7\nA> ID\nA<-\nA<~ x\nA> TWO\nA< closed\nA<raw \"?\"\n"),
      "== s\nA> PING\nA< +PONG\nA> ID\nA< :42\nA> TWO\nA<raw \":1\\r\\n:2\\r\\n\"\n");
}

}  // namespace
}  // namespace lockstep::transcript
