// What a unit does to other sessions waits here until the unit has ended and its own reply stands:
// publishes and lines for monitors. Keeps bytes in one arena that it reuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

class Outbox {
 public:
  struct Message {
    std::string_view channel;
    std::string_view payload;
    bool to_monitors = false;  // the payload is a line for them; there is no channel
  };

  void publish(std::string_view channel, std::string_view payload) { add(channel, payload, false); }
  void tell_monitors(std::string_view line) { add({}, line, true); }
  bool empty() const { return items_.empty(); }
  // Changes when what was produced has been handed over.
  uint64_t unit() const { return unit_; }

  // Hands each message over in the order produced, and is empty then.
  template <typename Deliver>
  void drain(Deliver deliver) {
    for (const Item& item : items_) {
      const std::string_view bytes(arena_.data() + item.begin, item.channel_size + item.payload_size);
      deliver(Message{bytes.substr(0, item.channel_size), bytes.substr(item.channel_size), item.to_monitors});
    }
    clear();
  }

 private:
  struct Item {
    size_t begin;
    size_t channel_size;
    size_t payload_size;
    bool to_monitors;
  };
  void add(std::string_view channel, std::string_view payload, bool to_monitors);
  void clear();

  std::vector<Item> items_;
  std::string arena_;
  uint64_t unit_ = 1;
};

}  // namespace lockstep
