// SORT and SORT_RO, of lists. BY and GET name other keys by a pattern, in which the first '*' stands for the
// element and a field of a hash may follow behind "->".
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"
#include "server/store/hash_value.h"
#include "server/store/list_value.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;
using Text = std::optional<std::string_view>;  // nothing: there is no such key or field

struct SortOptions {
  bool descending = false;
  bool alpha = false;
  bool in_order = false;  // BY a pattern without '*': as the list has them
  Text by;
  std::vector<std::string_view> get;
  int64_t offset = 0;
  int64_t count = -1;     // negative: all
  Text store;
};

// "LIMIT offset count"
bool take_limit(ArgReader& options, SortOptions& sort) {
  if (options.left() < 3 || !options.word("LIMIT")) return false;
  for (int64_t* into : {&sort.offset, &sort.count}) {
    if (const auto number = parse_integer(options.next())) {
      *into = *number;
    } else {
      options.fail(errors::kNotAnInteger);
    }
  }
  return true;
}

bool read_sort_options(Call& call, SortOptions& sort) {
  const bool may_store = (call.spec.flags & kWrite) != 0;
  ArgReader options(call, 2);
  std::string_view text;
  while (options.more()) {
    if (options.word("ASC")) {
      sort.descending = false;
    } else if (options.word("DESC")) {
      sort.descending = true;
    } else if (options.word("ALPHA")) {
      sort.alpha = true;
    } else if (take_limit(options, sort)) {
      continue;
    } else if (options.value("BY", text)) {
      sort.by = text;
      if (text.find('*') == text.npos) sort.in_order = true;
    } else if (options.value("GET", text)) {
      sort.get.push_back(text);
    } else if (may_store && options.value("STORE", text)) {
      sort.store = text;
    } else {
      options.fail(errors::kSyntax);
    }
  }
  return options.finish();
}

// What the pattern names for this element.
Text look_up_pattern(Call& call, std::string_view pattern, std::string_view element) {
  if (pattern == "#") return element;
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return std::nullopt;
  std::string_view field;
  const size_t arrow = pattern.find("->", star + 1);
  if (arrow != pattern.npos && arrow + 2 < pattern.size()) {
    field = pattern.substr(arrow + 2);
    pattern = pattern.substr(0, arrow);
  }
  std::string key(pattern.substr(0, star));
  key.append(element).append(pattern.substr(star + 1));
  const Location at = call.look_up(key);
  if (!at) return std::nullopt;
  if (field.empty()) return at->type() == ValueType::kString ? Text(at->value()) : std::nullopt;
  if (at->type() != ValueType::kHash) return std::nullopt;
  const Entry* found = static_cast<const HashValue&>(at->object()).find(field);
  return found != nullptr ? Text(found->value()) : std::nullopt;
}

struct Item {
  std::string_view element;
  Text weight;       // by which ALPHA sorts
  double score = 0;  // by which it is sorted otherwise
};

template <typename T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare(const SortOptions& sort, const Item& a, const Item& b) {
  // Nothing comes before everything, as std::optional has it.
  if (sort.alpha) return three_way(a.weight, b.weight);
  const int by_score = three_way(a.score, b.score);
  return by_score != 0 ? by_score : three_way(a.element, b.element);
}

// False after having answered that a weight is no number.
bool weigh(Call& call, const SortOptions& sort, Item& item) {
  item.weight = sort.by ? look_up_pattern(call, *sort.by, item.element) : Text(item.element);
  if (sort.alpha || !item.weight || item.weight->empty()) return true;
  const auto score = parse_double(*item.weight);
  if (!score) {
    call.reply.error(errors::kScoreNotAFloat);
    return false;
  }
  item.score = *score;
  return true;
}

