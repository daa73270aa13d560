// A value that is no string. It lives in memory of its own; the key's entry holds the pointer.
#pragma once

#include <cstddef>
#include <memory>

namespace lockstep {

class Object {
 public:
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  // Nothing is left in it: its key goes.
  virtual bool empty() const = 0;
  virtual size_t memory_bytes() const = 0;
  virtual std::unique_ptr<Object> clone() const = 0;

 protected:
  Object() = default;

 private:
  friend class Keyspace;
  size_t accounted_bytes_ = 0;  // what the store's account of memory holds for it
};

}  // namespace lockstep
