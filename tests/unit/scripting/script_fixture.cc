// A recording sink that insists on exactly one value, and commands that are just enough for the tests.
// Used by every test of this folder.
#include "tests/unit/scripting/script_fixture.h"

#include <algorithm>

#include "server/base/numbers.h"

namespace lockstep::test {

const std::string& RecordingSink::text() const {
  EXPECT_TRUE(done_) << "incomplete reply: " << text_;
  return text_;
}

void RecordingSink::value(std::string text) {
  EXPECT_FALSE(done_) << "a second reply: " << text;
  text_ += text;
  complete();
}

void RecordingSink::begin(const char* start, const char* end, size_t count, bool is_map) {
  EXPECT_FALSE(done_) << "a second reply: " << start;
  text_ += start;
  if (count > 0) {
    open_.push_back({end, count, is_map});
    return;
  }
  text_ += end;
  complete();
}

void RecordingSink::complete() {
  while (!open_.empty()) {
    Open& open = open_.back();
    if (--open.missing > 0) {
      text_ += open.is_map && open.missing % 2 == 1 ? ": " : ", ";
      return;
    }
    text_ += open.end;
    open_.pop_back();
  }
  done_ = true;
}

void RecordingSink::number(double number) {
  char text[kMaxDoubleText];
  value(",", {text, static_cast<size_t>(write_double(text, number) - text)});
}

void RecordingSink::verbatim(std::string_view format, std::string_view text) {
  value("=" + std::string(format) + ":" + std::string(text));
}

void FakeCalls::call(std::span<const std::string_view> args, ReplySink& reply) {
  calls.emplace_back(args.begin(), args.end());
  const std::string_view name = args[0];
  const auto found = args.size() > 1 ? values.find(args[1]) : values.end();
  if (args.size() < 2 && name != "UNKNOWN") {
    reply.error("ERR Wrong number of args calling Redis command from script");
  } else if (name == "GET") {
    found == values.end() ? reply.null() : reply.bulk(found->second);
  } else if (name == "SET") {
    values[std::string(args[1])] = args[2];
    reply.ok();
  } else if (name == "DEL") {
    reply.integer(static_cast<int64_t>(values.erase(std::string(args[1]))));
  } else if (name == "INCR") {
    std::string& value = values[std::string(args[1])];
    value = std::to_string(std::atoll(value.c_str()) + 1);
    reply.integer(std::atoll(value.c_str()));
  } else if (name == "ECHO") {
    reply.bulk(args[1]);
  } else if (name == "REPLY") {
    answer_kind(args[1], reply);
  } else {
    reply.error("ERR Unknown Redis command called from script");
  }
}

void FakeCalls::answer_kind(std::string_view kind, ReplySink& reply) {
  if (kind == "status") {
    reply.status("FINE");
  } else if (kind == "error") {
    reply.error("WRONGTYPE Operation against a key holding the wrong kind of value");
  } else if (kind == "integer") {
    reply.integer(-7);
  } else if (kind == "boolean") {
    reply.boolean(true);
  } else if (kind == "number") {
    reply.number(1.5);
  } else if (kind == "big") {
    reply.big_number("12345678901234567890123");
  } else if (kind == "verbatim") {
    reply.verbatim("txt", "two\nlines");
  } else if (kind == "null_array") {
    reply.null_array();
  } else if (kind == "array") {  // [1, "two", null, [], [OK, ERR inner]]
    reply.array(5);
    reply.integer(1);
    reply.bulk("two");
    reply.null();
    reply.array(0);
    reply.array(2);
    reply.ok();
    reply.error("ERR inner");
  } else if (kind == "map") {  // {f: v, n: {}, s: ~[a]}
    reply.map(3);
    reply.bulk("f");
    reply.bulk("v");
    reply.bulk("n");
    reply.map(0);
    reply.bulk("s");
    reply.set(1);
    reply.bulk("a");
  } else if (kind == "set") {
    reply.set(2);
    reply.bulk("a");
    reply.bulk("b");
  } else {
    FAIL() << "no such kind of reply: " << kind;
  }
}

void FakeCalls::log(LogLevel level, std::string_view text) { logged.emplace_back(level, text); }

std::string ScriptTest::eval(std::string_view body, std::vector<std::string_view> keys,
                             std::vector<std::string_view> argv) {
  std::string error;
  const Script* script = host->load(body, error);
  if (script == nullptr) return "-" + error;
  RecordingSink reply;
  host->run(*script, {keys, argv}, engine, reply);
  std::string text = reply.text();
  const size_t sha = text.find(script->sha.view());
  if (sha != std::string::npos) text.replace(sha, script->sha.size(), "<sha>");
  return text;
}

}  // namespace lockstep::test
