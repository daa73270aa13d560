// Scripts that go too deep, ask for too much memory, or are torn down by an exception that is not Lua's.
// After each, the host must run the next script as if nothing had happened.
#include <memory>
#include <stdexcept>
#include <string>

#include "scripting/interpreter.h"
#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

class Limits : public ScriptTest {};

TEST_F(Limits, RecursionThroughEveryLibraryFunctionThatCallsBack) {
  for (const char* script : {
           "local function f() return f() + 1 end return f()",
           "local function f() string.gsub('a', 'a', f) end f()",
           "local function f() string.gsub('abc', '.', function() error(f()) end) end f()",
           "local function f() table.sort({1, 2}, f) end f()",
           "local function f() table.foreach({1}, f) end f()",
           "local function f() table.foreachi({1}, f) end f()",
           "local function f() return tostring(setmetatable({}, {__tostring = f})) end f()",
           "local function f() load(f) error('x') end f()",
           "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return "
           "t.x",
           "local m = {} m.__concat = function(a, b) return a .. b end return setmetatable({}, m) .. 'x'",
           "local m = {} m.__lt = function(a, b) return a < b end return setmetatable({}, m) < "
           "setmetatable({}, m)",
           "local function f() coroutine.wrap(f)() end f()",
       }) {
    EXPECT_EQ(eval(script).substr(0, 5), "-ERR ") << script;
    EXPECT_EQ(eval("return redis.call('ECHO', 'alive')"), "$alive") << script;
  }
}

TEST_F(Limits, RecursionThroughPcallEndsByItself) {
  EXPECT_EQ(eval("local function f() pcall(f) end f() return 1"), ":1");
  EXPECT_EQ(eval("local function f() xpcall(f, function() end) end f() return 1"), ":1");
}

TEST_F(Limits, DeepestCallsCanStillUseTheEngine) {
  EXPECT_EQ(eval("local function f(n) if n == 0 then return redis.call('ECHO', 'deep') end "
                 "return (string.gsub('a', 'a', function() return f(n - 1) end)) end return f(90)"),
            "$deep");
}

TEST_F(Limits, NestingOfProgramText) {
  EXPECT_EQ(eval("return loadstring('return ' .. ('('):rep(190) .. '1' .. (')'):rep(190))()"), ":1");
  for (const char* opening : {"(", "{", "- ", "not ", "function() return "}) {
    const std::string script = std::string("local f, e = loadstring('return ' .. ('") + opening +
                               "'):rep(100000)) return {tostring(f), #e > 0}";
    EXPECT_EQ(eval(script), "*[$nil, :1]") << opening;
  }
}

TEST_F(Limits, PatternsThatRecurse) {
  EXPECT_EQ(eval("return string.find(('a'):rep(300000), ('a?'):rep(300000) .. ('a'):rep(300000))"),
            "-ERR user_script:1: pattern too complex script: <sha>, on @user_script:1.");
}

TEST_F(Limits, MemoryEndsWithAnErrorAndANewInterpreter) {
  host = make_lua_host({.memory_limit_bytes = 8 << 20});
  EXPECT_EQ(eval("return #string.rep('x', 1000000)"), ":1000000");
  EXPECT_EQ(eval("local t = {} for i = 1, 1e9 do t[i] = {i} end"), "-ERR not enough memory");
  EXPECT_EQ(eval("return #string.rep('x', 1000000)"), ":1000000") << "compiled for the interpreter before";
  EXPECT_EQ(eval("local s = 'x' while true do s = s .. s end"), "-ERR not enough memory");
  EXPECT_EQ(eval("return string.rep('x', 2^31 - 1)"), "-ERR not enough memory");
  EXPECT_EQ(eval("return string.rep(string.rep('x', 1000), 2^31 - 1)").substr(0, 45),
            "-ERR user_script:1: resulting string too larg");
  EXPECT_EQ(eval("return 1"), ":1");
}

