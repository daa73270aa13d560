// The stack on which scripts run: one kept fiber, so that a script can later be suspended wherever it is
// (inside a sort comparator, a gsub callback, a C pcall) and so that its depth is bounded by this stack
// and not by the caller's. Used by the script engine alone; not reentrant.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <exception>

namespace lockstep {

class ScriptFiber {
 public:
  ScriptFiber();
  ~ScriptFiber();
  ScriptFiber(const ScriptFiber&) = delete;
  ScriptFiber& operator=(const ScriptFiber&) = delete;

  // Runs `job` on the fiber to its end. What it throws arrives here.
  template <class Job>
  void run(Job&& job) {
    run_erased([](void* erased) { (*static_cast<std::remove_reference_t<Job>*>(erased))(); }, &job);
  }

 private:
  using Entry = void (*)(void* job);

  void run_erased(Entry entry, void* job);
  boost::context::fiber serve(boost::context::fiber&& caller);

  // Around every switch; they tell the sanitizers which stack runs.
  struct Stack {
    const void* bottom = nullptr;
    size_t size = 0;
    void* fake_stack = nullptr;  // AddressSanitizer's
    void* thread = nullptr;      // ThreadSanitizer's
  };
  static void leaving(Stack& from, const Stack& to, bool for_good = false);
  static void arrived(Stack& at, Stack* from);

  boost::context::fiber fiber_;
  Stack own_;
  Stack callers_;
  Entry entry_ = nullptr;  // null: end the fiber
  void* job_ = nullptr;
  std::exception_ptr thrown_;
};

}  // namespace lockstep
