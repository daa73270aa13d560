// The workloads of the closed loop by name: what is sent, and what must be there before the clock starts.
// Used by main.cc. Hand-overs between clients are not among them: they have a loop of their own.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bench/load/lock_numbers.h"
#include "bench/load/operation.h"

namespace lockstep::bench {

// Loads a script into the server and gives its SHA-1.
using LoadScript = std::function<std::string(std::string_view script)>;

enum class Held {
  kNothing,
  kOnePerOperation,
  kKeys,  // as many as --keys says; the operations are about these, again and again
};

struct Workload {
  std::string_view name;
  Held held;  // locks that the measured phase finds
  Order order;
  bool subscribed;  // somebody listens to what is published
  Operation (*operation)(const LoadScript& load);
};

// Throws std::invalid_argument when there is none of that name.
const Workload& find_workload(std::string_view name);

}  // namespace lockstep::bench
