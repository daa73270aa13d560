#include "bench/load/workload.h"

#include <stdexcept>

#include "bench/load/scripts.h"

namespace lockstep::bench {
namespace {

const Workload kWorkloads[] = {
    {"set", Held::kNothing, Order::kEachOnce, false, [](const LoadScript&) { return acquire(kLockTtlMs); }},
    {"set-random", Held::kKeys, Order::kRandom, false, [](const LoadScript&) { return overwrite(); }},
    {"get", Held::kKeys, Order::kEachOnce, false, [](const LoadScript&) { return get(); }},
    {"get-random", Held::kKeys, Order::kRandom, false, [](const LoadScript&) { return get(); }},
    {"del", Held::kOnePerOperation, Order::kEachOnce, false, [](const LoadScript&) { return del(); }},
    {"eval-release", Held::kOnePerOperation, Order::kEachOnce, false,
     [](const LoadScript&) { return release_by_text(); }},
    {"evalsha-release", Held::kOnePerOperation, Order::kEachOnce, false,
     [](const LoadScript& load) { return release(load(kReleaseScript)); }},
    {"cycle", Held::kNothing, Order::kEachOnce, false,
     [](const LoadScript& load) { return cycle(load(kReleaseScript)); }},
    {"hash-cycle", Held::kNothing, Order::kEachOnce, false,
     [](const LoadScript& load) { return hash_cycle(load(kHashAcquireScript), load(kHashReleaseScript)); }},
    {"multi", Held::kNothing, Order::kEachOnce, false, [](const LoadScript&) { return transaction(); }},
    {"publish", Held::kNothing, Order::kEachOnce, false, [](const LoadScript&) { return publish(0); }},
    {"publish-subscribed", Held::kNothing, Order::kEachOnce, true, [](const LoadScript&) { return publish(1); }},
};

}  // namespace

const Workload& find_workload(std::string_view name) {
  for (const Workload& workload : kWorkloads) {
    if (workload.name == name) return workload;
  }
  throw std::invalid_argument("unknown workload " + std::string(name));
}

}  // namespace lockstep::bench
