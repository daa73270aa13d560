#include "server/commands/table.h"

#include <array>

#include "server/commands/families.h"

namespace lockstep {

std::span<const std::span<const CommandSpec>> server_families() {
  static const std::array families = {
      connection_commands(), client_commands(), client_control_commands(), server_commands(),
      config_commands(),     debug_commands(),  replication_commands(),    introspection_commands(),
      docs_commands(),       info_commands(),   slowlog_commands(), latency_commands(), memory_commands(),
      monitor_commands(),    string_commands(), hash_commands(),   list_commands(),
      string_range_commands(), conditional_string_commands(),
      blocking_commands(),   key_commands(),
      key_move_commands(),   dump_commands(),   object_commands(), sort_commands(),
      pubsub_commands(),     transaction_commands(), script_commands(),
  };
  return families;
}

const CommandTable& command_table() {
  static const CommandTable table(server_families());
  return table;
}

}  // namespace lockstep
