// The command families: each a file of handlers and their rows. Joined in table.cc alone.
#pragma once

#include <span>

#include "server/engine/command.h"

namespace lockstep {

std::span<const CommandSpec> connection_commands();
std::span<const CommandSpec> client_commands();
std::span<const CommandSpec> client_control_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> config_commands();
std::span<const CommandSpec> debug_commands();
std::span<const CommandSpec> replication_commands();
std::span<const CommandSpec> introspection_commands();
std::span<const CommandSpec> docs_commands();
std::span<const CommandSpec> info_commands();
std::span<const CommandSpec> slowlog_commands();
std::span<const CommandSpec> latency_commands();
std::span<const CommandSpec> memory_commands();
std::span<const CommandSpec> monitor_commands();
std::span<const CommandSpec> string_commands();
std::span<const CommandSpec> string_range_commands();
std::span<const CommandSpec> conditional_string_commands();
std::span<const CommandSpec> hash_commands();
std::span<const CommandSpec> list_commands();
std::span<const CommandSpec> blocking_commands();
std::span<const CommandSpec> key_commands();
std::span<const CommandSpec> key_move_commands();
std::span<const CommandSpec> dump_commands();
std::span<const CommandSpec> object_commands();
std::span<const CommandSpec> sort_commands();
std::span<const CommandSpec> pubsub_commands();
std::span<const CommandSpec> transaction_commands();
std::span<const CommandSpec> script_commands();

// All of them: what the server's table is made of. Tests make tables of these and rows of their own.
std::span<const std::span<const CommandSpec>> server_families();

}  // namespace lockstep
