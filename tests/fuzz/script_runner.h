// What the fuzz targets of scripts share: a host whose scripts have little memory, an engine that says OK to
// everything, and what a script answered.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "protocol/reply.h"
#include "scripting/script_engine.h"
#include "server/base/check.h"
#include "server/engine/script_host.h"

namespace lockstep::tests {

// Notes whether the answer was an error; holds it to one whole value.
class Verdict final : public ReplySink {
 public:
  std::string error_text;

  void check_complete() const { LOCKSTEP_CHECK(missing_ == 0); }

  void ok() override { take(0); }
  void status(std::string_view) override { take(0); }
  void integer(int64_t) override { take(0); }
  void boolean(bool) override { take(0); }
  void number(double) override { take(0); }
  void big_number(std::string_view) override { take(0); }
  void bulk(std::string_view) override { take(0); }
  void verbatim(std::string_view, std::string_view) override { take(0); }
  void null() override { take(0); }
  void null_array() override { take(0); }
  void array(size_t count) override { take(count); }
  void map(size_t pairs) override { take(2 * pairs); }
  void set(size_t count) override { take(count); }
  void push(size_t count) override { take(count); }

 private:
  void write_error(std::string_view text) override {
    if (!begun_) error_text = text;
    take(0);
  }
  void take(size_t elements) {
    LOCKSTEP_CHECK(missing_ > 0);
    begun_ = true;
    missing_ += elements;
    --missing_;
  }

  bool begun_ = false;
  size_t missing_ = 1;
};

class ObligingEngine final : public ScriptCalls {
 public:
  void call(std::span<const std::string_view> args, ReplySink& reply) override {
    switch (args.size() % 4) {
      case 0:
        return reply.ok();
      case 1:
        return reply.error("ERR Wrong number of args calling Redis command from script");
      case 2:
        return reply.bulk(args[1]);
      default:
        reply.array(2);
        reply.null();
        reply.integer(7);
    }
  }
  bool may_call(std::span<const std::string_view>) const override { return true; }
  void log(LogLevel, std::string_view) override {}
  // A script that loops is ended.
  bool proceed() override { return ++checks_ <= kMaxChecks; }

 private:
  static constexpr int kMaxChecks = 20;
  int checks_ = 0;
};

// The error that the script ended with, or nothing.
inline std::string run_script(std::string_view body, std::span<const std::string_view> argv) {
  static const std::unique_ptr<ScriptHost> host = make_lua_host({.memory_limit_bytes = size_t{32} << 20});
  std::string error;
  const Script* script = host->load(body, error);
  if (script == nullptr) return error;
  ObligingEngine engine;
  Verdict verdict;
  host->run(*script, {{}, argv}, engine, verdict);
  verdict.check_complete();
  return verdict.error_text;
}

}  // namespace lockstep::tests