// The elements in order, cut to what LIMIT leaves; nothing after having answered an error.
std::optional<std::vector<Item>> sorted(Call& call, const SortOptions& sort, const Location& at) {
  std::vector<Item> items;
  if (at) {
    const auto& list = static_cast<const ListValue&>(at->object());
    items.resize(list.size());
    for (size_t i = 0; i < items.size(); ++i) items[i].element = list.at(i);
  }
  if (sort.in_order) {
    if (sort.descending) std::reverse(items.begin(), items.end());
  } else {
    for (Item& item : items)
      if (!weigh(call, sort, item)) return std::nullopt;
    std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
      return sort.descending ? compare(sort, b, a) < 0 : compare(sort, a, b) < 0;
    });
  }
  const size_t first = std::min(static_cast<size_t>(std::max<int64_t>(sort.offset, 0)), items.size());
  const size_t left = items.size() - first;
  const size_t count = sort.count < 0 ? left : std::min(static_cast<size_t>(sort.count), left);
  items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(first));
  items.resize(count);
  return items;
}

// What is given for each item: the element, or what each GET names.
template <typename Visit>
void for_each_result(Call& call, const SortOptions& sort, const std::vector<Item>& items, Visit visit) {
  for (const Item& item : items) {
    if (sort.get.empty()) visit(Text(item.element));
    for (const std::string_view pattern : sort.get) visit(look_up_pattern(call, pattern, item.element));
  }
}

void store(Call& call, const SortOptions& sort, const std::vector<Item>& items) {
  auto list = std::make_unique<ListValue>();
  for_each_result(call, sort, items, [&](Text text) { list->push(ListEnd::kRight, text.value_or("")); });
  const auto size = static_cast<int64_t>(list->size());
  Location target = call.keys.locate(*sort.store);
  if (size > 0) {
    call.keys.replace(target, ValueType::kList, std::move(list));
    call.notify(kEventList, "sortstore", *sort.store);
  } else if (target) {
    call.keys.erase(target);
    call.notify(kEventGeneric, "del", *sort.store);
  }
  call.reply.integer(size);
}

void sort(Call& call) {
  SortOptions options;
  if (!read_sort_options(call, options)) return;
  const Location at = call.look_up(call.args[1]);
  if (!call.expect(ValueType::kList, at)) return;
  const auto items = sorted(call, options, at);
  if (!items) return;
  if (options.store) return store(call, options, *items);
  call.reply.array(items->size() * std::max<size_t>(options.get.size(), 1));
  for_each_result(call, options, *items, [&](Text text) { text ? call.reply.bulk(*text) : call.reply.null(); });
}

constexpr KeySpec kPatterns = {.flags = kKeyRO | kKeyAccess, .first = 2, .unknown = true};
constexpr KeySpec kStored = {.flags = kKeyOW | kKeyUpdate, .first = 2, .unknown = true, .behind = "STORE"};

constexpr CommandSpec kSort[] = {
    {.name = "sort", .arity = -2, .flags = kWrite | kDenyOom | kMovableKeys,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}, kPatterns, kStored}},
     .categories = kAclSet | kAclSortedSet | kAclList | kAclDangerous, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(N+M*log(M)): N elements in the list, M of them sorted",
     .summary = "The elements of a list in order, stored if wanted.",
     .syntax = "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA] [STORE destination]",
     .example = "SORT a LIMIT 0 10 DESC", .handler = sort},
    {.name = "sort_ro", .arity = -2, .flags = kReadonly | kMovableKeys,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}, kPatterns}},
     .categories = kAclSet | kAclSortedSet | kAclList | kAclDangerous, .group = CommandGroup::kGeneric, .since = "7.0.0",
     .complexity = "O(N+M*log(M)): N elements in the list, M of them sorted",
     .summary = "The elements of a list in order.",
     .syntax = "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA]",
     .example = "SORT_RO a LIMIT 0 10 DESC", .handler = sort},
};
static_assert(well_formed(kSort));

}  // namespace

std::span<const CommandSpec> sort_commands() { return kSort; }

}  // namespace lockstep
