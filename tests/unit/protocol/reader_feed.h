// Feeds a RespReader as a session does: in pieces, from memory that moves with every piece and holds not a
// byte more than has come; drops what was consumed. What comes out, in readable form.
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/resp_reader.h"

namespace lockstep {

struct Parsed {
  std::vector<std::vector<std::string>> requests;
  std::string error;          // empty: none; what follows it has not been looked at
  size_t left = 0;            // bytes not consumed, of an unfinished request

  // What is left may hold empty requests before the unfinished one, or not.
  friend bool operator==(const Parsed& a, const Parsed& b) {
    return a.requests == b.requests && a.error == b.error;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Parsed& parsed) {
  for (const auto& request : parsed.requests) {
    out << "[";
    for (const auto& arg : request) out << " <" << arg << ">";
    out << " ] ";
  }
  return out << "error <" << parsed.error << "> left " << parsed.left;
}

class ReaderFeed {
 public:
  explicit ReaderFeed(RequestLimits limits = {}) : limits_(limits) {}

  // False once a protocol error has come.
  bool feed(std::string_view piece) {
    if (!parsed_.error.empty()) return false;
    // A fresh allocation of exactly this size: sanitizers see reads beyond it and views into the old one.
    const size_t size = held_size_ + piece.size();
    std::unique_ptr<char[]> moved(new char[size]);
    std::copy(held_.get(), held_.get() + held_size_, moved.get());
    std::copy(piece.begin(), piece.end(), moved.get() + held_size_);
    held_ = std::move(moved);
    held_size_ = size;
    return drain();
  }

  Parsed result() const {
    Parsed copy = parsed_;
    copy.left = held_size_ - begin_;
    return copy;
  }
  RespReader& reader() { return reader_; }

 private:
  bool drain() {
    begin_ = 0;
    for (;;) {
      switch (reader_.next({held_.get() + begin_, held_size_ - begin_}, limits_)) {
        case RespReader::Status::kRequest:
          parsed_.requests.emplace_back(reader_.args().begin(), reader_.args().end());
          begin_ += reader_.consumed();
          break;
        case RespReader::Status::kNeedMore:
          begin_ += reader_.consumed();
          return keep();
        case RespReader::Status::kError:
          parsed_.error = reader_.error_text();
          begin_ = held_size_;
          return false;
      }
    }
  }

  bool keep() {
    held_size_ -= begin_;
    std::unique_ptr<char[]> kept(new char[held_size_]);
    std::copy(held_.get() + begin_, held_.get() + begin_ + held_size_, kept.get());
    held_ = std::move(kept);
    begin_ = 0;
    return true;
  }

  RequestLimits limits_;
  RespReader reader_;
  std::unique_ptr<char[]> held_{new char[0]};
  size_t held_size_ = 0;
  size_t begin_ = 0;
  Parsed parsed_;
};

inline Parsed parse(std::string_view bytes, RequestLimits limits = {}) {
  ReaderFeed feed(limits);
  feed.feed(bytes);
  return feed.result();
}

// In pieces of `size` bytes.
inline Parsed parse_in_pieces(std::string_view bytes, size_t size, RequestLimits limits = {}) {
  ReaderFeed feed(limits);
  for (size_t at = 0; at < bytes.size(); at += size)
    if (!feed.feed(bytes.substr(at, size))) break;
  return feed.result();
}

}  // namespace lockstep
