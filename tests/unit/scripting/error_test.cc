// Error texts, with the script and the line they name. All from redis-server 7.0.15 (the sandbox's own are in
// sandbox_test.cc).
#include <string>

#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

struct Case {
  const char* script;
  const char* error;  // without "-ERR ", and without the place on line 1 of the script
};

class Errors : public ScriptTest {
 protected:
  void expect(const Case& c) {
    EXPECT_EQ(eval(c.script), std::string("-ERR ") + c.error + " script: <sha>, on @user_script:1.")
        << c.script;
  }
};

TEST_F(Errors, RaisedByTheScript) {
  expect({"error('boom')", "user_script:1: boom"});
  expect({"error('boom', 0)", "boom"});
  expect({"error('boom', 2)", "boom"});
  expect({"error()", "nil"});
  expect({"error(42)", "user_script:1: 42"});
  expect({"error(true)", "true"});
  expect({"error({err = 'ERR table'})", "table"});
  expect({"assert(false)", "user_script:1: assertion failed!"});
  expect({"assert(false, 'no permits')", "user_script:1: no permits"});
  expect({"assert(nil, {})", "user_script:1: bad argument #2 to 'assert' (string expected, got table)"});
  expect({"local function f() error('deep') end f()", "user_script:1: deep"});
  expect({"coroutine.wrap(function() error('inner') end)()", "user_script:1: user_script:1: inner"});
}

TEST_F(Errors, TablesSayTheirOwnCode) {
  const std::string place = " script: <sha>, on @user_script:1.";
  EXPECT_EQ(eval("error({err = 'MYCODE text'})"), "-MYCODE text" + place);
  EXPECT_EQ(eval("error({err = 42})"), "-42" + place);
  EXPECT_EQ(eval("error({err = 'X y', source = '@foo', line = 9})"), "-X y" + place);
  EXPECT_EQ(eval("error({err = 'a\\r\\nb'})"), "-a  b" + place);
  // These two crash redis-server 7.0.15 and 8.0.2.
  EXPECT_EQ(eval("error({})"), "-ERR unknown error" + place);
  EXPECT_EQ(eval("error(setmetatable({}, {__tostring = function() return 'x' end}))"),
            "-ERR unknown error" + place);
}

TEST_F(Errors, RaisedByTheInterpreter) {
  expect({"local t = nil return t.x", "user_script:1: attempt to index local 't' (a nil value)"});
  expect({"local a = {} return a.b.c", "user_script:1: attempt to index field 'b' (a nil value)"});
  expect({"local a = {} return a.b()", "user_script:1: attempt to call field 'b' (a nil value)"});
  expect({"local a = {} return a:foo()", "user_script:1: attempt to call method 'foo' (a nil value)"});
  expect({"local f return f()", "user_script:1: attempt to call local 'f' (a nil value)"});
  expect({"local u local function f() return u.x end f()",
          "user_script:1: attempt to index upvalue 'u' (a nil value)"});
  expect({"return #nil", "user_script:1: attempt to get length of a nil value"});
  expect({"return nil .. 'x'", "user_script:1: attempt to concatenate a nil value"});
  expect({"return {} .. ''", "user_script:1: attempt to concatenate a table value"});
  expect({"return -nil", "user_script:1: attempt to perform arithmetic on a nil value"});
  expect({"return 'abc' + 1", "user_script:1: attempt to perform arithmetic on a string value"});
  expect({"local a = 'a' return 1 + a",
          "user_script:1: attempt to perform arithmetic on local 'a' (a string value)"});
  expect({"return '10' + {}", "user_script:1: attempt to perform arithmetic on a table value"});
  expect({"return {} < {}", "user_script:1: attempt to compare two table values"});
  expect({"return 1 < '2'", "user_script:1: attempt to compare number with string"});
  expect({"for i = 1, 'x' do end", "user_script:1: 'for' limit must be a number"});
  expect({"for i = {}, 2 do end", "user_script:1: 'for' initial value must be a number"});
  expect({"for i = 1, 2, {} do end", "user_script:1: 'for' step must be a number"});
  expect({"local function f() return f() + 1 end return f()", "user_script:1: stack overflow"});
}

TEST_F(Errors, RaisedByTheLibraries) {
  expect({"return string.rep()", "user_script:1: bad argument #1 to 'rep' (string expected, got no value)"});
  expect(
      {"return math.floor('x')", "user_script:1: bad argument #1 to 'floor' (number expected, got string)"});
  expect({"return setmetatable(1, 2)",
          "user_script:1: bad argument #1 to 'setmetatable' (table expected, got number)"});
  expect({"return string.format('%s', nil)",
          "user_script:1: bad argument #2 to 'format' (string expected, got nil)"});
  expect({"return string.format('%d')", "user_script:1: bad argument #2 to 'format' (no value)"});
  expect({"return string.format('%y', 1)", "user_script:1: invalid option '%y' to 'format'"});
  expect({"return string.find('abc', '[')", "user_script:1: malformed pattern (missing ']')"});
  expect({"return table.concat({1, {}, 3})",
          "user_script:1: invalid value (table) at index 2 in table for 'concat'"});
  expect({"return collectgarbage('foo')",
          "user_script:1: bad argument #1 to 'collectgarbage' (invalid option 'foo')"});
  expect({"table.sort({3, 'a'})", "attempt to compare string with number"});
  EXPECT_EQ(eval("return {pcall(select, 0)}"), "*[_, $bad argument #1 to '?' (index out of range)]");
}

