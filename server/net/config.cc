#include "server/net/config.h"

#include <glob.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "protocol/inline_split.h"
#include "server/base/ascii.h"
#include "server/net/config_text.h"

namespace lockstep::net {
namespace {

// One option as somebody wrote it: its name, then its words.
struct Directive {
  std::vector<std::string> words;
  std::string place;  // "redis.conf:12", "command line"
};

struct Refusal {
  std::string_view directive;
  std::string_view reason;
};

// Lines of Redis' files that are no options. Dropping one would leave open what it was to close.
constexpr std::array kRefusedDirectives = {
    Refusal{"loadmodule", "there are no modules"},
    Refusal{"sentinel", "there is no sentinel mode"},
    Refusal{"user", "there are no ACL users yet; requirepass sets a password"},
};

// Collects directives from text, and from the files that the text includes.
class ConfigText {
 public:
  Problem read_file(const std::string& path) {
    std::string text;
    if (auto problem = read_whole(path, text)) return unreadable(path, *problem);
    return read_text(text, path);
  }

  Problem read_stream(std::FILE* stream, const std::string& name) {
    std::string text;
    if (auto problem = read_whole(stream, text)) return unreadable(name, *problem);
    return read_text(text, name);
  }

  // One that is no line of a file: what it includes is read all the same.
  Problem add(Directive directive) {
    if (lower(directive.words[0]) == "include") return include(directive);
    directives.push_back(std::move(directive));
    return std::nullopt;
  }

  std::vector<Directive> directives;

 private:
  static constexpr int kMaxDepth = 16;

  static std::string unreadable(const std::string& name, const std::string& reason) {
    return "cannot read config file '" + name + "': " + reason;
  }

  Problem read_text(std::string_view text, const std::string& name) {
    for (int line_number = 1; !text.empty(); ++line_number) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trim(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line[0] == '#') continue;
      Directive directive{{}, name + ":" + std::to_string(line_number)};
      if (!split_inline(line, directive.words)) return directive.place + ": unbalanced quotes";
      if (directive.words.empty()) continue;
      if (auto problem = add(std::move(directive))) return problem;
    }
    return std::nullopt;
  }

  // As in Redis: with wildcards, no file at all is fine.
  Problem include(const Directive& directive) {
    if (directive.words.size() != 2) return directive.place + ": option 'include': wrong number of arguments";
    if (depth_ == kMaxDepth) return directive.place + ": too many files include each other";
    const std::string& pattern = directive.words[1];
    glob_t found{};
    const int status = glob(pattern.c_str(), 0, nullptr, &found);
    const std::unique_ptr<glob_t, void (*)(glob_t*)> freed(&found, &globfree);
    if (status != 0) return pattern.find_first_of("*?[") == pattern.npos ? read_file(pattern) : std::nullopt;
    ++depth_;
    for (size_t i = 0; i < found.gl_pathc; ++i)
      if (auto problem = read_file(found.gl_pathv[i])) return problem;
    --depth_;
    return std::nullopt;
  }

  int depth_ = 0;
};

struct CommandLine {
  std::string file;  // empty: none
  bool standard_input = false;
  std::vector<Directive> directives;
};

bool names_option(std::string_view argument) { return argument.starts_with("--"); }

// The word after an option is its value even when it looks like an option, as a password may. The
// exception is Redis': `--save` on its own.
Problem parse_command_line(std::span<const std::string> arguments, CommandLine& into) {
  size_t at = 0;
  if (!arguments.empty() && arguments[0] != "-" && !names_option(arguments[0])) into.file = arguments[at++];
  bool value_expected = false;
  for (; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (argument == "-" && !value_expected) {
      into.standard_input = true;
      continue;
    }
    if (!names_option(argument) || value_expected) {
      if (into.directives.empty()) return "command line: '" + argument + "' is no option (they start with --)";
      into.directives.back().words.push_back(argument);
      value_expected = false;
      continue;
    }
    Directive& directive = into.directives.emplace_back();
    directive.place = "command line";
    if (argument.find(' ') == argument.npos) {
      directive.words = {argument.substr(2)};
      const bool another_follows = at + 1 < arguments.size() && names_option(arguments[at + 1]);
      value_expected = !(lower(directive.words[0]) == "save" && another_follows);
    } else if (!split_inline(std::string_view(argument).substr(2), directive.words) || directive.words.empty()) {
      return "command line: '" + argument + "': unbalanced quotes";
    }
  }
  return std::nullopt;
}

Problem apply(const Directive& directive, Configuration& into) {
  const std::string& name = directive.words[0];
  const std::string where = directive.place + ": ";
  for (const Refusal& refusal : kRefusedDirectives)
    if (lower(name) == refusal.directive)
      return where + "option '" + name + "' is not supported: " + std::string(refusal.reason);
  if (lower(name) == "rename-command") {
    if (directive.words.size() != 3) return where + "option '" + name + "': wrong number of arguments";
    into.renames.push_back({directive.words[1], directive.words[2], directive.place});
    return std::nullopt;
  }
  if (Settings::find(name) == nullptr) return where + "unknown option '" + name + "'";
  if (auto problem = into.settings.set(name, std::span(directive.words).subspan(1)))
    return where + "option '" + name + "': " + *problem;
  return std::nullopt;
}

// Judged when all is read, so that the command line can take back what a file asks for. Says no values:
// some are secret.
Problem judge_effects(const Settings& settings, std::vector<std::string>& warnings) {
  for (const OptionSpec& spec : Settings::options()) {
    if (settings.text(spec.name) == spec.default_text) continue;
    const std::string option = "option '" + std::string(spec.name) + "' ";
    if (const auto complaint = settings.complaint(spec)) return option + *complaint;
    if (spec.effect != OptionEffect::kNone) continue;
    warnings.push_back(option + "has no effect" + (spec.note.empty() ? "" : ": " + std::string(spec.note)));
  }
  return std::nullopt;
}

std::string absolute(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(realpath(path.c_str(), nullptr), &std::free);
  return resolved ? resolved.get() : path;
}

}  // namespace

Problem read_configuration(std::span<const std::string> arguments, std::FILE* input, Configuration& into) {
  CommandLine command_line;
  if (auto problem = parse_command_line(arguments, command_line)) return problem;
  ConfigText text;
  if (!command_line.file.empty()) {
    if (auto problem = text.read_file(command_line.file)) return problem;
    into.file = absolute(command_line.file);
  }
  if (command_line.standard_input)
    if (auto problem = text.read_stream(input, "standard input")) return problem;
  for (Directive& directive : command_line.directives)
    if (auto problem = text.add(std::move(directive))) return problem;
  for (const Directive& directive : text.directives)
    if (auto problem = apply(directive, into)) return problem;
  return judge_effects(into.settings, into.warnings);
}

}  // namespace lockstep::net
