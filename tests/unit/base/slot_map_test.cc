// Handles: what has gone is recognised, even when its slot has been taken again.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "server/base/slot_map.h"

namespace lockstep {
namespace {

SlotId add(SlotMap<int>& map, int value) { return map.insert(std::make_unique<int>(value)); }

std::vector<int> values(const SlotMap<int>& map) {
  std::vector<int> found;
  map.for_each([&](int value) { found.push_back(value); });
  return found;
}

TEST(SlotMap, FindsWhatWasInserted) {
  SlotMap<int> map;
  const SlotId a = add(map, 1);
  const SlotId b = add(map, 2);
  EXPECT_NE(a, b);
  EXPECT_EQ(*map.find(a), 1);
  EXPECT_EQ(*map.find(b), 2);
  EXPECT_EQ(map.size(), 2u);
}

TEST(SlotMap, TellsTheNextHandle) {
  SlotMap<int> map;
  SlotId expected = map.next_id();
  const SlotId a = add(map, 1);
  EXPECT_EQ(a, expected);
  map.erase(a);
  expected = map.next_id();
  EXPECT_EQ(add(map, 2), expected);
}

TEST(SlotMap, KnowsThatAHandleIsOld) {
  SlotMap<int> map;
  const SlotId first = add(map, 1);
  map.erase(first);
  EXPECT_EQ(map.find(first), nullptr);
  const SlotId second = add(map, 2);
  EXPECT_EQ(second.slot, first.slot);
  EXPECT_EQ(map.find(first), nullptr);
  map.erase(first);  // does nothing to the new owner of the slot
  EXPECT_EQ(*map.find(second), 2);
  EXPECT_EQ(map.size(), 1u);
  map.erase(second);
  map.erase(second);
  EXPECT_EQ(map.size(), 0u);
}

TEST(SlotMap, KnowsThatAHandleWasNeverGiven) {
  SlotMap<int> map;
  EXPECT_EQ(map.find(SlotId{}), nullptr);
  EXPECT_EQ(map.find(SlotId{0, 0}), nullptr);
  add(map, 1);
  EXPECT_EQ(map.find(SlotId{0, 1}), nullptr);
  EXPECT_EQ(map.find(SlotId{1, 0}), nullptr);
}

TEST(SlotMap, KeepsAddressesAndGoesInTheOrderOfSlots) {
  SlotMap<int> map;
  std::vector<SlotId> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(add(map, i));
  const int* address = map.find(ids[3]);
  for (int i = 100; i < 1000; ++i) add(map, i);
  EXPECT_EQ(map.find(ids[3]), address);
  for (int i = 0; i < 100; i += 2) map.erase(ids[static_cast<size_t>(i)]);
  add(map, -1);  // takes the slot freed last, that of 98
  const std::vector<int> found = values(map);
  ASSERT_EQ(found.size(), 951u);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[49], -1);
  EXPECT_EQ(found[50], 99);
  EXPECT_EQ(found[950], 999);
}

}  // namespace
}  // namespace lockstep
