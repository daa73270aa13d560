// Publishing and listening. Each channel or pattern that is (un)subscribed gets a message of its own.
#include "protocol/error_texts.h"
#include "server/commands/families.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void confirm(Call& call, std::string_view kind, const std::string_view* name) {
  call.reply.push(3);
  call.reply.bulk(kind);
  name != nullptr ? call.reply.bulk(*name) : call.reply.null();
  call.reply.integer(static_cast<int64_t>(call.session.subscription_count()));
}

using Change = bool (PubSub::*)(SessionState&, std::string_view);

void change_named(Call& call, Change change) {
  for (const std::string_view name : call.args.subspan(1)) {
    (call.server.pubsub.*change)(call.session, name);
    confirm(call, call.spec.name, &name);
  }
}

// Without names: all that there are; when there are none, that is said once.
void leave(Call& call, Change change, std::set<std::string, std::less<>> Subscriptions::*held) {
  if (call.args.size() > 1) return change_named(call, change);
  if (!call.session.subscriptions || (call.session.subscriptions.get()->*held).empty())
    return confirm(call, call.spec.name, nullptr);
  const auto names = call.session.subscriptions.get()->*held;
  for (const std::string_view name : names) {
    (call.server.pubsub.*change)(call.session, name);
    confirm(call, call.spec.name, &name);
  }
}

void subscribe(Call& call) { change_named(call, &PubSub::subscribe); }
void psubscribe(Call& call) { change_named(call, &PubSub::psubscribe); }
void unsubscribe(Call& call) { leave(call, &PubSub::unsubscribe, &Subscriptions::channels); }
void punsubscribe(Call& call) { leave(call, &PubSub::punsubscribe, &Subscriptions::patterns); }

void publish(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.server.pubsub.publish(call.args[1], call.args[2])));
}

void pubsub_channels(Call& call) {
  if (call.args.size() > 3)
    return call.reply.error("ERR unknown subcommand or wrong number of arguments for '" +
                            errors::as_c_string(call.args[1]) + "'. Try PUBSUB HELP.");
  const auto pattern = call.args.size() == 2 ? std::nullopt : std::optional(call.args[2]);
  const auto channels = call.server.pubsub.channels(pattern);
  call.reply.array(channels.size());
  for (const std::string_view channel : channels) call.reply.bulk(channel);
}

void pubsub_numpat(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.server.pubsub.pattern_count()));
}

void pubsub_numsub(Call& call) {
  const Args channels = call.args.subspan(2);
  call.reply.array(channels.size() * 2);
  for (const std::string_view channel : channels) {
    call.reply.bulk(channel);
    call.reply.integer(static_cast<int64_t>(call.server.pubsub.subscriber_count(channel)));
  }
}

constexpr CommandSpec kPubSubRows[] = {
    {.name = "psubscribe", .arity = -2, .flags = kPubSub | kNoScript | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.0.0",
     .complexity = "O(N) in the number of patterns",
     .summary = "Listens to all channels that match the patterns.",
     .syntax = "pattern [pattern ...]",
     .example = "PSUBSCRIBE lock:*", .handler = psubscribe},
    {.name = "publish", .arity = 3, .flags = kPubSub | kLoading | kStale | kFast | kMayReplicate,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.0.0",
     .complexity = "O(N+M): N subscribers of the channel, M patterns",
     .summary = "Sends a message to a channel.",
     .syntax = "channel message",
     .example = "PUBLISH lock:a released", .handler = publish},
    {.name = "pubsub", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.8.0",
     .complexity = "Depends on the subcommand",
     .summary = "Who listens to what.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "pubsub|channels", .arity = -2, .flags = kPubSub | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.8.0",
     .complexity = "O(N) in the number of channels",
     .summary = "The channels that somebody listens to.",
     .syntax = "[pattern]",
     .example = "PUBSUB CHANNELS lock:*", .handler = pubsub_channels},
    {.name = "pubsub|numpat", .arity = 2, .flags = kPubSub | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.8.0",
     .complexity = "O(1)",
     .summary = "How many patterns somebody listens to.",
     .syntax = "",
     .example = "PUBSUB NUMPAT", .handler = pubsub_numpat},
    {.name = "pubsub|numsub", .arity = -2, .flags = kPubSub | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.8.0",
     .complexity = "O(N) in the number of channels named",
     .summary = "How many listen to each of the channels.",
     .syntax = "[channel [channel ...]]",
     .example = "PUBSUB NUMSUB lock:a", .handler = pubsub_numsub},
    {.name = "punsubscribe", .arity = -1, .flags = kPubSub | kNoScript | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.0.0",
     .complexity = "O(N) in the number of patterns",
     .summary = "Listens no longer to patterns, or to none at all.",
     .syntax = "[pattern [pattern ...]]",
     .example = "PUNSUBSCRIBE lock:*", .handler = punsubscribe},
    {.name = "subscribe", .arity = -2, .flags = kPubSub | kNoScript | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.0.0",
     .complexity = "O(N) in the number of channels",
     .summary = "Listens to channels.",
     .syntax = "channel [channel ...]",
     .example = "SUBSCRIBE lock:a", .handler = subscribe},
    {.name = "unsubscribe", .arity = -1, .flags = kPubSub | kNoScript | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kPubSub, .since = "2.0.0",
     .complexity = "O(N) in the number of channels",
     .summary = "Listens no longer to channels, or to none at all.",
     .syntax = "[channel [channel ...]]",
     .example = "UNSUBSCRIBE lock:a", .handler = unsubscribe},
};
static_assert(well_formed(kPubSubRows));

}  // namespace

std::span<const CommandSpec> pubsub_commands() { return kPubSubRows; }

}  // namespace lockstep
