// What is due first: by time, then class, then order of arming; whatever was re-armed, disarmed or moved
// meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "server/store/deadlines.h"

namespace lockstep {
namespace {

using Class = Deadlines::Class;

constexpr int64_t kFarMs = int64_t{1} << 44;   // from here on a deadline does not fit into its slot
constexpr size_t kChunkSlots = 4096;           // and three of the first are not used
constexpr size_t kFirstChunk = kChunkSlots - 3;

// Takes everything out in order.
std::vector<DeadlineNode*> drain(Deadlines& deadlines) {
  std::vector<DeadlineNode*> order;
  while (const auto due = deadlines.earliest()) {
    EXPECT_EQ(due->at_ms, deadlines.earliest_ms());
    EXPECT_EQ(due->at_ms, deadlines.at_ms(*due->node));
    order.push_back(due->node);
    deadlines.disarm(*due->node);
    EXPECT_FALSE(due->node->armed());
  }
  return order;
}

TEST(Deadlines, NothingIsNever) {
  Deadlines deadlines;
  EXPECT_TRUE(deadlines.empty());
  EXPECT_EQ(deadlines.earliest_ms(), INT64_MAX);
  EXPECT_FALSE(deadlines.earliest().has_value());
  DeadlineNode node;
  deadlines.disarm(node);
  deadlines.relocated(node);
  EXPECT_EQ(deadlines.size(), 0u);
}

TEST(Deadlines, ByTimeThenClassThenOrderOfArming) {
  Deadlines deadlines;
  DeadlineNode late, timeout_a, timeout_b, expiry_a, expiry_b, early;
  deadlines.arm(late, Class::kExpiry, 200);
  deadlines.arm(timeout_a, Class::kTimeout, 100);
  deadlines.arm(expiry_a, Class::kExpiry, 100);
  deadlines.arm(timeout_b, Class::kTimeout, 100);
  deadlines.arm(expiry_b, Class::kExpiry, 100);
  deadlines.arm(early, Class::kTimeout, 0);
  EXPECT_EQ(deadlines.size(), 6u);
  EXPECT_EQ(deadlines.earliest()->kind, Class::kTimeout);
  EXPECT_EQ(drain(deadlines),
            (std::vector<DeadlineNode*>{&early, &expiry_a, &expiry_b, &timeout_a, &timeout_b, &late}));
  EXPECT_TRUE(deadlines.empty());
}

TEST(Deadlines, ArmingAgainIsArmingAnew) {
  Deadlines deadlines;
  DeadlineNode a, b, c;
  deadlines.arm(a, Class::kExpiry, 100);
  deadlines.arm(b, Class::kExpiry, 100);
  deadlines.arm(c, Class::kExpiry, 50);
  deadlines.arm(a, Class::kExpiry, 100);  // now behind b
  deadlines.arm(c, Class::kExpiry, 300);
  EXPECT_EQ(deadlines.size(), 3u);
  EXPECT_EQ(deadlines.at_ms(c), 300);
  EXPECT_EQ(drain(deadlines), (std::vector<DeadlineNode*>{&b, &a, &c}));
}

// More than 2^16 armings, where the order passes from the low half of a slot into the high one.
TEST(Deadlines, KeepsTheOrderOfManyEqualOnes) {
  constexpr size_t kCount = 150'000;
  Deadlines deadlines;
  std::vector<DeadlineNode> nodes(kCount);
  for (DeadlineNode& node : nodes) deadlines.arm(node, Class::kExpiry, 7);
  const std::vector<DeadlineNode*> order = drain(deadlines);
  ASSERT_EQ(order.size(), kCount);
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(order[i], &nodes[i]);
}

TEST(Deadlines, FarOnesKeepTheirExactTime) {
  Deadlines deadlines;
  DeadlineNode last_near, first_far, far_timeout, far_expiry, farthest, soon;
  deadlines.arm(farthest, Class::kExpiry, INT64_MAX);
  deadlines.arm(far_timeout, Class::kTimeout, kFarMs + 5);
  deadlines.arm(far_expiry, Class::kExpiry, kFarMs + 5);
  deadlines.arm(first_far, Class::kTimeout, kFarMs);
  EXPECT_EQ(deadlines.earliest_ms(), kFarMs);
  deadlines.arm(last_near, Class::kTimeout, kFarMs - 1);
  deadlines.arm(soon, Class::kTimeout, 1);
  EXPECT_EQ(deadlines.at_ms(farthest), INT64_MAX);
  EXPECT_EQ(deadlines.at_ms(last_near), kFarMs - 1);
  EXPECT_EQ(deadlines.size(), 6u);
  EXPECT_EQ(drain(deadlines), (std::vector<DeadlineNode*>{&soon, &last_near, &first_far, &far_expiry, &far_timeout,
                                                          &farthest}));
}

TEST(Deadlines, MovesBetweenNearAndFar) {
  Deadlines deadlines;
  DeadlineNode a, b;
  deadlines.arm(a, Class::kExpiry, 10);
  deadlines.arm(b, Class::kExpiry, kFarMs * 2);
  deadlines.arm(a, Class::kExpiry, kFarMs * 3);
  EXPECT_EQ(deadlines.size(), 2u);
  EXPECT_EQ(deadlines.earliest()->node, &b);
  deadlines.arm(a, Class::kExpiry, 20);
  EXPECT_EQ(deadlines.earliest()->node, &a);
  EXPECT_EQ(deadlines.earliest_ms(), 20);
  deadlines.disarm(b);
  deadlines.disarm(a);
  EXPECT_TRUE(deadlines.empty());
}

TEST(Deadlines, FollowsAnOwnerThatMoves) {
  Deadlines deadlines;
  auto owner = std::make_unique<DeadlineNode>();
  DeadlineNode other;
  deadlines.arm(*owner, Class::kTimeout, 30);
  deadlines.arm(other, Class::kTimeout, 30);
  auto moved = std::make_unique<DeadlineNode>(*owner);
  deadlines.relocated(*moved);
  owner.reset();
  EXPECT_EQ(deadlines.at_ms(*moved), 30);
  EXPECT_EQ(deadlines.earliest()->node, moved.get());  // moving is no arming anew
  EXPECT_EQ(deadlines.earliest()->kind, Class::kTimeout);
  deadlines.disarm(*moved);
  EXPECT_EQ(deadlines.earliest()->node, &other);
}

// Sizes on either side of where a chunk begins, grown and shrunk over.
TEST(Deadlines, AcrossChunks) {
  for (const size_t count : {kFirstChunk - 1, kFirstChunk, kFirstChunk + 1, kFirstChunk + kChunkSlots,
                             kFirstChunk + kChunkSlots + 1, 3 * kChunkSlots}) {
    Deadlines deadlines;
    std::vector<DeadlineNode> nodes(count);
    for (size_t i = 0; i < count; ++i)
      deadlines.arm(nodes[i], Class::kExpiry, static_cast<int64_t>((i * 7919) % count));
    const std::vector<DeadlineNode*> order = drain(deadlines);
    ASSERT_EQ(order.size(), count);
    std::vector<int64_t> times;
    for (const DeadlineNode* node : order)
      times.push_back(static_cast<int64_t>(static_cast<size_t>(node - nodes.data()) * 7919 % count));
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end())) << count;
  }
}

