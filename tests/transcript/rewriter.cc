// Recording, see the header. An action is performed, everything that came is read, and the
// expectations that follow it in the file are held against that.
#include "tests/transcript/rewriter.h"

#include <set>
#include <vector>

#include "tests/transcript/quoting.h"

namespace lockstep::transcript {
namespace {

using Wait = Conversation::Wait;

class ScenarioRewriter {
 public:
  ScenarioRewriter(const Transcript& transcript, const Scenario& scenario, Driver& driver)
      : transcript_(transcript), scenario_(scenario), conversation_(driver, scenario) {}

  // Appends the lines from `next_line` up to the last step of the scenario; returns the line after it.
  int run(std::string& out, int next_line) {
    for (std::size_t i = 0; i < scenario_.steps.size();) {
      if (!scenario_.steps[i].is_expectation()) {
        next_line = copy_lines(out, next_line, scenario_.steps[i].line);
        conversation_.perform(scenario_.steps[i++]);
      }
      conversation_.settle();
      for (; i < scenario_.steps.size() && scenario_.steps[i].is_expectation(); ++i) {
        next_line = copy_lines(out, next_line, scenario_.steps[i].line - 1) + 1;
        keep_or_replace(out, scenario_.steps[i]);
      }
      append_leftovers(out);
    }
    return next_line;
  }

 private:
  int copy_lines(std::string& out, int from, int to) const {
    for (; from <= to; ++from) out += transcript_.lines[static_cast<std::size_t>(from - 1)] + "\n";
    return from;
  }

  void keep_or_replace(std::string& out, const Step& step) {
    const std::string& line = transcript_.lines[static_cast<std::size_t>(step.line - 1)];
    if (step.kind == Step::Kind::raw_reply) return keep_or_replace_raw(out, step, line);
    if (step.kind == Step::Kind::closed || step.kind == Step::Kind::nothing) {
      const bool holds =
          step.kind == Step::Kind::closed ? note_closed(step.session) : is_silent(step.session);
      if (holds) out += line + "\n";
      return;
    }
    const Received received = conversation_.take_reply(step.session, Wait::no);
    if (received.kind != Received::Kind::reply) return;
    const bool holds = step.kind == Step::Kind::matching_reply
                           ? conversation_.matches(step.text, received.text)
                           : conversation_.with_captures(step.text) == received.text;
    out += (holds ? line : received_line(step.session, received)) + "\n";
  }

  void keep_or_replace_raw(std::string& out, const Step& step, const std::string& line) {
    const std::string expected = joined_arguments(conversation_.with_captures(step.text));
    const std::string bytes(conversation_.buffered(step.session, 0, Wait::no));
    const bool holds = bytes.compare(0, expected.size(), expected) == 0;
    conversation_.consume(step.session, holds ? expected.size() : bytes.size());
    if (holds) {
      out += line + "\n";
    } else if (!bytes.empty()) {
      out += step.session + "<raw " + quote(bytes) + "\n";
    }
  }

  void append_leftovers(std::string& out) {
    for (const std::string& session : conversation_.sessions()) {
      Received received = conversation_.take_reply(session, Wait::no);
      for (; received.kind == Received::Kind::reply; received = conversation_.take_reply(session, Wait::no)) {
        out += received_line(session, received) + "\n";
      }
      if (received.kind == Received::Kind::malformed) {
        const std::string bytes(conversation_.buffered(session, 0, Wait::no));
        out += session + "<raw " + quote(bytes) + "\n";
        conversation_.consume(session, bytes.size());
      }
      if (closed_.count(session) == 0 && note_closed(session)) out += session + "< closed\n";
    }
  }

  bool note_closed(const std::string& session) {
    if (!conversation_.is_closed(session)) return false;
    closed_.insert(session);
    return true;
  }

  bool is_silent(const std::string& session) {
    return conversation_.buffered(session, 0, Wait::no).empty() && !conversation_.is_closed(session);
  }

  const Transcript& transcript_;
  const Scenario& scenario_;
  Conversation conversation_;
  std::set<std::string> closed_;
};

}  // namespace

std::string rewritten(const Transcript& transcript, Driver& driver, const Target& target) {
  std::string out;
  int next_line = 1;
  for (const Scenario& scenario : transcript.scenarios) {
    if (!reason_to_skip(scenario, target, driver).empty()) continue;
    for (; next_line <= scenario.line; ++next_line)
      out += transcript.lines[static_cast<std::size_t>(next_line - 1)] + "\n";
    next_line = ScenarioRewriter(transcript, scenario, driver).run(out, next_line);
  }
  for (; next_line <= static_cast<int>(transcript.lines.size()); ++next_line) {
    out += transcript.lines[static_cast<std::size_t>(next_line - 1)] + "\n";
  }
  return out;
}

}  // namespace lockstep::transcript
