// What a command costs inside the engine: from request bytes to reply bytes, without a socket. Each
// benchmark feeds batches of pipelined requests and reports time and heap allocations per command.
//
//   cmake --preset bench && cmake --build --preset bench && build/bench/bench/engine_bench
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <time.h>

#include <string>
#include <vector>

#include "bench/engine/allocations.h"
#include "scripting/script_engine.h"
#include "server/commands/table.h"
#include "server/engine/engine.h"

namespace lockstep {
namespace {

constexpr size_t kBatch = 100;          // requests in one feed
constexpr size_t kKeys = 100'000;
constexpr std::string_view kToken = "0f4fdb6e-3c1b-4b1b-9d3e-8d0c7e5a1f42";
constexpr std::string_view kRelease =
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

std::string request(std::initializer_list<std::string_view> args) {
  std::string bytes = "*" + std::to_string(args.size()) + "\r\n";
  for (const std::string_view arg : args)
    bytes.append("$").append(std::to_string(arg.size())).append("\r\n").append(arg).append("\r\n");
  return bytes;
}

int64_t stopwatch_us() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1000;
}

std::string lock_name(size_t i) { return "lock:" + std::to_string(i); }

// An engine with one session.
class Bench {
 public:
  Bench() : engine_(config(), command_table(), make_lua_host({.seed = 1})), session_(engine_.session(engine_.open({}))) {}

  // Runs the bytes and throws the replies away; their first byte tells whether all went as meant.
  char feed(const std::string& bytes) {
    session_->feed(bytes);
    const std::string_view out = session_->output();
    const char first = out.empty() ? '\0' : out.front();
    session_->consume(out.size());
    engine_.take_dirty();
    return first;
  }
  std::string sha_of(std::string_view script) {
    session_->feed(request({"SCRIPT", "LOAD", script}));
    const std::string sha(session_->output().substr(5, 40));
    session_->consume(session_->output().size());
    return sha;
  }
  Engine& engine() { return engine_; }

 private:
  static EngineConfig config() {
    EngineConfig config;
    config.start = Instant::from_ms(1'700'000'000'000);
    config.stopwatch_us = stopwatch_us;  // as the server has one
    return config;
  }
  Engine engine_;
  Session* session_;
};

// Batches over kKeys keys, of one request each.
template <typename Make>
std::vector<std::string> batches(Make make) {
  std::vector<std::string> all;
  for (size_t i = 0; i < kKeys; i += kBatch) {
    std::string& batch = all.emplace_back();
    for (size_t j = 0; j < kBatch; ++j) batch += make(lock_name(i + j));
  }
  return all;
}

// Feeds batch after batch; `prepare` runs untimed before each round over all of them.
template <typename Prepare>
void run(benchmark::State& state, Bench& bench, const std::vector<std::string>& all, char expected,
         Prepare prepare) {
  size_t commands = 0;
  size_t allocations = 0;
  size_t next = all.size();
  for (auto _ : state) {
    if (next == all.size()) {
      state.PauseTiming();
      prepare();
      next = 0;
      state.ResumeTiming();
    }
    const size_t before = allocation_count();
    if (bench.feed(all[next++]) != expected) {
      state.SkipWithError("unexpected reply");
      return;
    }
    allocations += allocation_count() - before;
    commands += kBatch;
  }
  state.SetItemsProcessed(static_cast<int64_t>(commands));
  state.counters["ns/command"] = benchmark::Counter(static_cast<double>(commands) * 1e-9,
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["allocations/command"] = static_cast<double>(allocations) / static_cast<double>(commands);
}

std::string set_nx(const std::string& key) { return request({"SET", key, kToken, "NX", "PX", "30000"}); }

void set_new(benchmark::State& state) {
  Bench bench;
  run(state, bench, batches(set_nx), '+', [&] { bench.feed(request({"FLUSHALL"})); });
}

void set_over(benchmark::State& state) {
  Bench bench;
  const auto sets = batches([](const std::string& key) { return request({"SET", key, kToken, "PX", "30000"}); });
  for (const std::string& batch : sets) bench.feed(batch);
  run(state, bench, sets, '+', [] {});
}

void get(benchmark::State& state) {
  Bench bench;
  for (const std::string& batch : batches(set_nx)) bench.feed(batch);
  run(state, bench, batches([](const std::string& key) { return request({"GET", key}); }), '$', [] {});
}

void del(benchmark::State& state) {
  Bench bench;
  const auto sets = batches(set_nx);
  run(state, bench, batches([](const std::string& key) { return request({"DEL", key}); }), ':', [&] {
    for (const std::string& batch : sets) bench.feed(batch);
  });
}

void evalsha_release(benchmark::State& state) {
  Bench bench;
  const std::string sha = bench.sha_of(kRelease);
  const auto sets = batches(set_nx);
  const auto releases = batches(
      [&](const std::string& key) { return request({"EVALSHA", sha, "1", key, kToken}); });
  run(state, bench, releases, ':', [&] {
    for (const std::string& batch : sets) bench.feed(batch);
  });
}

void eval_release(benchmark::State& state) {
  Bench bench;
  const auto sets = batches(set_nx);
  const auto releases = batches(
      [&](const std::string& key) { return request({"EVAL", kRelease, "1", key, kToken}); });
  run(state, bench, releases, ':', [&] {
    for (const std::string& batch : sets) bench.feed(batch);
  });
}

// SET NX PX and its release by EVALSHA, counted as one.
void lock_cycle(benchmark::State& state) {
  Bench bench;
  const std::string sha = bench.sha_of(kRelease);
  const auto cycles = batches([&](const std::string& key) {
    return set_nx(key) + request({"EVALSHA", sha, "1", key, kToken});
  });
  run(state, bench, cycles, '+', [] {});
}

void ping(benchmark::State& state) {
  Bench bench;
  run(state, bench, batches([](const std::string&) { return request({"PING"}); }), '+', [] {});
}

BENCHMARK(ping);
BENCHMARK(set_new);
BENCHMARK(set_over);
BENCHMARK(get);
BENCHMARK(del);
BENCHMARK(eval_release);
BENCHMARK(evalsha_release);
BENCHMARK(lock_cycle);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
