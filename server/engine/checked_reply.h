// A ReplySink that counts what passes through: checked builds hold every handler to exactly one
// complete value. Used by dispatch alone.
#pragma once

#include <cstddef>
#include <vector>

#include "protocol/reply.h"

namespace lockstep {

class CheckedReply final : public ReplySink {
 public:
  explicit CheckedReply(ReplySink& to) : to_(to) { tell_errors_to(to.error_listener()); }

  size_t values() const { return values_; }           // complete ones at the top level
  bool complete() const { return open_.empty(); }     // no aggregate waits for more

  void ok() override { to_.ok(); count(); }
  void status(std::string_view text) override { to_.status(text); count(); }
  void write_error(std::string_view text) override { to_.write_error(text); count(); }
  void integer(int64_t value) override { to_.integer(value); count(); }
  void boolean(bool value) override { to_.boolean(value); count(); }
  void number(double value) override { to_.number(value); count(); }
  void big_number(std::string_view digits) override { to_.big_number(digits); count(); }
  void bulk(std::string_view bytes) override { to_.bulk(bytes); count(); }
  void verbatim(std::string_view format, std::string_view text) override { to_.verbatim(format, text); count(); }
  void null() override { to_.null(); count(); }
  void null_array() override { to_.null_array(); count(); }
  void array(size_t items) override { to_.array(items); open(items); }
  void map(size_t pairs) override { to_.map(pairs); open(2 * pairs); }
  void set(size_t items) override { to_.set(items); open(items); }
  void push(size_t items) override { to_.push(items); open(items); }

 private:
  void open(size_t items) {
    if (items == 0) return count();
    open_.push_back(items);
  }
  void count() {
    while (!open_.empty()) {
      if (--open_.back() > 0) return;
      open_.pop_back();
    }
    ++values_;
  }

  ReplySink& to_;
  size_t values_ = 0;
  std::vector<size_t> open_;  // values still missing, outermost first
};

}  // namespace lockstep
