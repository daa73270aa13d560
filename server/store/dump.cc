#include "server/store/dump.h"

#include <utility>

#include "server/base/crc64.h"
#include "server/store/dump_strings.h"
#include "server/store/hash_value.h"
#include "server/store/list_value.h"
#include "server/store/packed_list.h"

namespace lockstep {
namespace {

constexpr uint64_t kVersion = 12;
constexpr size_t kVersionBytes = 2;
constexpr size_t kChecksumBytes = 8;

// The first byte of a payload.
enum DumpType : uint8_t {
  kString = 0,
  kList = 1,
  kHash = 4,
  kHashZipmap = 9,
  kListZiplist = 10,
  kHashZiplist = 13,
  kListQuicklist = 14,   // ziplists in a row
  kHashListpack = 16,
  kListQuicklist2 = 18,  // listpacks in a row
};
// With sets, sorted sets, modules and streams; and hashes whose fields have times to live.
constexpr uint8_t kLastType = 25;

// Nodes of a quicklist: a listpack, or one element too large for it.
enum NodeKind : uint64_t { kPlain = 1, kPacked = 2 };
constexpr size_t kMaxNodeBytes = 8192;

// Collects fields and values in turn. A field that comes twice is a fault.
class HashBuilder {
 public:
  explicit HashBuilder(uint64_t hash_seed) : hash_(std::make_unique<HashValue>(hash_seed)) {}

  bool add(std::string_view part) {
    if (has_field_) {
      has_field_ = false;
      return hash_->set(field_, part);
    }
    field_ = part;
    return has_field_ = true;
  }
  // False: nothing came, or a field without its value.
  bool finish(LooseValue& value) {
    if (has_field_ || hash_->empty()) return false;
    value.type = ValueType::kHash;
    value.object = std::move(hash_);
    return true;
  }

 private:
  std::unique_ptr<HashValue> hash_;
  std::string field_;
  bool has_field_ = false;
};

class ListBuilder {
 public:
  bool add(std::string_view item) {
    list_->push(ListEnd::kRight, item);
    return true;
  }
  bool finish(LooseValue& value) {
    if (list_->empty()) return false;
    value.type = ValueType::kList;
    value.object = std::move(list_);
    return true;
  }

