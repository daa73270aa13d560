// A loop with its own stack of open aggregates: scripts can return tables nested thousands deep, or that
// contain themselves, and that must not be a matter of the C++ stack.
#include "scripting/result_writer.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scripting/lua/number_casts.h"
#include "scripting/lua/tables.h"
#include "scripting/lua_sink.h"
#include "scripting/measuring_sink.h"

namespace lockstep {
namespace {

// Nesting ends where it does in Redis: with the 8,000 slots of 5.1's C stack, of which an array takes one a
// level, and a map or a set three.
constexpr int kDeepestSlot = 7995;
constexpr int kSlotsPerValue = 4;

// A table that holds itself twice doubles with every level.
constexpr size_t kMaxResultValues = 4 << 20;
constexpr size_t kMaxResultBytes = size_t{1} << 30;

class ResultWriter {
 public:
  ResultWriter(lua_State* L, int resp, ReplySink& reply)
      : lua_(L), first_slot_(lua_gettop(L)), resp3_(resp == 3), reply_(reply) {}

  void write() {
    write_while([] { return true; });
  }
  // False when it stopped halfway, since `go_on` said so.
  template <typename GoOn>
  bool write_while(GoOn go_on) {
    write_top();
    while (!open_.empty()) {
      if (!go_on()) return false;
      step();
    }
    return true;
  }

 private:
  enum class Kind : unsigned char { kArray, kMap, kSet };

  struct Frame {
    Kind kind;
    lua_Integer next = 1;  // arrays: index of the next element
    lua_Integer count = 0;
  };

  void step();
  void close();
  void write_top();
  void write_table();
  bool write_tagged();
  bool write_verbatim();
  bool write_pairs();
  void write_error();
  bool field_is(const char* field, int type);
  void open_array();
  void open_pairs(Kind kind);
  std::string_view text(int index);
  std::string_view one_line(int index);

  lua_State* lua_;
  const int first_slot_;
  const bool resp3_;
  ReplySink& reply_;
  std::vector<Frame> open_;
  std::string scratch_;
};

std::string_view ResultWriter::text(int index) {
  size_t size = 0;
  const char* bytes = lua_tolstring(lua_, index, &size);
  return {bytes, size};
}

// A line break would end a status or an error early.
std::string_view ResultWriter::one_line(int index) {
  const std::string_view bytes = text(index);
  if (bytes.find_first_of("\r\n") == std::string_view::npos) return bytes;
  scratch_ = bytes;
  std::replace(scratch_.begin(), scratch_.end(), '\r', ' ');
  std::replace(scratch_.begin(), scratch_.end(), '\n', ' ');
  return scratch_;
}

// Answers with the value on top and removes it, or opens it and leaves it there.
void ResultWriter::write_top() {
  const int slot = lua_gettop(lua_) - first_slot_ + 1;
  if (slot > kDeepestSlot || !lua_checkstack(lua_, kSlotsPerValue)) {
    reply_.error("ERR reached lua stack limit");
    lua_pop(lua_, 1);
    return;
  }
  switch (lua_type(lua_, -1)) {
    case LUA_TSTRING:
      reply_.bulk(text(-1));
      break;
    case LUA_TNUMBER:
      reply_.integer(truncate_to_int64(lua_tonumber(lua_, -1)));
      break;
    case LUA_TBOOLEAN: {
      const bool value = lua_toboolean(lua_, -1);
      if (resp3_) {
        reply_.boolean(value);
      } else if (value) {
        reply_.integer(1);
      } else {
        reply_.null();
      }
      break;
    }
    case LUA_TTABLE:
      return write_table();
    default:
      reply_.null();
  }
  lua_pop(lua_, 1);
}

void ResultWriter::write_table() {
  const bool plain_array = !has_hash_part(lua_, -1);
  if (!plain_array && write_tagged()) return;
  open_array();
}

// Pushes the field when it has this type; pushes nothing otherwise.
bool ResultWriter::field_is(const char* field, int type) {
  lua_pushstring(lua_, field);
  if (lua_rawget(lua_, -2) == type) return true;
  lua_pop(lua_, 1);
  return false;
}

// The tables that stand for something: {err = ...}, {map = ...} and so on, looked for in Redis' order.
bool ResultWriter::write_tagged() {
  if (field_is("err", LUA_TSTRING)) {
    write_error();
  } else if (field_is("ok", LUA_TSTRING)) {
    reply_.status(one_line(-1));
  } else if (field_is("double", LUA_TNUMBER)) {
    reply_.number(lua_tonumber(lua_, -1));
  } else if (field_is("big_number", LUA_TSTRING)) {
    reply_.big_number(one_line(-1));
  } else if (!write_verbatim()) {
    return write_pairs();
  }
  lua_pop(lua_, 2);
  return true;
}

// Stack: the table, its text.
void ResultWriter::write_error() {
  lua_pushstring(lua_, kErrorTold);
  lua_rawget(lua_, -3);
  const bool told = lua_toboolean(lua_, -1);
  lua_pop(lua_, 1);
  if (told) {
    reply_.error_again(one_line(-1));
  } else {
    reply_.error(one_line(-1));
  }
}

bool ResultWriter::write_pairs() {
  if (field_is("map", LUA_TTABLE)) {
    open_pairs(Kind::kMap);
  } else if (field_is("set", LUA_TTABLE)) {
    open_pairs(Kind::kSet);
  } else {
    return false;
  }
  return true;
}

// {verbatim_string = {format = "txt", string = "..."}}; leaves one value above the table when it is one.
bool ResultWriter::write_verbatim() {
  if (!field_is("verbatim_string", LUA_TTABLE)) return false;
  if (!field_is("format", LUA_TSTRING)) {
    lua_pop(lua_, 1);
    return false;
  }
  lua_insert(lua_, -2);
  if (!field_is("string", LUA_TSTRING)) {
    lua_pop(lua_, 2);
    return false;
  }
  std::string format(text(-3).substr(0, 3));
  format.resize(3, ' ');
  reply_.verbatim(format, text(-1));
  lua_pop(lua_, 2);
  return true;
}

// Arrays end before their first nil.
void ResultWriter::open_array() {
  lua_Integer count = 0;
  while (lua_rawgeti(lua_, -1, count + 1) != LUA_TNIL) {
    lua_pop(lua_, 1);
    count++;
  }
  lua_pop(lua_, 1);
  reply_.array(static_cast<size_t>(count));
  open_.push_back(Frame{Kind::kArray, 1, count});
}

// Stack: the tagged table, the table of pairs.
void ResultWriter::open_pairs(Kind kind) {
  size_t count = 0;
  for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1)) count++;
  if (kind == Kind::kMap) {
    reply_.map(count);
  } else {
    reply_.set(count);
  }
  lua_pushnil(lua_);
  open_.push_back(Frame{kind});
}

