// Requests out of bytes: however they are cut, they are the same. Input: flags, a seed for the cuts, the
// bytes.
#include <string_view>

#include "server/base/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/unit/protocol/reader_feed.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  tests::FuzzInput input(data, size);
  const uint8_t flags = input.byte();
  uint32_t cut = input.byte();
  RequestLimits limits;
  limits.unauthenticated = (flags & 1) != 0;
  if ((flags & 2) != 0) limits.max_line_bytes = 24;
  if ((flags & 4) != 0) limits.max_bulk_bytes = 100;
  std::string_view bytes = input.rest();

  const Parsed whole = parse(bytes, limits);
  LOCKSTEP_CHECK(whole == parse_in_pieces(bytes, 1, limits));
  ReaderFeed feed(limits);
  while (!bytes.empty()) {
    cut = cut * 1103515245 + 12345;
    const std::string_view piece = bytes.substr(0, 1 + (cut >> 16) % 40);
    bytes.remove_prefix(piece.size());
    if (!feed.feed(piece)) break;
  }
  LOCKSTEP_CHECK(whole == feed.result());
  return 0;
}
