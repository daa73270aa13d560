// The options table and how words become values. Error texts are those that redis-server 7.0.15 prints.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "server/engine/settings.h"

namespace lockstep {
namespace {

using Words = std::vector<std::string>;

std::string problem(std::string_view option, const Words& words) {
  Settings settings;
  return settings.set(option, words).value_or("");
}

std::string canonical(std::string_view option, const Words& words) {
  Settings settings;
  const auto refused = settings.set(option, words);
  return refused ? "refused: " + *refused : std::string(settings.text(option));
}

TEST(Settings, DefaultsAreThoseOfRedis) {
  const Settings settings;
  EXPECT_EQ(settings.integer("port"), 6379);
  EXPECT_EQ(settings.text("bind"), "* -::*");
  EXPECT_EQ(settings.integer("databases"), 16);
  EXPECT_EQ(settings.integer("maxclients"), 10000);
  EXPECT_EQ(settings.integer("timeout"), 0);
  EXPECT_EQ(settings.integer("tcp-keepalive"), 300);
  EXPECT_EQ(settings.integer("tcp-backlog"), 511);
  EXPECT_TRUE(settings.boolean("protected-mode"));
  EXPECT_EQ(settings.text("requirepass"), "");
  EXPECT_EQ(settings.text("loglevel"), "notice");
  EXPECT_EQ(settings.text("redis-version"), "7.4.0");
  EXPECT_FALSE(settings.given("port"));
}

TEST(Settings, EveryOptionTakesItsOwnDefault) {
  for (const OptionSpec& spec : Settings::options())
    EXPECT_EQ(canonical(spec.name, {std::string(spec.default_text)}), spec.default_text) << spec.name;
}

TEST(Settings, NamesInAnyCase) {
  Settings settings;
  EXPECT_EQ(settings.set("PORT", Words{"7000"}), std::nullopt);
  EXPECT_EQ(settings.integer("Port"), 7000);
  EXPECT_TRUE(settings.given("port"));
  EXPECT_EQ(Settings::find("nosuch"), nullptr);
  EXPECT_EQ(Settings::find(""), nullptr);
}

TEST(Settings, Integers) {
  EXPECT_EQ(problem("port", {"70000"}), "argument must be between 0 and 65535 inclusive");
  EXPECT_EQ(problem("port", {"-1"}), "argument must be between 0 and 65535 inclusive");
  EXPECT_EQ(problem("port", {"abc"}), "argument couldn't be parsed into an integer");
  EXPECT_EQ(problem("timeout", {"010"}), "argument couldn't be parsed into an integer");
  EXPECT_EQ(problem("timeout", {"+5"}), "argument couldn't be parsed into an integer");
  EXPECT_EQ(problem("timeout", {" 5"}), "argument couldn't be parsed into an integer");
  EXPECT_EQ(problem("timeout", {""}), "argument couldn't be parsed into an integer");
  EXPECT_EQ(problem("timeout", {"-1"}), "argument must be between 0 and 2147483647 inclusive");
  EXPECT_EQ(problem("maxclients", {"0"}), "argument must be between 1 and 4294967295 inclusive");
  EXPECT_EQ(problem("maxclients", {"9223372036854775808"}), "argument couldn't be parsed into an integer");
  EXPECT_EQ(problem("tcp-backlog", {"-1"}), "argument must be between 0 and 2147483647 inclusive");
  EXPECT_EQ(problem("databases", {"257"}), "argument must be between 1 and 256 inclusive");
  EXPECT_EQ(canonical("maxclients", {"4294967295"}), "4294967295");
}

TEST(Settings, WordCounts) {
  EXPECT_EQ(problem("port", {}), "wrong number of arguments");
  EXPECT_EQ(problem("port", {"1", "2"}), "wrong number of arguments");
  EXPECT_EQ(problem("requirepass", {}), "wrong number of arguments");
  EXPECT_EQ(problem("nosuch", {"1"}), "Bad directive or wrong number of arguments");
}

TEST(Settings, PortsMayBeAutomatic) {
  Settings settings;
  EXPECT_EQ(settings.set("port", Words{"AUTO"}), std::nullopt);
  EXPECT_EQ(settings.integer("port"), kAutoPort);
  EXPECT_EQ(settings.text("port"), "auto");
}

TEST(Settings, Octal) {
  EXPECT_EQ(canonical("unixsocketperm", {"0700"}), "700");
  EXPECT_EQ(problem("unixsocketperm", {"888"}), "argument couldn't be parsed as an octal number");
  EXPECT_EQ(problem("unixsocketperm", {"7778"}), "argument couldn't be parsed as an octal number");
  EXPECT_EQ(problem("unixsocketperm", {""}), "argument couldn't be parsed as an octal number");
  EXPECT_EQ(problem("unixsocketperm", {"1777"}), "argument must be between 0 and 777 inclusive");
  Settings settings;
  EXPECT_EQ(settings.set("unixsocketperm", Words{"640"}), std::nullopt);
  EXPECT_EQ(settings.integer("unixsocketperm"), 0640);
}

TEST(Settings, Memory) {
  EXPECT_EQ(canonical("maxmemory", {"10mb"}), "10485760");
  EXPECT_EQ(canonical("maxmemory", {"10M"}), "10000000");
  EXPECT_EQ(canonical("maxmemory", {"1Gb"}), "1073741824");
  EXPECT_EQ(canonical("maxmemory", {"3k"}), "3000");
  EXPECT_EQ(canonical("maxmemory", {"3KB"}), "3072");
  EXPECT_EQ(canonical("maxmemory", {"1b"}), "1");
  for (const char* text : {"-1", "1x", "abc", "", "9223372036854775807kb"})
    EXPECT_EQ(problem("maxmemory", {text}), "argument must be a memory value") << text;
}

TEST(Settings, MemoryWithinARange) {
  EXPECT_EQ(problem("proto-max-bulk-len", {"1"}), "argument must be between 1048576 and 536870912 inclusive");
  EXPECT_EQ(problem("client-query-buffer-limit", {"1"}),
            "argument must be between 1048576 and 9223372036854775807 inclusive");
  EXPECT_EQ(canonical("client-query-buffer-limit", {"1mb"}), "1048576");
  EXPECT_EQ(canonical("maxmemory-clients", {"5%"}), "5%");
  EXPECT_EQ(canonical("maxmemory-clients", {"1kb"}), "1024");
  EXPECT_EQ(problem("maxmemory-clients", {"101%"}), "percentage argument must be less or equal to 100");
  EXPECT_EQ(problem("maxmemory-clients", {"%"}), "argument must be a memory or percent value");
}

TEST(Settings, LimitsOfOutput) {
  constexpr auto kOption = "client-output-buffer-limit";
  const std::string rest = " slave 268435456 67108864 60 pubsub 33554432 8388608 60";
  EXPECT_EQ(canonical(kOption, {"normal 1mb 512kb 60"}), "normal 1048576 524288 60" + rest);
  EXPECT_EQ(canonical(kOption, {"NORMAL", "0", "0", "0"}), "normal 0 0 0" + rest);
  EXPECT_EQ(canonical(kOption, {"replica 1 2 3 slave 4 5 6 normal 7 8 9"}),
            "normal 7 8 9 slave 4 5 6 pubsub 33554432 8388608 60");
  EXPECT_EQ(canonical(kOption, {""}), "normal 1073741824 0 0" + rest);
  const std::string count = "Wrong number of arguments in buffer limit configuration.";
  EXPECT_EQ(problem(kOption, {"normal 0 0"}), count);
  EXPECT_EQ(problem(kOption, {"normal 0 0 0 foo"}), count);
  const std::string name = "Invalid client class specified in buffer limit configuration.";
  EXPECT_EQ(problem(kOption, {"foo 0 0 0"}), name);
  EXPECT_EQ(problem(kOption, {"master 0 0 0"}), name);
  const std::string number = "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
  for (const std::string words : {"normal a 0 0", "normal -1 0 0", "normal 0 0 -1", "normal 0 0 1s"})
    EXPECT_EQ(problem(kOption, {words}), number) << words;
  Settings settings;
  EXPECT_EQ(settings.set(kOption, Words{"pubsub 4kb 2kb 7"}), std::nullopt);
  EXPECT_EQ(settings.set(kOption, Words{"normal 1 0 0 pubsub 1 1 x"}), number);
  EXPECT_EQ(settings.hot().output_limit(ClientClass::kNormal).hard_bytes, 1u << 30);
  EXPECT_EQ(settings.hot().output_limit(ClientClass::kPubSub).hard_bytes, 4096u);
  EXPECT_EQ(settings.hot().output_limit(ClientClass::kPubSub).soft_bytes, 2048u);
  EXPECT_EQ(settings.hot().output_limit(ClientClass::kPubSub).soft_s, 7);
}

TEST(Settings, OneValueUnderTwoNames) {
  for (const auto& [older, newer] : {std::pair{"slave-read-only", "replica-read-only"},
                                     {"lua-time-limit", "busy-reply-threshold"},
                                     {"hash-max-ziplist-entries", "hash-max-listpack-entries"},
                                     {"min-slaves-max-lag", "min-replicas-max-lag"}}) {
    EXPECT_EQ(Settings::find(older), Settings::find(newer)) << older;
    EXPECT_EQ(Settings::find(older)->name, newer);
  }
  Settings settings;
  EXPECT_EQ(settings.set("SLAVE-priority", Words{"7"}), std::nullopt);
  EXPECT_EQ(settings.text("replica-priority"), "7");
}

TEST(Settings, TwoWordsOrMoreThatBelongTogether) {
  EXPECT_EQ(canonical("save", {"900", "1"}), "900 1");
  EXPECT_EQ(canonical("save", {"900 1 300 10"}), "900 1 300 10");
  for (const char* words : {"900", "0 1", "1 -1", "a b"}) EXPECT_EQ(problem("save", {words}), "Invalid save parameters");
  EXPECT_EQ(canonical("oom-score-adj-values", {"3 2 1"}), "3 2 1");
  EXPECT_EQ(problem("oom-score-adj-values", {"1 2"}), "wrong number of arguments");
  EXPECT_EQ(problem("oom-score-adj-values", {"1 2 9999"}),
            "Invalid oom-score-adj-values, elements must be between -2000 and 2000.");
}

TEST(Settings, BooleansAndChoices) {
  EXPECT_EQ(canonical("protected-mode", {"NO"}), "no");
  EXPECT_EQ(problem("protected-mode", {"maybe"}), "argument must be 'yes' or 'no'");
  EXPECT_EQ(canonical("loglevel", {"VERBOSE"}), "verbose");
  EXPECT_EQ(problem("loglevel", {"foo"}),
            "argument(s) must be one of the following: debug, verbose, notice, warning, nothing");
  EXPECT_EQ(problem("appendfsync", {""}), "argument(s) must be one of the following: everysec, always, no");
}

TEST(Settings, SeveralWords) {
  EXPECT_EQ(canonical("bind", {"127.0.0.1", "-::1"}), "127.0.0.1 -::1");
  EXPECT_EQ(canonical("bind", {"127.0.0.1  -::1"}), "127.0.0.1 -::1");
  EXPECT_EQ(canonical("bind", {}), "");
  EXPECT_EQ(canonical("bind", Words(16, "::1")).size(), 16 * 4 - 1);
  EXPECT_EQ(problem("bind", Words(17, "::1")), "Too many bind addresses specified.");
}

TEST(Settings, VersionsLookLikeVersions) {
  EXPECT_EQ(canonical("redis-version", {"6.2.14"}), "6.2.14");
  for (const char* text : {"", "7", "7.4", "7.4.", "7..0", "7.4.0.1", "7.4.0-rc1", ".4.0"})
    EXPECT_EQ(problem("redis-version", {text}), "argument must be a version such as 7.4.0") << text;
}

TEST(Settings, TwoNamesOfOneOption) {
  Settings settings;
  EXPECT_EQ(settings.hot().busy_reply_threshold_ms, 5000);
  EXPECT_EQ(settings.set("lua-time-limit", Words{"100"}), std::nullopt);
  EXPECT_EQ(settings.text("busy-reply-threshold"), "100");
  EXPECT_EQ(settings.hot().busy_reply_threshold_ms, 100);
  EXPECT_EQ(settings.set("busy-reply-threshold", Words{"0"}), std::nullopt);
  EXPECT_EQ(settings.integer("lua-time-limit"), 0);
  EXPECT_TRUE(settings.given("lua-time-limit"));
  EXPECT_EQ(problem("lua-time-limit", {"-1"}), "argument must be between 0 and 9223372036854775807 inclusive");
}

TEST(Settings, AFailureChangesNothing) {
  Settings settings;
  EXPECT_EQ(settings.set("port", Words{"7000"}), std::nullopt);
  EXPECT_NE(settings.set("port", Words{"70000"}), std::nullopt);
  EXPECT_EQ(settings.text("port"), "7000");
  EXPECT_EQ(settings.integer("port"), 7000);
}

}  // namespace
}  // namespace lockstep
