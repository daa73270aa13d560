#include "server/store/deadlines.h"

#include <algorithm>

#include "server/base/check.h"

namespace lockstep {

void Deadlines::arm(DeadlineNode& node, Class kind, int64_t at_ms) {
  LOCKSTEP_CHECK(at_ms >= 0);
  const uint64_t order = next_order_++ & ((uint64_t{1} << kOrderBits) - 1);
  const bool far = at_ms >> kMsBits != 0;
  if (node.position == DeadlineNode::kFar || (node.armed() && far)) disarm(node);
  if (far) {
    far_.emplace(FarKey{at_ms, kind, order}, &node);
    far_keys_.emplace(&node, FarKey{at_ms, kind, order});
    node.position = DeadlineNode::kFar;
    return;
  }
  const uint64_t address = reinterpret_cast<uint64_t>(&node);
  LOCKSTEP_CHECK(address >> 48 == 0);
  const Slot value{static_cast<uint64_t>(at_ms) << 20 | static_cast<uint64_t>(kind) << 19 | order >> 16,
                   order << 48 | address};
  if (node.armed()) return sift(node.position, value);
  LOCKSTEP_CHECK(size_ < DeadlineNode::kFar);
  if (size_ + kShift >= chunks_.size() * kChunkSlots) grow();
  sift_up(size_++, value);
}

void Deadlines::disarm(DeadlineNode& node) {
  if (!node.armed()) return;
  if (node.position == DeadlineNode::kFar) {
    const auto found = far_keys_.find(&node);
    LOCKSTEP_CHECK(found != far_keys_.end());
    far_.erase(found->second);
    far_keys_.erase(found);
  } else {
    remove_slot(node.position);
  }
  node.position = DeadlineNode::kUnarmed;
}

void Deadlines::relocated(DeadlineNode& node) {
  if (node.position == DeadlineNode::kUnarmed) return;
  LOCKSTEP_CHECK(node.position != DeadlineNode::kFar);
  Slot& held = slot(node.position);
  held.low = (held.low & ~uint64_t{0xffff'ffff'ffff}) | reinterpret_cast<uint64_t>(&node);
}

int64_t Deadlines::at_ms(const DeadlineNode& node) const {
  LOCKSTEP_CHECK(node.armed());
  if (node.position != DeadlineNode::kFar) return ms_of(slot(node.position));
  return std::get<0>(far_keys_.at(&node));
}

std::optional<Deadlines::Due> Deadlines::earliest() const {
  if (size_ > 0) return Due{ms_of(slot(0)), kind_of(slot(0)), node_of(slot(0))};
  if (far_.empty()) return std::nullopt;
  const auto& [key, node] = *far_.begin();
  return Due{std::get<0>(key), std::get<1>(key), node};
}

void Deadlines::place(size_t index, const Slot& value) {
  slot(index) = value;
  node_of(value)->position = static_cast<uint32_t>(index);
}

void Deadlines::sift_up(size_t index, Slot value) {
  while (index > 0) {
    const size_t parent = (index - 1) / kArity;
    if (!value.before(slot(parent))) break;
    place(index, slot(parent));
    index = parent;
  }
  place(index, value);
}

void Deadlines::sift_down(size_t index, Slot value) {
  for (;;) {
    const size_t first = index * kArity + 1;
    if (first >= size_) break;
    const size_t last = std::min(first + kArity, size_);
    size_t least = first;
    for (size_t child = first + 1; child < last; ++child)
      if (slot(child).before(slot(least))) least = child;
    if (!slot(least).before(value)) break;
    place(index, slot(least));
    index = least;
  }
  place(index, value);
}

// Puts `value` where it belongs, starting from the free place `index`.
void Deadlines::sift(size_t index, Slot value) {
  if (index > 0 && value.before(slot((index - 1) / kArity))) {
    sift_up(index, value);
  } else {
    sift_down(index, value);
  }
}

void Deadlines::remove_slot(size_t index) {
  const Slot last = slot(--size_);
  if (index < size_) sift(index, last);
  // One spare chunk stays, so that a heap breathing around a boundary does not allocate each time.
  while (chunks_.size() > 1 && size_ + kShift + kChunkSlots < (chunks_.size() - 1) * kChunkSlots)
    chunks_.pop_back();
}

void Deadlines::grow() { chunks_.push_back(std::unique_ptr<Chunk>(new Chunk)); }

}  // namespace lockstep
