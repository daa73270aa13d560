// What clients ask of replicas, disks and clusters, answered by a server that has none of them: it is the master
// of nobody, has nothing to wait for, and keeps everything in memory.
#include <algorithm>
#include <array>
#include <optional>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void role(Call& call) {
  call.reply.array(3);
  call.reply.bulk("master");
  call.reply.integer(0);
  call.reply.array(0);
}

// Milliseconds, 0 for ever. The deadline, or nothing after having answered the error.
std::optional<int64_t> read_deadline_ms(Call& call, std::string_view text) {
  const auto fault = [&](std::string_view error) {
    call.reply.error(error);
    return std::nullopt;
  };
  const auto timeout_ms = parse_integer(text);
  if (!timeout_ms) return fault(errors::kTimeoutNotAnInteger);
  if (*timeout_ms < 0) return fault(errors::kTimeoutNegative);
  if (*timeout_ms == 0) return INT64_MAX;
  if (*timeout_ms > INT64_MAX - call.server.wall.unix_ms()) return fault(errors::kTimeoutOutOfRange);
  return call.now().ms() + *timeout_ms;
}

// True: it waits, for nothing that could come. False: the time is up, or it may not wait.
bool waits(Call& call, int64_t deadline_ms) {
  if (!call.can_block || call.attempt == Attempt::kTimedOut) return false;
  call.block_on({}, ValueType::kString, deadline_ms);
  return true;
}

void wait(Call& call) {
  const auto replicas = read_integer(call, call.args[1]);
  if (!replicas) return;
  const auto deadline_ms = read_deadline_ms(call, call.args[2]);
  if (!deadline_ms) return;
  if (*replicas <= 0 || !waits(call, *deadline_ms)) call.reply.integer(0);
}

void waitaof(Call& call) {
  const auto local = read_integer(call, call.args[1]);
  if (!local) return;
  if (*local < 0 || *local > 1) return call.reply.error(errors::kNotZeroOrOne);
  const auto replicas = parse_integer(call.args[2]);
  if (!replicas || *replicas < 0) return call.reply.error(errors::kMustBePositive);
  const auto deadline_ms = read_deadline_ms(call, call.args[3]);
  if (!deadline_ms) return;
  if (*local > 0) return call.reply.error(errors::kWaitAofWithoutAof);
  if (*replicas > 0 && waits(call, *deadline_ms)) return;
  call.reply.array(2);
  call.reply.integer(0);
  call.reply.integer(0);
}

// As in Redis before its first save: when the server started.
void lastsave(Call& call) {
  const int64_t age_us = call.now().us - call.server.started_at.us;
  call.reply.integer((call.server.wall.unix_us() - age_us) / 1'000'000);
}

void save(Call& call) { call.reply.error(errors::kNothingIsSaved); }

void bgsave(Call& call) {
  const bool known = call.args.size() == 1 || (call.args.size() == 2 && equals_ignoring_case(call.args[1], "schedule"));
  call.reply.error(known ? errors::kNothingIsSaved : errors::kSyntax);
}

void no_cluster(Call& call) { call.reply.error(errors::kNoCluster); }

struct ClusterSubcommand {
  std::string_view name;
  int arity;  // as a row's
};

constexpr std::array kClusterSubcommands = {
    ClusterSubcommand{"addslots", -3},
    ClusterSubcommand{"addslotsrange", -4},
    ClusterSubcommand{"bumpepoch", 2},
    ClusterSubcommand{"count-failure-reports", 3},
    ClusterSubcommand{"countkeysinslot", 3},
    ClusterSubcommand{"delslots", -3},
    ClusterSubcommand{"delslotsrange", -4},
    ClusterSubcommand{"failover", -2},
    ClusterSubcommand{"flushslots", 2},
    ClusterSubcommand{"forget", 3},
    ClusterSubcommand{"getkeysinslot", 4},
    ClusterSubcommand{"help", 2},
    ClusterSubcommand{"info", 2},
    ClusterSubcommand{"keyslot", 3},
    ClusterSubcommand{"links", 2},
    ClusterSubcommand{"meet", -4},
    ClusterSubcommand{"myid", 2},
    ClusterSubcommand{"myshardid", 2},
    ClusterSubcommand{"nodes", 2},
    ClusterSubcommand{"replicas", 3},
    ClusterSubcommand{"replicate", 3},
    ClusterSubcommand{"reset", -2},
    ClusterSubcommand{"saveconfig", 2},
    ClusterSubcommand{"set-config-epoch", 3},
    ClusterSubcommand{"setslot", -4},
    ClusterSubcommand{"shards", 2},
    ClusterSubcommand{"slaves", 3},
    ClusterSubcommand{"slots", 2},
};

