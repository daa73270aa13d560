// The cache of scripts, and what must not pass from one run, or one host, to another. Random numbers from
// redis-server 7.0.15.
#include <string>

#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

class Host : public ScriptTest {
 protected:
  const Script* load(std::string_view body) {
    std::string error;
    const Script* script = host->load(body, error);
    EXPECT_NE(script, nullptr) << error;
    return script;
  }
};

TEST_F(Host, KnowsScriptsByTextAndBySha) {
  EXPECT_EQ(host->count(), 0u);
  EXPECT_EQ(host->find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), nullptr);
  const Script* script = load("return 1");
  EXPECT_EQ(script->sha.view(), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  EXPECT_EQ(load(std::string("return 1")), script);
  EXPECT_EQ(host->find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), script);
  EXPECT_EQ(host->find("E0E1F9FABFC9D4800C877A703B823AC0578FF8DB"), script);
  EXPECT_EQ(host->find("e0e1f9fabfc9d4800c877a703b823ac0578ff8d"), nullptr);
  EXPECT_EQ(host->find(""), nullptr);
  EXPECT_EQ(host->count(), 1u);
  EXPECT_NE(load("return 2"), script);
  EXPECT_EQ(host->count(), 2u);
}

TEST_F(Host, TheShaIsThatOfTheWholeText) {
  EXPECT_EQ(load("#!lua\nreturn 1")->sha.view(), sha1_hex("#!lua\nreturn 1").view());
  EXPECT_EQ(load(std::string_view("return 1 --\0", 12))->sha.view(),
            sha1_hex(std::string_view("return 1 --\0", 12)).view());
}

TEST_F(Host, FlushForgetsEverything) {
  load("return 1");
  EXPECT_EQ(eval("return 2"), ":2");
  host->flush();
  EXPECT_EQ(host->count(), 0u);
  EXPECT_EQ(host->find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), nullptr);
  EXPECT_EQ(eval("return 1"), ":1");
  host->flush();
  host->flush();
}

TEST_F(Host, ManyScripts) {
  std::string error;
  for (int i = 0; i < 2000; i++) host->keep(*host->load("return " + std::to_string(i), error));
  for (int i = 0; i < 2000; i++) EXPECT_EQ(eval("return " + std::to_string(i)), ":" + std::to_string(i));
  EXPECT_EQ(host->count(), 2000u);
}

TEST_F(Host, RunsLeaveNothingBehind) {
  const char* script =
      "local seen = KEYS.mark or ARGV.mark or getmetatable(KEYS) KEYS.mark = 1 ARGV.mark = 1 "
      "setmetatable(KEYS, {__index = function() return 'leak' end}) return {tostring(seen), #KEYS, #ARGV}";
  EXPECT_EQ(eval(script, {"k"}, {"a", "b"}), "*[$nil, :1, :2]");
  EXPECT_EQ(eval(script), "*[$nil, :0, :0]");
  EXPECT_EQ(eval("return KEYS[7]"), "_");
}

TEST_F(Host, AFailedRunLeavesNothingBehind) {
  EXPECT_EQ(eval("redis.setresp(3) error('x')"), "-ERR user_script:1: x script: <sha>, on @user_script:1.");
  EXPECT_EQ(eval("return redis.call('REPLY', 'boolean')"), ":1");
}

// As Redis 7.4: of scripts that EVAL brought the 500 that ran last, of those loaded all.
TEST_F(Host, ForgetsTheScriptThatRanLongestAgo) {
  std::string error;
  const Script* loaded = host->load("return 'loaded'", error);
  host->keep(*loaded);
  const std::string loaded_sha(loaded->sha.view());
  const auto body = [](int i) { return "return " + std::to_string(i); };
  for (int i = 0; i < 500; ++i) EXPECT_EQ(eval(body(i)), ":" + std::to_string(i));
  EXPECT_EQ(host->count(), 501u);
  EXPECT_EQ(eval(body(0)), ":0");  // now the last
  for (int i = 500; i < 600; ++i) EXPECT_EQ(eval(body(i)), ":" + std::to_string(i));
  EXPECT_EQ(host->count(), 501u);
  const auto known = [&](const std::string& text) { return host->find(sha1_hex(text).view()) != nullptr; };
  EXPECT_TRUE(known(body(0)));
  EXPECT_FALSE(known(body(1)));
  EXPECT_FALSE(known(body(100)));
  EXPECT_TRUE(known(body(101)));
  EXPECT_NE(host->find(loaded_sha), nullptr);
  EXPECT_EQ(eval(body(1)), ":1");
  host->flush();
  EXPECT_EQ(host->count(), 0u);
  EXPECT_EQ(eval(body(1)), ":1");
}

