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
  for (const auto& family : families) rows_.insert(rows_.end(), family.begin(), family.end());
  std::sort(rows_.begin(), rows_.end(), [](const CommandSpec& a, const CommandSpec& b) { return a.name < b.name; });
  for (CommandSpec& spec : rows_) {
    spec.number = static_cast<uint16_t>(&spec - rows_.data());
    names_.push_back({spec.name, &spec, false});
  }
  index();
}

CommandTable::~CommandTable() = default;

std::span<const CommandSpec> CommandTable::rows() const { return rows_; }

std::string_view CommandTable::rename(std::string_view from, std::string_view to) {
  const Slot* found = find_slot(from, {});
  if (found == nullptr || found->spec->is_subcommand()) return "No such command in rename-command";
  if (to.find('|') != to.npos) return "Target command name holds a '|'";
  if (!to.empty() && find_slot(to, {}) != nullptr) return "Target command name already exists";
  const std::string_view old_name = found->name;
  const auto is_part = [&](const Slot& named) {
    return named.name.starts_with(old_name) && named.name.substr(old_name.size()).starts_with('|');
  };
  if (to.empty()) {
    std::erase_if(names_, [&](const Slot& named) { return named.name == old_name || is_part(named); });
  } else {
    for (Slot& named : names_)
      if (named.name == old_name || is_part(named))
        named.name = given_names_.emplace_back(lower(to)).append(named.name.substr(old_name.size()));
  }
  index();
  return {};
}

void CommandTable::index() {
  slots_.assign(std::bit_ceil(names_.size() * 4), {});
  commands_.clear();
  subcommands_.clear();
  for (const Slot& named : names_) {
    LOCKSTEP_CHECK(find_slot(named.name, {}) == nullptr);
    size_t i = hash(named.name, kHashStart) & (slots_.size() - 1);
    while (slots_[i].spec != nullptr) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = named;
    (named.spec->is_subcommand() ? subcommands_ : commands_).push_back(named.spec);
  }
  const auto by_name = [](const CommandSpec* a, const CommandSpec* b) { return a->name < b->name; };
  std::sort(commands_.begin(), commands_.end(), by_name);
  std::sort(subcommands_.begin(), subcommands_.end(), by_name);
  for (const Slot& named : names_) {
    const size_t bar = named.name.find('|');
    if (bar == named.name.npos) continue;
    const Slot* container = find_slot(named.name.substr(0, bar), {});
    LOCKSTEP_CHECK(container != nullptr);
    const_cast<Slot*>(container)->container = true;
  }
}

const CommandTable::Slot* CommandTable::find_slot(std::string_view name, std::string_view subcommand) const {
  uint32_t code = hash(name, kHashStart);
  if (!subcommand.empty()) code = hash(subcommand, hash("|", code));
  for (size_t i = code & (slots_.size() - 1); slots_[i].spec != nullptr; i = (i + 1) & (slots_.size() - 1)) {
    const std::string_view found = slots_[i].name;
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

std::vector<const CommandSpec*> CommandTable::subcommands(const CommandSpec& container) const {
  std::vector<const CommandSpec*> found;
  for (const CommandSpec* spec : subcommands_)
    if (spec->name.starts_with(container.name) && spec->name[container.name.size()] == '|') found.push_back(spec);
  return found;
}

}  // namespace lockstep
