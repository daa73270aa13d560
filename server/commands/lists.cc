// The list commands that answer at once; those that wait are in blocking.cc.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/commands/list_moves.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

// The list of the key to read; nullptr when there is none, or after having answered that it is another type.
struct Reading {
  Location at;
  const ListValue* list = nullptr;
  bool wrong_type = false;
};

Reading read_list(Call& call) {
  Reading reading{call.look_up(call.args[1])};
  reading.wrong_type = !call.expect(ValueType::kList, reading.at);
  if (reading.at && !reading.wrong_type) reading.list = &list_at(reading.at);
  return reading;
}

enum class Missing : bool { kMake, kLeave };

void push(Call& call, ListEnd end, Missing missing) {
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kList, at)) return;
  if (!at && missing == Missing::kLeave) return call.reply.integer(0);
  for (const std::string_view item : call.args.subspan(2)) push_item(call, at, end, item);
  call.edited(at, kEventList, push_event(end));
  call.reply.integer(static_cast<int64_t>(list_at(at).size()));
}

void lpush(Call& call) { push(call, ListEnd::kLeft, Missing::kMake); }
void rpush(Call& call) { push(call, ListEnd::kRight, Missing::kMake); }
void lpushx(Call& call) { push(call, ListEnd::kLeft, Missing::kLeave); }
void rpushx(Call& call) { push(call, ListEnd::kRight, Missing::kLeave); }

void pop(Call& call, ListEnd end) {
  if (call.args.size() > 3) return call.reply.error(errors::wrong_arity(call.spec.name));
  std::optional<int64_t> count;
  if (call.args.size() == 3) {
    count = parse_integer(call.args[2]);
    if (!count || *count < 0) return call.reply.error(errors::kMustBePositive);
  }
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kList, at)) return;
  if (!at) return count ? call.reply.null_array() : call.reply.null();
  if (!count) {
    call.reply.bulk(list_at(at).pop(end));
    return call.edited(at, kEventList, pop_event(end));
  }
  pop_items(call, at, end, static_cast<size_t>(*count));
}

void lpop(Call& call) { pop(call, ListEnd::kLeft); }
void rpop(Call& call) { pop(call, ListEnd::kRight); }

void llen(Call& call) {
  const Reading reading = read_list(call);
  if (!reading.wrong_type) call.reply.integer(reading.list != nullptr ? static_cast<int64_t>(reading.list->size()) : 0);
}

// From the end when negative; nothing when there is no such element.
std::optional<size_t> resolve_index(int64_t index, size_t size) {
  if (index < 0) index += static_cast<int64_t>(size);
  if (index < 0 || static_cast<size_t>(index) >= size) return std::nullopt;
  return static_cast<size_t>(index);
}

void lindex(Call& call) {
  const Reading reading = read_list(call);
  if (reading.wrong_type) return;
  if (reading.list == nullptr) return call.reply.null();
  const auto number = read_integer(call, call.args[2]);
  if (!number) return;
  const auto index = resolve_index(*number, reading.list->size());
  index ? call.reply.bulk(reading.list->at(*index)) : call.reply.null();
}

void lset(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  if (!at) return call.reply.error(errors::kNoSuchKey);
  if (!call.expect(ValueType::kList, at)) return;
  const auto number = read_integer(call, call.args[2]);
  if (!number) return;
  const auto index = resolve_index(*number, list_at(at).size());
  if (!index) return call.reply.error(errors::kIndexOutOfRange);
  list_at(at).set(*index, call.args[3]);
  call.edited(at, kEventList, "lset");
  call.reply.ok();
}

struct Range {
  size_t first = 0;
  size_t last = 0;  // behind the range
};

// `start` and `stop` as LRANGE takes them: inclusive, from the end when negative, cut to what there is.
Range resolve_range(int64_t start, int64_t stop, size_t size) {
  const auto length = static_cast<int64_t>(size);
  if (start < 0) start = std::max<int64_t>(start + length, 0);
  if (stop < 0) stop += length;
  stop = std::min(stop, length - 1);
  if (start > stop) return {};
  return {static_cast<size_t>(start), static_cast<size_t>(stop) + 1};
}

void lrange(Call& call) {
  const auto start = read_integer(call, call.args[2]);
  if (!start) return;
  const auto stop = read_integer(call, call.args[3]);
  if (!stop) return;
  const Reading reading = read_list(call);
  if (reading.wrong_type) return;
  if (reading.list == nullptr) return call.reply.array(0);
  const Range range = resolve_range(*start, *stop, reading.list->size());
  call.reply.array(range.last - range.first);
  for (size_t i = range.first; i < range.last; ++i) call.reply.bulk(reading.list->at(i));
}

