// COMMAND DOCS: what commands do, for people; redis-cli makes its help of it.
#include <algorithm>
#include <string>
#include <vector>

#include "server/base/ascii.h"
#include "server/commands/families.h"
#include "server/engine/command.h"
#include "server/engine/command_syntax.h"

namespace lockstep {
namespace {

std::string_view group_name(CommandGroup group) {
  switch (group) {
    case CommandGroup::kString: return "string";
    case CommandGroup::kHash: return "hash";
    case CommandGroup::kList: return "list";
    case CommandGroup::kGeneric: return "generic";
    case CommandGroup::kConnection: return "connection";
    case CommandGroup::kServer: return "server";
    case CommandGroup::kPubSub: return "pubsub";
    case CommandGroup::kTransactions: return "transactions";
    case CommandGroup::kScripting: return "scripting";
    case CommandGroup::kCluster: return "cluster";
  }
  return "";
}

bool contains(std::string_view name, std::string_view part) { return name.find(part) != name.npos; }

std::string_view type_of(const SyntaxNode& node) {
  static constexpr std::string_view kKeys[] = {"destination", "key", "newkey", "source"};
  static constexpr std::string_view kIntegers[] = {
      "client-id", "count",  "cursor", "db",     "decrement",    "destination-db", "end",      "frequency", "increment", "index",
      "index1",    "index2", "start",  "stop",   "milliseconds", "numkeys",        "protover", "offset",    "seconds",   "ttl"};
  const auto among = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), node.name) != std::end(names);
  };
  switch (node.kind) {
    case SyntaxNode::Kind::kWord: return "pure-token";
    case SyntaxNode::Kind::kOneOf: return "oneof";
    case SyntaxNode::Kind::kBlock: return "block";
    case SyntaxNode::Kind::kValue: break;
  }
  if (among(kKeys)) return "key";
  if (node.name == "pattern") return "pattern";
  if (contains(node.name, "unix-time")) return "unix-time";
  return among(kIntegers) ? "integer" : "string";
}

std::string name_of(const SyntaxNode& node) {
  return lower(!node.name.empty() ? node.name : !node.word.empty() ? node.word : "choice");
}

void reply_arguments(ReplySink& reply, const std::vector<SyntaxNode>& nodes) {
  reply.array(nodes.size());
  for (const SyntaxNode& node : nodes) {
    const size_t flags = (node.optional ? 1 : 0) + (node.multiple ? 1 : 0);
    reply.map(2u + (node.word.empty() ? 0 : 1) + (flags == 0 ? 0 : 1) + (node.parts.empty() ? 0 : 1));
    reply.bulk("name");
    reply.bulk(name_of(node));
    reply.bulk("type");
    reply.bulk(type_of(node));
    if (!node.word.empty()) {
      reply.bulk("token");
      reply.bulk(node.word);
    }
    if (flags > 0) {
      reply.bulk("flags");
      reply.set(flags);
      if (node.optional) reply.status("optional");
      if (node.multiple) reply.status("multiple");
    }
    if (!node.parts.empty()) {
      reply.bulk("arguments");
      reply_arguments(reply, node.parts);
    }
  }
}

void reply_docs(Call& call, const CommandSpec& spec) {
  ReplySink& reply = call.reply;
  const auto arguments = parse_syntax(spec.syntax);
  const auto subcommands = call.server.commands.is_container(spec) ? call.server.commands.subcommands(spec)
                                                                   : std::vector<const CommandSpec*>();
  reply.bulk(spec.name);
  reply.map(4u + (arguments.empty() ? 0 : 1) + (subcommands.empty() ? 0 : 1));
  reply.bulk("summary");
  reply.bulk(spec.summary);
  reply.bulk("since");
  reply.bulk(spec.since);
  reply.bulk("group");
  reply.bulk(group_name(spec.group));
  reply.bulk("complexity");
  reply.bulk(spec.complexity);
  if (!arguments.empty()) {
    reply.bulk("arguments");
    reply_arguments(reply, arguments);
  }
  if (subcommands.empty()) return;
  reply.bulk("subcommands");
  reply.map(subcommands.size());
  for (const CommandSpec* subcommand : subcommands) reply_docs(call, *subcommand);
}

void command_docs(Call& call) {
  std::vector<const CommandSpec*> wanted;
  if (call.args.size() == 2) {
    const auto all = call.server.commands.commands();
    wanted.assign(all.begin(), all.end());
  }
  for (const std::string_view name : call.args.subspan(2))
    if (const CommandSpec* spec = call.server.commands.find(name)) wanted.push_back(spec);
  call.reply.map(wanted.size());
  for (const CommandSpec* spec : wanted) reply_docs(call, *spec);
}

constexpr CommandSpec kDocs[] = {
    {.name = "command|docs", .arity = -2, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "7.0.0",
     .complexity = "O(N) in the number of names",
     .summary = "What commands do, for people.",
     .syntax = "[command-name [command-name ...]]",
     .example = "COMMAND DOCS set", .handler = command_docs},
};
static_assert(well_formed(kDocs));

}  // namespace

std::span<const CommandSpec> docs_commands() { return kDocs; }

}  // namespace lockstep