TEST_F(Limits, MemoryErrorsCanBeCaught) {
  host = make_lua_host({.memory_limit_bytes = 8 << 20});
  EXPECT_EQ(eval("local ok, e = pcall(string.rep, 'x', 2^31 - 1) return {tostring(ok), e}"),
            "*[$false, $not enough memory]");
  EXPECT_EQ(eval("return 1"), ":1");
}

TEST_F(Limits, LibrariesKeepToTheMemoryOfScripts) {
  host = make_lua_host({.memory_limit_bytes = 8 << 20});
  const char* const kTooMuch[] = {
      "local t = {('\\0'):rep(100000)} for i = 2, 20 do t[i] = t[1] end return cjson.encode(t)",
      "local t = {('x'):rep(1000000)} for i = 2, 20 do t[i] = t[1] end return cmsgpack.pack(t)",
      "local t = {} t[1], t[2], t[3] = t, t, t return cmsgpack.pack(t)",
      "local t = {} for i = 1, 20 do t = {t, t} end return cjson.encode(t)",
      "local s = ('x'):rep(1000000) return struct.pack('c0c0c0c0c0c0c0c0', s, s, s, s, s, s, s, s)",
      "return struct.pack(('x'):rep(4000000))",
      "return cmsgpack.unpack(('\\221\\0\\0\\1\\0'):rep(3000))",
      "return cjson.decode('[' .. ('{},'):rep(200000) .. '{}]')",
  };
  for (const char* body : kTooMuch) {
    const std::string reply = eval(body);
    EXPECT_EQ(reply.substr(0, 5), "-ERR ") << body << " gives " << reply.substr(0, 100);
    EXPECT_EQ(eval("return 1"), ":1");
  }
}

TEST_F(Limits, ArgumentsAndRepliesCanBeTooLarge) {
  host = make_lua_host({.memory_limit_bytes = 8 << 20});
  const std::string large(16 << 20, 'x');
  EXPECT_EQ(eval("return 1", {}, {large}), "-ERR not enough memory");
  EXPECT_EQ(eval("return 1"), ":1");
  engine.values["large"] = large;
  EXPECT_EQ(eval("redis.call('GET', 'large') redis.call('SET', 'after', 'x')"), "-ERR not enough memory");
  EXPECT_EQ(engine.calls.size(), 1u);
  EXPECT_EQ(engine.values.count("after"), 0u);
  EXPECT_EQ(eval("return {pcall(redis.call, 'GET', 'large')}"), "*[_, $not enough memory]");
  EXPECT_EQ(eval("return '" + large + "'"), "-ERR Error compiling script (new function): not enough memory");
  EXPECT_EQ(eval("return 1"), ":1");
}

// The heap is full to the last byte when the result is written: what comes is one whole reply.
TEST_F(Limits, MemoryCanEndWithTheResultInSight) {
  host = make_lua_host({.memory_limit_bytes = 8 << 20});
  const std::string body =
      "local r = {1, {a = 1}, {b = 2}, {c = {d = 3}}, 5} "
      "for size = 20, 4, -1 do while pcall(function() r[1] = {r[1], string.rep('x', 2^size)} end) do end end "
      "while pcall(function() r[1] = {r[1]} end) do end "
      "r[1] = 1 return r";
  const std::string reply = eval(body);
  EXPECT_TRUE(reply == "-ERR not enough memory" || reply.starts_with("*[:1, ")) << reply.substr(0, 200);
  EXPECT_EQ(eval("return 1"), ":1");
}

TEST_F(Limits, ResultsCanBeTooLarge) {
  EXPECT_EQ(eval("redis.setresp(3) local t = {} t.map = {} t.map[t] = t return t"),
            "-ERR the script's result is too large");
  EXPECT_EQ(eval("local s = string.rep('x', 2^20) local t = {} for i = 1, 1100 do t[i] = s end return t"),
            "-ERR the script's result is too large");
  EXPECT_EQ(eval("return {1, {2, {3}}}"), "*[:1, *[:2, *[:3]]]");
}