void ltrim(Call& call) {
  const auto start = read_integer(call, call.args[2]);
  if (!start) return;
  const auto stop = read_integer(call, call.args[3]);
  if (!stop) return;
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kList, at)) return;
  if (at) {
    ListValue& list = list_at(at);
    const Range kept = resolve_range(*start, *stop, list.size());
    list.erase(kept.last, list.size());
    list.erase(0, kept.first);
    call.edited(at, kEventList, "ltrim");
  }
  call.reply.ok();
}

// count > 0: from the front, < 0: from the end, 0: all.
void lrem(Call& call) {
  const auto count = read_integer(call, call.args[2]);
  if (!count) return;
  if (*count == INT64_MIN) return call.reply.error(errors::kCountOutOfRange);
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kList, at)) return;
  if (!at) return call.reply.integer(0);
  ListValue& list = list_at(at);
  const int64_t most = *count == 0 ? INT64_MAX : std::abs(*count);
  int64_t removed = 0;
  for (size_t left = list.size(), i = 0; left > 0 && removed < most; --left) {
    const size_t index = *count < 0 ? left - 1 : i;
    if (list.at(index) == call.args[3]) {
      list.erase(index, index + 1);
      ++removed;
    } else {
      ++i;
    }
  }
  if (removed > 0) call.edited(at, kEventList, "lrem");
  call.reply.integer(removed);
}

void linsert(Call& call) {
  const bool after = equals_ignoring_case(call.args[2], "after");
  if (!after && !equals_ignoring_case(call.args[2], "before")) return call.reply.error(errors::kSyntax);
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kList, at)) return;
  if (!at) return call.reply.integer(0);
  ListValue& list = list_at(at);
  for (size_t i = 0; i < list.size(); ++i) {
    if (list.at(i) != call.args[3]) continue;
    list.insert(after ? i + 1 : i, call.args[4]);
    call.edited(at, kEventList, "linsert");
    return call.reply.integer(static_cast<int64_t>(list.size()));
  }
  call.reply.integer(-1);
}

struct Search {
  int64_t rank = 1;
  int64_t count = -1;  // -1: the first alone, as itself; 0: all
  int64_t most_compared = 0;
};

bool read_natural(std::string_view text, int64_t& into) {
  const auto number = parse_integer(text);
  if (!number || *number < 0) return false;
  into = *number;
  return true;
}

bool read_search(Call& call, Search& search) {
  ArgReader options(call, 3);
  std::string_view text;
  while (options.more()) {
    if (options.integer("RANK", search.rank)) {
      if (search.rank == INT64_MIN) options.fail(errors::kCountOutOfRange);
      if (search.rank == 0) options.fail(errors::kZeroRank);
    } else if (options.value("COUNT", text)) {
      if (!read_natural(text, search.count)) options.fail(errors::kNegativeCount);
    } else if (options.value("MAXLEN", text)) {
      if (!read_natural(text, search.most_compared)) options.fail(errors::kNegativeMaxLen);
    } else {
      options.fail(errors::kSyntax);
    }
  }
  return options.finish();
}

void lpos(Call& call) {
  Search search;
  if (!read_search(call, search)) return;
  const Reading reading = read_list(call);
  if (reading.wrong_type) return;
  std::vector<size_t> found;
  const size_t size = reading.list != nullptr ? reading.list->size() : 0;
  const bool backwards = search.rank < 0;
  int64_t skip = std::abs(search.rank) - 1;
  const size_t compared = search.most_compared == 0 ? size : std::min(size, static_cast<size_t>(search.most_compared));
  const size_t wanted = search.count < 0 ? 1 : search.count == 0 ? size : static_cast<size_t>(search.count);
  for (size_t i = 0; i < compared && found.size() < wanted; ++i) {
    const size_t index = backwards ? size - 1 - i : i;
    if (reading.list->at(index) == call.args[2] && skip-- <= 0) found.push_back(index);
  }
  if (search.count < 0) return found.empty() ? call.reply.null() : call.reply.integer(static_cast<int64_t>(found[0]));
  call.reply.array(found.size());
  for (const size_t index : found) call.reply.integer(static_cast<int64_t>(index));
}

void lmove(Call& call) {
  const auto from = read_end(call, call.args[3]);
  if (!from) return;
  const auto to = read_end(call, call.args[4]);
  if (to && move_item(call, *from, *to) == Taken::kNothing) call.reply.null();
}

void rpoplpush(Call& call) {
  if (move_item(call, ListEnd::kRight, ListEnd::kLeft) == Taken::kNothing) call.reply.null();
}