// Answers with the next element of the innermost aggregate, or closes it.
void ResultWriter::step() {
  Frame& frame = open_.back();
  if (frame.kind == Kind::kArray) {
    if (frame.next > frame.count) return close();
    lua_rawgeti(lua_, -1, frame.next++);
    return write_top();
  }
  // Stack: tagged table, table of pairs, the key before.
  if (frame.kind == Kind::kMap && frame.next == 2) {  // the value of the key just answered
    frame.next = 1;
    return write_top();
  }
  if (!lua_next(lua_, -2)) {
    lua_pop(lua_, 1);
    return close();
  }
  if (frame.kind == Kind::kMap) {
    frame.next = 2;
    lua_pushvalue(lua_, -2);
  } else {
    lua_pop(lua_, 1);
    lua_pushvalue(lua_, -1);
  }
  write_top();
}

void ResultWriter::close() {
  lua_pop(lua_, 1);
  open_.pop_back();
}

}  // namespace

// A table is walked twice: first into a measure, so that one too large is refused before any of it is out.
// The collector rests meanwhile: the names of fields that the first walk looked for are there in the second,
// which therefore needs no memory and cannot fail.
void write_result(lua_State* L, int resp, ReplySink& reply) {
  if (lua_type(L, -1) != LUA_TTABLE) return ResultWriter(L, resp, reply).write();
  const int top = lua_gettop(L);
  lua_gc(L, LUA_GCSTOP);
  MeasuringSink measure;
  lua_pushvalue(L, -1);
  ResultWriter first(L, resp, measure);
  const bool fits = first.write_while(
      [&] { return measure.values() <= kMaxResultValues && measure.bytes() <= kMaxResultBytes; });
  lua_settop(L, top);
  if (fits) {
    ResultWriter(L, resp, reply).write();
  } else {
    reply.error("ERR the script's result is too large");
  }
  lua_gc(L, LUA_GCRESTART);
}

}  // namespace lockstep
