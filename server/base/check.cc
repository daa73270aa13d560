#include "server/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace lockstep {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "lockstep: broken assertion `%s` at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace lockstep
