// What scripts find, and what they must not reach or change. Expectations from redis-server 7.0.15 but for
// the names of objects, which are addresses there.
#include <string>

#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

class Sandbox : public ScriptTest {};

// All of them, but for cmsgpack._COPYRIGHT; and `server`, which is Valkey's.
TEST_F(Sandbox, NamesAreThoseOfRedis) {
  const char* names = R"(
    local names = {}
    local function walk(prefix, t)
      for k, v in pairs(t) do
        names[#names + 1] = prefix .. k
        if type(v) == 'table' and k ~= '_G' and k ~= 'server' then walk(prefix .. k .. '.', v) end
      end
    end
    walk('', _G)
    table.sort(names)
    return table.concat(names, ' '))";
  EXPECT_EQ(
      eval(names),
      "$ARGV KEYS _G _VERSION assert bit bit.arshift bit.band bit.bnot bit.bor bit.bswap bit.bxor "
      "bit.lshift bit.rol bit.ror bit.rshift bit.tobit bit.tohex cjson cjson._NAME cjson._VERSION "
      "cjson.decode cjson.decode_invalid_numbers cjson.decode_max_depth cjson.encode "
      "cjson.encode_invalid_numbers cjson.encode_keep_buffer cjson.encode_max_depth "
      "cjson.encode_number_precision cjson.encode_sparse_array cjson.new cjson.null cmsgpack "
      "cmsgpack._DESCRIPTION cmsgpack._NAME cmsgpack._VERSION cmsgpack.pack cmsgpack.unpack "
      "cmsgpack.unpack_limit cmsgpack.unpack_one collectgarbage coroutine coroutine.create "
      "coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield error gcinfo "
      "getmetatable ipairs load loadstring math math.abs math.acos math.asin math.atan math.atan2 "
      "math.ceil math.cos math.cosh math.deg math.exp math.floor math.fmod math.frexp math.huge "
      "math.ldexp math.log math.log10 math.max math.min math.mod math.modf math.pi math.pow math.rad "
      "math.random math.randomseed math.sin math.sinh math.sqrt math.tan math.tanh next pairs pcall "
      "rawequal rawget rawset redis redis.LOG_DEBUG redis.LOG_NOTICE redis.LOG_VERBOSE redis.LOG_WARNING "
      "redis.REDIS_VERSION redis.REDIS_VERSION_NUM redis.REPL_ALL redis.REPL_AOF redis.REPL_NONE "
      "redis.REPL_REPLICA redis.REPL_SLAVE redis.acl_check_cmd redis.breakpoint redis.call redis.debug "
      "redis.error_reply redis.log redis.pcall redis.replicate_commands redis.set_repl redis.setresp "
      "redis.sha1hex redis.status_reply select server setmetatable string string.byte string.char "
      "string.dump string.find string.format string.gfind string.gmatch string.gsub string.len "
      "string.lower string.match string.rep string.reverse string.sub string.upper struct struct.pack "
      "struct.size struct.unpack table table.concat table.foreach table.foreachi table.getn table.insert "
      "table.maxn table.remove table.setn table.sort tonumber tostring type unpack xpcall");
}

TEST_F(Sandbox, UnknownGlobalsCannotBeRead) {
  for (const char* name :
       {"y", "print", "os", "io", "require", "dofile", "debug", "_ENV", "utf8", "rawlen", "goto_"}) {
    EXPECT_EQ(eval(std::string("return ") + name),
              std::string("-ERR user_script:1: Script attempted to access nonexistent global variable '") +
                  name + "' script: <sha>, on @user_script:1.");
  }
  EXPECT_EQ(eval("return rawget(_G, 'y')"), "_");
  EXPECT_EQ(eval("return redis.nothing"), "_") << "only globals are guarded";
}

