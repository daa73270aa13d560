// Histories from a seed. Commands come from the syntax of the table's own rows, so that a new command is
// simulated from the day it has a row; words are drawn from small pools, so that they meet.
#include <array>
#include <random>

#include "server/engine/command.h"
#include "server/engine/command_syntax.h"
#include "tests/sim/history.h"
#include "tests/support/test_commands.h"

namespace lockstep::sim {
namespace {

constexpr std::array kKeys = {"a", "b", "lock", "lock:1"};
constexpr std::array kNumbers = {"0", "1", "2", "5", "10", "40", "-1", "100", "1700000000", "1700000000040",
                                 "9223372036854775807", "x"};
constexpr std::array kValues = {"token", "other", "1", "41", "", "a long value that needs more room than before"};
constexpr std::array kPatterns = {"*", "lock*", "?", "[ab]"};
constexpr std::array kScripts = {
    "return redis.call('get', KEYS[1])",
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end",
    "redis.call('publish', KEYS[1], ARGV[1]) return redis.call('incr', KEYS[1])",
    "return {redis.call('set', KEYS[1], ARGV[1], 'px', 40), redis.call('pttl', KEYS[1])}",
    "return redis.call('nothing')",
};

class Maker {
 public:
  Maker(uint64_t seed, int clients) : random_(seed), clients_(clients) {
    const CommandTable& table = tests::table_with_test_commands();
    for (const CommandSpec* spec : table.commands()) {
      if (spec->name == "shutdown") continue;  // ends the process, not the session
      if (spec->handler != nullptr) rows_.push_back(spec);
      for (const CommandSpec* subcommand : table.subcommands(*spec)) rows_.push_back(subcommand);
    }
  }

  Step step() {
    Step step;
    const int dice = below(20);
    if (dice == 0) {
      step.kind = Step::Kind::kClose;
      step.client = below(clients_);
    } else if (dice < 5) {
      step.kind = Step::Kind::kAdvance;
      step.advance_ms = std::array{1, 5, 10, 40, 1000}[static_cast<size_t>(below(5))];
    } else {
      step.client = below(clients_);
      for (int count = 1 + below(4); count > 0; --count) step.commands.push_back(command());
    }
    return step;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<uint64_t>(bound)); }
  template <size_t N>
  std::string pick(const std::array<const char*, N>& pool) {
    return pool[static_cast<size_t>(below(static_cast<int>(N)))];
  }

  Command command() {
    // Half of what is sent is what locks are made of.
    if (below(2) == 0) return lock_command();
    const CommandSpec& spec = *rows_[static_cast<size_t>(below(static_cast<int>(rows_.size())))];
    Command command = name_of(spec);
    append_all(parse_syntax(spec.syntax), command);
    if (below(20) == 0) command.push_back(pick(kValues));       // one too many
    if (below(20) == 0 && command.size() > 1) command.pop_back();  // one too few
    return command;
  }

  Command lock_command() {
    const std::string key = pick(kKeys);
    switch (below(9)) {
      case 0: return {"SET", key, pick(kValues), "NX", "PX", pick(kNumbers)};
      case 1: return {"SET", key, pick(kValues), "PX", "40"};
      case 2: return {"EVAL", pick(kScripts), "1", key, pick(kValues)};
      case 3: return {"TESTWAIT", key, pick(kNumbers)};
      case 4: return {"DEL", key};
      case 5: return {"PUBLISH", key, pick(kValues)};
      case 6: return {"GET", key};
      case 7: return {"MULTI"};
      default: return {"EXEC"};
    }
  }

  static Command name_of(const CommandSpec& spec) {
    const std::string name(spec.name);
    const size_t bar = name.find('|');
    if (bar == std::string::npos) return {name};
    return {name.substr(0, bar), name.substr(bar + 1)};
  }

  void append_all(const std::vector<SyntaxNode>& nodes, Command& command) {
    for (const SyntaxNode& node : nodes) {
      if (node.optional && below(2) == 0) continue;
      for (int left = node.multiple ? 1 + below(2) : 1; left > 0; --left) append(node, command);
    }
  }

  void append(const SyntaxNode& node, Command& command) {
    if (!node.word.empty()) command.emplace_back(node.word);
    switch (node.kind) {
      case SyntaxNode::Kind::kWord: break;
      case SyntaxNode::Kind::kValue: command.push_back(value_for(node.name)); break;
      case SyntaxNode::Kind::kBlock: append_all(node.parts, command); break;
      case SyntaxNode::Kind::kOneOf:
        append(node.parts[static_cast<size_t>(below(static_cast<int>(node.parts.size())))], command);
        break;
    }
  }

  std::string value_for(std::string_view word) {
    if (word.find("key") != word.npos || word.find("channel") != word.npos) {
      return word == "numkeys" ? "1" : pick(kKeys);
    }
    if (word == "pattern") return pick(kPatterns);
    if (word == "script") return pick(kScripts);
    if (word == "protover") return below(2) == 0 ? "2" : "3";
    if (word == "cursor") return "0";
    if (word.find("second") != word.npos || word.find("ment") != word.npos || word == "count" || word == "index")
      return pick(kNumbers);
    return pick(kValues);
  }

  std::mt19937_64 random_;
  const int clients_;
  std::vector<const CommandSpec*> rows_;
};

}  // namespace

History random_history(uint64_t seed, int clients, size_t steps) {
  Maker maker(seed, clients);
  History history;
  for (size_t i = 0; i < steps; ++i) history.push_back(maker.step());
  return history;
}

}  // namespace lockstep::sim
