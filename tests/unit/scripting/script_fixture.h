// What the tests of the script engine share: a sink that writes a reply down, an engine that knows a handful
// of commands, and a fixture that runs scripts.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/reply.h"
#include "scripting/script_engine.h"
#include "server/engine/script_host.h"

namespace lockstep::test {

// The reply as text, one notation for each verb: +status -error :integer $bulk _ (null) #t #f ,double (big
// =txt:verbatim *[1, 2] %{key: value} ~[set]. Fails the test when more or less than one value comes.
class RecordingSink final : public ReplySink {
 public:
  const std::string& text() const;

  void ok() override { value("+OK"); }
  void status(std::string_view text) override { value("+", text); }
  void write_error(std::string_view text) override { value("-", text); }
  void integer(int64_t integer) override { value(":" + std::to_string(integer)); }
  void boolean(bool boolean) override { value(boolean ? "#t" : "#f"); }
  void number(double number) override;
  void big_number(std::string_view digits) override { value("(", digits); }
  void bulk(std::string_view bytes) override { value("$", bytes); }
  void verbatim(std::string_view format, std::string_view text) override;
  void null() override { value("_"); }
  void null_array() override { value("*_"); }
  void array(size_t count) override { begin("*[", "]", count, false); }
  void map(size_t pairs) override { begin("%{", "}", pairs * 2, true); }
  void set(size_t count) override { begin("~[", "]", count, false); }
  void push(size_t count) override { begin(">[", "]", count, false); }

 private:
  struct Open {
    const char* end;
    size_t missing;
    bool is_map;
  };

  void value(std::string text);
  void value(const char* mark, std::string_view text) { value(mark + std::string(text)); }
  void begin(const char* start, const char* end, size_t count, bool is_map);
  void complete();

  std::string text_;
  std::vector<Open> open_;
  bool done_ = false;
};

// Commands: GET SET DEL INCR ECHO MGET, and REPLY kind, which answers with one of each kind of reply.
class FakeCalls final : public ScriptCalls {
 public:
  void call(std::span<const std::string_view> args, ReplySink& reply) override;
  bool may_call(std::span<const std::string_view> args) const override { return args[0] != "UNKNOWN"; }
  void log(LogLevel level, std::string_view text) override;
  bool proceed() override { return ++checks <= checks_allowed; }

  // After so many checks the script must end.
  int64_t checks_allowed = INT64_MAX;
  int64_t checks = 0;
  std::map<std::string, std::string, std::less<>> values;
  std::vector<std::vector<std::string>> calls;
  std::vector<std::pair<LogLevel, std::string>> logged;

 private:
  static void answer_kind(std::string_view kind, ReplySink& reply);
};

class ScriptTest : public testing::Test {
 protected:
  // The reply to EVAL; a script's own SHA-1 in an error is written <sha>.
  std::string eval(std::string_view body, std::vector<std::string_view> keys = {},
                   std::vector<std::string_view> argv = {});

  // Where a test needs another: a memory limit, a seed.
  std::unique_ptr<ScriptHost> host = make_lua_host({.seed = 1});
  FakeCalls engine;
};

}  // namespace lockstep::test
