#include "server/store/value_digest.h"

#include "server/store/key_hash.h"

namespace lockstep {

ValueDigest::ValueDigest(std::string_view value) {
  constexpr uint64_t kUnseeded = 0;
  uint64_t hash = key_hash(value, kUnseeded);
  for (size_t i = kDigits; i-- > 0; hash >>= 4) digits_[i] = "0123456789abcdef"[hash & 15];
}

}  // namespace lockstep