TEST(Deadlines, GivesMemoryBack) {
  Deadlines deadlines;
  EXPECT_EQ(deadlines.memory_bytes(), 0u);
  std::vector<DeadlineNode> nodes(10 * kChunkSlots);
  for (DeadlineNode& node : nodes) deadlines.arm(node, Class::kExpiry, 1);
  const size_t full = deadlines.memory_bytes();
  EXPECT_GE(full, nodes.size() * 16);
  EXPECT_LE(full, nodes.size() * 16 + 2 * kChunkSlots * 16);
  for (DeadlineNode& node : nodes) deadlines.disarm(node);
  EXPECT_LE(deadlines.memory_bytes(), 2 * kChunkSlots * 16);
}

// Around a boundary, the spare chunk stays: breathing does not allocate.
TEST(Deadlines, KeepsASpareChunk) {
  Deadlines deadlines;
  std::vector<DeadlineNode> nodes(kFirstChunk + 1);
  for (DeadlineNode& node : nodes) deadlines.arm(node, Class::kExpiry, 1);
  const size_t memory = deadlines.memory_bytes();
  deadlines.disarm(nodes[0]);
  EXPECT_EQ(deadlines.memory_bytes(), memory);
}

class Model {
 public:
  void arm(DeadlineNode& node, Class kind, int64_t at_ms) {
    disarm(node);
    const Key key{at_ms, kind, next_order_++};
    keys_[&node] = key;
    order_[key] = &node;
  }
  void disarm(DeadlineNode& node) {
    const auto found = keys_.find(&node);
    if (found == keys_.end()) return;
    order_.erase(found->second);
    keys_.erase(found);
  }
  void moved(DeadlineNode& from, DeadlineNode& to) {
    const auto found = keys_.find(&from);
    if (found == keys_.end()) return;
    const Key key = found->second;
    keys_.erase(found);
    keys_[&to] = key;
    order_[key] = &to;
  }
  size_t size() const { return order_.size(); }
  DeadlineNode* earliest() const { return order_.empty() ? nullptr : order_.begin()->second; }
  int64_t earliest_ms() const { return order_.empty() ? INT64_MAX : std::get<0>(order_.begin()->first); }

