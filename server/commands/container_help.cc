#include "server/commands/container_help.h"

#include <string>
#include <vector>

#include "server/base/ascii.h"

namespace lockstep {

// In the layout of Redis: a line for each form, its meaning indented below.
void container_help(Call& call) {
  const std::string_view container = call.spec.name.substr(0, call.spec.name.find('|'));
  std::vector<std::string> lines = {upper(container) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"};
  const CommandTable& table = call.server.commands;
  for (const CommandSpec* spec : table.subcommands(*table.find(container))) {
    if (spec == &call.spec) continue;
    const std::string separator = spec->syntax.empty() ? "" : " ";
    lines.push_back(upper(spec->name.substr(container.size() + 1)) + separator + std::string(spec->syntax));
    lines.push_back("    " + std::string(spec->summary));
  }
  lines.push_back("HELP");
  lines.push_back("    " + std::string(call.spec.summary));
  call.reply.array(lines.size());
  for (const std::string& line : lines) call.reply.status(line);
}

}  // namespace lockstep
