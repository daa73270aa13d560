// A KeyIndex with the entries that it points to, which it does not own.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "server/store/entry.h"
#include "server/store/key_index.h"

namespace lockstep {

class IndexFixture {
 public:
  explicit IndexFixture(uint64_t seed = 1) : index_(seed) {}
  ~IndexFixture() {
    index_.reset();
    for (auto& [key, entry] : entries_) Entry::destroy(entry);
  }
  IndexFixture(const IndexFixture&) = delete;
  IndexFixture& operator=(const IndexFixture&) = delete;

  KeyIndex& index() { return index_; }
  const std::map<std::string, Entry*, std::less<>>& entries() const { return entries_; }

  // False when it is there already.
  bool insert(std::string_view key) {
    if (entries_.contains(key)) return false;
    Entry* entry = Entry::make(key, 0, 0);
    index_.insert(index_.hash(key), entry);
    return entries_.emplace(key, entry).second;
  }
  // False when it is not there.
  bool erase(std::string_view key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return false;
    index_.erase(index_.hash(key), found->second);
    Entry::destroy(found->second);
    entries_.erase(found);
    return true;
  }
  void replace(std::string_view key) {
    Entry*& held = entries_.find(key)->second;
    Entry* fresh = Entry::make(key, 8, 0);
    index_.replace(index_.hash(key), held, fresh);
    Entry::destroy(held);
    held = fresh;
  }
  Entry* find(std::string_view key) const { return index_.find(index_.hash(key), key); }

 private:
  KeyIndex index_;
  std::map<std::string, Entry*, std::less<>> entries_;
};

}  // namespace lockstep