 private:
  std::unique_ptr<ListValue> list_ = std::make_unique<ListValue>();
};

using Walk = bool (*)(std::string_view bytes, const PackedVisit& visit);

template <typename Builder>
bool read_packed(DumpReader& in, Walk walk, Builder& builder) {
  return walk(in.string(), [&](std::string_view element) { return builder.add(element); });
}

// `parts`: strings that make up one element.
template <typename Builder>
bool read_plain(DumpReader& in, int parts, Builder& builder) {
  const uint64_t count = in.length();
  for (uint64_t i = 0; i < count && !in.failed(); ++i)
    for (int part = 0; part < parts; ++part)
      if (const std::string_view text = in.string(); in.failed() || !builder.add(text)) return false;
  return true;
}

bool read_quicklist(DumpReader& in, ListBuilder& list) {
  const uint64_t nodes = in.length();
  for (uint64_t i = 0; i < nodes; ++i)
    if (!read_packed(in, walk_ziplist, list)) return false;
  return true;
}

bool read_quicklist2(DumpReader& in, ListBuilder& list) {
  const uint64_t nodes = in.length();
  for (uint64_t i = 0; i < nodes; ++i) {
    const uint64_t kind = in.length();
    if (kind == kPacked) {
      if (!read_packed(in, walk_listpack, list)) return false;
      continue;
    }
    const std::string_view item = in.string();
    if (kind != kPlain || item.empty() || in.failed()) return false;
    list.add(item);
  }
  return true;
}

DumpFault read_value(DumpReader& in, uint64_t hash_seed, LooseValue& value) {
  ListBuilder list;
  HashBuilder hash(hash_seed);
  const auto list_read = [&](bool sound) { return sound && !in.failed() && list.finish(value); };
  const auto hash_read = [&](bool sound) { return sound && !in.failed() && hash.finish(value); };
  const auto fault_unless = [](bool sound) { return sound ? DumpFault::kNone : DumpFault::kFormat; };
  const uint8_t type = in.byte();
  if (in.failed()) return DumpFault::kFormat;
  switch (type) {
    case kString:
      value.type = ValueType::kString;
      value.text = in.string();
      return fault_unless(!in.failed());
    case kList: return fault_unless(list_read(read_plain(in, 1, list)));
    case kListZiplist: return fault_unless(list_read(read_packed(in, walk_ziplist, list)));
    case kListQuicklist: return fault_unless(list_read(read_quicklist(in, list)));
    case kListQuicklist2: return fault_unless(list_read(read_quicklist2(in, list)));
    case kHash: return fault_unless(hash_read(read_plain(in, 2, hash)));
    case kHashZipmap: return fault_unless(hash_read(read_packed(in, walk_zipmap, hash)));
    case kHashZiplist: return fault_unless(hash_read(read_packed(in, walk_ziplist, hash)));
    case kHashListpack: return fault_unless(hash_read(read_packed(in, walk_listpack, hash)));
    default: return type <= kLastType ? DumpFault::kUnsupported : DumpFault::kFormat;
  }
}

void write_hash(std::string& to, const HashValue& hash) {
  if (hash.is_listed()) {
    ListpackWriter packed;
    hash.for_each([&](const Entry& entry) {
      packed.add(entry.key());
      packed.add(entry.value());
    });
    to.push_back(kHashListpack);
    append_dump_string(to, packed.take());
    return;
  }
  to.push_back(kHash);
  append_dump_length(to, hash.size());
  hash.for_each([&](const Entry& entry) {
    append_dump_string(to, entry.key());
    append_dump_string(to, entry.value());
  });
}

void write_list(std::string& to, const ListValue& list) {
  constexpr size_t kElementHeader = 10;  // at most
  std::string nodes;
  size_t count = 0;
  const auto add_node = [&](NodeKind kind, std::string_view bytes) {
    append_dump_length(nodes, kind);
    append_dump_string(nodes, bytes);
    ++count;
  };
  ListpackWriter packed;
  const auto finish_packed = [&] {
    if (!packed.empty()) add_node(kPacked, packed.take());
  };
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string& item = list.at(i);
    if (packed.size() + item.size() + kElementHeader > kMaxNodeBytes) finish_packed();
    if (item.size() > kMaxNodeBytes) {
      add_node(kPlain, item);
    } else {
      packed.add(item);
    }
  }
  finish_packed();
  to.push_back(kListQuicklist2);
  append_dump_length(to, count);
  to.append(nodes);
}

}  // namespace

std::string dump_value(const Entry& entry) {
  std::string payload;
  switch (entry.type()) {
    case ValueType::kString:
      payload.push_back(kString);
      append_dump_string(payload, entry.value());
      break;
    case ValueType::kHash: write_hash(payload, static_cast<const HashValue&>(entry.object())); break;
    case ValueType::kList: write_list(payload, static_cast<const ListValue&>(entry.object())); break;
  }
  append_little_endian(payload, kVersion, kVersionBytes);
  append_little_endian(payload, crc64(payload), kChecksumBytes);
  return payload;
}

DumpFault read_dump(std::string_view payload, uint64_t hash_seed, LooseValue& value) {
  if (payload.size() < kVersionBytes + kChecksumBytes) return DumpFault::kFooter;
  const std::string_view summed = payload.substr(0, payload.size() - kChecksumBytes);
  const std::string_view body = summed.substr(0, summed.size() - kVersionBytes);
  ByteReader footer(payload.substr(body.size()));
  if (footer.little_endian(kVersionBytes) > kVersion) return DumpFault::kFooter;
  if (footer.little_endian(kChecksumBytes) != crc64(summed)) return DumpFault::kFooter;
  DumpReader in(body);
  return read_value(in, hash_seed, value);
}

}  // namespace lockstep
