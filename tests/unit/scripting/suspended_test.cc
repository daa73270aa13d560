// Lua inside the engine: real scripts are suspended in the middle of their units, wherever they are, go on, are
// killed and abandoned.
#include <gtest/gtest.h>

#include <string>

#include "scripting/script_engine.h"
#include "server/commands/table.h"
#include "server/engine/engine.h"

namespace lockstep {
namespace {

std::string request(std::initializer_list<std::string_view> words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words)
    bytes.append("$").append(std::to_string(word.size())).append("\r\n").append(word).append("\r\n");
  return bytes;
}

EngineConfig with_threshold_of_1_ms() {
  EngineConfig config;
  const std::string ms = "1";
  config.settings.set("busy-reply-threshold", {&ms, 1});
  return config;
}

class Suspended : public testing::Test {
 protected:
  void feed(SessionId id, std::initializer_list<std::string_view> words) { engine.session(id)->feed(request(words)); }
  std::string take(SessionId id) {
    Session& session = *engine.session(id);
    std::string text(session.output());
    session.consume(text.size());
    return text;
  }
  std::string ask(SessionId id, std::initializer_list<std::string_view> words) {
    feed(id, words);
    return take(id);
  }

  Engine engine{with_threshold_of_1_ms(), command_table(), make_lua_host({.seed = 1})};
  const SessionId owner = engine.open({});
  const SessionId other = engine.open({});
};

constexpr const char* kEndless[] = {
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "xpcall(error, function() while true do end end)",
    "local t = {} for i = 1, 50 do t[i] = i end table.sort(t, function() while true do end end)",
    "string.gsub('abc', 'b', function() while true do end end)",
    "coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)()",
    "return setmetatable({}, {__index = function() while true do end end}).x",
    "load(function() while true do end end)",
    "return string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))",
    "while true do redis.call('GET', KEYS[1]) end",
};

TEST_F(Suspended, AndKilledWhereverItIs) {
  for (const char* script : kEndless) {
    feed(owner, {"EVAL", script, "1", "key"});
    ASSERT_TRUE(engine.suspended()) << script;
    for (int slice = 0; slice < 3; ++slice) engine.resume();
    ASSERT_TRUE(engine.suspended()) << script;
    EXPECT_EQ(ask(other, {"GET", "key"}).substr(0, 6), "-BUSY ") << script;
    EXPECT_EQ(ask(other, {"SCRIPT", "KILL"}), "+OK\r\n") << script;
    engine.resume();
    ASSERT_FALSE(engine.suspended()) << script;
    EXPECT_EQ(take(owner).substr(0, 49), "-ERR Script killed by user with SCRIPT KILL... sc") << script;
    EXPECT_EQ(ask(owner, {"EVAL", "return {KEYS[1], ARGV[1]}", "1", "a", "b"}), "*2\r\n$1\r\na\r\n$1\r\nb\r\n");
  }
}

TEST_F(Suspended, AndAbandonedWithTheEngine) {
  for (const char* script : kEndless) {
    auto own = std::make_unique<Engine>(with_threshold_of_1_ms(), command_table(), make_lua_host({.seed = 1}));
    Session& session = *own->session(own->open({}));
    session.feed(request({"MULTI"}) + request({"EVAL", script, "1", "key"}) + request({"SET", "k", "v"}) + request({"EXEC"}));
    ASSERT_TRUE(own->suspended()) << script;
  }
}

TEST_F(Suspended, AndGoesOnAsIfNothingHadBeen) {
  const char* script =
      "local t = {} for i = 1, 30000 do t[i] = (i * 7919) % 30011 end "
      "table.sort(t, function(a, b) redis.call('INCR', KEYS[1]) return a < b end) "
      "local co = coroutine.wrap(function() for i = 1, 300000 do end coroutine.yield(ARGV[1]) end) "
      "return {t[1], t[30000], co(), (string.gsub(string.rep('a', 100), 'a', function(c) for i = 1, 5000 do end end))}";
  feed(owner, {"EVAL", script, "1", "calls", "argument"});
  int slices = 0;
  for (; engine.suspended(); ++slices) engine.resume();
  EXPECT_GT(slices, 5);
  EXPECT_EQ(take(owner), "*4\r\n:1\r\n:30010\r\n$8\r\nargument\r\n$100\r\n" + std::string(100, 'a') + "\r\n");
}

// Between the script's own commands others see nothing of it, and it nothing of them.
TEST_F(Suspended, IsOneUnit) {
  feed(other, {"SET", "k", "before"});
  take(other);
  feed(owner, {"EVAL",
               "redis.call('SET', 'k', 'during') for i = 1, 1e6 do end "
               "return {redis.call('GET', 'k'), redis.call('TIME')[1], redis.call('TIME')[1]}",
               "0"});
  ASSERT_TRUE(engine.suspended());
  EXPECT_EQ(ask(other, {"SET", "k", "other"}).substr(0, 6), "-BUSY ");
  EXPECT_EQ(ask(other, {"SCRIPT", "KILL"}).substr(0, 12), "-UNKILLABLE ");
  EXPECT_FALSE(engine.advance_to(Instant::from_ms(60'000)));
  while (engine.suspended()) engine.resume();
  EXPECT_EQ(take(owner), "*3\r\n$6\r\nduring\r\n$1\r\n0\r\n$1\r\n0\r\n");
}

// The steps tell, so it is suspended after equal work in every run.
TEST_F(Suspended, AtTheSamePlaceEachTime) {
  const auto slices = [&](Engine& in) {
    Session& session = *in.session(in.open({}));
    session.feed(request({"EVAL", "for i = 1, 2e6 do end return 1", "0"}));
    int count = 0;
    for (; in.suspended(); ++count) in.resume();
    return count;
  };
  const int first = slices(engine);
  EXPECT_EQ(first, 10) << "2,000,000 steps: 100,000 a millisecond, 1 ms and then 2 ms each";
  EXPECT_EQ(slices(engine), first);
}

}  // namespace
}  // namespace lockstep
