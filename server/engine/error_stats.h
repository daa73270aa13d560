// How many errors have been answered, by code: INFO errorstats. Hears of them from the sinks in which
// commands answer, so that every error counts once, in scripts and transactions, too.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "protocol/reply.h"

namespace lockstep {

class ErrorStats final : public ErrorListener {
 public:
  // Scripts make codes as they like. More than this many, and Redis forgets all and counts no more of them.
  static constexpr size_t kMaxCodes = 128;
  // The longest first word that is a code; with a longer one, or none, it is an ERR.
  static constexpr size_t kMaxCodeBytes = 30;
  using ByCode = std::map<std::string, uint64_t, std::less<>>;

  void error_replied(std::string_view text, bool repeated) override;

  uint64_t total() const { return total_; }
  const ByCode& by_code() const { return by_code_; }
  // Grows with every error, repeated ones and those before a reset included.
  uint64_t heard() const { return heard_; }
  void reset();

 private:
  uint64_t heard_ = 0;
  uint64_t total_ = 0;
  bool by_code_ended_ = false;
  ByCode by_code_;
};

}  // namespace lockstep
