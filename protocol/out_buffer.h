// Bytes on their way out of one session: appended by writers, taken from the front by whoever sends
// them. An empty buffer holds no memory: blocks of the usual size come from a pool that all sessions
// of an engine share, so a connection at rest costs nothing and a busy one allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "server/base/bytes.h"

namespace lockstep {

// Keeps a few blocks of one size. Outlives the buffers that use it; one thread.
class BlockPool {
 public:
  static constexpr size_t kBlockBytes = 4096;

  std::unique_ptr<char[]> take();
  void give(std::unique_ptr<char[]> block);

 private:
  static constexpr size_t kMaxKept = 64;
  std::vector<std::unique_ptr<char[]>> kept_;
};

class OutBuffer {
 public:
  explicit OutBuffer(BlockPool& pool) : pool_(pool) {}
  ~OutBuffer() { release(); }
  OutBuffer(const OutBuffer&) = delete;
  OutBuffer& operator=(const OutBuffer&) = delete;

  void append(std::string_view bytes) {
    copy_bytes(reserve(bytes.size()), bytes);
    end_ += bytes.size();
  }
  // Room for `bytes` more; what was written there counts once committed.
  char* reserve(size_t bytes) {
    if (capacity_ - end_ < bytes) grow(bytes);
    return block_.get() + end_;
  }
  void commit(size_t bytes) { end_ += bytes; }

  std::string_view view() const { return {block_.get() + begin_, end_ - begin_}; }
  size_t size() const { return end_ - begin_; }
  size_t capacity() const { return capacity_; }
  // Bytes ever consumed plus bytes held: the place in the stream where the next byte goes.
  uint64_t stream_end() const { return consumed_ + size(); }
  uint64_t stream_begin() const { return consumed_; }
  void consume(size_t bytes);
  // Takes back what was appended from that place in the stream on; it must not have been consumed.
  void drop_from(uint64_t place) { end_ -= stream_end() - place; }
  void clear() { consume(size()); }

 private:
  void grow(size_t bytes);
  void release();

  BlockPool& pool_;
  std::unique_ptr<char[]> block_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t consumed_ = 0;
};

}  // namespace lockstep
