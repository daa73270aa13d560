// Objects at addresses that stay, found by {slot, generation}: a handle to something that has gone is
// recognised, even when its slot has been taken again. Iterates in the order of slots.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep {

struct SlotId {
  uint32_t slot = UINT32_MAX;
  uint32_t generation = 0;

  friend constexpr auto operator<=>(const SlotId&, const SlotId&) = default;
};

template <typename T>
class SlotMap {
 public:
  // The slot that the next insert() will take, so that an object can know its own handle.
  SlotId next_id() const {
    if (!free_.empty()) return {free_.back(), slots_[free_.back()].generation};
    return {static_cast<uint32_t>(slots_.size()), 0};
  }

  SlotId insert(std::unique_ptr<T> value) {
    const SlotId id = next_id();
    if (free_.empty()) {
      slots_.push_back({0, std::move(value)});
    } else {
      free_.pop_back();
      slots_[id.slot].value = std::move(value);
    }
    ++size_;
    return id;
  }

  // nullptr when it has gone.
  T* find(SlotId id) const {
    if (id.slot >= slots_.size() || slots_[id.slot].generation != id.generation) return nullptr;
    return slots_[id.slot].value.get();
  }

  void erase(SlotId id) {
    if (find(id) == nullptr) return;
    slots_[id.slot].value.reset();
    ++slots_[id.slot].generation;
    free_.push_back(id.slot);
    --size_;
  }

  size_t size() const { return size_; }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_)
      if (slot.value) visit(*slot.value);
  }

 private:
  struct Slot {
    uint32_t generation;
    std::unique_ptr<T> value;
  };
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  size_t size_ = 0;
};

}  // namespace lockstep
