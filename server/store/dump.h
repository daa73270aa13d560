// Values as DUMP gives them and RESTORE takes them: Redis' own format of 7.4 (RDB version 12, with its
// CRC-64). Older versions are read too, with every encoding that they had for strings, hashes and lists.
// Strings are written as they are: compressing them is left to who needs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/store/entry.h"

namespace lockstep {

// A value that no keyspace has yet.
struct LooseValue {
  ValueType type = ValueType::kString;
  std::string text;                // of a string
  std::unique_ptr<Object> object;  // of every other type
};

enum class DumpFault : uint8_t {
  kNone,
  kFooter,       // a later version, or a checksum of something else
  kFormat,
  kUnsupported,  // a type that there is in Redis alone
};

std::string dump_value(const Entry& entry);

// `hash_seed` goes to a hash. `value` is good after kNone alone.
DumpFault read_dump(std::string_view payload, uint64_t hash_seed, LooseValue& value);

}  // namespace lockstep