void lmpop(Call& call) {
  MultiPop pop;
  if (read_multi_pop(call, 1, pop) && multi_pop(call, pop) == Taken::kNothing) call.reply.null_array();
}

constexpr CommandSpec kLists[] = {
    {.name = "lindex", .arity = 3, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) where N is the number of elements to traverse to get to the element at index. This makes asking for the first or the last element of the list O(1).",
     .summary = "The element of a list at an index.",
     .syntax = "key index",
     .example = "LINDEX a 0", .handler = lindex},
    {.name = "linsert", .arity = 5, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "2.2.0",
     .complexity = "O(N) up to the pivot",
     .summary = "Inserts an element before or after another.",
     .syntax = "key <BEFORE | AFTER> pivot element",
     .example = "LINSERT a BEFORE x y", .handler = linsert},
    {.name = "llen", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "How many elements a list has.",
     .syntax = "key",
     .example = "LLEN a", .handler = llen},
    {.name = "lmove", .arity = 5, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyRW | kKeyInsert, 2, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "Moves an element from one end of a list to one of another.",
     .syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT>",
     .example = "LMOVE a b LEFT RIGHT", .handler = lmove},
    {.name = "lmpop", .arity = -4, .flags = kWrite | kMovableKeys,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, -1, 1, true}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "7.0.0",
     .complexity = "O(N+M): N keys, M elements",
     .summary = "Takes elements from the first list that is not empty.",
     .syntax = "numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
     .example = "LMPOP 2 a b LEFT", .handler = lmpop},
    {.name = "lpop", .arity = -2, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the number of elements taken",
     .summary = "Takes elements from the front of a list.",
     .syntax = "key [count]",
     .example = "LPOP a", .handler = lpop},
    {.name = "lpos", .arity = -3, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "6.0.6",
     .complexity = "O(N) in the length of the list",
     .summary = "Where in a list an element is.",
     .syntax = "key element [RANK rank] [COUNT num-matches] [MAXLEN len]",
     .example = "LPOS a x", .handler = lpos},
    {.name = "lpush", .arity = -3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the number of elements",
     .summary = "Adds elements at the front of a list, making it if need be.",
     .syntax = "key element [element ...]",
     .example = "LPUSH a x", .handler = lpush},
    {.name = "lpushx", .arity = -3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "2.2.0",
     .complexity = "O(N) in the number of elements",
     .summary = "Adds elements at the front of a list that exists.",
     .syntax = "key element [element ...]",
     .example = "LPUSHX a x", .handler = lpushx},
    {.name = "lrange", .arity = 4, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the number of elements given",
     .summary = "The elements of a list in a range.",
     .syntax = "key start stop",
     .example = "LRANGE a 0 -1", .handler = lrange},
    {.name = "lrem", .arity = 4, .flags = kWrite,
     .keys = {{{kKeyRW | kKeyDelete, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the length of the list",
     .summary = "Removes elements that equal one.",
     .syntax = "key count element",
     .example = "LREM a 1 x", .handler = lrem},
    {.name = "lset", .arity = 4, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) where N is the length of the list. Setting either the first or the last element of the list is O(1).",
     .summary = "Replaces the element of a list at an index.",
     .syntax = "key index element",
     .example = "LSET a 0 x", .handler = lset},
    {.name = "ltrim", .arity = 4, .flags = kWrite,
     .keys = {{{kKeyRW | kKeyDelete, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the number of elements removed",
     .summary = "Keeps the elements of a list in a range.",
     .syntax = "key start stop",
     .example = "LTRIM a 0 9", .handler = ltrim},
    {.name = "rpop", .arity = -2, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the number of elements taken",
     .summary = "Takes elements from the end of a list.",
     .syntax = "key [count]",
     .example = "RPOP a", .handler = rpop},
    {.name = "rpoplpush", .arity = 3, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyRW | kKeyInsert, 2, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.2.0",
     .complexity = "O(1)",
     .summary = "Moves the last element of a list to the front of another.",
     .syntax = "source destination",
     .example = "RPOPLPUSH a b", .handler = rpoplpush},
    {.name = "rpush", .arity = -3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "1.0.0",
     .complexity = "O(N) in the number of elements",
     .summary = "Adds elements at the end of a list, making it if need be.",
     .syntax = "key element [element ...]",
     .example = "RPUSH a x", .handler = rpush},
    {.name = "rpushx", .arity = -3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "2.2.0",
     .complexity = "O(N) in the number of elements",
     .summary = "Adds elements at the end of a list that exists.",
     .syntax = "key element [element ...]",
     .example = "RPUSHX a x", .handler = rpushx},
};
static_assert(well_formed(kLists));

}  // namespace

std::span<const CommandSpec> list_commands() { return kLists; }

}  // namespace lockstep
