// See the header. The linker's --wrap leads calls of malloc here, and the operators below lead `new` to
// malloc, so that both are counted in one place.
#include "tests/support/allocation_counter.h"

#include <cstdlib>
#include <new>

namespace {

size_t count = 0;

}  // namespace

namespace lockstep::tests {

size_t allocation_count() { return count; }

}  // namespace lockstep::tests

extern "C" {

void* __real_malloc(size_t size);
void* __real_calloc(size_t items, size_t size);
void* __real_realloc(void* old, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);

void* __wrap_malloc(size_t size) {
  ++count;
  return __real_malloc(size);
}

void* __wrap_calloc(size_t items, size_t size) {
  ++count;
  return __real_calloc(items, size);
}

void* __wrap_realloc(void* old, size_t size) {
  ++count;
  return __real_realloc(old, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  ++count;
  return __real_aligned_alloc(alignment, size);
}

}  // extern "C"

// The other forms of new and delete call these.
void* operator new(size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new(size_t size, std::align_val_t alignment) {
  const size_t unit = static_cast<size_t>(alignment);
  void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
