// What the list commands that wait have in common with those that do not: taking, moving, and reading which
// end is meant. Lives in list_moves.cc.
#pragma once

#include <optional>
#include <string_view>

#include "server/engine/command.h"
#include "server/store/list_value.h"

namespace lockstep {

inline ListValue& list_at(const Keyspace::Location& at) { return static_cast<ListValue&>(at->object()); }

// The events of adding and taking there.
constexpr std::string_view push_event(ListEnd end) { return end == ListEnd::kLeft ? "lpush" : "rpush"; }
constexpr std::string_view pop_event(ListEnd end) { return end == ListEnd::kLeft ? "lpop" : "rpop"; }

// Adds to the list, made if need be. Call::edited is the caller's to call, once.
void push_item(Call& call, Keyspace::Location& at, ListEnd end, std::string_view item);

// Answers up to `count` elements as an array, and takes them.
void pop_items(Call& call, Keyspace::Location& at, ListEnd end, size_t count);

// LEFT or RIGHT; nothing after having answered that it is neither.
std::optional<ListEnd> read_end(Call& call, std::string_view word);

enum class Taken : uint8_t {
  kSomething,  // answered with it
  kNothing,    // not answered: there was nothing to take
  kError,      // answered
};

// From the list args[1] to the list args[2].
Taken move_item(Call& call, ListEnd from, ListEnd to);

struct MultiPop {
  Args keys;
  ListEnd end = ListEnd::kLeft;
  size_t count = 1;
};

// "numkeys key [key ...] LEFT|RIGHT [COUNT count]" from args[first] on. False after having answered a fault.
bool read_multi_pop(Call& call, size_t first, MultiPop& pop);
// From the first of the lists that exists: its key and the elements.
Taken multi_pop(Call& call, const MultiPop& pop);

}  // namespace lockstep
