// The numbered databases of one engine and what they share.
#pragma once

#include <memory>
#include <vector>

#include "server/store/keyspace.h"

namespace lockstep {

class Databases {
 public:
  static constexpr int kMaxCount = 256;  // an entry keeps its keyspace's id in one byte

  Databases(int count, uint64_t hash_seed, KeyspaceListener& listener);

  int count() const { return static_cast<int>(all_.size()); }
  Keyspace& operator[](int number) { return *numbered_[static_cast<size_t>(number)]; }
  const Keyspace& operator[](int number) const { return *numbered_[static_cast<size_t>(number)]; }
  // The database of an entry whose deadline fired.
  Keyspace& of(const Entry& entry) { return *all_[entry.keyspace_id()]; }
  // Each has the other's keys then. Two keyspaces trade their numbers, nothing is moved.
  void swap(int a, int b);

  StoreShared& shared() { return shared_; }
  const StoreShared& shared() const { return shared_; }
  size_t memory_bytes() const;

 private:
  StoreShared shared_;
  std::vector<std::unique_ptr<Keyspace>> all_;  // by id
  std::vector<Keyspace*> numbered_;
};

}  // namespace lockstep
