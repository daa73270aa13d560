// Finds a command by its name, in any case. Built once from the families' rows, which it refers to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep {

struct CommandSpec;

class CommandTable {
 public:
  // `families`: spans of constexpr rows. Names must be unique; subcommands need their container.
  explicit CommandTable(std::span<const std::span<const CommandSpec>> families);

  // nullptr when unknown.
  const CommandSpec* find(std::string_view name) const;
  // The command that these arguments name: the subcommand where the first names a container. With an
  // unknown subcommand it is nullptr, and find(args[0]) still tells the container.
  const CommandSpec* resolve(std::span<const std::string_view> args) const;
  bool is_container(const CommandSpec& spec) const;

  // Containers and plain commands in the order of their names, subcommands not among them.
  std::span<const CommandSpec* const> commands() const { return commands_; }
  std::vector<const CommandSpec*> subcommands(const CommandSpec& container) const;
  size_t size() const { return commands_.size(); }

 private:
  struct Slot {
    const CommandSpec* spec = nullptr;
    bool container = false;
  };
  static uint32_t hash(std::string_view name, uint32_t state);
  const Slot* find_slot(std::string_view name, std::string_view subcommand) const;
  void add(const CommandSpec& spec);

  std::vector<Slot> slots_;  // open addressing, a power of two
  std::vector<const CommandSpec*> commands_;
  std::vector<const CommandSpec*> subcommands_;
};

}  // namespace lockstep
