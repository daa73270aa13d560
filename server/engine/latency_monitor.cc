#include "server/engine/latency_monitor.h"

#include <algorithm>

namespace lockstep {

void LatencyMonitor::add(std::string_view name, int64_t unix_s, int64_t ms) {
  Event& event = events_[std::string(name)];
  event.worst_ms = std::max(event.worst_ms, ms);
  if (!event.spikes.empty() && event.spikes.back().unix_s == unix_s) {
    event.spikes.back().ms = std::max(event.spikes.back().ms, ms);
    return;
  }
  if (event.spikes.size() == kMaxSpikes) event.spikes.pop_front();
  event.spikes.push_back({unix_s, ms});
}

const LatencyMonitor::Event* LatencyMonitor::find(std::string_view event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : &found->second;
}

bool LatencyMonitor::reset(std::string_view event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  events_.erase(found);
  return true;
}

}  // namespace lockstep
