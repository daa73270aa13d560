// redis.call and redis.pcall: arguments out, replies in; and the other functions of `redis`. Expectations
// from redis-server 7.0.15; where 8.0.2 differs, from that.
#include <string>

#include "tests/unit/scripting/script_fixture.h"

namespace lockstep::test {
namespace {

using Words = std::vector<std::string>;

class RedisCall : public ScriptTest {};

TEST_F(RedisCall, CompareAndDelete) {
  const char* release =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";
  engine.values["lock"] = "token";
  EXPECT_EQ(eval(release, {"lock"}, {"other"}), ":0");
  EXPECT_EQ(engine.values.count("lock"), 1u);
  EXPECT_EQ(eval(release, {"lock"}, {"token"}), ":1");
  EXPECT_EQ(engine.values.count("lock"), 0u);
  EXPECT_EQ(engine.calls.back(), (Words{"DEL", "lock"}));
}

TEST_F(RedisCall, KeysAndArgumentsAreMutableTables) {
  EXPECT_EQ(eval("return {#KEYS, #ARGV, KEYS[1], ARGV[2]}", {"k"}, {"a", std::string_view("b\0c", 3)}),
            std::string("*[:1, :2, $k, $b\0c]", 19));
  EXPECT_EQ(eval("table.remove(ARGV, 1) return ARGV", {}, {"a", "b"}), "*[$b]");
  EXPECT_EQ(eval("KEYS[1] = 5 KEYS.x = 1 return KEYS", {"k"}), "*[:5]");
  EXPECT_EQ(eval("return {tostring(KEYS.x), #KEYS, #ARGV}"), "*[$nil, :0, :0]");
  EXPECT_EQ(eval("return redis.call(unpack(ARGV))", {}, {"ECHO", "hi"}), "$hi");
}

TEST_F(RedisCall, NumbersBecomeTheirShortestText) {
  const char* texts[][2] = {
      {"1", "1"},
      {"-1", "-1"},
      {"3.0", "3"},
      {"1.5", "1.5"},
      {"-0.0", "0"},
      {"0*-1", "0"},
      {"0.1", "0.1"},
      {"1/3", "0.3333333333333333"},
      {"100.5", "100.5"},
      {"1755000000.123456", "1755000000.123456"},
      {"1755000000123", "1755000000123"},
      {"1e15", "1000000000000000"},
      {"1e17", "100000000000000000"},
      {"-1e17", "-100000000000000000"},
      {"2^53+2", "9007199254740994"},
      {"2^62", "4611686018427387904"},
      {"2^63", "9223372036854776000"},
      {"-2^63", "-9223372036854776000"},
      {"2^64", "18446744073709552000"},
      {"123456789012345680000", "123456789012345680000"},
      {"1e20", "1e+20"},
      {"1e22", "1e+22"},
      {"1.2345678e25", "1.2345678e+25"},
      {"1.5e300", "1.5e+300"},
      {"1.7976931348623157e308", "1.7976931348623157e+308"},
      {"0.0001", "0.0001"},
      {"1e-5", "0.00001"},
      {"1e-7", "1e-7"},
      {"1.25e-7", "1.25e-7"},
      {"0.00012345", "1.2345e-4"},
      {"5e-324", "5e-324"},
      {"1/0", "inf"},
      {"-1/0", "-inf"},
  };
  for (const auto& [number, text] : texts) {
    EXPECT_EQ(eval(std::string("return redis.call('ECHO', ") + number + ")"), std::string("$") + text)
        << number;
  }
}

TEST_F(RedisCall, ArgumentsMustBeTextsOrNumbers) {
  const std::string refused = "-ERR Lua redis lib command arguments must be strings or integers";
  for (const char* argument : {"{}", "true", "nil", "print_nothing and 1 or redis.call", "function() end"}) {
    EXPECT_EQ(eval(std::string("local print_nothing return redis.pcall('GET', ") + argument + ")"), refused)
        << argument;
  }
  EXPECT_EQ(eval("return redis.call({})"), refused + " script: <sha>, on @user_script:1.");
  EXPECT_EQ(eval("return redis.pcall()"),
            "-ERR Please specify at least one argument for this redis lib call");
  EXPECT_TRUE(engine.calls.empty()) << "none of these may reach the engine";
}

TEST_F(RedisCall, ManyArguments) {
  EXPECT_EQ(eval("local t = {} for i = 1, 5000 do t[i] = i end return redis.call('ECHO', unpack(t))"), "$1");
  ASSERT_EQ(engine.calls.back().size(), 5001u);
  EXPECT_EQ(engine.calls.back()[5000], "5000");
}

TEST_F(RedisCall, RepliesInTheViewOfResp2) {
  EXPECT_EQ(eval("return redis.call('REPLY', 'status').ok"), "$FINE");
  EXPECT_EQ(eval("return redis.call('REPLY', 'integer')"), ":-7");
  EXPECT_EQ(eval("return redis.call('REPLY', 'boolean')"), ":1");
  EXPECT_EQ(eval("return redis.call('REPLY', 'number')"), "$1.5");
  EXPECT_EQ(eval("return redis.call('REPLY', 'big')"), "$12345678901234567890123");
  EXPECT_EQ(eval("return redis.call('REPLY', 'verbatim')"), "$two\nlines");
  EXPECT_EQ(eval("return tostring(redis.call('GET', 'none'))"), "$false");
  EXPECT_EQ(eval("return tostring(redis.call('REPLY', 'null_array'))"), "$false");
  EXPECT_EQ(eval("return redis.call('REPLY', 'array')"), "*[:1, $two, _, *[], *[+OK, -ERR inner]]");
  EXPECT_EQ(eval("local t = redis.call('REPLY', 'array') return {#t, type(t[3]), t[5][2].err}"),
            "*[:5, $boolean, $ERR inner]");
  EXPECT_EQ(eval("return redis.call('REPLY', 'map')"), "*[$f, $v, $n, *[], $s, *[$a]]");
  EXPECT_EQ(eval("return redis.call('REPLY', 'set')"), "*[$a, $b]");
}

TEST_F(RedisCall, RepliesInTheViewOfResp3) {
  const auto eval3 = [this](const std::string& body) { return eval("redis.setresp(3) " + body); };
  EXPECT_EQ(eval3("return redis.call('REPLY', 'status').ok"), "$FINE");
  EXPECT_EQ(eval3("return redis.call('REPLY', 'integer')"), ":-7");
  EXPECT_EQ(eval3("return redis.call('REPLY', 'boolean')"), "#t");
  EXPECT_EQ(eval3("return tostring(redis.call('REPLY', 'number').double)"), "$1.5");
  EXPECT_EQ(eval3("return redis.call('REPLY', 'number')"), ",1.5");
  EXPECT_EQ(eval3("return redis.call('REPLY', 'big')"), "(12345678901234567890123");
  EXPECT_EQ(eval3("return redis.call('REPLY', 'verbatim')"), "=txt:two\nlines");
  EXPECT_EQ(eval3("return tostring(redis.call('GET', 'none'))"), "$nil");
  EXPECT_EQ(eval3("local t = redis.call('REPLY', 'array') return {t[1], t[2], type(t[3]), #t[4]}"),
            "*[:1, $two, $nil, :0]");
  EXPECT_EQ(
      eval3("local m = redis.call('REPLY', 'map').map return {m.f, type(m.n.map), tostring(m.s.set.a)}"),
      "*[$v, $table, $true]");
  EXPECT_EQ(
      eval3("local s = redis.call('REPLY', 'set').set return {tostring(s.a), tostring(s.b), tostring(s.c)}"),
      "*[$true, $true, $nil]");
}

TEST_F(RedisCall, RepliesAreFreshTables) {
  EXPECT_EQ(eval("local a = redis.call('SET', 'k', 'v') a.ok = 'changed' "
                 "return redis.call('SET', 'k', 'v').ok"),
            "$OK");
}

TEST_F(RedisCall, PcallReturnsTheErrorAndCallRaisesIt) {
  const std::string text = "WRONGTYPE Operation against a key holding the wrong kind of value";
  EXPECT_EQ(eval("return redis.pcall('REPLY', 'error')"), "-" + text);
  EXPECT_EQ(eval("return redis.pcall('REPLY', 'error').err"), "$" + text);
  EXPECT_EQ(eval("redis.call('REPLY', 'error') return 1"), "-" + text + " script: <sha>, on @user_script:1.");
  EXPECT_EQ(eval("local ok, e = pcall(redis.call, 'REPLY', 'error') return {tostring(ok), type(e), e}"),
            "*[$false, $string, $" + text + "]");
  EXPECT_EQ(
      eval("local ok, e = xpcall(function() redis.call('REPLY', 'error') end, function(e) return e end) "
           "return {tostring(ok), type(e), e.err}"),
      "*[$false, $table, $" + text + "]");
}

TEST_F(RedisCall, ErrorReply) {
  EXPECT_EQ(eval("return redis.error_reply('hi')"), "-ERR hi");
  EXPECT_EQ(eval("return redis.error_reply('MYERR hi')"), "-MYERR hi");
  EXPECT_EQ(eval("return redis.error_reply('-hi there')"), "-hi there");
  EXPECT_EQ(eval("return redis.error_reply('-hi')"), "-ERR hi");
  EXPECT_EQ(eval("return redis.error_reply('')"), "-ERR ");
  EXPECT_EQ(eval("return redis.error_reply(' lead')"), "- lead");
  EXPECT_EQ(eval("return redis.error_reply('ERR')"), "-ERR ERR");
  EXPECT_EQ(eval("return redis.error_reply('a\\r\\nb c')"), "-a  b c");
  EXPECT_EQ(eval("return #redis.error_reply('x\\r\\n').err"), ":5");
  for (const char* misuse : {"1", "", "{}", "'a', 'b'"}) {
    EXPECT_EQ(eval(std::string("return redis.error_reply(") + misuse + ")"),
              "-ERR wrong number or type of arguments");
  }
}

TEST_F(RedisCall, StatusReply) {
  EXPECT_EQ(eval("return redis.status_reply('fine')"), "+fine");
  EXPECT_EQ(eval("return redis.status_reply('')"), "+");
  EXPECT_EQ(eval("return redis.status_reply(3)"), "-ERR wrong number or type of arguments");
}

TEST_F(RedisCall, Sha1hex) {
  EXPECT_EQ(eval("return redis.sha1hex('')"), "$da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(eval("return redis.sha1hex('abc')"), "$a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(eval("return redis.sha1hex(12)"), "$7b52009b64fd0a2a49e6d8a939753077792b0554");
  EXPECT_EQ(eval("return redis.sha1hex(1.5)"), "$aa8f289ebe6d4db1b4a1038b8931ec8c2b5399fb");
  EXPECT_EQ(eval("return redis.sha1hex({})"), "$da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(eval("return redis.sha1hex()"),
            "-ERR wrong number of arguments script: <sha>, on @user_script:1.");
}

TEST_F(RedisCall, Log) {
  EXPECT_EQ(eval("return redis.log(redis.LOG_WARNING, 'a', {}, 'b', 3)"), "_");
  EXPECT_EQ(eval("redis.log(redis.LOG_DEBUG, 'x') redis.log(1.7, 'y') redis.log('2', 'z')"), "_");
  ASSERT_EQ(engine.logged.size(), 4u);
  EXPECT_EQ(engine.logged[0], (std::pair(LogLevel::kWarning, std::string("a b 3"))));
  EXPECT_EQ(engine.logged[1].first, LogLevel::kDebug);
  EXPECT_EQ(engine.logged[2].first, LogLevel::kVerbose);
  EXPECT_EQ(engine.logged[3].first, LogLevel::kNotice);
  const std::string place = " script: <sha>, on @user_script:1.";
  EXPECT_EQ(eval("redis.log(1)"), "-ERR redis.log() requires two arguments or more." + place);
  EXPECT_EQ(eval("redis.log('x', 'y')"), "-ERR First argument must be a number (log level)." + place);
  EXPECT_EQ(eval("redis.log(9, 'y')"), "-ERR Invalid log level." + place);
  EXPECT_EQ(eval("redis.log(-1, 'y')"), "-ERR Invalid log level." + place);
}

TEST_F(RedisCall, Setresp) {
  const std::string place = " script: <sha>, on @user_script:1.";
  EXPECT_EQ(eval("return redis.setresp('3')"), "_");
  EXPECT_EQ(eval("return redis.setresp(2.5)"), "_");
  EXPECT_EQ(eval("redis.setresp(4)"), "-ERR RESP version must be 2 or 3." + place);
  EXPECT_EQ(eval("redis.setresp('x')"), "-ERR RESP version must be 2 or 3." + place);
  EXPECT_EQ(eval("redis.setresp()"), "-ERR redis.setresp() requires one argument." + place);
}

TEST_F(RedisCall, ReplicationAndDebugging) {
  EXPECT_EQ(eval("return redis.replicate_commands()"), ":1");
  EXPECT_EQ(eval("return redis.set_repl(redis.REPL_NONE)"), "_");
  EXPECT_EQ(
      eval("return {redis.REPL_NONE, redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_ALL}"),
      "*[:0, :1, :2, :2, :3]");
  EXPECT_EQ(
      eval("redis.set_repl(7)"),
      "-ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE. script: <sha>, on "
      "@user_script:1.");
  EXPECT_EQ(eval("return {redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING}"),
            "*[:0, :1, :2, :3]");
  EXPECT_EQ(eval("return redis.breakpoint()"), "_");
  EXPECT_EQ(eval("return redis.debug('x')"), "_");
}

}  // namespace
}  // namespace lockstep::test