TEST_F(Sandbox, NothingSharedCanBeWritten) {
  for (const char* write :
       {"y = 1", "KEYS = 1", "redis = nil", "redis.call = 1", "redis.new = 1", "string.format = 1",
        "_G.y = 1", "_G['redis'] = 1", "function f() end", "getmetatable('').__index = nil",
        "getmetatable('').new = 1", "getmetatable(_G).__index = nil", "_VERSION = nil"}) {
    EXPECT_EQ(eval(write),
              "-ERR user_script:1: Attempt to modify a readonly table script: <sha>, on @user_script:1.")
        << write;
  }
  for (const char* write : {"rawset(_G, 'x', 1)", "rawset(redis, 'call', 1)", "table.insert(redis, 1)",
                            "setmetatable(_G, nil)", "setmetatable(redis, {})",
                            "table.sort(setmetatable({}, {}))"
                            " rawset(math, 1, 1)"}) {
    EXPECT_EQ(eval(write), "-ERR Attempt to modify a readonly table script: <sha>, on @user_script:1.")
        << write;
  }
  EXPECT_EQ(eval("return {type(redis.call), type(string.format), ('x'):upper()}"),
            "*[$function, $function, $X]");
}

TEST_F(Sandbox, AFailedWriteLeavesLocalsAlone) {
  EXPECT_EQ(eval("local a, b, c = 1, 2, 3 local get local ok = pcall(function() local d, e = 4, 5 "
                 "get = function() return d + e end redis.call = 'x' end) return {a, b, c, get()}"),
            "*[:1, :2, :3, :9]");
}

TEST_F(Sandbox, OnlyTextIsLoaded) {
  EXPECT_EQ(eval("return loadstring('return 5')()"), ":5");
  EXPECT_EQ(eval("local f, e = loadstring(string.dump(function() return 1 end)) return {tostring(f), e}"),
            "*[$nil, $attempt to load a binary chunk (mode is 't')]");
  EXPECT_EQ(
      eval("local n = 0 local f = load(function() n = n + 1 return ({'return ', '6'})[n] end) return f()"),
      ":6");
  EXPECT_EQ(eval("return {pcall(load, 'return 1')}"),
            "*[_, $bad argument #1 to '?' (function expected, got string)]");
  EXPECT_EQ(eval("local f, e = loadstring('return +') return e"),
            "$[string \"return +\"]:1: unexpected symbol near '+'");
  EXPECT_EQ(eval("loadstring('y = 1')()"),
            "-ERR [string \"y = 1\"]:1: Attempt to modify a readonly table script: <sha>, on y = 1:1.");
}

TEST_F(Sandbox, FinalizersDoNotRun) {
  EXPECT_EQ(eval("local t = setmetatable({}, {__gc = function() redis.call('SET', 'k', 'v') end}) "
                 "t = nil collectgarbage() return 1"),
            ":1");
  EXPECT_EQ(eval("return 1"), ":1");
  EXPECT_TRUE(engine.calls.empty());
}

TEST_F(Sandbox, CollectorCannotBeTuned) {
  EXPECT_EQ(eval("return {collectgarbage('stop'), collectgarbage('setpause', 100000), "
                 "collectgarbage('setstepmul', 1), "
                 "collectgarbage()}"),
            "*[:0, :200, :200, :0]");
  // Were it stopped, this would hold 200 MB.
  EXPECT_EQ(eval("for i = 1, 2000 do local s = string.rep('x', 100000 + i) end return "
                 "collectgarbage('count') < 65536"),
            ":1");
}

TEST_F(Sandbox, ObjectsAreNamedByNumber) {
  const std::string expected =
      "*[$table: 0x000000000001, $function: 0x000000000002, $table: 0x000000000001, $thread: 0x000000000003, "
      "$function: 0x000000000004]";
  for (int run = 0; run < 2; run++) {
    EXPECT_EQ(eval("local t = {} return {tostring(t), tostring(redis.call), tostring(t), "
                   "tostring(coroutine.create(function() end)), tostring(function() end)}"),
              expected);
  }
}

}  // namespace
}  // namespace lockstep::test