 private:
  using Key = std::tuple<int64_t, Class, uint64_t>;
  uint64_t next_order_ = 0;
  std::map<Key, DeadlineNode*> order_;
  std::map<DeadlineNode*, Key> keys_;
};

void compare_with_model(uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  Deadlines deadlines;
  Model model;
  std::vector<std::unique_ptr<DeadlineNode>> nodes(12'000);
  for (auto& node : nodes) node = std::make_unique<DeadlineNode>();
  // Waves of filling and emptying, so that chunks come and go.
  for (int step = 0; step < 120'000; ++step) {
    auto& node = nodes[random() % nodes.size()];
    const bool filling = step / 20'000 % 2 == 0;
    const uint64_t dice = random() % 10;
    if (dice < (filling ? 7u : 3u)) {
      const int64_t base = random() % 50 == 0 ? kFarMs - 2 : 0;
      const int64_t at_ms = base + static_cast<int64_t>(random() % (random() % 2 == 0 ? 5 : 1'000'000));
      const Class kind = random() % 2 == 0 ? Class::kExpiry : Class::kTimeout;
      deadlines.arm(*node, kind, at_ms);
      model.arm(*node, kind, at_ms);
    } else if (dice == 7 && node->position != DeadlineNode::kFar) {
      auto moved = std::make_unique<DeadlineNode>(*node);
      deadlines.relocated(*moved);
      model.moved(*node, *moved);
      node = std::move(moved);
    } else {
      DeadlineNode* chosen = dice == 8 && !deadlines.empty() ? deadlines.earliest()->node : node.get();
      deadlines.disarm(*chosen);
      model.disarm(*chosen);
    }
    ASSERT_EQ(deadlines.size(), model.size()) << "step " << step;
    ASSERT_EQ(deadlines.earliest_ms(), model.earliest_ms()) << "step " << step;
    ASSERT_EQ(deadlines.empty() ? nullptr : deadlines.earliest()->node, model.earliest()) << "step " << step;
  }
  while (const auto due = deadlines.earliest()) {
    ASSERT_EQ(due->node, model.earliest());
    deadlines.disarm(*due->node);
    model.disarm(*due->node);
  }
  EXPECT_EQ(model.size(), 0u);
}

TEST(Deadlines, AgreesWithAModel) {
  for (uint64_t seed = 1; seed <= 3; ++seed) compare_with_model(seed);
}

}  // namespace
}  // namespace lockstep
