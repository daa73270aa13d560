// The switching itself is Boost.Context's; what is here is the hand-over of jobs and exceptions, and the
// sanitizers' bookkeeping, which Debian's build of Boost.Context leaves out.
#include "scripting/script_fiber.h"

#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define LOCKSTEP_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOCKSTEP_TSAN 1
#endif
#endif

#ifdef LOCKSTEP_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef LOCKSTEP_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace lockstep {
namespace {

// Enough for Lua's 200 nested C calls, each with a string buffer on the stack, and an engine command on
// top of them; only what is used becomes resident. Sanitizers make frames several times as large.
#if defined(LOCKSTEP_ASAN) || defined(LOCKSTEP_TSAN)
constexpr size_t kStackBytes = 8 * 1024 * 1024;
#else
constexpr size_t kStackBytes = 1024 * 1024;
#endif

}  // namespace

ScriptFiber::ScriptFiber() {
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  const boost::context::stack_context stack = allocator.allocate();
  own_.bottom = static_cast<const char*>(stack.sp) - stack.size;
  own_.size = stack.size;
#ifdef LOCKSTEP_TSAN
  own_.thread = __tsan_create_fiber(0);
#endif
  fiber_ = boost::context::fiber(std::allocator_arg,
                                 boost::context::preallocated(stack.sp, stack.size, stack), allocator,
                                 [this](boost::context::fiber&& caller) { return serve(std::move(caller)); });
}

ScriptFiber::~ScriptFiber() {
  entry_ = nullptr;
  leaving(callers_, own_);
  fiber_ = std::move(fiber_).resume();
  arrived(callers_, nullptr);
#ifdef LOCKSTEP_TSAN
  __tsan_destroy_fiber(own_.thread);
#endif
}

void ScriptFiber::run_erased(Entry entry, void* job) {
  entry_ = entry;
  job_ = job;
  leaving(callers_, own_);
  fiber_ = std::move(fiber_).resume();
  arrived(callers_, nullptr);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

boost::context::fiber ScriptFiber::serve(boost::context::fiber&& caller) {
  arrived(own_, &callers_);
  while (entry_ != nullptr) {
    try {
      entry_(job_);
    } catch (...) {
      thrown_ = std::current_exception();
    }
    leaving(own_, callers_);
    caller = std::move(caller).resume();
    arrived(own_, &callers_);
  }
  leaving(own_, callers_, /*for_good=*/true);
  return std::move(caller);
}

void ScriptFiber::leaving([[maybe_unused]] Stack& from, [[maybe_unused]] const Stack& to,
                          [[maybe_unused]] bool for_good) {
#ifdef LOCKSTEP_ASAN
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#ifdef LOCKSTEP_TSAN
  from.thread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.thread, 0);
#endif
}

// `from`, when given, learns the bounds of the stack that we came from.
void ScriptFiber::arrived([[maybe_unused]] Stack& at, [[maybe_unused]] Stack* from) {
#ifdef LOCKSTEP_ASAN
  const void* bottom = nullptr;
  size_t size = 0;
  __sanitizer_finish_switch_fiber(at.fake_stack, &bottom, &size);
  if (from != nullptr) {
    from->bottom = bottom;
    from->size = size;
  }
#endif
}

}  // namespace lockstep
