// The commands that took longest to run: SLOWLOG. Written by the recorder, newest first.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

class SlowLog {
 public:
  struct Entry {
    int64_t id = 0;  // grows by one an entry, also across clear()
    int64_t unix_s = 0;
    int64_t duration_us = 0;
    std::vector<std::string> args;
    std::string address;  // of the client; empty for what scripts call, as is its name
    std::string name;
  };

  // The id is given here. The oldest go when there are more than `max_entries`.
  void add(Entry entry, size_t max_entries);
  const std::deque<Entry>& entries() const { return entries_; }
  void clear() { entries_.clear(); }
  size_t memory_bytes() const;

  // Cuts what is long, as Redis does: 32 arguments, 128 bytes each.
  static std::vector<std::string> shortened(std::span<const std::string_view> args);

 private:
  int64_t next_id_ = 0;
  std::deque<Entry> entries_;
};

}  // namespace lockstep
