#include "protocol/resp_writer.h"

#include "server/base/bytes.h"
#include "server/base/numbers.h"

namespace lockstep {
namespace {

char* end_line(char* at) {
  *at++ = '\r';
  *at++ = '\n';
  return at;
}

}  // namespace

void RespWriter::line(char type, std::string_view text) {
  char* const start = out_.reserve(text.size() + 3);
  char* at = start;
  *at++ = type;
  for (const char c : text) *at++ = c == '\r' || c == '\n' ? ' ' : c;
  out_.commit(static_cast<size_t>(end_line(at) - start));
}

void RespWriter::header(char type, size_t count) {
  char* const start = out_.reserve(kMaxIntegerText + 3);
  *start = type;
  char* at = write_integer(start + 1, static_cast<int64_t>(count));
  out_.commit(static_cast<size_t>(end_line(at) - start));
}

void RespWriter::blob(char type, std::string_view prefix, std::string_view bytes) {
  const size_t size = prefix.size() + bytes.size();
  char* const start = out_.reserve(kMaxIntegerText + 5 + size);
  *start = type;
  char* at = end_line(write_integer(start + 1, static_cast<int64_t>(size)));
  at = copy_bytes(copy_bytes(at, prefix), bytes);
  out_.commit(static_cast<size_t>(end_line(at) - start));
}

void RespWriter::integer(int64_t value) {
  char* const start = out_.reserve(kMaxIntegerText + 3);
  *start = ':';
  out_.commit(static_cast<size_t>(end_line(write_integer(start + 1, value)) - start));
}

void RespWriter::boolean(bool value) {
  if (!resp3()) return integer(value ? 1 : 0);
  out_.append(value ? "#t\r\n" : "#f\r\n");
}

void RespWriter::number(double value) {
  char text[kMaxDoubleText];
  const std::string_view digits(text, static_cast<size_t>(write_double(text, value) - text));
  resp3() ? line(',', digits) : bulk(digits);
}

void RespWriter::big_number(std::string_view digits) {
  resp3() ? line('(', digits) : bulk(digits);
}

void RespWriter::verbatim(std::string_view format, std::string_view text) {
  if (!resp3()) return bulk(text);
  const char prefix[4] = {format[0], format[1], format[2], ':'};
  blob('=', {prefix, sizeof prefix}, text);
}

}  // namespace lockstep
