// The notation of transcripts: quoting, printed replies, and the parser of files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/transcript/quoting.h"
#include "tests/transcript/resp_text.h"
#include "tests/transcript/transcript.h"

namespace lockstep::transcript {
namespace {

using namespace std::string_literals;
using Arguments = std::vector<std::string>;

TEST(Quoting, SplitsAsRedisCliDoes) {
  EXPECT_EQ(split_arguments("SET k  v"), (Arguments{"SET", "k", "v"}));
  EXPECT_EQ(split_arguments(R"(a "b c" "\x00\n\"\\" 'd\' \n' "")"),
            (Arguments{"a", "b c", "\0\n\"\\"s, "d' \\n", ""}));
  EXPECT_EQ(split_arguments(R"("x"*3 "ab"*2)"), (Arguments{"xxx", "abab"}));
  EXPECT_EQ(split_arguments(""), Arguments{});
}

TEST(Quoting, RefusesUnbalancedQuotes) {
  EXPECT_FALSE(split_arguments("\"a"));
  EXPECT_FALSE(split_arguments("'a"));
  EXPECT_FALSE(split_arguments("\"a\"b"));
  EXPECT_FALSE(split_arguments("\"a\\"));
  EXPECT_FALSE(split_arguments("\"a\"*x"));
}

TEST(Quoting, PrintsWhatItReads) {
  for (const std::string& bytes :
       {"plain"s, "\0\x01\xff \r\n\t\"\\"s, ""s, std::string(100, 'x'), "ab"s + std::string(100, 'x')}) {
    EXPECT_EQ(split_arguments(quote(bytes)), Arguments{bytes});
  }
  EXPECT_EQ(quote("\x01\xff\n"), R"("\x01\xff\n")");
  EXPECT_EQ(quote(std::string(100, 'x')), "\"x\"*100");
}

std::string decoded(std::string_view bytes) {
  const Decoded result = decode_reply(bytes);
  EXPECT_EQ(result.state, Decoded::State::complete) << result.text;
  EXPECT_EQ(result.size, bytes.size());
  return result.text;
}

TEST(RespText, PrintsRepliesOfResp2) {
  EXPECT_EQ(decoded("+OK\r\n"), "+OK");
  EXPECT_EQ(decoded("-ERR no, [not] so\r\n"), "-ERR no, [not] so");
  EXPECT_EQ(decoded("-ERR with args: \r\n"), "-\"ERR with args: \"");
  EXPECT_EQ(decoded(":-9223372036854775808\r\n"), ":-9223372036854775808");
  EXPECT_EQ(decoded("$3\r\na\r\n\r\n"), "\"a\\r\\n\"");
  EXPECT_EQ(decoded("$-1\r\n"), "nil");
  EXPECT_EQ(decoded("*-1\r\n"), "nil*");
  EXPECT_EQ(decoded("*0\r\n"), "[]");
  EXPECT_EQ(decoded("*3\r\n:1\r\n*1\r\n$1\r\na\r\n-E a, b\r\n"), "[:1, [\"a\"], -\"E a, b\"]");
}

TEST(RespText, PrintsRepliesOfResp3) {
  EXPECT_EQ(decoded("_\r\n"), "null");
  EXPECT_EQ(decoded("#t\r\n"), "#t");
  EXPECT_EQ(decoded(",1.5\r\n"), ",1.5");
  EXPECT_EQ(decoded("(12345678901234567890\r\n"), "(12345678901234567890");
  EXPECT_EQ(decoded("=5\r\ntxt:a\r\n"), "=txt:\"a\"");
  EXPECT_EQ(decoded("!5\r\nE bad\r\n"), "!\"E bad\"");
  EXPECT_EQ(decoded("%2\r\n+a\r\n:1\r\n+b\r\n%0\r\n"), "{+a => :1, +b => {}}");
  EXPECT_EQ(decoded("~1\r\n:1\r\n"), "~[:1]");
  EXPECT_EQ(decoded(">2\r\n+a\r\n+b\r\n"), ">[+a, +b]");
}

TEST(RespText, EveryPrefixIsIncomplete) {
  const std::string bytes = "*4\r\n$3\r\nabc\r\n%1\r\n+a\r\n:1\r\n_\r\n=5\r\ntxt:x\r\n";
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(decode_reply(std::string_view(bytes).substr(0, size)).state, Decoded::State::incomplete)
        << size;
  }
  const Decoded result = decode_reply(bytes + "+next\r\n");
  EXPECT_EQ(result.state, Decoded::State::complete);
  EXPECT_EQ(result.size, bytes.size());
}

TEST(RespText, ReportsWhatIsNoReply) {
  for (const char* bytes : {"x\r\n", "\r\n", ":\r\n", ":1x\r\n", "$-2\r\n", "$x\r\n", "$1\r\nabc\r\n",
                            "*x\r\n", "#x\r\n", "_x\r\n", "=3\r\nabc\r\n", "*1\r\n?\r\n"}) {
    EXPECT_EQ(decode_reply(bytes).state, Decoded::State::malformed) << bytes;
  }
}

TEST(TranscriptFile, IsParsedWithItsLines) {
  const Transcript transcript = parse_transcript("x.txt",
                                                 "# comment\n"
                                                 "== one\n"
                                                 "@since 7.2\n"
                                                 "@config requirepass \"a b\"\n"
                                                 "A> SET k v\n"
                                                 "A< +OK\n"
                                                 "\n"
                                                 "A<-\n"
                                                 "A<~ :[0-9]+\n"
                                                 "== two\n"
                                                 "@not-redis the reason\n"
                                                 "A>raw \"PING\\r\\n\"\n"
                                                 "A<raw \"+PONG\\r\\n\"\n"
                                                 "+2s\n"
                                                 "Watcher1< closed\n"
                                                 "A close\n");
  ASSERT_EQ(transcript.scenarios.size(), 2U);
  const Scenario& one = transcript.scenarios[0];
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(one.line, 2);
  EXPECT_EQ(one.since, "7.2");
  EXPECT_EQ(one.settings, (std::vector<std::pair<std::string, std::string>>{{"requirepass", "a b"}}));
  EXPECT_FALSE(one.needs_manual_clock());
  ASSERT_EQ(one.steps.size(), 4U);
  EXPECT_EQ(one.steps[0].kind, Step::Kind::send);
  EXPECT_EQ(one.steps[0].text, "SET k v");
  EXPECT_EQ(one.steps[2].kind, Step::Kind::nothing);
  EXPECT_EQ(one.steps[3].line, 9);
  const Scenario& two = transcript.scenarios[1];
  EXPECT_EQ(two.not_redis, "the reason");
  EXPECT_TRUE(two.needs_manual_clock());
  ASSERT_EQ(two.steps.size(), 5U);
  EXPECT_EQ(two.steps[2].advance_us, 2'000'000);
  EXPECT_EQ(two.steps[3].kind, Step::Kind::closed);
  EXPECT_EQ(two.steps[3].session, "Watcher1");
  EXPECT_EQ(two.steps[4].kind, Step::Kind::close);
}

std::string fault_of(const std::string& text) {
  try {
    parse_transcript("x.txt", text);
  } catch (const TranscriptError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(TranscriptFile, FaultsNameFileAndLine) {
  EXPECT_EQ(fault_of("A> PING\n"), "x.txt:1: a scenario begins with a line '== name'");
  EXPECT_EQ(fault_of("== a\nA> \"PING\n"), "x.txt:2: quotes are not balanced");
  EXPECT_EQ(fault_of("== a\nA>\n"), "x.txt:2: something must follow the mark");
  EXPECT_EQ(fault_of("== a\nA<- x\n"), "x.txt:2: nothing may follow");
  EXPECT_EQ(fault_of("== a\n+50\n"), "x.txt:2: the clock advances by a line like +50ms (us, ms, s)");
  EXPECT_EQ(fault_of("== a\n\nping\n"), "x.txt:3: a line begins with the name of a session, in upper case");
  EXPECT_EQ(fault_of("== a\nA PING\n"),
            "x.txt:2: a session's line goes on with > >raw < <~ <raw <- or close");
  EXPECT_EQ(fault_of("== a\n@foo\n"), "x.txt:2: unknown annotation");
  EXPECT_EQ(fault_of("== a\nA> PING\n@since 7.2\n"), "x.txt:3: annotations stand before the first step");
  EXPECT_EQ(fault_of("== a\n== a\n"), "x.txt:2: another scenario has this name");
}

TEST(TranscriptFile, VersionsCompareNumberByNumber) {
  EXPECT_TRUE(version_at_least("7.0.15", "7.0.9"));
  EXPECT_TRUE(version_at_least("7.2", "7.2.0"));
  EXPECT_TRUE(version_at_least("8.0.2", "7.2"));
  EXPECT_TRUE(version_at_least("7.0.15", ""));
  EXPECT_FALSE(version_at_least("7.0.15", "7.2"));
  EXPECT_FALSE(version_at_least("7.2", "7.10"));
}

}  // namespace
}  // namespace lockstep::transcript
