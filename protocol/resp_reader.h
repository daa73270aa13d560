// Incremental parser of requests: RESP arrays of bulk strings and inline commands. Fed with a view of
// whatever has arrived; hands out one request at a time as views into that input. Copies nothing and
// starts nothing over: a request cut at any byte is continued where its bytes ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct RequestLimits {
  int64_t max_bulk_bytes = 512 << 20;   // proto-max-bulk-len
  int64_t max_arguments = INT32_MAX;
  size_t max_line_bytes = 64 << 10;     // inline commands, and the lines of counts and lengths

  // What somebody may send who has not shown a password yet.
  bool unauthenticated = false;
  static constexpr int64_t kUnauthenticatedArguments = 10;
  static constexpr int64_t kUnauthenticatedBulkBytes = 16384;
};

class RespReader {
 public:
  enum class Status : uint8_t { kNeedMore, kRequest, kError };

  // Parses from the start of `input`: on kRequest, args() is set and consumed() says how many bytes it
  // took. On kNeedMore, drop consumed() bytes (empty requests) and call again with the rest and more
  // behind it, at any address. On kError, error_text() says why; what follows cannot be understood.
  Status next(std::string_view input, const RequestLimits& limits);

  // Views into the input of the last next() (inline commands: into the reader), until the next call.
  const std::vector<std::string_view>& args() const { return args_; }
  // Moves what args() view into the reader, to be there whatever becomes of the input, until release_args().
  // No next() in between.
  void keep_args();
  void release_args();
  size_t consumed() const { return consumed_; }
  std::string_view error_text() const { return error_; }
  // Gives back memory that an unusually large request took.
  void shrink();

 private:
  Status parse_array(std::string_view input, const RequestLimits& limits);
  Status parse_inline(std::string_view input, const RequestLimits& limits);
  Status read_count(std::string_view input, const RequestLimits& limits);
  Status read_bulk(std::string_view input, const RequestLimits& limits);
  Status read_bulk_length(std::string_view input, const RequestLimits& limits);
  bool take_short_count(std::string_view input, char type, int64_t& value);
  bool find_line(std::string_view input, const RequestLimits& limits, std::string_view& line) const;
  void rebase(const char* base);
  Status fail(std::string_view text);
  Status done(size_t consumed);

  std::vector<std::string_view> args_;
  std::vector<char> kept_;              // between keep_args() and release_args(): what args_ view
  std::vector<std::string> unquoted_;   // what inline commands' quotes and escapes come to
  std::string error_;
  const char* base_ = nullptr;          // where args_ point into, as of the last call
  size_t position_ = 0;                 // parsed so far of the request under way
  size_t consumed_ = 0;
  int64_t arguments_left_ = 0;          // > 0: inside an array
  int64_t bulk_bytes_ = -1;             // >= 0: its length line has been read
};

}  // namespace lockstep
