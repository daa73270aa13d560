#include "server/engine/error_stats.h"

namespace lockstep {
namespace {

std::string_view code_of(std::string_view text) {
  const size_t end = text.find(' ');
  return end <= ErrorStats::kMaxCodeBytes ? text.substr(0, end) : "ERR";
}

}  // namespace

void ErrorStats::error_replied(std::string_view text, bool repeated) {
  ++heard_;
  if (repeated) return;
  ++total_;
  if (by_code_ended_) return;
  const std::string_view code = code_of(text);
  if (const auto known = by_code_.find(code); known != by_code_.end()) {
    ++known->second;
  } else if (by_code_.size() < kMaxCodes) {
    by_code_.emplace(code, 1);
  } else {
    by_code_ended_ = true;
    by_code_ = {{"ERRORSTATS_DISABLED", 1}};
  }
}

void ErrorStats::reset() {
  total_ = 0;
  by_code_ended_ = false;
  by_code_.clear();
}

}  // namespace lockstep
