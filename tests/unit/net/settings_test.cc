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

TEST(Settings, AFailureChangesNothing) {
  Settings settings;
  EXPECT_EQ(settings.set("port", Words{"7000"}), std::nullopt);
  EXPECT_NE(settings.set("port", Words{"70000"}), std::nullopt);
  EXPECT_EQ(settings.text("port"), "7000");
  EXPECT_EQ(settings.integer("port"), 7000);
}

}  // namespace
}  // namespace lockstep
