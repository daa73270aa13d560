// Commands for tests alone, in the table's own form. They block, which shows the rules of units before
// any real command does; given to an Engine beside the real ones.
//
//   TESTWAIT key [key ...] timeout-ms    takes the first of the keys that exists: answers and deletes it
//   TESTMATCH key value timeout-ms       takes the key once it holds this very value
//   TESTMOVE from to timeout-ms          takes `from`, stores it as `to`, publishes it on the channel `to`
//
// A timeout of 0 is none; what times out, or may not block, answers null.
#pragma once

#include <span>

#include "server/engine/command.h"

namespace lockstep::tests {

std::span<const CommandSpec> test_commands();

// The real commands and these. Made on first use, never changed.
const CommandTable& table_with_test_commands();

}  // namespace lockstep::tests
