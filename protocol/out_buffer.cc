#include "protocol/out_buffer.h"

#include <algorithm>
#include <cstring>

namespace lockstep {

std::unique_ptr<char[]> BlockPool::take() {
  if (kept_.empty()) return std::unique_ptr<char[]>(new char[kBlockBytes]);
  auto block = std::move(kept_.back());
  kept_.pop_back();
  return block;
}

void BlockPool::give(std::unique_ptr<char[]> block) {
  if (kept_.size() < kMaxKept) kept_.push_back(std::move(block));
}

void OutBuffer::grow(size_t bytes) {
  const size_t held = size();
  if (begin_ > 0 && held + bytes <= capacity_ && begin_ >= capacity_ / 2) {
    std::memmove(block_.get(), block_.get() + begin_, held);
  } else {
    const size_t wanted = std::max({held + bytes, capacity_ * 2, BlockPool::kBlockBytes});
    auto fresh = wanted == BlockPool::kBlockBytes ? pool_.take()
                                                  : std::unique_ptr<char[]>(new char[wanted]);
    if (held > 0) std::memcpy(fresh.get(), block_.get() + begin_, held);
    if (capacity_ == BlockPool::kBlockBytes) pool_.give(std::move(block_));
    block_ = std::move(fresh);
    capacity_ = wanted;
  }
  begin_ = 0;
  end_ = held;
}

void OutBuffer::consume(size_t bytes) {
  begin_ += bytes;
  consumed_ += bytes;
  if (begin_ == end_) release();
}

void OutBuffer::release() {
  if (capacity_ == BlockPool::kBlockBytes) {
    pool_.give(std::move(block_));
  } else {
    block_.reset();
  }
  capacity_ = begin_ = end_ = 0;
}

}  // namespace lockstep
