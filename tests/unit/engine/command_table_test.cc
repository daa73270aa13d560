// Finding commands by name, and that the rows of the real table hold what they promise.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "server/commands/families.h"
#include "server/commands/table.h"
#include "server/engine/command.h"
#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;

const CommandSpec* resolve(const std::vector<std::string_view>& args) { return command_table().resolve(args); }

// Every row, subcommands included.
std::vector<const CommandSpec*> all_rows() {
  std::vector<const CommandSpec*> rows;
  for (const CommandSpec* spec : command_table().commands()) {
    rows.push_back(spec);
    for (const CommandSpec* subcommand : command_table().subcommands(*spec)) rows.push_back(subcommand);
  }
  return rows;
}

TEST(CommandTable, FindsNamesInAnyCase) {
  for (const std::string_view name : {"get", "GET", "gEt"}) {
    const CommandSpec* spec = command_table().find(name);
    ASSERT_NE(spec, nullptr);
    EXPECT_EQ(spec->name, "get");
  }
  for (const std::string_view name : {"", "ge", "gett", "get ", "*"})
    EXPECT_EQ(command_table().find(name), nullptr);
}

TEST(CommandTable, ResolvesSubcommands) {
  EXPECT_EQ(resolve({"CLIENT", "Id"})->name, "client|id");
  EXPECT_EQ(resolve({"client", "id", "more"})->name, "client|id");
  EXPECT_EQ(resolve({"client"})->name, "client");
  EXPECT_EQ(resolve({"client", "nonsense"}), nullptr);
  EXPECT_EQ(resolve({"client", ""}), nullptr);
  EXPECT_EQ(resolve({"client|id"}), nullptr);  // a name for the table's own use
  EXPECT_EQ(resolve({"get", "id"})->name, "get");
}

TEST(CommandTable, KnowsContainers) {
  EXPECT_TRUE(command_table().is_container(*command_table().find("client")));
  EXPECT_FALSE(command_table().is_container(*command_table().find("get")));
}

TEST(CommandTable, ListsCommandsInOrder) {
  std::string_view previous;
  for (const CommandSpec* spec : command_table().commands()) {
    EXPECT_LT(previous, spec->name);
    EXPECT_FALSE(spec->is_subcommand());
    previous = spec->name;
  }
  EXPECT_EQ(command_table().size(), command_table().commands().size());
}

void nothing(Call&) {}

CommandSpec row(std::string_view name) {
  CommandSpec spec{};
  spec.name = name;
  spec.arity = 1;
  spec.handler = nothing;
  return spec;
}

TEST(CommandTableDeathTest, RefusesWhatCannotBeFound) {
  const std::vector<CommandSpec> twice = {row("a"), row("a")};
  const std::vector<CommandSpec> orphan = {row("a|b")};
  const std::span<const CommandSpec> twice_family[] = {twice};
  const std::span<const CommandSpec> orphan_family[] = {orphan};
  EXPECT_DEATH(CommandTable{twice_family}, "broken assertion");
  EXPECT_DEATH(CommandTable{orphan_family}, "broken assertion");
}

TEST(CommandTable, EveryRowIsFoundByItsName) {
  for (const CommandSpec* spec : all_rows()) {
    std::vector<std::string_view> args;
    const size_t bar = spec->name.find('|');
    args.push_back(spec->name.substr(0, bar));
    if (bar != spec->name.npos) args.push_back(spec->name.substr(bar + 1));
    EXPECT_EQ(resolve(args), spec) << spec->name;
  }
}

// What the documentation shows as an example of a command must be one.
TEST(CommandTable, EveryExampleRuns) {
  for (const CommandSpec* spec : all_rows()) {
    if (spec->handler == nullptr) continue;
    EngineFixture fixture;
    const SessionId id = fixture.open();
    const std::string reply = fixture.ask(id, spec->example);
    const bool waits = (spec->flags & kBlocking) != 0 && fixture.engine().session(id)->blocked();
    EXPECT_TRUE(!reply.empty() || waits || fixture.engine().shutdown_requested()) << spec->example;
    for (const std::string_view fault : {"unknown command", "unknown subcommand", "wrong number", "syntax error",
                                         "not an integer", "not a valid float", "unsupported", "Unsupported"})
      EXPECT_EQ(reply.find(fault), reply.npos) << spec->example << " answers " << reply;
  }
}

TEST(CommandTable, Renames) {
  CommandTable table(server_families());
  const size_t size = table.size();
  const CommandSpec* get = table.find("get");
  EXPECT_EQ(table.rename("GET", "Fetch"), "");
  EXPECT_EQ(table.find("get"), nullptr);
  EXPECT_EQ(table.find("FETCH"), get);
  EXPECT_EQ(table.rename("fetch", "get"), "");
  EXPECT_EQ(table.find("get"), get);
  EXPECT_EQ(table.size(), size);
  EXPECT_EQ(table.rename("FLUSHALL", ""), "");
  EXPECT_EQ(table.find("flushall"), nullptr);
  EXPECT_EQ(table.size(), size - 1);
  EXPECT_EQ(table.rename("flushall", "x"), "No such command in rename-command");
  EXPECT_EQ(table.rename("set", "get"), "Target command name already exists");
  EXPECT_EQ(table.rename("config|get", "x"), "No such command in rename-command");
  EXPECT_EQ(table.rename("set", "a|b"), "Target command name holds a '|'");
}

TEST(CommandTable, RenamesContainersWithWhatTheyHold) {
  CommandTable table(server_families());
  const CommandSpec* config_get = table.find("config|get");
  EXPECT_EQ(table.rename("config", "cfg"), "");
  const std::vector<std::string_view> old_words = {"config", "get", "x"};
  const std::vector<std::string_view> new_words = {"CFG", "GET", "x"};
  EXPECT_EQ(table.resolve(old_words), nullptr);
  EXPECT_EQ(table.resolve(new_words), config_get);
  EXPECT_EQ(table.find("cfg|get"), config_get);
  EXPECT_EQ(table.find("config|get"), nullptr);
  EXPECT_TRUE(table.is_container(*table.find("cfg")));
  EXPECT_EQ(table.rename("cfg", ""), "");
  EXPECT_EQ(table.resolve(new_words), nullptr);
  EXPECT_EQ(table.find("cfg|get"), nullptr);
}

}  // namespace
}  // namespace lockstep
