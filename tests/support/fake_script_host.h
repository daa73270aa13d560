// A ScriptHost without Lua, so that the engine can be tested alone. A "script" is commands, one a line or
// between semicolons, in the words of inline commands; KEYS[n] and ARGV[n] as whole words stand for the
// arguments. All run in the script's unit; the answer is the last one's. Nothing to run answers null, and
// unbalanced quotes do not compile. "LOOP n" is n checks on the running script, or without n checks for ever.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/engine/script_host.h"

namespace lockstep::tests {

class FakeScriptHost final : public ScriptHost {
 public:
  const Script* load(std::string_view body, std::string& error) override;
  const Script* find(std::string_view sha) const override;
  void flush() override { kept_.clear(); }
  size_t count() const override { return kept_.size(); }
  void run(const Script& script, const ScriptRequest& request, ScriptCalls& calls, ReplySink& reply) override;

 private:
  using Command = std::vector<std::string>;
  struct Kept : Script {
    std::vector<Command> commands;
  };
  std::map<std::string, std::unique_ptr<Kept>, std::less<>> kept_;  // by lower-case digest
};

}  // namespace lockstep::tests
