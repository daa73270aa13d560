// One RESP conversation, sans-I/O: bytes in by feed, bytes out by output and consume. Knows no socket;
// the shell, the tests and the simulation drive it alike. All calls on the engine's thread, none of them
// from within a unit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/out_buffer.h"
#include "protocol/resp_reader.h"
#include "protocol/resp_writer.h"
#include "server/engine/journal.h"
#include "server/engine/session_state.h"

namespace lockstep {

class Schedule;

// What carries bytes needs to know of a conversation, whatever its protocol.
class ByteSession {
 public:
  virtual ~ByteSession() = default;

  // Takes all of `bytes` (not kept after the call) and runs every request that is now complete. Then see
  // Engine::take_dirty: other sessions may have output, too.
  virtual void feed(std::string_view bytes) = 0;
  // Bytes ready to leave, good until the next call on this engine; then consume() what has left.
  virtual std::string_view output() = 0;
  virtual void consume(size_t bytes) = 0;
  // The conversation is over: once output() is empty, close. What is fed from now on is ignored.
  virtual bool wants_close() const = 0;
};

class Session final : public ByteSession {
 public:
  Session(Schedule& schedule, const Journal& journal, BlockPool& blocks);

  void feed(std::string_view bytes) override;
  std::string_view output() override;
  void consume(size_t bytes) override { out_.consume(bytes); }
  bool wants_close() const override {
    return state_.close_after_reply && (seals_.empty() || seals_.back().position <= journal_.safe());
  }

  // For the engine: ----------------------------------------------------------------------------------
  SessionState& state() { return state_; }
  const SessionState& state() const { return state_; }
  ReplySink& reply() { return writer_; }

  // The next complete request, or nothing to run. Answers protocol errors itself.
  bool next_request(const RequestLimits& limits);
  std::span<const std::string_view> args() const {
    return held_.empty() ? std::span<const std::string_view>(reader_.args()) : held_.view();
  }
  // The request may not run now: next_request will give it again.
  void hold_request();
  // Around the reply to one command: CLIENT REPLY may want none.
  void begin_reply();
  void end_reply();
  // From here to release_request() the arguments outlive the bytes that they were read from: they are moved to a
  // copy, where args() shows them. Views taken from them before are not good any more.
  void keep_request() {
    if (held_.empty()) reader_.keep_args();
  }
  void release_request() { reader_.release_args(); }

  bool blocked() const { return blocked_; }
  void set_blocked(bool blocked) { blocked_ = blocked; }

  // Everything written so far may leave when the journal is safe up to where it now is.
  void seal_output();
  // Wrote something since it was last sealed, or wants to be closed.
  bool has_news() const { return out_.stream_end() != sealed_end_ || state_.close_after_reply; }
  bool holds_output_back() const { return !seals_.empty(); }
  // Something that waited for the journal may leave now.
  bool has_released_output() const { return !seals_.empty() && seals_.front().position <= journal_.safe(); }
  // It has left too much unread: nothing more is kept for it.
  void cut_off();

  bool dirty() const { return dirty_; }
  void set_dirty(bool dirty) { dirty_ = dirty; }

  size_t input_bytes() const { return unread().size(); }
  size_t output_bytes() const { return out_.size(); }
 private:
  struct Seal {
    Journal::Position position;
    uint64_t end;  // of the stream of output
  };

  std::string_view unread() const;
  void advance(size_t bytes);
  void keep_unread();

  Schedule& schedule_;
  const Journal& journal_;
  SessionState state_;
  RespReader reader_;
  OutBuffer out_;
  RespWriter writer_;
  std::string_view fed_;        // the caller's bytes, within feed() and with nothing pending only
  std::string pending_;         // what has come and could not run yet
  size_t pending_begin_ = 0;
  std::vector<Seal> seals_;     // output that waits for the journal, oldest first
  uint64_t released_end_ = 0;
  uint64_t sealed_end_ = 0;
  StoredArgs held_;             // the request that hold_request kept
  bool held_again_ = false;     // it is the next request
  uint64_t reply_begin_ = 0;
  bool blocked_ = false;
  bool dirty_ = false;
};

}  // namespace lockstep
