#include "server/store/databases.h"

#include "server/base/check.h"

namespace lockstep {

Databases::Databases(int count, uint64_t hash_seed, KeyspaceListener& listener) {
  LOCKSTEP_CHECK(count >= 1 && count <= kMaxCount);
  shared_.listener = &listener;
  all_.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    all_.push_back(std::make_unique<Keyspace>(static_cast<uint8_t>(i), hash_seed + static_cast<uint64_t>(i), shared_));
}

size_t Databases::memory_bytes() const {
  size_t bytes = shared_.value_bytes + shared_.deadlines.memory_bytes();
  for (const auto& keyspace : all_) bytes += keyspace->memory_bytes();
  return bytes;
}

}  // namespace lockstep
