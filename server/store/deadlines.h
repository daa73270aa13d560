// Everything that is to happen at a time: an indexed intrusive 4-ary heap, ordered by (instant, class,
// order of arming). Owners embed a DeadlineNode, so arming and re-arming allocate nothing beyond the
// heap's own chunks. Used by the keyspaces (expiry) and the engine (time-outs); knows neither.
//
// A slot is 16 bytes: 44 bits of milliseconds, 1 of class, 35 of order, 48 of pointer; comparing two
// slots touches no owner. The heap grows in chunks, so no arming ever copies the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lockstep {

// Embedded in whatever has a deadline. Its address must stay what it was when armed; an owner that
// moves says so with Deadlines::relocated. Must be disarmed before it dies.
struct DeadlineNode {
  static constexpr uint32_t kUnarmed = UINT32_MAX;
  static constexpr uint32_t kFar = UINT32_MAX - 1;

  uint32_t position = kUnarmed;

  bool armed() const { return position != kUnarmed; }
};

class Deadlines {
 public:
  static constexpr size_t kSlotBytes = 16;

  // At one instant keys expire before waiters time out, so that a waiter gets the lock freed in the
  // very millisecond in which it would give up.
  enum class Class : uint8_t { kExpiry = 0, kTimeout = 1 };

  struct Due {
    int64_t at_ms;
    Class kind;
    DeadlineNode* node;
  };

  Deadlines() = default;
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  // Arms or re-arms. at_ms must not be negative. Re-arming counts as arming anew among equals.
  void arm(DeadlineNode& node, Class kind, int64_t at_ms);
  void disarm(DeadlineNode& node);
  // The armed owner now lives at `node` (already carrying the old position).
  void relocated(DeadlineNode& node);

  int64_t at_ms(const DeadlineNode& node) const;  // node must be armed

  bool empty() const { return size_ == 0 && far_.empty(); }
  size_t size() const { return size_ + far_.size(); }
  // The earliest, INT64_MAX when nothing is armed. Cheap: asked before every unit.
  int64_t earliest_ms() const {
    if (size_ > 0) return ms_of(slot(0));
    return far_.empty() ? INT64_MAX : std::get<0>(far_.begin()->first);
  }
  std::optional<Due> earliest() const;

  size_t memory_bytes() const { return chunks_.size() * sizeof(Chunk) + far_.size() * kFarBytes; }

 private:
  struct Slot {
    uint64_t high;  // ms << 20 | class << 19 | order >> 16
    uint64_t low;   // order << 48 | pointer

    bool before(const Slot& other) const {
      return high != other.high ? high < other.high : low < other.low;
    }
  };
  // 4-ary, and index 0 sits at 3 in its chunk: the four children of a slot share one cache line.
  static_assert(sizeof(Slot) == kSlotBytes);
  static constexpr size_t kArity = 4;
  static constexpr size_t kShift = 3;
  static constexpr size_t kChunkSlots = 4096;
  static constexpr int kMsBits = 44;
  static constexpr int kOrderBits = 35;
  static constexpr size_t kFarBytes = 128;  // of its nodes in both maps, for the account only
  struct alignas(64) Chunk {
    Slot slots[kChunkSlots];
  };

  Slot& slot(size_t index) {
    const size_t at = index + kShift;
    return chunks_[at / kChunkSlots]->slots[at % kChunkSlots];
  }
  const Slot& slot(size_t index) const { return const_cast<Deadlines*>(this)->slot(index); }
  static int64_t ms_of(const Slot& slot) { return static_cast<int64_t>(slot.high >> 20); }
  static Class kind_of(const Slot& slot) { return static_cast<Class>(slot.high >> 19 & 1); }
  static DeadlineNode* node_of(const Slot& slot) {
    return reinterpret_cast<DeadlineNode*>(slot.low & 0xffff'ffff'ffff);
  }

  void place(size_t index, const Slot& value);
  void sift(size_t index, Slot value);
  void sift_up(size_t index, Slot value);
  void sift_down(size_t index, Slot value);
  void remove_slot(size_t index);
  void grow();

  // After 2^35 armings the count starts anew; then two deadlines of the same millisecond, armed on
  // either side of that point, may fire in the other order. Nothing else depends on it.
  uint64_t next_order_ = 0;
  size_t size_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  // Deadlines past 44 bits of milliseconds (the year 2527 on a Unix time line): later than all others,
  // rare, and here with their exact value.
  using FarKey = std::tuple<int64_t, Class, uint64_t>;
  std::map<FarKey, DeadlineNode*> far_;
  std::unordered_map<const DeadlineNode*, FarKey> far_keys_;
};

}  // namespace lockstep