TEST_F(Host, RandomNumbersAreThoseOfRedis) {
  EXPECT_EQ(eval("return {math.random(1000), math.random(1000), math.random(1000)}"), "*[:397, :841, :354]");
  EXPECT_EQ(eval("return {math.random(1000), math.random(1000), math.random(1000)}"), "*[:447, :319, :887]");
  EXPECT_EQ(eval("math.randomseed(0) return {math.random(1000), math.random(1000), math.random(1000)}"),
            "*[:171, :750, :97]");
  host->flush();
  EXPECT_EQ(eval("return {math.random(1000), math.random(1000), math.random(1000)}"), "*[:871, :578, :786]")
      << "the sequence goes on, also in a new interpreter";
  EXPECT_EQ(eval("math.randomseed(-3.7) return math.random(1000)"), ":559");
  EXPECT_EQ(eval("math.randomseed(4294967293) return math.random(1000)"), ":559");
  EXPECT_EQ(eval("math.randomseed(2^63) return math.random(1000)"), ":171");
  EXPECT_EQ(eval("math.randomseed(5) return {math.random(-3, 3), math.random(5.7)}"), "*[:0, :2]");
  EXPECT_EQ(eval("return {pcall(math.random, 0)}"), "*[_, $bad argument #1 to '?' (interval is empty)]");
  EXPECT_EQ(eval("return {pcall(math.random, 2, 1)}"), "*[_, $bad argument #2 to '?' (interval is empty)]");
  EXPECT_EQ(eval("return {pcall(math.random, 1, 2, 3)}"), "*[_, $wrong number of arguments]");
}

// A script whose answer shows every order that hashing decides, with texts, tables and functions as keys.
constexpr char kOrders[] = R"(
  local out, t = {}, {}
  for i = 1, 50 do t['key' .. i] = i end
  for k in pairs(t) do out[#out + 1] = k end
  local names, objects = {}, {}
  for i = 1, 50 do
    local object = i % 2 == 0 and {} or function() return i end
    names[object] = i
    objects[i] = object
  end
  for _, i in pairs(names) do out[#out + 1] = i end
  out[#out + 1] = tostring(objects[1]) .. collectgarbage('count')
  return table.concat(out, ' '))";

TEST_F(Host, TheSameSeedGivesTheSameAnswers) {
  std::vector<std::unique_ptr<ScriptHost>> kept;  // so that the next one's memory lies elsewhere
  const auto transcript = [&](uint64_t seed) {
    kept.push_back(std::move(host));
    host = make_lua_host({.seed = seed});
    return eval(kOrders) + eval("return tostring({}) .. math.random()") + eval(kOrders);
  };
  const std::string first = transcript(7);
  EXPECT_EQ(transcript(7), first);
  EXPECT_NE(transcript(8), first) << "the seed decides the order of pairs";
}

TEST_F(Host, HostsShareNothing) {
  auto other = make_lua_host({.seed = 1});
  std::string error;
  EXPECT_EQ(eval("math.randomseed(1) return 1"), ":1");
  EXPECT_EQ(other->count(), 0u);
  std::swap(host, other);
  EXPECT_EQ(eval("return math.random(1000)"), ":397");
  EXPECT_EQ(host->count(), 1u);
  std::swap(host, other);
  other.reset();
  EXPECT_EQ(eval("return 1"), ":1");
}

TEST_F(Host, OneHostRunsInsideAnothersCommand) {
  struct Nested final : ScriptCalls {
    void call(std::span<const std::string_view>, ReplySink& reply) override {
      std::string error;
      const Script* script = inner->load("return redis.call('ECHO', 'inner')", error);
      inner->run(*script, {}, engine, reply);
    }
    bool may_call(std::span<const std::string_view>) const override { return true; }
    void log(LogLevel, std::string_view) override {}
    bool proceed() override { return true; }
    std::unique_ptr<ScriptHost> inner = make_lua_host({.seed = 2});
    FakeCalls engine;
  } nested;
  std::string error;
  RecordingSink reply;
  host->run(*host->load("return {redis.call('X'), redis.call('X')}", error), {}, nested, reply);
  EXPECT_EQ(reply.text(), "*[$inner, $inner]");
}

}  // namespace
}  // namespace lockstep::test
