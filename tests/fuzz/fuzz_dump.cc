// Payloads of RESTORE: whatever they hold, what is read from one is written and read again as the same. Input: a
// payload without version and checksum, which are put behind it here.
#include <string>
#include <string_view>
#include <utility>

#include "server/base/byte_reader.h"
#include "server/base/bytes.h"
#include "server/base/check.h"
#include "server/base/crc64.h"
#include "server/store/dump.h"
#include "tests/fuzz/fuzz_input.h"

namespace lockstep {
namespace {

std::string sealed(std::string_view body) {
  constexpr uint64_t kVersion = 12;
  std::string payload(body);
  append_little_endian(payload, kVersion, 2);
  append_little_endian(payload, crc64(payload), 8);
  return payload;
}

std::string dumped(LooseValue value) {
  constexpr std::string_view kKey = "key";
  Entry* entry = value.object ? Entry::make(kKey, value.type, std::move(value.object), 0)
                              : Entry::make(kKey, value.text.size(), 0);
  if (entry->type() == ValueType::kString) copy_bytes(entry->value_data(), value.text);
  std::string payload = dump_value(*entry);
  Entry::destroy(entry);
  return payload;
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  constexpr uint64_t kHashSeed = 1;
  LooseValue value;
  if (read_dump(sealed(tests::FuzzInput(data, size).rest()), kHashSeed, value) != DumpFault::kNone) return 0;
  const std::string first = dumped(std::move(value));
  LooseValue again;
  LOCKSTEP_CHECK(read_dump(first, kHashSeed, again) == DumpFault::kNone);
  // A hash with an index comes back in the order of the index, which depends on how it grew; its size does not.
  const std::string second = dumped(std::move(again));
  LOCKSTEP_CHECK(second.size() == first.size());
  constexpr char kHashOfStrings = 4;
  LOCKSTEP_CHECK(second == first || first[0] == kHashOfStrings);
  return 0;
}
