// A command's reply as a Lua value, pushed on the stack: what redis.call returns. No RESP in between. Which
// values stand for null, maps and doubles depends on the RESP version that the script chose.
#pragma once

#include <exception>
#include <string_view>
#include <vector>

#include "lua.h"
#include "protocol/reply.h"

namespace lockstep {

// Redis' name for the field that marks an error table as counted already.
inline constexpr char kErrorTold[] = "ignore_error_stats_update";

class LuaSink final : public ReplySink {
 public:
  // `resp` is 2 or 3. The reply will be on top of L's stack.
  LuaSink(lua_State* L, int resp) : lua_(L), resp3_(resp == 3) {}

  // After the command: raises in this frame what Lua raised while the reply was built (it must not unwind
  // the engine), and completes the reply.
  void finish();
  // The reply is an error: the table {err = text, ...} is on the stack.
  bool is_error() const { return is_error_; }

  void ok() override;
  void status(std::string_view text) override;
  void write_error(std::string_view text) override;
  void integer(int64_t value) override;
  void boolean(bool value) override;
  void number(double value) override;
  void big_number(std::string_view digits) override;
  void bulk(std::string_view bytes) override;
  void verbatim(std::string_view format, std::string_view text) override;
  void null() override;
  void null_array() override;
  void array(size_t count) override;
  void map(size_t pairs) override;
  void set(size_t count) override;
  void push(size_t count) override;

 private:
  enum class Kind : unsigned char { kArray, kMap, kSet };

  // An aggregate whose elements are still to come; its table is on the stack, a map's pending key above.
  struct Frame {
    Kind kind;
    bool has_key = false;
    lua_Integer stored = 0;
    size_t missing;  // elements, keys and values counted apart
  };

  template <class Push>
  void value(Push&& push);
  template <class Push>
  void guarded(Push&& push);
  void begin(Kind kind, size_t count);
  void wrap(Kind kind);
  void complete();
  void store_in(Frame& frame);
  void push_wrapped(const char* field, std::string_view text);

  lua_State* lua_;
  const bool resp3_;
  bool is_error_ = false;
  std::vector<Frame> open_;
  std::exception_ptr failure_;
};

}  // namespace lockstep
