// The JSON line that the generator prints. Used by main.cc; bench/compare reads it.
#pragma once

#include "bench/load/options.h"
#include "bench/load/phase.h"
#include "bench/load/process_times.h"

namespace lockstep::bench {

// `phase` is taken by reference because finding percentiles reorders its times.
void print_report(const Options& options, PhaseResult& phase, const ProcessTimes& server, const ProcessTimes& load);

}  // namespace lockstep::bench
