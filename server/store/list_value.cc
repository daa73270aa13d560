#include "server/store/list_value.h"

#include <iterator>
#include <utility>

namespace lockstep {

std::unique_ptr<Object> ListValue::clone() const {
  auto copy = std::make_unique<ListValue>();
  copy->items_ = items_;
  copy->bytes_ = bytes_;
  return copy;
}

void ListValue::push(ListEnd end, std::string_view item) {
  bytes_ += cost(item);
  if (end == ListEnd::kLeft) {
    items_.emplace_front(item);
  } else {
    items_.emplace_back(item);
  }
}

std::string ListValue::pop(ListEnd end) {
  std::string item = std::move(end == ListEnd::kLeft ? items_.front() : items_.back());
  if (end == ListEnd::kLeft) {
    items_.pop_front();
  } else {
    items_.pop_back();
  }
  bytes_ -= cost(item);
  return item;
}

void ListValue::set(size_t index, std::string_view item) {
  bytes_ += cost(item);
  bytes_ -= cost(items_[index]);
  items_[index] = item;
}

void ListValue::insert(size_t index, std::string_view item) {
  bytes_ += cost(item);
  items_.emplace(items_.begin() + static_cast<std::ptrdiff_t>(index), item);
}

void ListValue::erase(size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) bytes_ -= cost(items_[i]);
  items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(first), items_.begin() + static_cast<std::ptrdiff_t>(last));
}

}  // namespace lockstep
