// Writes COMMANDS.md, the documentation's list of commands, from the command table. A test compares; run it
// to bring the file up to date:
//
//   commands_doc FILE          writes it
//   commands_doc --check FILE  exit status 1 when it would be another

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "server/base/ascii.h"
#include "server/commands/table.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

struct Group {
  CommandGroup group;
  std::string_view title;
};

constexpr std::array kGroups = {
    Group{CommandGroup::kString, "Strings"},
    Group{CommandGroup::kHash, "Hashes"},
    Group{CommandGroup::kList, "Lists"},
    Group{CommandGroup::kGeneric, "Keys"},
    Group{CommandGroup::kPubSub, "Publish and subscribe"},
    Group{CommandGroup::kTransactions, "Transactions"},
    Group{CommandGroup::kScripting, "Scripts"},
    Group{CommandGroup::kConnection, "Connections"},
    Group{CommandGroup::kServer, "The server"},
};

// In a table's cell a bar must be escaped, inside code as well.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void add_row(std::string& text, const CommandSpec& spec) {
  if (spec.handler == nullptr) return;  // a container: its subcommands have the rows
  std::string name = upper(spec.name);
  if (const size_t bar = name.find('|'); bar != name.npos) name[bar] = ' ';
  const std::string usage = spec.syntax.empty() ? name : name + " " + std::string(spec.syntax);
  text += "| `" + cell(usage) + "` | " + cell(spec.summary) + " | " + cell(spec.complexity) + " |\n";
}

std::string document() {
  const CommandTable& table = command_table();
  std::string text =
      "# Commands\n\n"
      "Made from the command table by `tools/commands_doc.cc`; not to be edited. What a command answers is in\n"
      "`tests/scripts/<command>.txt`, what differs from Redis in [DIFFERENCES.md](DIFFERENCES.md).\n";
  for (const Group& group : kGroups) {
    text += "\n## " + std::string(group.title) + "\n\n| command | what it does | cost |\n|---|---|---|\n";
    for (const CommandSpec* spec : table.commands()) {
      if (spec->group == group.group) add_row(text, *spec);
      if (!table.is_container(*spec)) continue;
      for (const CommandSpec* subcommand : table.subcommands(*spec))
        if (subcommand->group == group.group) add_row(text, *subcommand);
    }
  }
  return text;
}

int run(std::string_view mode, const std::string& path) {
  const std::string text = document();
  if (mode != "--check") {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    return file.flush() ? 0 : 1;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string held{std::istreambuf_iterator<char>(file), {}};
  if (held == text) return 0;
  std::fprintf(stderr, "%s is not what the command table says: run commands_doc %s\n", path.c_str(), path.c_str());
  return 1;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: commands_doc [--check] FILE\n", stderr), 2;
  return lockstep::run(argc > 2 ? argv[1] : "", argv[argc - 1]);
}
