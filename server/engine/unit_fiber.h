// A stack of its own for a unit that may take long: there it can be suspended wherever it is (for a script:
// inside a sort comparator, a gsub callback, a C pcall), and how deep it may go does not depend on the caller's
// stack. One kept fiber an engine, used by Schedule; made when first needed.
#pragma once

#include <memory>

namespace lockstep {

class UnitFiber {
 public:
  UnitFiber();
  ~UnitFiber();  // not while suspended: resume it to its end first
  UnitFiber(const UnitFiber&) = delete;
  UnitFiber& operator=(const UnitFiber&) = delete;

  // Runs job(context) on the fiber until it ends or suspends. True when it has ended; what it throws arrives
  // here, or in the resume() within which it ends.
  bool run(void (*job)(void* context), void* context);
  // Lets it go on where it suspended itself.
  bool resume();
  bool suspended() const { return suspended_; }

  // Within a job only: back to whoever called run() or resume().
  void suspend();

 private:
  struct Stacks;

  bool enter();

  std::unique_ptr<Stacks> stacks_;
  bool suspended_ = false;
};

}  // namespace lockstep
