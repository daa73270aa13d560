#include "server/store/packed_list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "server/base/byte_reader.h"
#include "server/base/numbers.h"

namespace lockstep {
namespace {

constexpr uint8_t kEnd = 0xff;
constexpr size_t kUncounted = 0xffff;  // a count that does not fit its field

// An element that was stored as a number, or a view of one that was not.
struct Element {
  std::string_view text;
  char digits[kMaxIntegerText];

  void set(int64_t number) { text = {digits, static_cast<size_t>(write_integer(digits, number) - digits)}; }
};

// Listpack: an element's first byte says of which kind it is.
enum ListpackKind : uint8_t {
  kString32 = 0xf0,
  kInt16 = 0xf1,
  kInt24 = 0xf2,
  kInt32 = 0xf3,
  kInt64 = 0xf4,
};

void read_listpack_element(ByteReader& in, Element& element) {
  const uint8_t head = in.byte();
  if (head < 0x80) return element.set(head);
  if (head < 0xc0) {
    element.text = in.bytes(head & 0x3f);
  } else if (head < 0xe0) {
    const int64_t unsigned13 = (head & 0x1f) << 8 | in.byte();
    element.set(unsigned13 < 1 << 12 ? unsigned13 : unsigned13 - (1 << 13));
  } else if (head < 0xf0) {
    const size_t size = static_cast<size_t>(head & 0x0f) << 8 | in.byte();
    element.text = in.bytes(size);
  } else if (head == kString32) {
    element.text = in.bytes(in.little_endian(4));
  } else if (head <= kInt64) {
    element.set(in.integer(head == kInt64 ? 8 : head - kInt16 + size_t{2}));
  } else {
    in.fail();
  }
}

// Behind each element stands its length, to be read backwards: 7 bits a byte, the highest first, all bytes
// but the first marked.
std::string back_length(size_t size) {
  size_t groups = 1;
  for (size_t limit = 127; size > limit && groups < 5; limit = (size_t{1} << (7 * groups)) - 2) ++groups;
  std::string text;
  for (size_t i = groups; i-- > 0;)
    text.push_back(static_cast<char>((size >> (7 * i) & 0x7f) | (i + 1 < groups ? 0x80 : 0)));
  return text;
}

void append_integer(std::string& to, int64_t number) {
  if (number >= 0 && number < 0x80) return to.push_back(static_cast<char>(number));
  if (number >= -(1 << 12) && number < 1 << 12)
    return append_big_endian(to, 0xc000 | (static_cast<uint64_t>(number) & 0x1fff), 2);
  struct Width {
    ListpackKind kind;
    size_t bytes;
  };
  for (const Width width : {Width{kInt16, 2}, Width{kInt24, 3}, Width{kInt32, 4}, Width{kInt64, 8}}) {
    const int64_t limit = width.bytes == 8 ? INT64_MAX : (int64_t{1} << (8 * width.bytes - 1)) - 1;
    if (number > limit || number < -limit - 1) continue;
    to.push_back(static_cast<char>(width.kind));
    return append_little_endian(to, static_cast<uint64_t>(number), width.bytes);
  }
}

void append_string(std::string& to, std::string_view text) {
  if (text.size() < 1 << 6) {
    to.push_back(static_cast<char>(0x80 | text.size()));
  } else if (text.size() < 1 << 12) {
    append_big_endian(to, 0xe000 | text.size(), 2);
  } else {
    to.push_back(static_cast<char>(kString32));
    append_little_endian(to, text.size(), 4);
  }
  to.append(text);
}

constexpr size_t kListpackHeader = 6;

// Ziplist: an element begins with the length of the one before it.
void read_ziplist_element(ByteReader& in, Element& element) {
  const uint8_t head = in.byte();
  switch (head >> 6) {
    case 0: element.text = in.bytes(head); return;
    case 1: {
      const size_t size = static_cast<size_t>(head & 0x3f) << 8 | in.byte();
      element.text = in.bytes(size);
      return;
    }
    case 2:
      if (head != 0x80) return in.fail();
      element.text = in.bytes(in.big_endian(4));
      return;
    default: break;
  }
  switch (head) {
    case 0xc0: return element.set(in.integer(2));
    case 0xd0: return element.set(in.integer(4));
    case 0xe0: return element.set(in.integer(8));
    case 0xf0: return element.set(in.integer(3));
    case 0xfe: return element.set(in.integer(1));
    default: break;
  }
  if (head < 0xf1 || head > 0xfd) return in.fail();
  element.set((head & 0x0f) - 1);
}

constexpr uint8_t kLong = 0xfe;  // the length follows in 4 bytes

size_t read_short_length(ByteReader& in) {
  const uint8_t head = in.byte();
  if (head == kEnd) in.fail();
  return head < kLong ? head : in.little_endian(4);
}

}  // namespace

bool walk_listpack(std::string_view bytes, const PackedVisit& visit) {
  ByteReader in(bytes);
  const size_t size = in.little_endian(4);
  const size_t announced = in.little_endian(2);
  if (in.failed() || size != bytes.size() || bytes.size() == kListpackHeader || static_cast<uint8_t>(bytes.back()) != kEnd)
    return false;
  size_t count = 0;
  while (in.left() > 1) {
    const size_t start = in.position();
    Element element;
    read_listpack_element(in, element);
    const std::string length = back_length(in.position() - start);
    if (in.bytes(length.size()) != length || in.failed() || !visit(element.text)) return false;
    ++count;
  }
  return in.left() == 1 && (announced == kUncounted || announced == count);
}

ListpackWriter::ListpackWriter() : bytes_(kListpackHeader, '\0') {}

void ListpackWriter::add(std::string_view element) {
  const size_t start = bytes_.size();
  if (const auto number = parse_integer(element)) {
    append_integer(bytes_, *number);
  } else {
    append_string(bytes_, element);
  }
  bytes_ += back_length(bytes_.size() - start);
  ++count_;
}

std::string ListpackWriter::take() {
  bytes_.push_back(static_cast<char>(kEnd));
  std::string header;
  append_little_endian(header, bytes_.size(), 4);
  append_little_endian(header, std::min(count_, kUncounted), 2);
  bytes_.replace(0, kListpackHeader, header);
  count_ = 0;
  return std::exchange(bytes_, std::string(kListpackHeader, '\0'));
}

bool walk_ziplist(std::string_view bytes, const PackedVisit& visit) {
  ByteReader in(bytes);
  const size_t size = in.little_endian(4);
  const size_t last_at = in.little_endian(4);
  const size_t announced = in.little_endian(2);
  const size_t header = in.position();
  if (in.failed() || size != bytes.size() || bytes.size() == header || static_cast<uint8_t>(bytes.back()) != kEnd)
    return false;
  size_t count = 0;
  size_t start = header;
  size_t previous = 0;  // the length of the element before
  while (in.left() > 1) {
    start = in.position();
    if (read_short_length(in) != previous) return false;
    Element element;
    read_ziplist_element(in, element);
    if (in.failed() || in.at_end() || !visit(element.text)) return false;
    previous = in.position() - start;
    ++count;
  }
  return last_at == start && (announced == kUncounted || announced == count);
}

bool walk_zipmap(std::string_view bytes, const PackedVisit& visit) {
  constexpr size_t kUnknownCount = 254;
  ByteReader in(bytes);
  const size_t announced = in.byte();
  size_t count = 0;
  while (in.left() > 1) {
    const std::string_view field = in.bytes(read_short_length(in));
    const size_t size = read_short_length(in);
    const size_t unused = in.byte();
    const std::string_view value = in.bytes(size);
    in.bytes(unused);
    if (in.failed() || in.at_end() || !visit(field) || !visit(value)) return false;
    ++count;
  }
  return in.byte() == kEnd && !in.failed() && (announced >= kUnknownCount || announced == count);
}

}  // namespace lockstep
