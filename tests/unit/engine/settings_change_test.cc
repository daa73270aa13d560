// What CONFIG SET does inside the engine, and how it works with the shell around it.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/engine_fixture.h"

namespace lockstep::tests {
namespace {

TEST(SettingsChange, TheShellMayRefuseAndThenNothingChanges) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  std::string seen;
  fixture.engine().shell().apply = [&](const Settings& held, Settings& wanted) -> std::optional<OptionRefusal> {
    seen = std::string(held.text("port")) + " -> " + std::string(wanted.text("port"));
    return OptionRefusal{"port", "no"};
  };
  EXPECT_EQ(fixture.ask(id, "CONFIG SET timeout 5 port 7000"),
            "-ERR CONFIG SET failed (possibly related to argument 'port') - no|");
  EXPECT_EQ(seen, "6379 -> 7000");
  EXPECT_EQ(fixture.ask(id, "CONFIG GET timeout"), "*2|$7|timeout|$1|0|");
}

TEST(SettingsChange, TheShellMayCompleteAValue) {
  EngineFixture fixture;
  const SessionId id = fixture.open();
  fixture.engine().shell().apply = [](const Settings&, Settings& wanted) -> std::optional<OptionRefusal> {
    const std::string port = "7001";
    wanted.set("port", {&port, 1});
    return std::nullopt;
  };
  EXPECT_EQ(fixture.ask(id, "CONFIG SET port auto"), "+OK|");
  EXPECT_EQ(fixture.ask(id, "CONFIG GET port"), "*2|$4|port|$4|7001|");
}

TEST(SettingsChange, WithoutAFileNothingIsRewritten) {
  EngineConfig config;
  config.process.config_file = "";
  EngineFixture fixture(std::move(config));
  fixture.engine().shell().rewrite_config = [](const Settings&) { return std::nullopt; };
  EXPECT_EQ(fixture.ask(fixture.open(), "CONFIG REWRITE"), "-ERR The server is running without a config file|");
}

TEST(SettingsChange, RewritingTellsWhyItCouldNot) {
  EngineConfig config;
  config.process.config_file = "/a.conf";
  EngineFixture fixture(std::move(config));
  fixture.engine().shell().rewrite_config = [](const Settings&) { return "Permission denied"; };
  EXPECT_EQ(fixture.ask(fixture.open(), "CONFIG REWRITE"), "-ERR Rewriting config file: Permission denied|");
}

TEST(SettingsChange, OptionsThatRedirectFilesAreGuarded) {
  for (const auto& [allowed, address, changes] :
       {std::tuple{"no", "127.0.0.1:1", false}, {"local", "127.0.0.1:1", true}, {"local", "10.0.0.1:1", false},
        {"local", "[::1]:1", true}, {"yes", "10.0.0.1:1", true}}) {
    EngineConfig config;
    const std::string word = allowed;
    config.settings.set("enable-protected-configs", {&word, 1});
    EngineFixture fixture(std::move(config));
    const SessionId id = fixture.engine().open(Endpoint{.address = address, .local_address = {}, .descriptor = 5});
    EXPECT_EQ(fixture.ask(id, "CONFIG SET dir /tmp") == "+OK|", changes) << allowed << ' ' << address;
  }
}

TEST(SettingsChange, SleepingIsTheShells) {
  EngineConfig config;
  const std::string word = "local";
  config.settings.set("enable-debug-command", {&word, 1});
  EngineFixture fixture(std::move(config));
  const SessionId id = fixture.open();
  EXPECT_EQ(fixture.ask(id, "DEBUG SLEEP 1000000"), "+OK|");  // time is moved by hand: nothing passes
  int64_t slept_us = -1;
  fixture.engine().shell().sleep = [&](int64_t us) { slept_us = us; };
  EXPECT_EQ(fixture.ask(id, "DEBUG SLEEP 0.25"), "+OK|");
  EXPECT_EQ(slept_us, 250'000);
}

}  // namespace
}  // namespace lockstep::tests