TEST_F(Limits, MemoryOfOneLargeScriptIsNotKept) {
  const LuaConfig config;
  Lrand48 random;
  Interpreter lua(config, random);
  const auto run = [&](const char* body) {
    std::string error;
    RecordingSink reply;
    EXPECT_TRUE(lua.run(lua.compile(body, error), "sha", {}, engine, reply)) << error;
    return reply.text();
  };
  EXPECT_EQ(run("return 1"), ":1");
  EXPECT_FALSE(lua.is_bloated());
  EXPECT_EQ(run("local t = {} for i = 1, 1000000 do t[i] = {i} end return #t"), ":1000000");
  EXPECT_EQ(run("collectgarbage() return 1"), ":1");
  EXPECT_TRUE(lua.is_bloated()) << "the engine replaces it between two scripts";
}

struct EngineFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Fails where a test says, and counts.
class FailingCalls final : public ScriptCalls {
 public:
  void call(std::span<const std::string_view> args, ReplySink& reply) override {
    count++;
    if (args[0] == "FAIL") throw EngineFailure("broken");
    if (args[0] == "FAIL_LATE") {
      reply.array(3);
      reply.bulk("x");
      throw EngineFailure("broken in a reply");
    }
    reply.ok();
  }
  bool may_call(std::span<const std::string_view>) const override { return true; }
  void log(LogLevel, std::string_view) override { throw EngineFailure("broken log"); }
  bool proceed() override { throw EngineFailure("broken check"); }

  int count = 0;
};

TEST_F(Limits, ForeignExceptionsPassThroughEveryPcall) {
  for (const char* script : {
           "redis.call('FAIL')",
           "pcall(redis.call, 'FAIL') redis.call('OK')",
           "redis.pcall('FAIL') redis.call('OK')",
           "redis.call('FAIL_LATE') redis.call('OK')",
           "xpcall(function() redis.call('FAIL') end, function() redis.call('OK') end)",
           "coroutine.wrap(function() pcall(redis.call, 'FAIL') redis.call('OK') end)()",
           "string.gsub('a', 'a', function() redis.call('FAIL') end) redis.call('OK')",
           "table.sort({1, 2}, function() redis.call('FAIL') end) redis.call('OK')",
           "load(function() redis.call('FAIL') end) redis.call('OK')",
           "local t <close> = setmetatable({}, {__close = function() redis.call('OK') end}) "
           "redis.call('FAIL')",
           "redis.log(redis.LOG_NOTICE, 'x')",
           "while true do pcall(function() while true do end end) end",
       }) {
    std::string error;
    const Script* loaded = host->load(script, error);
    ASSERT_NE(loaded, nullptr) << error;
    FailingCalls failing;
    RecordingSink reply;
    EXPECT_THROW(host->run(*loaded, {}, failing, reply), EngineFailure) << script;
    EXPECT_LE(failing.count, 1) << "code ran after the failure: " << script;
    EXPECT_EQ(eval("return redis.call('ECHO', 'alive')"), "$alive") << script;
  }
}

TEST_F(Limits, ReplySinksMayFail) {
  struct Failing final : ReplySink {
    void ok() override {}
    void status(std::string_view) override {}
    void write_error(std::string_view) override {}
    void integer(int64_t) override { throw EngineFailure("broken sink"); }
    void boolean(bool) override {}
    void number(double) override {}
    void big_number(std::string_view) override {}
    void bulk(std::string_view) override {}
    void verbatim(std::string_view, std::string_view) override {}
    void null() override {}
    void null_array() override {}
    void array(size_t) override {}
    void map(size_t) override {}
    void set(size_t) override {}
    void push(size_t) override {}
  } failing;
  std::string error;
  EXPECT_THROW(host->run(*host->load("return {1}", error), {}, engine, failing), EngineFailure);
  EXPECT_EQ(eval("return {1}"), "*[:1]");
}

}  // namespace
}  // namespace lockstep::test
