// CONFIG: the options, looked at and changed while the server runs. What follows from a change is
// Server::change_settings'; files are the shell's.
#include <string>
#include <utility>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/glob.h"
#include "server/commands/container_help.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void config_get(Call& call) {
  // A name without wildcards comes back as it was spelled.
  std::vector<std::pair<std::string_view, const OptionSpec*>> found;
  for (const OptionName& option : option_names()) {
    for (const std::string_view pattern : call.args.subspan(2)) {
      if (!glob_match(pattern, option.name, GlobCase::kInsensitive)) continue;
      found.emplace_back(equals_ignoring_case(pattern, option.name) ? pattern : option.name, option.spec);
      break;
    }
  }
  call.reply.map(found.size());
  for (const auto& [name, option] : found) {
    call.reply.bulk(name);
    call.reply.bulk(call.server.settings.text(option->name));
  }
}

// Whether an option that could redirect what the server writes may be set by this client.
bool may_set_protected(const Call& call) {
  return call.session.endpoint.allowed_by(call.server.settings.text("enable-protected-configs"));
}

// "name value ...", before any value is looked at. An option under both its names is taken twice, as in Redis.
bool check_names(Call& call, Args pairs) {
  for (size_t i = 0; i < pairs.size(); i += 2) {
    const OptionSpec* option = Settings::find(pairs[i]);
    std::string_view fault;
    if (option == nullptr) {
      call.reply.error(errors::unknown_option(pairs[i]));
      return false;
    }
    if (option->effect == OptionEffect::kAtStart || option->immutable) {
      fault = "can't set immutable config";
    } else if (option->is_protected && !may_set_protected(call)) {
      fault = "can't set protected config";
    } else {
      for (size_t before = 0; before < i; before += 2)
        if (equals_ignoring_case(pairs[before], pairs[i])) fault = "duplicate parameter";
    }
    if (fault.empty()) continue;
    call.reply.error(errors::option_refused(pairs[i], fault));
    return false;
  }
  return true;
}

// Values that the slow log must not show.
void hide_secrets(Call& call) {
  static constexpr std::string_view kSecrets[] = {"masterauth", "masteruser", "requirepass", "tls-client-key-file-pass",
                                                  "tls-key-file-pass"};
  for (size_t i = 2; i + 1 < call.args.size(); i += 2)
    for (const std::string_view name : kSecrets)
      if (equals_ignoring_case(call.args[i], name)) call.hide(i + 1);
}

void config_set(Call& call) {
  hide_secrets(call);
  const Args pairs = call.args.subspan(2);
  if (pairs.size() % 2 != 0) return call.reply.error(errors::kSyntax);
  if (!check_names(call, pairs)) return;
  const auto refuse = [&](std::string_view name, std::string_view reason) {
    call.reply.error(errors::option_refused(lower(name), reason));
  };
  Settings wanted = call.server.settings;
  for (size_t i = 0; i < pairs.size(); i += 2) {
    const std::string value(pairs[i + 1]);
    if (const auto problem = wanted.set(pairs[i], {&value, 1})) return refuse(pairs[i], *problem);
  }
  for (const OptionSpec& option : Settings::options())
    if (const auto complaint = wanted.complaint(option)) return refuse(option.name, "a value " + *complaint);
  if (const auto refusal = call.server.change_settings(std::move(wanted)))
    return refuse(refusal->option, refusal->reason);
  call.reply.ok();
}

void config_rewrite(Call& call) {
  const Server& server = call.server;
  if (server.process.config_file.empty() || !server.shell.rewrite_config)
    return call.reply.error(errors::kNoConfigFile);
  if (const auto problem = server.shell.rewrite_config(server.settings)) {
    server.log(LogLevel::kWarning, "CONFIG REWRITE failed: " + *problem);
    return call.reply.error(errors::rewriting_failed(*problem));
  }
  server.log(LogLevel::kNotice, "CONFIG REWRITE executed with success.");
  call.reply.ok();
}

void config_help(Call& call) { container_help(call); }

constexpr uint32_t kFlags = kAdmin | kNoScript | kLoading | kStale;

void config_resetstat(Call& call) {
  call.server.reset_stats();
  call.reply.ok();
}

constexpr CommandSpec kConfig[] = {
    {.name = "config", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.0.0",
     .complexity = "Depends on subcommand.",
     .summary = "The server's options.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "config|get", .arity = -3, .flags = kFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.0.0",
     .complexity = "O(N) in the number of options",
     .summary = "The values of the options that match.",
     .syntax = "parameter [parameter ...]",
     .example = "CONFIG GET max*", .handler = config_get},
    {.name = "config|help", .arity = 2, .flags = kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "5.0.0",
     .complexity = "O(1)",
     .summary = "Print this help.",
     .syntax = "",
     .example = "CONFIG HELP", .handler = config_help},
    {.name = "config|resetstat", .arity = 2, .flags = kAdmin | kNoScript | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.0.0",
     .complexity = "O(N) in the number of commands",
     .summary = "Counts anew what INFO counts.",
     .syntax = "",
     .example = "CONFIG RESETSTAT", .handler = config_resetstat},
    {.name = "config|rewrite", .arity = 2, .flags = kFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.0",
     .complexity = "O(N) in the length of the file",
     .summary = "Writes the options in force into the configuration file.",
     .syntax = "",
     .example = "CONFIG REWRITE", .handler = config_rewrite},
    {.name = "config|set", .arity = -4, .flags = kFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.0.0",
     .complexity = "O(N) in the number of options",
     .summary = "Sets options while the server runs: all of them or none.",
     .syntax = "parameter value [parameter value ...]",
     .example = "CONFIG SET timeout 300", .handler = config_set},
};
static_assert(well_formed(kConfig));

}  // namespace

std::span<const CommandSpec> config_commands() { return kConfig; }

}  // namespace lockstep
