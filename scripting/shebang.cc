// Redis' rules and texts. Quoting of words, which Redis allows on this line, is not supported. Knows nothing
// of Lua.
#include "scripting/shebang.h"

namespace lockstep {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Cuts the next word off the front of `line`; empty at its end.
std::string_view take_word(std::string_view& line) {
  const size_t start = line.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) return line = {};
  line.remove_prefix(start);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

bool read_flag(std::string_view flag, ScriptFlags& flags) {
  if (flag == "no-writes") {
    flags.no_writes = true;
    return true;
  }
  if (flag == "allow-oom") {
    flags.allow_oom = true;
    return true;
  }
  // About states that this server does not have: stale replica, cluster.
  return flag == "allow-stale" || flag == "no-cluster" || flag == "allow-cross-slot-keys";
}

// `list` is what follows "flags=", separated by commas.
bool read_flags(std::string_view list, ScriptFlags& flags, std::string& error) {
  if (list.empty()) return true;
  for (;;) {
    const size_t comma = list.find(',');
    const std::string_view flag = list.substr(0, comma);
    if (!read_flag(flag, flags)) {
      error.append("ERR Unexpected flag in script shebang: ").append(flag);
      return false;
    }
    if (comma == std::string_view::npos) return true;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

bool read_shebang(std::string_view body, ScriptSource& source, std::string& error) {
  source.code = body;
  if (!body.starts_with("#!")) return true;
  const size_t line_end = body.find('\n');
  if (line_end == std::string_view::npos) {
    error = "ERR Invalid script shebang";
    return false;
  }
  source.code = body.substr(line_end);
  source.flags.declared = true;
  std::string_view line = body.substr(0, line_end);
  const std::string_view engine = take_word(line);
  if (engine != "#!lua") {
    error.append("ERR Unexpected engine in script shebang: ").append(engine);
    return false;
  }
  constexpr std::string_view kFlags = "flags=";
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (!word.starts_with(kFlags)) {
      error.append("ERR Unknown lua shebang option: ").append(word);
      return false;
    }
    if (!read_flags(word.substr(kFlags.size()), source.flags, error)) return false;
  }
  return true;
}

}  // namespace lockstep
