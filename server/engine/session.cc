#include "server/engine/session.h"

#include "server/engine/command.h"
#include "server/engine/schedule.h"

namespace lockstep {

Session::Session(Schedule& schedule, const Journal& journal, BlockPool& blocks)
    : schedule_(schedule), journal_(journal), out_(blocks), writer_(out_, state_.protocol) {}

void Session::feed(std::string_view bytes) {
  if (state_.close_after_reply) return;
  if (input_bytes() == 0) {
    fed_ = bytes;
  } else {
    pending_ += bytes;
  }
  if (!blocked_) schedule_.run(*this);
  keep_unread();
  if (input_bytes() > schedule_.max_input_bytes()) schedule_.cut_off_for_input(*this);
}

std::string_view Session::unread() const {
  return fed_.empty() ? std::string_view(pending_).substr(pending_begin_) : fed_;
}

void Session::advance(size_t bytes) {
  if (fed_.empty()) {
    pending_begin_ += bytes;
  } else {
    fed_.remove_prefix(bytes);
  }
}

// The caller's bytes die with feed(): what did not run is copied, and memory that a burst took goes.
void Session::keep_unread() {
  constexpr size_t kKeptBytes = 4 << 10;
  if (state_.close_after_reply) {
    fed_ = {};
    pending_begin_ = pending_.size();
  }
  if (!fed_.empty()) {
    pending_.assign(fed_);
    pending_begin_ = 0;
    fed_ = {};
  } else if (pending_begin_ == pending_.size()) {
    pending_.clear();
    pending_begin_ = 0;
    if (pending_.capacity() > kKeptBytes) std::string().swap(pending_);
    reader_.shrink();
  } else if (pending_begin_ > pending_.size() / 2) {
    pending_.erase(0, pending_begin_);
    pending_begin_ = 0;
  }
}

bool Session::next_request(const RequestLimits& limits) {
  if (blocked_ || state_.close_after_reply) return false;
  if (held_again_) {
    held_again_ = false;
    return true;
  }
  if (!held_.empty()) held_ = {};
  if (state_.in_transaction() && state_.transaction->bytes > schedule_.max_input_bytes()) {
    schedule_.cut_off_for_input(*this);
    return false;
  }
  const std::string_view input = unread();
  if (input.empty()) return false;
  switch (reader_.next(input, limits)) {
    case RespReader::Status::kNeedMore:
      advance(reader_.consumed());
      return false;
    case RespReader::Status::kRequest:
      // However it was cut on its way, it may not be larger than what is kept of one.
      if (reader_.consumed() > schedule_.max_input_bytes()) {
        schedule_.cut_off_for_input(*this);
        return false;
      }
      advance(reader_.consumed());
      return true;
    case RespReader::Status::kError:
      writer_.error(reader_.error_text());
      state_.close_after_reply = true;
      return false;
  }
  return false;
}

void Session::hold_request() {
  if (held_.empty()) held_ = StoredArgs(reader_.args());
  held_again_ = true;
}

void Session::begin_reply() {
  reply_begin_ = out_.stream_end();
  if (state_.reply_mode == ReplyMode::kSkipNext) state_.reply_mode = ReplyMode::kSkip;
}

void Session::end_reply() {
  if (state_.reply_mode == ReplyMode::kOn) return;
  const CommandSpec* command = state_.last_command;
  // Subscriptions are told as messages are, which come all the same.
  if (command == nullptr || command->group != CommandGroup::kPubSub || command->name == "publish")
    out_.drop_from(reply_begin_);
  if (state_.reply_mode == ReplyMode::kSkip) state_.reply_mode = ReplyMode::kOn;
}

void Session::seal_output() {
  const uint64_t sealed_before = sealed_end_;
  sealed_end_ = out_.stream_end();
  if (journal_.safe() >= journal_.written()) return;
  if (!seals_.empty() && seals_.back().position == journal_.written()) {
    seals_.back().end = sealed_end_;
  } else {
    if (seals_.empty()) released_end_ = sealed_before;
    seals_.push_back({journal_.written(), sealed_end_});
  }
}

void Session::cut_off() {
  state_.cut_off = state_.close_after_reply = true;
  out_.clear();
  seals_.clear();
}

// Of a unit that is still open, as while its script is suspended, nothing leaves.
std::string_view Session::output() {
  uint64_t end = sealed_end_;
  if (!seals_.empty()) {
    size_t safe_seals = 0;
    while (safe_seals < seals_.size() && seals_[safe_seals].position <= journal_.safe())
      released_end_ = seals_[safe_seals++].end;
    seals_.erase(seals_.begin(), seals_.begin() + static_cast<std::ptrdiff_t>(safe_seals));
    if (!seals_.empty()) end = released_end_;
  }
  return out_.view().substr(0, end - out_.stream_begin());
}

}  // namespace lockstep
