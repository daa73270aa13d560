// Playing and comparing, see the header. Every reply must be consumed by an expectation.
#include "tests/transcript/player.h"

#include <set>
#include <utility>

#include "tests/transcript/quoting.h"

namespace lockstep::transcript {
namespace {

class Player {
 public:
  Player(const Scenario& scenario, Driver& driver) : scenario_(scenario), conversation_(driver, scenario) {}

  std::vector<Mismatch> run() {
    for (const Step& step : scenario_.steps) {
      if (step.is_expectation()) {
        expect(step);
      } else {
        conversation_.perform(step);
      }
    }
    expect_no_leftovers();
    return std::move(mismatches_);
  }

 private:
  void expect(const Step& step) {
    switch (step.kind) {
      case Step::Kind::raw_reply: return expect_bytes(step);
      case Step::Kind::closed: return expect_closed(step);
      case Step::Kind::nothing: return expect_nothing(step);
      default: return expect_reply(step);
    }
  }

  void expect_reply(const Step& step) {
    const Received received = conversation_.take_reply(step.session, Conversation::Wait::yes);
    const bool same = step.kind == Step::Kind::matching_reply
                          ? conversation_.matches(step.text, received.text)
                          : conversation_.with_captures(step.text) == received.text;
    if (received.kind != Received::Kind::reply || !same) add(step, received);
  }

  void expect_bytes(const Step& step) {
    const std::string expected = joined_arguments(conversation_.with_captures(step.text));
    const auto bytes = conversation_.buffered(step.session, expected.size(), Conversation::Wait::yes);
    const std::string actual(bytes.substr(0, expected.size()));
    conversation_.consume(step.session, actual.size());
    if (actual != expected)
      mismatches_.push_back({step.line, expected_line(step), step.session + "<raw " + quote(actual)});
  }

  void expect_closed(const Step& step) {
    if (conversation_.wait_for_close(step.session)) {
      closed_.insert(step.session);
    } else {
      add(step, conversation_.take_reply(step.session, Conversation::Wait::no));
    }
  }

  void expect_nothing(const Step& step) {
    conversation_.settle();
    const Received received = conversation_.take_reply(step.session, Conversation::Wait::no);
    if (received.kind != Received::Kind::nothing) add(step, received);
  }

  void expect_no_leftovers() {
    conversation_.settle();
    for (const std::string& session : conversation_.sessions()) {
      Received received = conversation_.take_reply(session, Conversation::Wait::no);
      while (received.kind == Received::Kind::reply) {
        add_leftover(session, received);
        received = conversation_.take_reply(session, Conversation::Wait::no);
      }
      const bool announced = received.kind == Received::Kind::closed && closed_.count(session) > 0;
      if (received.kind != Received::Kind::nothing && !announced) add_leftover(session, received);
    }
  }

  void add(const Step& step, const Received& received) {
    mismatches_.push_back({step.line, expected_line(step), received_line(step.session, received)});
  }

  void add_leftover(const std::string& session, const Received& received) {
    mismatches_.push_back({scenario_.steps.back().line, {}, received_line(session, received)});
  }

  const Scenario& scenario_;
  Conversation conversation_;
  std::set<std::string> closed_;  // sessions whose close by the server was expected
  std::vector<Mismatch> mismatches_;
};

}  // namespace

std::string reason_to_skip(const Scenario& scenario, const Target& target, const Driver& driver) {
  if (scenario.needs_manual_clock() && !driver.has_manual_clock()) return "moves the clock";
  if (!target.is_redis) return {};
  if (!scenario.not_redis.empty()) return "differs from Redis: " + scenario.not_redis;
  if (!version_at_least(target.version, scenario.since)) return "since " + scenario.since;
  return {};
}

std::vector<Mismatch> play(const Scenario& scenario, Driver& driver) {
  return Player(scenario, driver).run();
}

std::string diff_text(const Transcript& transcript, const Scenario& scenario,
                      const std::vector<Mismatch>& mismatches) {
  std::string text;
  for (const Mismatch& mismatch : mismatches) {
    text += transcript.path + ":" + std::to_string(mismatch.line) + ": in scenario '" + scenario.name + "'\n";
    if (!mismatch.expected.empty()) text += "  - " + mismatch.expected + "\n";
    if (!mismatch.actual.empty()) text += "  + " + mismatch.actual + "\n";
  }
  return text;
}

std::string expected_line(const Step& step) {
  switch (step.kind) {
    case Step::Kind::matching_reply: return step.session + "<~ " + step.text;
    case Step::Kind::raw_reply: return step.session + "<raw " + step.text;
    case Step::Kind::nothing: return step.session + "<-";
    default: return step.session + "< " + step.text;
  }
}

std::string received_line(const std::string& session, const Received& received) {
  if (received.kind == Received::Kind::nothing) return session + "<-";
  if (received.kind == Received::Kind::malformed) return session + "<? " + received.text;
  return session + "< " + received.text;
}

}  // namespace lockstep::transcript
