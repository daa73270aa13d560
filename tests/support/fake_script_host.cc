// The script host of the engine's own tests; see the header.
#include "tests/support/fake_script_host.h"

#include <algorithm>
#include <charconv>

#include "protocol/inline_split.h"

namespace lockstep::tests {
namespace {

// Takes a reply that nobody wants.
class NoReply final : public ReplySink {
 public:
  void ok() override {}
  void status(std::string_view) override {}
  void write_error(std::string_view) override {}
  void integer(int64_t) override {}
  void boolean(bool) override {}
  void number(double) override {}
  void big_number(std::string_view) override {}
  void bulk(std::string_view) override {}
  void verbatim(std::string_view, std::string_view) override {}
  void null() override {}
  void null_array() override {}
  void array(size_t) override {}
  void map(size_t) override {}
  void set(size_t) override {}
  void push(size_t) override {}
};

// "KEYS[2]" with the name KEYS gives the second of `values`; anything else, the word itself.
std::string_view expand(std::string_view word, std::string_view name, std::span<const std::string_view> values) {
  if (!word.starts_with(name) || !word.ends_with("]")) return word;
  size_t number = 0;
  const char* end = word.data() + word.size() - 1;
  const auto [stop, error] = std::from_chars(word.data() + name.size(), end, number);
  if (error != std::errc() || stop != end || number < 1 || number > values.size()) return word;
  return values[number - 1];
}

// False when the script must end.
bool loop(const std::vector<std::string_view>& words, ScriptCalls& calls) {
  int64_t checks = 0;
  if (words.size() > 1) std::from_chars(words[1].data(), words[1].data() + words[1].size(), checks);
  for (int64_t done = 0; words.size() == 1 || done < checks; ++done)
    if (!calls.proceed()) return false;
  return true;
}

}  // namespace

const Script* FakeScriptHost::load(std::string_view body, std::string& error) {
  const Sha1Hex sha = sha1_hex(body);
  if (const Script* known = find(sha.view())) return known;
  auto script = std::make_unique<Kept>();
  script->sha = sha;
  while (!body.empty()) {
    const size_t end = std::min(body.find_first_of(";\n"), body.size());
    Command command;
    if (!split_inline(body.substr(0, end), command)) {
      error = "ERR Error compiling script: unbalanced quotes";
      return nullptr;
    }
    if (!command.empty()) script->commands.push_back(std::move(command));
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return kept_.emplace(sha.view(), std::move(script)).first->second.get();
}

const Script* FakeScriptHost::find(std::string_view sha) const {
  std::string lower(sha);
  for (char& c : lower)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c | 0x20);
  const auto found = kept_.find(lower);
  return found == kept_.end() ? nullptr : found->second.get();
}

void FakeScriptHost::run(const Script& script, const ScriptRequest& request, ScriptCalls& calls,
                         ReplySink& reply) {
  const auto& commands = static_cast<const Kept&>(script).commands;
  if (commands.empty()) return reply.null();
  NoReply nobody;
  for (const Command& command : commands) {
    std::vector<std::string_view> words;
    for (const std::string_view word : command)
      words.push_back(expand(expand(word, "KEYS[", request.keys), "ARGV[", request.argv));
    ReplySink& to = &command == &commands.back() ? reply : static_cast<ReplySink&>(nobody);
    if (words[0] != "LOOP") {
      calls.call(words, to);
    } else if (!loop(words, calls)) {
      return reply.error("ERR Script killed by user with SCRIPT KILL...");
    } else if (&command == &commands.back()) {
      reply.ok();
    }
  }
}

}  // namespace lockstep::tests
