// Scripts that never end: wherever one is, its steps are counted, and it dies there at once when it must, with
// nothing of it run any more.
#include <string>

#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

class Runaway : public ScriptTest {
 protected:
  static constexpr std::string_view kKilled = "-ERR Script killed by user with SCRIPT KILL... script: <sha>, on ";

  std::string eval_killed(std::string_view body) {
    engine.calls.clear();
    engine.checks = 0;
    engine.checks_allowed = 3;
    const std::string reply = eval(body);
    engine.checks_allowed = INT64_MAX;
    return reply;
  }
  // How often the script is checked on in a whole run.
  int64_t checks(std::string_view body) {
    engine.checks = 0;
    EXPECT_EQ(eval(body).substr(0, 4), ":1") << body;
    return engine.checks;
  }
  void expect_killed(std::string_view body) {
    const std::string reply = eval_killed(body);
    EXPECT_EQ(reply.substr(0, kKilled.size()), kKilled) << body;
    EXPECT_EQ(engine.checks, 4) << "it went on: " << body;
    EXPECT_EQ(eval("return redis.call('ECHO', 'alive')"), "$alive") << body;
  }
};

TEST_F(Runaway, Loops) {
  for (const char* script : {
           "while true do end",
           "repeat until false",
           "for i = 1, math.huge do end",
           "::again:: goto again",
           "local function f() return f() end f()",
           "local function f(...) return f(...) end f(1, 2)",
           "for k in function() return 1 end do end",
           "local function endless(s, i) return i + 1 end for i in endless, nil, 0 do end",
           "while true do local f = function() end f() end",
           "while true do redis.call('ECHO', 'x') end",
           "while true do redis.pcall('NOSUCH') end",
           "while true do loadstring('return 1')() end",
           "loadstring('while true do end')()",
           "while true do local s = string.rep('x', 100000) end",
           "while true do collectgarbage() end",
           "while true do redis.sha1hex(string.rep('x', 10000)) end",
           "while true do pcall(error, {}) end",
           "while true do pcall(string.rep, 'x', 2^31) end",
       }) {
    expect_killed(script);
  }
}

TEST_F(Runaway, NothingCatchesTheEnd) {
  for (const char* script : {
           "while true do pcall(function() while true do end end) end",
           "pcall(pcall, pcall, function() while true do end end) while true do end",
           "xpcall(function() while true do end end, function() while true do end end)",
           "xpcall(error, function() while true do end end)",
           "local t <close> = setmetatable({}, {__close = function() redis.call('ECHO', 'x') end}) while true do end",
           "local t <close> = setmetatable({}, {__close = function() while true do end end}) error('x')",
           "local co = coroutine.wrap(function() local t <close> = setmetatable({}, {__close = function() while "
           "true do end end}) error('x') end) pcall(co)",
           "coroutine.wrap(function() pcall(function() while true do end end) end)() while true do end",
       }) {
    expect_killed(script);
    EXPECT_EQ(engine.calls.size(), 1u) << "code ran after the end: " << script;
  }
}

TEST_F(Runaway, InsideFunctionsOfC) {
  for (const char* script : {
           "local t = {} for i = 1, 50 do t[i] = i end table.sort(t, function() while true do end end)",
           "string.gsub('abc', 'b', function() while true do end end)",
           "for w in string.gmatch('a b', '%w') do while true do end end",
           "load(function() while true do end end)",
           "table.foreach({1}, function() while true do end end)",
           "table.foreachi({1}, function() while true do end end)",
           "tostring(setmetatable({}, {__tostring = function() while true do end end}))",
       }) {
    expect_killed(script);
  }
}

TEST_F(Runaway, Metamethods) {
  for (const char* script : {
           "local t = setmetatable({}, {__index = function(t, k) while true do end end}) return t.x",
           "local t = setmetatable({}, {__newindex = function() while true do end end}) t.x = 1",
           "local m = {} for _, name in ipairs({'__add', '__concat', '__lt', '__le', '__eq', '__unm', '__call'}) do "
           "m[name] = function() while true do end end end local t = setmetatable({}, m) return t + t",
           "local m = {__concat = function() while true do end end} return setmetatable({}, m) .. 'x'",
           "local m = {__lt = function() while true do end end} return setmetatable({}, m) < setmetatable({}, m)",
           "local m = {__eq = function() while true do end end} return setmetatable({}, m) == setmetatable({}, m)",
           "local m = {__call = function() while true do end end} return setmetatable({}, m)()",
           "local t = setmetatable({}, {__index = function(t, k) return t end}) while true do t = t.x end",
       }) {
    expect_killed(script);
  }
}

// One count for all coroutines: with one each, new ones in new ones would run for ever.
TEST_F(Runaway, Coroutines) {
  for (const char* script : {
           "coroutine.wrap(function() while true do end end)()",
           "coroutine.resume(coroutine.create(function() while true do end end))",
           "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
           "while true do coroutine.wrap(function() for i = 1, 100 do end end)() end",
       }) {
    expect_killed(script);
  }
  const int64_t plain = checks("for i = 1, 50 do for j = 1, 500 do end end return 1");
  const int64_t wrapped = checks("for i = 1, 50 do coroutine.wrap(function() for j = 1, 500 do end end)() end return 1");
  EXPECT_GE(plain, 25);
  EXPECT_GE(wrapped, plain);
}

// What would not end in the lifetime of anybody, with no Lua code that runs meanwhile.
TEST_F(Runaway, LongWorkInC) {
  for (const char* script : {
           "return string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))",
           "return string.match(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))",
           "return string.gsub(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40), '')",
           "for w in string.gmatch(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40)) do end",
           "return string.find(('a'):rep(50000), '.-.-.-.-b')",
           "return string.find(('('):rep(100000), '%b()')",
           "local t = {} for i = 1, 2000 do t[i] = i % 7 end table.sort(t) table.sort(t, rawequal)",
           "table.insert({}, -2^31, 1)",
           "load(math.random)",
       }) {
    expect_killed(script);
  }
}

TEST_F(Runaway, PlainSearchesTakeLinearTime) {
  EXPECT_EQ(eval("return {string.find(('a'):rep(300000), ('a'):rep(150000) .. 'b', 1, true)}"), "*[]");
  EXPECT_EQ(eval("return string.find(('a'):rep(300000) .. 'b', ('a'):rep(150000) .. 'b')"), ":150001");
}

TEST_F(Runaway, SaysWhereItWas) {
  EXPECT_EQ(eval_killed("local x = 1\nwhile true do\n  x = x + 1\nend").substr(kKilled.size()), "@user_script:3.");
  EXPECT_EQ(eval_killed("\n\nreturn string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))"),
            std::string(kKilled) + "@user_script:3.");
  EXPECT_EQ(eval_killed("loadstring('while true do end', '=piece')()"), std::string(kKilled) + "=piece:1.");
}

// What ran before, and in which interpreter, changes nothing.
TEST_F(Runaway, TheSameScriptTakesTheSameSteps) {
  const char* script = "for i = 1, 20000 do redis.call('ECHO', 'x') end return 1";
  const int64_t first = checks(script);
  EXPECT_GE(first, 1000);
  for (int i = 0; i < 10; ++i) {
    checks("for i = 1, 333 do end return 1");
    EXPECT_EQ(checks(script), first);
  }
  host->flush();
  EXPECT_EQ(checks(script), first);
}

TEST_F(Runaway, ShortScriptsAreNotCheckedOn) {
  EXPECT_EQ(checks("if redis.call('GET', 'k') then return redis.call('DEL', 'k') end return 1"), 0);
}

}  // namespace
}  // namespace lockstep::test
