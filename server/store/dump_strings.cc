#include "server/store/dump_strings.h"

#include "server/base/numbers.h"

namespace lockstep {
namespace {

// The first two bits of a length.
constexpr uint8_t kLength6 = 0;
constexpr uint8_t kLength14 = 1;
constexpr uint8_t kEncoded = 3;
// Whole first bytes.
constexpr uint8_t kLength32 = 0x80;
constexpr uint8_t kLength64 = 0x81;
// How a string is encoded, behind kEncoded.
enum StringEncoding : uint8_t { kInt8 = 0, kInt16 = 1, kInt32 = 2, kLzf = 3 };

// The largest string that Redis' payloads may come to.
constexpr uint64_t kMaxStringBytes = 512 << 20;

// LZF: literals, and references to what has been written already. False unless exactly `size` bytes come of it.
bool expand_lzf(std::string_view packed, size_t size, std::string& to) {
  ByteReader in(packed);
  to.clear();
  to.reserve(size);
  while (!in.at_end()) {
    const size_t control = in.byte();
    if (control < 32) {
      to.append(in.bytes(control + 1));
    } else {
      size_t count = control >> 5;
      if (count == 7) count += in.byte();
      count += 2;
      const size_t distance = ((control & 0x1f) << 8 | in.byte()) + 1;
      if (in.failed() || distance > to.size() || count > size - to.size()) return false;
      // What is referred to may be still being written.
      for (size_t from = to.size() - distance; count > 0; --count) to.push_back(to[from++]);
    }
    if (in.failed() || to.size() > size) return false;
  }
  return to.size() == size;
}

}  // namespace

DumpReader::Head DumpReader::head() {
  const uint8_t first = in_.byte();
  switch (first >> 6) {
    case kLength6: return {first, false};
    case kLength14: return {static_cast<uint64_t>(first & 0x3f) << 8 | in_.byte(), false};
    case kEncoded: return {static_cast<uint64_t>(first & 0x3f), true};
    default: break;
  }
  if (first == kLength32) return {in_.big_endian(4), false};
  if (first == kLength64) return {in_.big_endian(8), false};
  in_.fail();
  return {0, false};
}

uint64_t DumpReader::length() {
  const Head found = head();
  if (found.encoded) in_.fail();
  return in_.failed() ? 0 : found.value;
}

std::string_view DumpReader::string() {
  const Head found = head();
  if (!found.encoded) return in_.bytes(found.value);
  switch (found.value) {
    case kInt8: return text_ = integer_text(in_.integer(1));
    case kInt16: return text_ = integer_text(in_.integer(2));
    case kInt32: return text_ = integer_text(in_.integer(4));
    case kLzf: read_compressed(); return text_;
    default: in_.fail(); return {};
  }
}

void DumpReader::read_compressed() {
  // Three bytes stand for up to 264: no small payload can claim a large string.
  constexpr uint64_t kMaxRatio = 88;
  const uint64_t packed_size = length();
  const uint64_t size = length();
  const std::string_view packed = in_.bytes(packed_size);
  text_.clear();
  if (in_.failed()) return;
  if (size > kMaxStringBytes || size > packed.size() * kMaxRatio || !expand_lzf(packed, size, text_)) {
    text_.clear();
    in_.fail();
  }
}

void append_dump_length(std::string& to, uint64_t length) {
  if (length < 1 << 6) {
    to.push_back(static_cast<char>(length));
  } else if (length < 1 << 14) {
    append_big_endian(to, uint64_t{kLength14} << 14 | length, 2);
  } else if (length <= UINT32_MAX) {
    to.push_back(static_cast<char>(kLength32));
    append_big_endian(to, length, 4);
  } else {
    to.push_back(static_cast<char>(kLength64));
    append_big_endian(to, length, 8);
  }
}

void append_dump_string(std::string& to, std::string_view text) {
  const auto number = parse_integer(text);
  if (!number || *number < INT32_MIN || *number > INT32_MAX) {
    append_dump_length(to, text.size());
    to.append(text);
    return;
  }
  const StringEncoding encoding = *number >= INT8_MIN && *number <= INT8_MAX    ? kInt8
                                  : *number >= INT16_MIN && *number <= INT16_MAX ? kInt16
                                                                                 : kInt32;
  to.push_back(static_cast<char>(kEncoded << 6 | encoding));
  append_little_endian(to, static_cast<uint64_t>(*number), size_t{1} << encoding);
}

}  // namespace lockstep
