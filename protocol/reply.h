// The vocabulary in which every command answers. A handler speaks to a ReplySink and never knows
// whether RESP2, RESP3, a Lua table or a value tree comes of it; what differs between those
// (flattened maps, `false` for null) is decided in the writers alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

// Who counts the errors that clients and scripts are answered.
class ErrorListener {
 public:
  // `repeated`: it has been told before, by the command that a script called.
  virtual void error_replied(std::string_view text, bool repeated) = 0;

 protected:
  ~ErrorListener() = default;
};

// One complete value is one call of a scalar verb, or an aggregate verb followed by as many complete
// values as it announced (map(n): 2n of them, alternately key and value). Views passed in are read
// before the call returns and not kept.
class ReplySink {
 public:
  virtual ~ReplySink() = default;

  virtual void ok() = 0;                          // the status OK
  virtual void status(std::string_view text) = 0;  // one line, no CR or LF in it
  void error(std::string_view text) { tell_error(text, false); }  // "CODE message", without the leading '-'
  // A script passes on what a command has answered it.
  void error_again(std::string_view text) { tell_error(text, true); }
  virtual void integer(int64_t value) = 0;
  virtual void boolean(bool value) = 0;            // RESP2: the integer 1 or 0
  virtual void number(double value) = 0;           // RESP2: a bulk string, shortest round-trip form
  virtual void big_number(std::string_view digits) = 0;  // RESP2: a bulk string
  virtual void bulk(std::string_view bytes) = 0;
  virtual void verbatim(std::string_view format, std::string_view text) = 0;  // format: 3 letters
  virtual void null() = 0;
  virtual void null_array() = 0;                   // RESP3 has only one null
  virtual void array(size_t count) = 0;
  virtual void map(size_t pairs) = 0;              // RESP2: an array of 2 * pairs
  virtual void set(size_t count) = 0;              // RESP2: an array
  virtual void push(size_t count) = 0;             // out of band in RESP3; RESP2: an array

  // For whoever makes or wraps a sink; handlers use neither.
  void tell_errors_to(ErrorListener* listener) { error_listener_ = listener; }
  ErrorListener* error_listener() const { return error_listener_; }
  virtual void write_error(std::string_view text) = 0;

 protected:
  ReplySink() = default;
  ReplySink(const ReplySink&) = default;
  ReplySink& operator=(const ReplySink&) = default;

 private:
  void tell_error(std::string_view text, bool repeated) {
    if (error_listener_ != nullptr) error_listener_->error_replied(text, repeated);
    write_error(text);
  }

  ErrorListener* error_listener_ = nullptr;
};

}  // namespace lockstep
