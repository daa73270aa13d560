// Writes expectations from what a server answers: records new transcripts, mends old ones.
#pragma once

#include <string>

#include "tests/transcript/player.h"

namespace lockstep::transcript {

// The text of the file with the expected lines of the scenarios that this target is for as they came.
// Expectations that hold stay as they are written, so patterns survive; comments keep their places.
// Each action is given its replies before the next action.
std::string rewritten(const Transcript& transcript, Driver& driver, const Target& target);

}  // namespace lockstep::transcript
