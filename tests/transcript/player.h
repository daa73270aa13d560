// Plays scenarios and compares: what was expected against what came, as a diff with file and line.
#pragma once

#include <string>
#include <vector>

#include "tests/transcript/conversation.h"

namespace lockstep::transcript {

struct Mismatch {
  int line = 0;
  std::string expected;  // as a transcript line; empty when nothing more was expected
  std::string actual;    // likewise; empty when nothing came
};

// What is being played against; an empty version is Lockstep, which every scenario is for.
struct Target {
  std::string version;
  bool is_redis = false;
};

// Why this scenario is not for this target; empty when it is.
std::string reason_to_skip(const Scenario& scenario, const Target& target, const Driver& driver);

std::vector<Mismatch> play(const Scenario& scenario, Driver& driver);

std::string diff_text(const Transcript& transcript, const Scenario& scenario,
                      const std::vector<Mismatch>& mismatches);

// The expectation as it stands in a file, and what came instead in the same notation.
std::string expected_line(const Step& step);
std::string received_line(const std::string& session, const Received& received);

}  // namespace lockstep::transcript
