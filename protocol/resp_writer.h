// ReplySink to RESP2 and RESP3 bytes (https://redis.io/docs/latest/develop/reference/protocol-spec/).
// One sits beside each session's OutBuffer and looks at the session's protocol with every verb, so that
// HELLO takes effect within its own reply.
#pragma once

#include "protocol/out_buffer.h"
#include "protocol/reply.h"

namespace lockstep {

enum class Protocol : uint8_t { kResp2 = 2, kResp3 = 3 };

class RespWriter final : public ReplySink {
 public:
  RespWriter(OutBuffer& out, const Protocol& protocol) : out_(out), protocol_(protocol) {}

  void ok() override { out_.append("+OK\r\n"); }
  void status(std::string_view text) override { line('+', text); }
  void write_error(std::string_view text) override { line('-', text); }
  void integer(int64_t value) override;
  void boolean(bool value) override;
  void number(double value) override;
  void big_number(std::string_view digits) override;
  void bulk(std::string_view bytes) override { blob('$', {}, bytes); }
  void verbatim(std::string_view format, std::string_view text) override;
  void null() override { out_.append(resp3() ? "_\r\n" : "$-1\r\n"); }
  void null_array() override { out_.append(resp3() ? "_\r\n" : "*-1\r\n"); }
  void array(size_t count) override { header('*', count); }
  void map(size_t pairs) override { resp3() ? header('%', pairs) : header('*', pairs * 2); }
  void set(size_t count) override { header(resp3() ? '~' : '*', count); }
  void push(size_t count) override { header(resp3() ? '>' : '*', count); }

 private:
  bool resp3() const { return protocol_ == Protocol::kResp3; }
  // A line starting with `type`; CR and LF inside become blanks, since they would end it early.
  void line(char type, std::string_view text);
  void header(char type, size_t count);
  void blob(char type, std::string_view prefix, std::string_view bytes);

  OutBuffer& out_;
  const Protocol& protocol_;
};

}  // namespace lockstep
