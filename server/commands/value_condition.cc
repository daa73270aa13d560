#include "server/commands/value_condition.h"

#include "protocol/error_texts.h"
#include "server/base/ascii.h"
#include "server/store/value_digest.h"

namespace lockstep {

std::optional<bool> ValueCondition::holds(Call& call, std::string_view value) const {
  if (!digest) return (value == operand) != negated;
  if (operand.size() != ValueDigest::kDigits) {
    call.reply.error(errors::kBadDigest);
    return std::nullopt;
  }
  return equals_ignoring_case(ValueDigest(value).text(), operand) != negated;
}

bool take_value_condition(ArgReader& options, std::optional<ValueCondition>& condition) {
  struct Word {
    std::string_view name;
    bool digest;
    bool negated;
  };
  static constexpr Word kWords[] = {
      {"IFEQ", false, false}, {"IFNE", false, true}, {"IFDEQ", true, false}, {"IFDNE", true, true}};
  for (const Word& word : kWords) {
    std::string_view operand;
    if (!options.value(word.name, operand)) continue;
    if (condition) options.fail(errors::kSyntax);
    condition = ValueCondition{operand, word.digest, word.negated};
    return true;
  }
  return false;
}

}  // namespace lockstep
