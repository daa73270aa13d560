#include "server/engine/outbox.h"

namespace lockstep {

void Outbox::add(std::string_view channel, std::string_view payload, bool to_monitors) {
  items_.push_back({arena_.size(), channel.size(), payload.size(), to_monitors});
  arena_ += channel;
  arena_ += payload;
}

void Outbox::clear() {
  constexpr size_t kKeptBytes = 64 << 10;
  ++unit_;
  items_.clear();
  arena_.clear();
  if (arena_.capacity() > kKeptBytes) std::string().swap(arena_);
}

}  // namespace lockstep
