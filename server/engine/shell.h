// What the engine asks of the process around it. Whoever owns the engine fills in what it has (server/net:
// all of it); an engine in a test or in a program has nothing around it, and none of this happens.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "server/engine/settings.h"

namespace lockstep {

struct OptionRefusal {
  std::string option;
  std::string reason;
};

struct Shell {
  // CONFIG SET: does outside the engine what turns the options `held` into `wanted`, which it may complete (a
  // port of "auto", a relative directory). When that cannot be done, everything is as before.
  std::function<std::optional<OptionRefusal>(const Settings& held, Settings& wanted)> apply;
  // CONFIG REWRITE: writes the options into the file they came from; the reason when it could not.
  std::function<std::optional<std::string>(const Settings& settings)> rewrite_config;
  // DEBUG SLEEP: returns so much later. Empty where time is moved by hand: nothing would move it meanwhile.
  std::function<void(int64_t us)> sleep;
};

}  // namespace lockstep
