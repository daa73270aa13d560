#include "protocol/resp_reader.h"

#include <algorithm>
#include <cstring>

#include "protocol/inline_split.h"
#include "server/base/bytes.h"
#include "server/base/numbers.h"

namespace lockstep {

RespReader::Status RespReader::next(std::string_view input, const RequestLimits& limits) {
  if (arguments_left_ > 0) {
    rebase(input.data());
  } else {
    args_.clear();
    base_ = input.data();
    position_ = 0;
  }
  while (arguments_left_ == 0) {
    if (position_ >= input.size()) {
      consumed_ = position_;
      return Status::kNeedMore;
    }
    if (input[position_] != '*') {
      const Status status = parse_inline(input, limits);
      if (status != Status::kRequest || !args_.empty()) return status;
      continue;  // an empty line
    }
    const Status status = read_count(input, limits);
    if (status != Status::kRequest) return status;
  }
  return parse_array(input, limits);
}

// The views of a request under way follow its bytes to where they are now.
void RespReader::rebase(const char* base) {
  if (base == base_) return;
  for (std::string_view& arg : args_) arg = {base + (arg.data() - base_), arg.size()};
  base_ = base;
}

// What nearly all lines of counts and lengths are: `type`, up to four digits, CR LF. Anything else is left
// to be read with care.
bool RespReader::take_short_count(std::string_view input, char type, int64_t& value) {
  constexpr size_t kMaxDigits = 4;
  if (input.size() - position_ < kMaxDigits + 3 || input[position_] != type) return false;
  const char* const first = input.data() + position_ + 1;
  const char* at = first;
  int64_t number = 0;
  for (; at < first + kMaxDigits && *at >= '0' && *at <= '9'; ++at) number = number * 10 + (*at - '0');
  if (at == first || *at != '\r' || (*first == '0' && at - first > 1)) return false;
  value = number;
  position_ += static_cast<size_t>(at - first) + 3;
  return true;
}

// A line from position_ up to CR, its LF being there too. As in Redis, the LF itself is not looked at. One
// that is too long is not found, even when all of it came at once: how bytes were cut must not matter.
bool RespReader::find_line(std::string_view input, const RequestLimits& limits, std::string_view& line) const {
  const char* start = input.data() + position_;
  const size_t left = std::min(input.size() - position_, limits.max_line_bytes + 1);
  const void* found = std::memchr(start, '\r', left);
  if (found == nullptr) return false;
  const size_t length = static_cast<size_t>(static_cast<const char*>(found) - start);
  if (length + 2 > left) return false;
  line = {start, length};
  return true;
}

// "*<count>". kRequest: go on (a count of zero or less is an empty request).
RespReader::Status RespReader::read_count(std::string_view input, const RequestLimits& limits) {
  int64_t count = 0;
  if (!take_short_count(input, '*', count)) {
    std::string_view line;
    if (!find_line(input, limits, line)) {
      if (input.size() - position_ > limits.max_line_bytes) return fail("too big mbulk count string");
      consumed_ = position_;
      return Status::kNeedMore;
    }
    const auto number = parse_integer(line.substr(1));
    if (!number) return fail("invalid multibulk length");
    count = *number;
    position_ += line.size() + 2;
  }
  if (count > limits.max_arguments) return fail("invalid multibulk length");
  if (limits.unauthenticated && count > RequestLimits::kUnauthenticatedArguments)
    return fail("unauthenticated multibulk length");
  arguments_left_ = std::max<int64_t>(count, 0);
  bulk_bytes_ = -1;
  return Status::kRequest;
}

RespReader::Status RespReader::parse_array(std::string_view input, const RequestLimits& limits) {
  while (arguments_left_ > 0) {
    const Status status = read_bulk(input, limits);
    if (status != Status::kRequest) return status;
  }
  return done(position_);
}

RespReader::Status RespReader::read_bulk(std::string_view input, const RequestLimits& limits) {
  if (bulk_bytes_ < 0) {
    const Status status = read_bulk_length(input, limits);
    if (status != Status::kRequest) return status;
  }
  const size_t length = static_cast<size_t>(bulk_bytes_);
  if (input.size() - position_ < length + 2) {
    consumed_ = 0;
    return Status::kNeedMore;
  }
  args_.emplace_back(input.data() + position_, length);
  position_ += length + 2;
  bulk_bytes_ = -1;
  --arguments_left_;
  return Status::kRequest;
}

// "$<length>".
RespReader::Status RespReader::read_bulk_length(std::string_view input, const RequestLimits& limits) {
  int64_t length = 0;
  if (!take_short_count(input, '$', length)) {
    std::string_view line;
    if (!find_line(input, limits, line)) {
      if (input.size() - position_ > limits.max_line_bytes) return fail("too big bulk count string");
      consumed_ = 0;
      return Status::kNeedMore;
    }
    if (input[position_] != '$') return fail(std::string("expected '$', got '") + input[position_] + "'");
    const auto number = parse_integer(line.substr(1));
    if (!number || *number < 0) return fail("invalid bulk length");
    length = *number;
    position_ += line.size() + 2;
  }
  if (length > limits.max_bulk_bytes) return fail("invalid bulk length");
  if (limits.unauthenticated && length > RequestLimits::kUnauthenticatedBulkBytes)
    return fail("unauthenticated bulk length");
  bulk_bytes_ = length;
  return Status::kRequest;
}

RespReader::Status RespReader::parse_inline(std::string_view input, const RequestLimits& limits) {
  const std::string_view rest = input.substr(position_);
  const size_t newline = rest.find('\n');
  if (std::min(newline, rest.size()) > limits.max_line_bytes) return fail("too big inline request");
  if (newline == std::string_view::npos) {
    consumed_ = position_;
    return Status::kNeedMore;
  }
  std::string_view line = rest.substr(0, newline);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (!split_inline(line, unquoted_)) return fail("unbalanced quotes in request");
  args_.assign(unquoted_.begin(), unquoted_.end());
  return done(position_ + newline + 1);
}

RespReader::Status RespReader::fail(std::string_view text) {
  error_ = "ERR Protocol error: ";
  error_ += text;
  return Status::kError;
}

RespReader::Status RespReader::done(size_t consumed) {
  consumed_ = position_ = consumed;
  return Status::kRequest;
}

void RespReader::keep_args() {
  size_t bytes = 1;  // never empty while they are kept
  for (const std::string_view arg : args_) bytes += arg.size();
  kept_.resize(bytes);
  char* to = kept_.data();
  for (std::string_view& arg : args_) {
    char* const end = copy_bytes(to, arg);
    arg = {to, arg.size()};
    to = end;
  }
}

void RespReader::release_args() { std::vector<char>().swap(kept_); }

void RespReader::shrink() {
  if (!kept_.empty()) return;
  constexpr size_t kKeptArguments = 64;
  if (args_.capacity() > kKeptArguments) std::vector<std::string_view>().swap(args_);
  if (unquoted_.capacity() > kKeptArguments) std::vector<std::string>().swap(unquoted_);
}

}  // namespace lockstep
