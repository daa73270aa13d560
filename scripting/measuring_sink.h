// A ReplySink that keeps nothing but how much there would be. The result writer lets a result run into it
// first, since what has begun to leave cannot be taken back.
#pragma once

#include <cstddef>

#include "protocol/reply.h"

namespace lockstep {

class MeasuringSink final : public ReplySink {
 public:
  size_t values() const { return values_; }
  size_t bytes() const { return bytes_; }

  void ok() override { count(0); }
  void status(std::string_view text) override { count(text.size()); }
  void write_error(std::string_view text) override { count(text.size()); }
  void integer(int64_t) override { count(0); }
  void boolean(bool) override { count(0); }
  void number(double) override { count(0); }
  void big_number(std::string_view digits) override { count(digits.size()); }
  void bulk(std::string_view text) override { count(text.size()); }
  void verbatim(std::string_view, std::string_view text) override { count(text.size()); }
  void null() override { count(0); }
  void null_array() override { count(0); }
  void array(size_t) override { count(0); }
  void map(size_t) override { count(0); }
  void set(size_t) override { count(0); }
  void push(size_t) override { count(0); }

 private:
  void count(size_t bytes) {
    ++values_;
    bytes_ += bytes;
  }

  size_t values_ = 0;
  size_t bytes_ = 0;
};

}  // namespace lockstep
