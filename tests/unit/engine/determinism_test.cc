// Rule 10: same seed and same calls, same bytes; and what the seed decides, another seed decides otherwise.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/engine_fixture.h"

namespace lockstep {
namespace {

using tests::EngineFixture;

EngineConfig with_seed(uint64_t seed) {
  EngineConfig config;
  config.seed = seed;
  return config;
}

// Everything that the sessions of one engine are told, in the order of telling.
std::string play(uint64_t engine_seed, uint64_t history_seed) {
  EngineFixture fixture(with_seed(engine_seed));
  std::mt19937_64 random(history_seed);
  std::vector<SessionId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(fixture.open());
  std::string told;
  for (int step = 0; step < 3000; ++step) {
    SessionId& id = ids[random() % ids.size()];
    const std::string key = "k" + std::to_string(random() % 50);
    switch (random() % 12) {
      case 0: fixture.send(id, "TESTWAIT " + key + " " + std::to_string(random() % 100)); break;
      case 1: fixture.send(id, "KEYS *"); break;
      case 2: fixture.send(id, "SCAN 0 COUNT 5"); break;
      case 3: fixture.send(id, "INFO server\nINFO stats\nCLIENT LIST"); break;
      case 4: fixture.send(id, "EVAL 'SET KEYS[1] v; PUBLISH ch ARGV[1]' 1 " + key + " m"); break;
      case 5: fixture.send(id, "HELLO 3\nSUBSCRIBE ch\nPSUBSCRIBE *"); break;
      case 6: fixture.advance_to_ms(fixture.now_ms() + static_cast<int64_t>(random() % 20)); break;
      case 7:
        fixture.close(id);
        id = fixture.open();
        break;
      case 8: fixture.send(id, "DEL " + key); break;
      default: fixture.send(id, "SET " + key + " v PX " + std::to_string(1 + random() % 200));
    }
    for (const SessionId dirty : fixture.dirty())
      if (fixture.engine().session(dirty) != nullptr) told += std::to_string(dirty.slot) + ":" + fixture.take(dirty);
  }
  return told;
}

TEST(Determinism, SameSeedSameBytes) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const std::string first = play(seed, seed);
    EXPECT_GT(first.size(), 10'000u);
    EXPECT_TRUE(first == play(seed, seed)) << "seed " << seed;
  }
}

TEST(Determinism, AnotherSeedOtherHashes) {
  const auto keys_by = [](uint64_t seed) {
    EngineFixture fixture(with_seed(seed));
    const SessionId id = fixture.open();
    for (int i = 0; i < 100; ++i) fixture.ask(id, "SET k" + std::to_string(i) + " v");
    return fixture.ask(id, "KEYS *");
  };
  EXPECT_EQ(keys_by(1), keys_by(1));
  EXPECT_NE(keys_by(1), keys_by(2));
}

}  // namespace
}  // namespace lockstep
