// The conditions on the value that a string has: IFEQ, IFNE, IFDEQ and IFDNE of SET and DELEX. Lives in
// value_condition.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {

struct ValueCondition {
  std::string_view operand;
  bool digest = false;   // `operand` is the digest of a value, not the value
  bool negated = false;

  // Nothing after having answered that the operand is no digest.
  std::optional<bool> holds(Call& call, std::string_view value) const;
};

// Takes the word and its operand. A second one, of whatever kind, is a syntax error.
bool take_value_condition(ArgReader& options, std::optional<ValueCondition>& condition);

}  // namespace lockstep
