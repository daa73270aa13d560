// What the fuzz targets of scripts share: hosts whose scripts have little memory, an engine that answers anything,
// and what a script answered.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "protocol/reply.h"
#include "scripting/script_engine.h"
#include "server/base/check.h"
#include "server/engine/script_host.h"

namespace lockstep::tests {

// The answer as a number that tells it from others, and its text when it is an error. Holds it to one whole value.
class Verdict final : public ReplySink {
 public:
  const std::string& error_text() const { return error_text_; }
  uint64_t hash() const {
    LOCKSTEP_CHECK(missing_ == 0);
    return hash_;
  }

  void ok() override { take('+', "OK"); }
  void status(std::string_view text) override { take('+', text); }
  void integer(int64_t value) override { take(':', std::to_string(value)); }
  void boolean(bool value) override { take('#', value ? "t" : "f"); }
  void number(double value) override { take(',', std::to_string(value)); }
  void big_number(std::string_view digits) override { take('(', digits); }
  void bulk(std::string_view bytes) override { take('$', bytes); }
  void verbatim(std::string_view, std::string_view text) override { take('=', text); }
  void null() override { take('_', ""); }
  void null_array() override { take('_', ""); }
  void array(size_t count) override { take('*', "", count); }
  void map(size_t pairs) override { take('%', "", 2 * pairs); }
  void set(size_t count) override { take('~', "", count); }
  void push(size_t count) override { take('>', "", count); }

 private:
  void write_error(std::string_view text) override {
    if (hash_ == kStart) error_text_ = text;
    take('-', text);
  }

  static constexpr uint64_t kStart = 14695981039346656037u;  // FNV-1a's

  void take(char kind, std::string_view text, size_t elements = 0) {
    LOCKSTEP_CHECK(missing_ > 0);
    missing_ += elements;
    --missing_;
    mix(kind);
    for (const char byte : text) mix(byte);
  }
  void mix(char byte) { hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 1099511628211u; }

  uint64_t hash_ = kStart;
  std::string error_text_;
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
        reply.map(1);
        reply.bulk(args[1]);
        reply.null();
    }
  }
  bool may_call(std::span<const std::string_view>) const override { return true; }
  void log(LogLevel, std::string_view) override {}
  // So that scripts end.
  bool proceed() override { return --checks_left_ > 0; }

 private:
  int checks_left_ = 200;
};

class ScriptRunner {
 public:
  Verdict run(std::string_view body, std::span<const std::string_view> argv) {
    Verdict verdict;
    std::string error;
    if (const Script* script = host_->load(body, error); script != nullptr) {
      ObligingEngine engine;
      host_->run(*script, {{}, argv}, engine, verdict);
    } else {
      verdict.error(error);
    }
    return verdict;
  }

 private:
  std::unique_ptr<ScriptHost> host_ = make_lua_host({.seed = 7, .memory_limit_bytes = size_t{32} << 20});
};

}  // namespace lockstep::tests
