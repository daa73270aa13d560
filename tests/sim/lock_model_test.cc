// Clients that take, extend and release locks at random, against a model of what a lock is: a name, an
// owner, an end. The model is written from the rules, not from the server.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>

#include "scripting/script_engine.h"
#include "server/commands/table.h"
#include "server/engine/engine.h"

namespace lockstep {
namespace {

constexpr std::string_view kRelease =
    "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";
constexpr std::string_view kExtend =
    "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end";

class LockModel {
 public:
  bool acquire(const std::string& name, const std::string& token, int64_t now_ms, int64_t ttl_ms) {
    if (owner(name, now_ms)) return false;
    locks_[name] = {token, now_ms + ttl_ms};
    return true;
  }
  bool release(const std::string& name, const std::string& token, int64_t now_ms) {
    if (owner(name, now_ms) != token) return false;
    locks_.erase(name);
    return true;
  }
  bool extend(const std::string& name, const std::string& token, int64_t now_ms, int64_t ttl_ms) {
    if (owner(name, now_ms) != token) return false;
    locks_[name].end_ms = now_ms + ttl_ms;
    return true;
  }
  // Held from its start up to, but not at, its end.
  std::optional<std::string> owner(const std::string& name, int64_t now_ms) const {
    const auto found = locks_.find(name);
    if (found == locks_.end() || now_ms >= found->second.end_ms) return std::nullopt;
    return found->second.token;
  }
  int64_t left_ms(const std::string& name, int64_t now_ms) const {
    return owner(name, now_ms) ? locks_.at(name).end_ms - now_ms : -2;
  }
  int64_t held(int64_t now_ms) const {
    int64_t count = 0;
    for (const auto& [name, lock] : locks_) count += now_ms < lock.end_ms ? 1 : 0;
    return count;
  }

 private:
  struct Lock {
    std::string token;
    int64_t end_ms;
  };
  std::map<std::string, Lock> locks_;
};

class Client {
 public:
  explicit Client(Engine& engine) : engine_(engine), id_(engine.open({})) {}

  std::string ask(std::initializer_list<std::string_view> args) {
    std::string bytes = "*" + std::to_string(args.size()) + "\r\n";
    for (const std::string_view arg : args)
      bytes.append("$").append(std::to_string(arg.size())).append("\r\n").append(arg).append("\r\n");
    Session& session = *engine_.session(id_);
    session.feed(bytes);
    std::string reply(session.output());
    session.consume(reply.size());
    return reply;
  }

 private:
  Engine& engine_;
  SessionId id_;
};

std::string integer(int64_t value) { return ":" + std::to_string(value) + "\r\n"; }

std::string bulk(const std::optional<std::string>& value) {
  return value ? "$" + std::to_string(value->size()) + "\r\n" + *value + "\r\n" : "$-1\r\n";
}

EngineConfig config(uint64_t seed) {
  EngineConfig config;
  config.seed = seed;
  config.start = Instant::from_ms(1'700'000'000'000);
  return config;
}

// One client's next move, and what the model says it must hear.
class Players {
 public:
  explicit Players(uint64_t seed) : engine_(config(seed), command_table(), make_lua_host({.seed = seed})), random_(seed) {
    for (int i = 0; i < 3; ++i) clients_.emplace_back(engine_);
  }

  void move() {
    const std::string name = "lock:" + std::to_string(below(3));
    const size_t who = below(clients_.size());
    const std::string token = "owner-" + std::to_string(who);
    const int64_t ttl_ms = static_cast<int64_t>(1 + below(50));
    const std::string ttl = std::to_string(ttl_ms);
    Client& client = clients_[who];
    const int64_t now_ms = engine_.now().ms();
    switch (below(7)) {
      case 0:
      case 1:
        ASSERT_EQ(client.ask({"SET", name, token, "NX", "PX", ttl}),
                  model_.acquire(name, token, now_ms, ttl_ms) ? "+OK\r\n" : "$-1\r\n");
        break;
      case 2:
        ASSERT_EQ(client.ask({"EVAL", kRelease, "1", name, token}), integer(model_.release(name, token, now_ms)));
        break;
      case 3:
        ASSERT_EQ(client.ask({"EVAL", kExtend, "1", name, token, ttl}),
                  integer(model_.extend(name, token, now_ms, ttl_ms)));
        break;
      case 4:
        ASSERT_EQ(client.ask({"GET", name}), bulk(model_.owner(name, now_ms)));
        ASSERT_EQ(client.ask({"PTTL", name}), integer(model_.left_ms(name, now_ms)));
        break;
      case 5:
        ASSERT_EQ(client.ask({"DBSIZE"}), integer(model_.held(now_ms)));
        break;
      default:
        // To any microsecond, or to the very millisecond at which the next lock ends.
        engine_.advance_to(below(3) == 0 && engine_.next_deadline() != Instant::never()
                               ? engine_.next_deadline()
                               : Instant{engine_.now().us + static_cast<int64_t>(below(20'000))});
    }
  }

 private:
  size_t below(size_t bound) { return random_() % bound; }

  Engine engine_;
  std::mt19937_64 random_;
  LockModel model_;
  std::vector<Client> clients_;
};

TEST(LockModel, AgreesWithTheServer) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Players players(seed);
    for (int i = 0; i < 400; ++i) {
      players.move();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace lockstep
