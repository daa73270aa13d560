#include "server/engine/command_table.h"

#include <algorithm>
#include <bit>

#include "server/base/ascii.h"
#include "server/base/check.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

constexpr uint32_t kHashStart = 2166136261;

}  // namespace

// FNV-1a over the lower-case letters.
uint32_t CommandTable::hash(std::string_view name, uint32_t state) {
  for (const char c : name) state = (state ^ static_cast<uint8_t>(to_lower(c))) * 16777619;
  return state;
}

CommandTable::CommandTable(std::span<const std::span<const CommandSpec>> families) {
  size_t count = 0;
  for (const auto& family : families) count += family.size();
  slots_.resize(std::bit_ceil(count * 4));
  for (const auto& family : families)
    for (const CommandSpec& spec : family) add(spec);
  const auto by_name = [](const CommandSpec* a, const CommandSpec* b) { return a->name < b->name; };
  std::sort(commands_.begin(), commands_.end(), by_name);
  std::sort(subcommands_.begin(), subcommands_.end(), by_name);
  for (const CommandSpec* spec : subcommands_) {
    const std::string_view container = spec->name.substr(0, spec->name.find('|'));
    const Slot* slot = find_slot(container, {});
    LOCKSTEP_CHECK(slot != nullptr);
    const_cast<Slot*>(slot)->container = true;
  }
}

void CommandTable::add(const CommandSpec& spec) {
  LOCKSTEP_CHECK(find(spec.name) == nullptr);
  size_t i = hash(spec.name, kHashStart) & (slots_.size() - 1);
  while (slots_[i].spec != nullptr) i = (i + 1) & (slots_.size() - 1);
  slots_[i].spec = &spec;
  (spec.is_subcommand() ? subcommands_ : commands_).push_back(&spec);
}

const CommandTable::Slot* CommandTable::find_slot(std::string_view name, std::string_view subcommand) const {
  uint32_t code = hash(name, kHashStart);
  if (!subcommand.empty()) code = hash(subcommand, hash("|", code));
  for (size_t i = code & (slots_.size() - 1); slots_[i].spec != nullptr; i = (i + 1) & (slots_.size() - 1)) {
    const std::string_view found = slots_[i].spec->name;
    if (subcommand.empty()) {
      if (equals_ignoring_case(name, found)) return &slots_[i];
    } else if (found.size() == name.size() + 1 + subcommand.size() && found[name.size()] == '|' &&
               equals_ignoring_case(name, found.substr(0, name.size())) &&
               equals_ignoring_case(subcommand, found.substr(name.size() + 1))) {
      return &slots_[i];
    }
  }
  return nullptr;
}

const CommandSpec* CommandTable::find(std::string_view name) const {
  const Slot* slot = find_slot(name, {});
  return slot == nullptr ? nullptr : slot->spec;
}

const CommandSpec* CommandTable::resolve(std::span<const std::string_view> args) const {
  const Slot* slot = find_slot(args[0], {});
  if (slot == nullptr || slot->spec->is_subcommand()) return nullptr;
  if (!slot->container || args.size() == 1) return slot->spec;
  if (args[1].empty()) return nullptr;
  slot = find_slot(args[0], args[1]);
  return slot == nullptr ? nullptr : slot->spec;
}

bool CommandTable::is_container(const CommandSpec& spec) const {
  const Slot* slot = find_slot(spec.name, {});
  return slot != nullptr && slot->container;
}

std::vector<const CommandSpec*> CommandTable::subcommands(const CommandSpec& container) const {
  std::vector<const CommandSpec*> found;
  for (const CommandSpec* spec : subcommands_)
    if (spec->name.starts_with(container.name) && spec->name[container.name.size()] == '|') found.push_back(spec);
  return found;
}

}  // namespace lockstep