TEST_F(Errors, NameTheLine) {
  EXPECT_EQ(eval("local a = 1\n\nerror('l3')"), "-ERR user_script:3: l3 script: <sha>, on @user_script:3.");
  const std::string wrong =
      "-ERR Wrong number of args calling Redis command from script script: <sha>, on @user_script:";
  EXPECT_EQ(eval("local a = 1\n\nredis.call('GET')"), wrong + "3.");
  EXPECT_EQ(eval("local function f()\nredis.call('GET')\nend\n\nf()"), wrong + "2.");
  EXPECT_EQ(eval("local function f()\nreturn redis.call('GET')\nend\n\nreturn f()"), wrong + "2.");
  EXPECT_EQ(eval("string.gsub('a', 'a',\nfunction()\n redis.call('GET') end)"), wrong + "3.");
  EXPECT_EQ(eval("table.sort({1, 2, 3},\nfunction()\n error{err = 'ERR q'} end)"),
            "-ERR q script: <sha>, on @user_script:3.");
  EXPECT_EQ(eval("local co = coroutine.wrap(\nfunction()\n error('x') end)\nco()"),
            "-ERR user_script:4: user_script:3: x script: <sha>, on @user_script:4.");
  EXPECT_EQ(eval("local x = 1\n\nredis.call = x"),
            "-ERR user_script:3: Attempt to modify a readonly table script: <sha>, on @user_script:3.");
  EXPECT_EQ(eval("loadstring(\"error('in chunk')\")()"),
            "-ERR [string \"error('in chunk')\"]:1: in chunk script: <sha>, on error('in chunk'):1.");
  EXPECT_EQ(eval("loadstring('redis.call(\"GET\")', '=name')()"),
            "-ERR Wrong number of args calling Redis command from script script: <sha>, on =name:1.");
}

TEST_F(Errors, OfCompiling) {
  EXPECT_EQ(eval("return +"),
            "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '+'");
  EXPECT_EQ(eval("local x = 1\n\nreturn +"),
            "-ERR Error compiling script (new function): user_script:3: unexpected symbol near '+'");
  EXPECT_EQ(eval("#comment\nreturn 1"),
            "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '#'");
  EXPECT_EQ(host->count(), 0u);
}

TEST_F(Errors, OfTheShebang) {
  EXPECT_EQ(eval("#!lua\nreturn 1"), ":1");
  EXPECT_EQ(eval("#!lua\n\nerror('x')"), "-ERR user_script:3: x script: <sha>, on @user_script:3.");
  EXPECT_EQ(eval("#!lua flags=allow-oom,no-cluster,allow-cross-slot-keys,allow-stale\nreturn 1"), ":1");
  EXPECT_EQ(eval("#!lua flags=\nreturn 1"), ":1");
  EXPECT_EQ(eval("#!lua"), "-ERR Invalid script shebang");
  EXPECT_EQ(eval("#!python\nreturn 1"), "-ERR Unexpected engine in script shebang: #!python");
  EXPECT_EQ(eval("#! lua\nreturn 1"), "-ERR Unexpected engine in script shebang: #!");
  EXPECT_EQ(eval("#!lua name=foo\nreturn 1"), "-ERR Unknown lua shebang option: name=foo");
  EXPECT_EQ(eval("#!lua flags\nreturn 1"), "-ERR Unknown lua shebang option: flags");
  EXPECT_EQ(eval("#!lua flags=allow-key-locking\nreturn 1"), ":1");
  EXPECT_EQ(eval("#!lua flags=allow-it\nreturn 1"), "-ERR Unexpected flag in script shebang: allow-it");
  EXPECT_EQ(eval("#!lua flags=no-writes,,allow-stale\nreturn 1"), "-ERR Unexpected flag in script shebang: ");
}

TEST_F(Errors, ShebangFlagsReachTheEngine) {
  std::string error;
  EXPECT_TRUE(host->load("#!lua   flags=no-writes  \nreturn 1", error)->flags.no_writes);
  EXPECT_TRUE(host->load("#!lua flags=allow-oom flags=no-writes\nreturn 1", error)->flags.no_writes);
  EXPECT_FALSE(host->load("#!lua flags=allow-oom\nreturn 1", error)->flags.no_writes);
  EXPECT_FALSE(host->load("return 1", error)->flags.no_writes);
  EXPECT_TRUE(host->load("#!lua flags=allow-oom\nreturn 1", error)->flags.allow_oom);
  const ScriptFlags both = host->load("#!lua flags=no-writes,allow-key-locking\nreturn 1", error)->flags;
  EXPECT_TRUE(both.no_writes && both.allow_key_locking && !both.allow_oom);
}

}  // namespace
}  // namespace lockstep::test
