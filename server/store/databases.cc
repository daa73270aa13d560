#include "server/store/databases.h"

#include <utility>

#include "server/base/check.h"

namespace lockstep {

Databases::Databases(int count, uint64_t hash_seed, KeyspaceListener& listener) {
  LOCKSTEP_CHECK(count >= 1 && count <= kMaxCount);
  shared_.listener = &listener;
  all_.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    all_.push_back(std::make_unique<Keyspace>(static_cast<uint8_t>(i), hash_seed + static_cast<uint64_t>(i), shared_));
    numbered_.push_back(all_.back().get());
  }
}

void Databases::swap(int a, int b) {
  if (a == b) return;
  std::swap(numbered_[static_cast<size_t>(a)], numbered_[static_cast<size_t>(b)]);
  for (const int number : {a, b}) (*this)[number].number_ = static_cast<uint8_t>(number);
  shared_.listener->databases_swapped((*this)[a], (*this)[b]);
}

size_t Databases::memory_bytes() const {
  size_t bytes = shared_.value_bytes + shared_.deadlines.memory_bytes();
  for (const auto& keyspace : all_) bytes += keyspace->memory_bytes();
  return bytes;
}

}  // namespace lockstep
