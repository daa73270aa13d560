// The switching itself is Boost.Context's; what is here is the hand-over of jobs and exceptions, and the
// sanitizers' bookkeeping, which Debian's build of Boost.Context leaves out.
#include "server/engine/unit_fiber.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <exception>
#include <utility>

#include "server/base/check.h"

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

struct Stack {
  const void* bottom = nullptr;
  size_t size = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's
  void* thread = nullptr;      // ThreadSanitizer's
};

// Around every switch; they tell the sanitizers which stack runs.
void leaving([[maybe_unused]] Stack& from, [[maybe_unused]] const Stack& to,
             [[maybe_unused]] bool for_good = false) {
#ifdef LOCKSTEP_ASAN
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#ifdef LOCKSTEP_TSAN
  from.thread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.thread, 0);
#endif
}

// `from`, when given, learns the bounds of the stack that we came from.
void arrived([[maybe_unused]] Stack& at, [[maybe_unused]] Stack* from) {
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

}  // namespace

struct UnitFiber::Stacks {
  Stacks();
  ~Stacks();

  void to_fiber();
  void to_caller();
  boost::context::fiber serve(boost::context::fiber&& first_caller);

  boost::context::fiber fiber;   // while the caller runs
  boost::context::fiber caller;  // while the fiber runs
  Stack own;
  Stack callers;
  void (*job)(void* context) = nullptr;  // null: end the fiber
  void* context = nullptr;
  std::exception_ptr thrown;
};

UnitFiber::Stacks::Stacks() {
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  const boost::context::stack_context stack = allocator.allocate();
  own.bottom = static_cast<const char*>(stack.sp) - stack.size;
  own.size = stack.size;
#ifdef LOCKSTEP_TSAN
  own.thread = __tsan_create_fiber(0);
#endif
  fiber = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                allocator,
                                [this](boost::context::fiber&& first) { return serve(std::move(first)); });
}

UnitFiber::Stacks::~Stacks() {
  job = nullptr;
  to_fiber();
#ifdef LOCKSTEP_TSAN
  __tsan_destroy_fiber(own.thread);
#endif
}

void UnitFiber::Stacks::to_fiber() {
  leaving(callers, own);
  fiber = std::move(fiber).resume();
  arrived(callers, nullptr);
}

void UnitFiber::Stacks::to_caller() {
  leaving(own, callers);
  caller = std::move(caller).resume();
  arrived(own, &callers);
}

boost::context::fiber UnitFiber::Stacks::serve(boost::context::fiber&& first_caller) {
  caller = std::move(first_caller);
  arrived(own, &callers);
  while (job != nullptr) {
    try {
      job(context);
    } catch (...) {
      thrown = std::current_exception();
    }
    to_caller();
  }
  leaving(own, callers, /*for_good=*/true);
  return std::move(caller);
}

UnitFiber::UnitFiber() = default;

UnitFiber::~UnitFiber() { LOCKSTEP_CHECK(!suspended_); }

bool UnitFiber::run(void (*job)(void* context), void* context) {
  LOCKSTEP_CHECK(!suspended_);
  if (!stacks_) stacks_ = std::make_unique<Stacks>();
  stacks_->job = job;
  stacks_->context = context;
  return enter();
}

bool UnitFiber::resume() {
  LOCKSTEP_CHECK(suspended_);
  suspended_ = false;
  return enter();
}

bool UnitFiber::enter() {
  stacks_->to_fiber();
  if (stacks_->thrown) std::rethrow_exception(std::exchange(stacks_->thrown, nullptr));
  return !suspended_;
}

void UnitFiber::suspend() {
  LOCKSTEP_CHECK(stacks_ != nullptr && stacks_->caller);  // we are on it
  suspended_ = true;
  stacks_->to_caller();
}

}  // namespace lockstep
