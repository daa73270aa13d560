#include "server/commands/list_moves.h"

#include <algorithm>
#include <memory>
#include <string>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/engine/arg_reader.h"

namespace lockstep {

using Location = Keyspace::Location;

void push_item(Call& call, Location& at, ListEnd end, std::string_view item) {
  if (!at) call.keys.create(at, ValueType::kList, std::make_unique<ListValue>());
  list_at(at).push(end, item);
}

void pop_items(Call& call, Location& at, ListEnd end, size_t count) {
  ListValue& list = list_at(at);
  count = std::min(count, list.size());
  call.reply.array(count);
  for (size_t i = 0; i < count; ++i) call.reply.bulk(list.pop(end));
  if (count > 0) call.edited(at, kEventList, pop_event(end));
}

std::optional<ListEnd> read_end(Call& call, std::string_view word) {
  if (equals_ignoring_case(word, "left")) return ListEnd::kLeft;
  if (equals_ignoring_case(word, "right")) return ListEnd::kRight;
  call.reply.error(errors::kSyntax);
  return std::nullopt;
}

Taken move_item(Call& call, ListEnd from, ListEnd to) {
  Location source = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kList, source)) return Taken::kError;
  if (!source) return Taken::kNothing;
  Location target = call.keys.locate(call.args[2]);
  if (!call.expect(ValueType::kList, target)) return Taken::kError;
  const std::string item = list_at(source).pop(from);
  call.reply.bulk(item);
  if (source.entry == target.entry) target = source;
  push_item(call, target, to, item);
  call.edited(target, kEventList, push_event(to));
  call.edited(source, kEventList, pop_event(from));
  return Taken::kSomething;
}

bool read_multi_pop(Call& call, size_t first, MultiPop& pop) {
  const auto key_count = parse_integer(call.args[first]);
  if (!key_count || *key_count < 1) {
    call.reply.error(errors::kKeyCountNotPositive);
    return false;
  }
  if (static_cast<uint64_t>(*key_count) + first + 1 >= call.args.size()) {
    call.reply.error(errors::kSyntax);
    return false;
  }
  pop.keys = call.args.subspan(first + 1, static_cast<size_t>(*key_count));
  const size_t after_keys = first + 1 + pop.keys.size();
  const auto end = read_end(call, call.args[after_keys]);
  if (!end) return false;
  pop.end = *end;
  ArgReader options(call, after_keys + 1);
  std::string_view count;
  if (options.value("COUNT", count)) {
    const auto number = parse_integer(count);
    if (number && *number > 0) {
      pop.count = static_cast<size_t>(*number);
    } else {
      options.fail(errors::kCountNotPositive);
    }
  }
  return options.finish();
}

Taken multi_pop(Call& call, const MultiPop& pop) {
  for (const std::string_view key : pop.keys) {
    Location at = call.keys.locate(key);
    if (!call.expect(ValueType::kList, at)) return Taken::kError;
    if (!at) continue;
    call.reply.array(2);
    call.reply.bulk(key);
    pop_items(call, at, pop.end, pop.count);
    return Taken::kSomething;
  }
  return Taken::kNothing;
}

}  // namespace lockstep
