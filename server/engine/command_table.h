// Finds a command by its name, in any case. Built once from the families' rows, which it copies and numbers; a
// server's own may call some of them otherwise (rename-command).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct CommandSpec;

class CommandTable {
 public:
  // `families`: spans of constexpr rows. Names must be unique; subcommands need their container.
  explicit CommandTable(std::span<const std::span<const CommandSpec>> families);
  ~CommandTable();
  CommandTable(const CommandTable&) = delete;
  CommandTable& operator=(const CommandTable&) = delete;

  // What is wrong with renaming; empty when it was done. Only the new name is known from then on, to clients and
  // scripts; an empty one takes the command away. Its row stays as it is: errors and COMMAND tell the old name.
  std::string_view rename(std::string_view from, std::string_view to);

  // nullptr when unknown.
  const CommandSpec* find(std::string_view name) const;
  // The command that these arguments name: the subcommand where the first names a container. With an
  // unknown subcommand it is nullptr, and find(args[0]) still tells the container.
  const CommandSpec* resolve(std::span<const std::string_view> args) const;
  bool is_container(const CommandSpec& spec) const { return !subcommands(spec).empty(); }

  // Containers and plain commands in the order of their names, subcommands not among them.
  // All rows in the order of their names; each one's `number` is its place here.
  std::span<const CommandSpec> rows() const;
  std::span<const CommandSpec* const> commands() const { return commands_; }
  std::vector<const CommandSpec*> subcommands(const CommandSpec& container) const;
  size_t size() const { return commands_.size(); }

 private:
  struct Slot {
    std::string_view name;  // as it is called
    const CommandSpec* spec = nullptr;
    bool container = false;
  };
  static uint32_t hash(std::string_view name, uint32_t state);
  const Slot* find_slot(std::string_view name, std::string_view subcommand) const;
  void index();

  std::vector<Slot> names_;
  std::vector<CommandSpec> rows_;
  std::vector<Slot> slots_;  // open addressing, a power of two
  std::deque<std::string> given_names_;
  std::vector<const CommandSpec*> commands_;
  std::vector<const CommandSpec*> subcommands_;
};

}  // namespace lockstep
