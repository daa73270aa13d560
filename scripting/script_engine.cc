// The script cache and the life of the interpreter. A script outlives interpreters: it is
// compiled again in the next one when it is run again.
#include "scripting/script_engine.h"

#include <cstring>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "scripting/interpreter.h"
#include "scripting/shebang.h"

namespace lockstep {
namespace {

// Clients that write values into the text of their scripts send a new one every time. As Redis 7.4, that many
// are kept; those that SCRIPT LOAD brought do not count.
constexpr size_t kMaxEvaluated = 500;

struct LuaScript : Script {
  std::string body;
  std::string_view code;  // `body` without its shebang
  // Of the interpreter of that generation; a cache, so that running is const to callers.
  mutable int function = 0;
  mutable uint64_t generation = 0;
  bool kept = false;  // by SCRIPT LOAD
  std::list<LuaScript*>::iterator place;  // in evaluated_, unless kept
};

Sha1Hex lower_case(std::string_view sha) {
  Sha1Hex lower{};
  for (size_t i = 0; i < lower.size(); i++) {
    const char c = sha[i];
    lower[i] = c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  return lower;
}

// Some of a digest is as good a hash as all of it.
struct ShaHash {
  size_t operator()(const Sha1Hex& sha) const {
    size_t hash;
    std::memcpy(&hash, sha.data(), sizeof(hash));
    return hash;
  }
};

class LuaHost final : public ScriptHost {
 public:
  explicit LuaHost(LuaConfig config) : config_(std::move(config)) {}

  const Script* load(std::string_view body, std::string& error) override;
  const Script* find(std::string_view sha) const override;
  void keep(const Script& script) override;
  void flush() override;
  size_t count() const override { return by_text_.size(); }
  size_t interpreter_bytes() const override { return interpreter_ ? interpreter_->memory_bytes() : 0; }
  size_t text_bytes() const override { return text_bytes_; }
  void run(const Script& script, const ScriptRequest& request, ScriptCalls& calls, ReplySink& reply) override;

 private:
  Interpreter& interpreter();
  void drop_interpreter() { interpreter_.reset(); }
  bool compile(const LuaScript& script, std::string& error);
  void forget(LuaScript& script);

  const LuaConfig config_;
  Lrand48 random_;  // outlives interpreters: scripts see one sequence
  std::optional<Interpreter> interpreter_;
  uint64_t generation_ = 0;
  // Keys are views of the scripts' own texts.
  std::unordered_map<std::string_view, std::unique_ptr<LuaScript>> by_text_;
  std::unordered_map<Sha1Hex, LuaScript*, ShaHash> by_sha_;
  size_t text_bytes_ = 0;  // of all in by_text_
  std::list<LuaScript*> evaluated_;  // the one that ran last at the end
};

Interpreter& LuaHost::interpreter() {
  if (!interpreter_) {
    generation_++;
    interpreter_.emplace(config_, random_);
  }
  return *interpreter_;
}

bool LuaHost::compile(const LuaScript& script, std::string& error) {
  if (interpreter_ && script.generation == generation_) return true;
  try {
    script.function = interpreter().compile(script.code, error);
  } catch (const InterpreterBroken& broken) {
    drop_interpreter();
    error = broken.what();
    return false;
  }
  if (script.function == 0) return false;
  script.generation = generation_;
  return true;
}

const Script* LuaHost::load(std::string_view body, std::string& error) {
  if (const auto known = by_text_.find(body); known != by_text_.end()) return known->second.get();
  auto script = std::make_unique<LuaScript>();
  script->body = body;
  ScriptSource source;
  if (!read_shebang(script->body, source, error)) return nullptr;
  script->flags = source.flags;
  script->code = source.code;
  if (!compile(*script, error)) {
    error.insert(0, "ERR Error compiling script (new function): ");
    return nullptr;
  }
  script->sha = sha1_hex(body);
  if (evaluated_.size() == kMaxEvaluated) forget(*evaluated_.front());
  script->place = evaluated_.insert(evaluated_.end(), script.get());
  by_sha_.emplace(script->sha, script.get());
  text_bytes_ += body.size() + sizeof(LuaScript);
  const std::string_view key = script->body;
  return by_text_.emplace(key, std::move(script)).first->second.get();
}

const Script* LuaHost::find(std::string_view sha) const {
  if (sha.size() != Sha1Hex().size()) return nullptr;
  const auto found = by_sha_.find(lower_case(sha));
  return found == by_sha_.end() ? nullptr : found->second;
}

void LuaHost::keep(const Script& script) {
  LuaScript& kept = *by_sha_.at(script.sha);
  if (kept.kept) return;
  kept.kept = true;
  evaluated_.erase(kept.place);
}

void LuaHost::forget(LuaScript& script) {
  if (interpreter_ && script.generation == generation_) interpreter_->forget(script.function);
  evaluated_.erase(script.place);
  text_bytes_ -= script.body.size() + sizeof(LuaScript);
  by_sha_.erase(script.sha);
  by_text_.erase(by_text_.find(script.body));
}

void LuaHost::flush() {
  evaluated_.clear();
  by_sha_.clear();
  by_text_.clear();
  text_bytes_ = 0;
  drop_interpreter();
}

void LuaHost::run(const Script& script, const ScriptRequest& request, ScriptCalls& calls, ReplySink& reply) {
  const auto& lua_script = static_cast<const LuaScript&>(script);
  if (!lua_script.kept) evaluated_.splice(evaluated_.end(), evaluated_, lua_script.place);
  std::string error;
  if (!compile(lua_script, error)) {
    reply.error("ERR " + error);  // it did compile before: memory has run out
    return;
  }
  try {
    const bool usable = interpreter_->run(lua_script.function, lua_script.sha.view(), request, calls, reply);
    if (!usable || interpreter_->is_bloated()) drop_interpreter();
  } catch (const InterpreterBroken& broken) {
    drop_interpreter();
    reply.error(std::string("ERR ") + broken.what());
  } catch (...) {
    drop_interpreter();
    throw;
  }
}

}  // namespace

std::unique_ptr<ScriptHost> make_lua_host(LuaConfig config) {
  return std::make_unique<LuaHost>(std::move(config));
}

}  // namespace lockstep