// No container with a row a subcommand: they are told apart for their errors alone.
void cluster(Call& call) {
  const auto found = std::find_if(kClusterSubcommands.begin(), kClusterSubcommands.end(), [&](const auto& known) {
    return equals_ignoring_case(known.name, call.args[1]);
  });
  if (found == kClusterSubcommands.end())
    return call.reply.error(errors::unknown_subcommand(call.args[0], call.args[1]));
  const auto count = static_cast<int>(std::min<size_t>(call.args.size(), INT16_MAX));
  if (found->arity > 0 ? count != found->arity : count < -found->arity)
    return call.reply.error(errors::wrong_arity("cluster|" + std::string(found->name)));
  no_cluster(call);
}

constexpr CommandSpec kReplication[] = {
    {.name = "asking", .arity = 1, .flags = kFast,
     .categories = kAclConnection, .group = CommandGroup::kCluster, .since = "3.0.0",
     .complexity = "O(1)",
     .summary = "Nothing: there is no cluster.",
     .syntax = "",
     .example = "ASKING", .handler = no_cluster},
    {.name = "bgrewriteaof", .arity = 1, .flags = kAdmin | kNoScript | kNoAsyncLoading,
     .categories = 0, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Nothing: no file is written.",
     .syntax = "",
     .example = "BGREWRITEAOF", .handler = save},
    {.name = "bgsave", .arity = -1, .flags = kAdmin | kNoScript | kNoAsyncLoading,
     .categories = 0, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Nothing: no file is written.",
     .syntax = "[SCHEDULE]",
     .example = "BGSAVE", .handler = bgsave},
    {.name = "cluster", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kCluster, .since = "3.0.0",
     .complexity = "Depends on subcommand.",
     .summary = "Nothing: there is no cluster.",
     .syntax = "subcommand [argument [argument ...]]",
     .example = "CLUSTER INFO", .handler = cluster},
    {.name = "lastsave", .arity = 1, .flags = kLoading | kStale | kFast,
     .categories = kAclAdmin | kAclDangerous, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "When the server started, in Unix seconds: nothing has been saved since.",
     .syntax = "",
     .example = "LASTSAVE", .handler = lastsave},
    {.name = "readonly", .arity = 1, .flags = kLoading | kStale | kFast,
     .categories = kAclConnection, .group = CommandGroup::kCluster, .since = "3.0.0",
     .complexity = "O(1)",
     .summary = "Nothing: there is no cluster.",
     .syntax = "",
     .example = "READONLY", .handler = no_cluster},
    {.name = "readwrite", .arity = 1, .flags = kLoading | kStale | kFast,
     .categories = kAclConnection, .group = CommandGroup::kCluster, .since = "3.0.0",
     .complexity = "O(1)",
     .summary = "Nothing: there is no cluster.",
     .syntax = "",
     .example = "READWRITE", .handler = no_cluster},
    {.name = "role", .arity = 1, .flags = kNoScript | kLoading | kStale | kFast,
     .categories = kAclAdmin | kAclDangerous, .group = CommandGroup::kServer, .since = "2.8.12",
     .complexity = "O(1)",
     .summary = "That it is a master without replicas.",
     .syntax = "",
     .example = "ROLE", .handler = role},
    {.name = "save", .arity = 1, .flags = kAdmin | kNoScript | kNoAsyncLoading | kNoMulti,
     .categories = 0, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Nothing: no file is written.",
     .syntax = "",
     .example = "SAVE", .handler = save},
    {.name = "wait", .arity = 3, .flags = kBlocking,
     .categories = kAclConnection, .group = CommandGroup::kGeneric, .since = "3.0.0",
     .complexity = "O(1)",
     .summary = "Waits for replicas, of which there are none, until its time is up.",
     .syntax = "numreplicas timeout",
     .example = "WAIT 0 100", .handler = wait},
    {.name = "waitaof", .arity = 4, .flags = kBlocking,
     .categories = kAclConnection, .group = CommandGroup::kGeneric, .since = "7.2.0",
     .complexity = "O(1)",
     .summary = "Waits for files of replicas, of which there are none, until its time is up.",
     .syntax = "numlocal numreplicas timeout",
     .example = "WAITAOF 0 0 100", .handler = waitaof},
};
static_assert(well_formed(kReplication));

}  // namespace

std::span<const CommandSpec> replication_commands() { return kReplication; }

}  // namespace lockstep
