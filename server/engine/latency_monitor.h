// Spikes: what took longer than latency-monitor-threshold, by event, the worst of each second. LATENCY's
// LATEST, HISTORY, GRAPH and DOCTOR tell of it. Written by the recorder and the engine.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace lockstep {

class LatencyMonitor {
 public:
  struct Spike {
    int64_t unix_s;
    int64_t ms;
  };
  struct Event {
    std::deque<Spike> spikes;  // oldest first, at most kMaxSpikes, never empty
    int64_t worst_ms = 0;      // of all time
  };
  static constexpr size_t kMaxSpikes = 160;
  using Events = std::map<std::string, Event, std::less<>>;

  void add(std::string_view event, int64_t unix_s, int64_t ms);
  const Events& events() const { return events_; }
  // nullptr when there were none.
  const Event* find(std::string_view event) const;
  // False when there were none.
  bool reset(std::string_view event);

 private:
  Events events_;
};

}  // namespace lockstep
