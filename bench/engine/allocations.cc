#include "bench/engine/allocations.h"

#include <cstddef>

// glibc's own entry points; ours take the public names.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old_memory, size_t bytes);
}

namespace {

size_t allocations = 0;

}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}

void* realloc(void* old_memory, size_t bytes) {
  ++allocations;
  return __libc_realloc(old_memory, bytes);
}

}  // extern "C"

namespace lockstep {

size_t allocation_count() { return allocations; }

}  // namespace lockstep
