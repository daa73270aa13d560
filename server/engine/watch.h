// WATCH: which sessions are to hear of a change of which key before their EXEC.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

struct SessionState;
struct StoreShared;
class Keyspace;

class Watches {
 public:
  explicit Watches(StoreShared& store) : store_(store) {}

  void watch(SessionState& session, int database, std::string_view key);
  void unwatch_all(SessionState& session);

  // Breaks the watches on this key: their sessions' EXEC answers null.
  void key_changed(int database, std::string_view key);
  // Of a database about to be emptied: a watch on a missing key stays whole.
  void flushed(Keyspace& keyspace);
  // Of two databases that have each other's keys now: a watch on a key that neither has stays whole.
  void swapped(Keyspace& a, Keyspace& b);
  size_t key_count() const { return watchers_.size(); }

 private:
  struct Less {  // so that a view finds an owned key
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      if (a.first != b.first) return a.first < b.first;
      return std::string_view(a.second) < std::string_view(b.second);
    }
  };
  void update_observed();

  StoreShared& store_;  // told whether anybody watches at all
  std::map<std::pair<int, std::string>, std::vector<SessionState*>, Less> watchers_;
};

}  // namespace lockstep
