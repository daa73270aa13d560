// What a script returns, as a reply. Expectations from redis-server 7.0.15; where 8.0.2 differs, from that.
// Replies are in the notation of RecordingSink.
#include <string>

#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

class Result : public ScriptTest {};

TEST_F(Result, ScalarsWithoutSetresp) {
  EXPECT_EQ(eval("return 'text'"), "$text");
  EXPECT_EQ(eval("return 'a\\0b'"), std::string("$a\0b", 4));
  EXPECT_EQ(eval("return true"), ":1");
  EXPECT_EQ(eval("return false"), "_");
  EXPECT_EQ(eval("return nil"), "_");
  EXPECT_EQ(eval("return"), "_");
  EXPECT_EQ(eval(""), "_");
  EXPECT_EQ(eval("return 1, 2"), ":1");
  EXPECT_EQ(eval("return function() end"), "_");
  EXPECT_EQ(eval("return coroutine.create(function() end)"), "_");
}

TEST_F(Result, NumbersLoseTheirFraction) {
  EXPECT_EQ(eval("return 3.99"), ":3");
  EXPECT_EQ(eval("return -3.99"), ":-3");
  EXPECT_EQ(eval("return 2^53"), ":9007199254740992");
  for (const char* outside : {"2^63", "-2^63", "1e30", "0/0", "1/0"}) {
    EXPECT_EQ(eval(std::string("return ") + outside), ":-9223372036854775808") << outside;
  }
}

TEST_F(Result, BooleansAreThemselvesAfterSetresp3) {
  EXPECT_EQ(eval("redis.setresp(3) return true"), "#t");
  EXPECT_EQ(eval("redis.setresp(3) return false"), "#f");
  EXPECT_EQ(eval("redis.setresp(3) return {1, false, true, nil, 5}"), "*[:1, #f, #t]");
  EXPECT_EQ(eval("return true"), ":1") << "setresp must not outlive its script";
}

TEST_F(Result, ArraysEndBeforeTheFirstNil) {
  EXPECT_EQ(eval("return {1, 2.5, 'x', false, true, nil, 7}"), "*[:1, :2, $x, _, :1]");
  EXPECT_EQ(eval("return {{}, {1}, {{}}}"), "*[*[], *[:1], *[*[]]]");
  EXPECT_EQ(eval("return {[1] = 'a', [3] = 'c'}"), "*[$a]");
  EXPECT_EQ(eval("return {a = 1}"), "*[]");
  EXPECT_EQ(eval("return setmetatable({}, {__index = {1, 2}})"), "*[]");
}

TEST_F(Result, StatusAndError) {
  EXPECT_EQ(eval("return {ok = 'fine'}"), "+fine");
  EXPECT_EQ(eval("return {err = 'My Err'}"), "-My Err");
  EXPECT_EQ(eval("return {{err = 'A b'}, {ok = 'fine'}}"), "*[-A b, +fine]");
  EXPECT_EQ(eval("return {err = 'A b', 1, 2}"), "-A b");
  EXPECT_EQ(eval("return {ok = 'a\\r\\nb'}"), "+a  b");
  EXPECT_EQ(eval("return {err = 'a\\nb'}"), "-a b");
  EXPECT_EQ(eval("return {ok = 1}"), "*[]") << "only texts make a status";
  EXPECT_EQ(eval("return {err = {}, 1}"), "*[:1]");
}

TEST_F(Result, TypesOfResp3) {
  EXPECT_EQ(eval("return {double = 3.5}"), ",3.5");
  EXPECT_EQ(eval("return {double = '3.5'}"), "*[]");
  EXPECT_EQ(eval("return {big_number = '123'}"), "(123");
  EXPECT_EQ(eval("return {big_number = '12\\n3'}"), "(12 3");
  EXPECT_EQ(eval("return {verbatim_string = {format = 'txt', string = 'hello'}}"), "=txt:hello");
  EXPECT_EQ(eval("return {verbatim_string = {format = 'toolong', string = 'hello'}}"), "=too:hello");
  EXPECT_EQ(eval("return {verbatim_string = {format = 't', string = 'hello'}}"), "=t  :hello");
  EXPECT_EQ(eval("return {verbatim_string = {format = 'txt'}, 5}"), "*[:5]");
  EXPECT_EQ(eval("return {verbatim_string = {string = 'x'}, 5}"), "*[:5]");
  EXPECT_EQ(eval("return {map = {a = 1}}"), "%{$a: :1}");
  EXPECT_EQ(eval("return {map = {}}"), "%{}");
  EXPECT_EQ(eval("return {map = 1, 5}"), "*[:5]");
  EXPECT_EQ(eval("return {map = {a = {1, {ok = 'x'}}}}"), "%{$a: *[:1, +x]}");
  EXPECT_EQ(eval("return {map = {[1.5] = 2.5}}"), "%{:1: :2}");
  EXPECT_EQ(eval("return {set = {a = true}}"), "~[$a]");
  EXPECT_EQ(eval("return {set = {a = false}}"), "~[$a]");
  EXPECT_EQ(eval("return {set = {}}"), "~[]");
}

TEST_F(Result, TheFirstOfSeveralTagsCounts) {
  const char* in_order[][2] = {
      {"err = 'e'", "-e"},
      {"ok = 'o'", "+o"},
      {"double = 1.5", ",1.5"},
      {"big_number = '2'", "(2"},
      {"verbatim_string = {format = 'txt', string = 'v'}", "=txt:v"},
      {"map = {}", "%{}"},
      {"set = {}", "~[]"},
  };
  for (size_t i = 0; i + 1 < std::size(in_order); i++) {
    const std::string script =
        std::string("return {") + in_order[i + 1][0] + ", " + in_order[i][0] + ", 'element'}";
    EXPECT_EQ(eval(script), in_order[i][1]) << script;
  }
}

// Redis stops where Lua 5.1's C stack does; so many levels of arrays (or a third of that of maps) come
// before.
TEST_F(Result, NestingIsBounded) {
  const auto count = [](const std::string& text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) found++;
    return found;
  };
  const std::string arrays = eval("local t = {} t[1] = t return t");
  EXPECT_EQ(count(arrays, "*["), 7995u);
  EXPECT_EQ(count(arrays, "-ERR reached lua stack limit"), 1u);
  const std::string maps = eval("local t = {} t.map = {a = t} return t");
  EXPECT_EQ(count(maps, "%{"), 2665u);
  EXPECT_EQ(count(maps, "-ERR reached lua stack limit"), 2u) << "the key and the value";
  const std::string sets = eval("local t = {} t.set = {[t] = true} return t");
  EXPECT_EQ(count(sets, "~["), 2665u);
  EXPECT_EQ(count(sets, "-ERR reached lua stack limit"), 1u);
  EXPECT_EQ(eval("return 1"), ":1");
}

}  // namespace
}  // namespace lockstep::test
