// Redis' rules and texts. Knows nothing of Lua.
#include "scripting/shebang.h"

#include <vector>

#include "protocol/inline_split.h"

namespace lockstep {
namespace {

bool read_flag(std::string_view flag, ScriptFlags& flags) {
  struct Known {
    std::string_view name;
    bool ScriptFlags::*set;
  };
  constexpr Known kKnown[] = {
      {"no-writes", &ScriptFlags::no_writes},
      {"allow-oom", &ScriptFlags::allow_oom},
      {"allow-key-locking", &ScriptFlags::allow_key_locking},
      // About states that this server does not have: a stale replica, a cluster.
      {"allow-stale", nullptr},
      {"no-cluster", nullptr},
      {"allow-cross-slot-keys", nullptr},
  };
  for (const Known& known : kKnown) {
    if (flag != known.name) continue;
    if (known.set != nullptr) flags.*known.set = true;
    return true;
  }
  return false;
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
  const size_t line_end = body.find_first_of(std::string_view("\n\0", 2));
  if (line_end == std::string_view::npos || body[line_end] == '\0') {
    error = "ERR Invalid script shebang";
    return false;
  }
  source.code = body.substr(line_end);
  source.flags.declared = true;
  std::vector<std::string> words;
  if (!split_inline(body.substr(0, line_end), words)) {
    error = "ERR Invalid engine in script shebang";
    return false;
  }
  if (words[0] != "#!lua") {
    error = "ERR Unexpected engine in script shebang: " + words[0];
    return false;
  }
  constexpr std::string_view kFlags = "flags=";
  for (size_t i = 1; i < words.size(); i++) {
    const std::string_view word = words[i];
    if (!word.starts_with(kFlags)) {
      error.append("ERR Unknown lua shebang option: ").append(word);
      return false;
    }
    if (!read_flags(word.substr(kFlags.size()), source.flags, error)) return false;
  }
  return true;
}

}  // namespace lockstep
