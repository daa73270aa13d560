// The tool `transcript`: plays transcript files, against a server or in process, or records them.
//   transcript [--rewrite] [--chunk N] FILE...                       in process
//   transcript --against HOST:PORT [--version V] [--rewrite] FILE...  over TCP
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/transcript/engine_driver.h"
#include "tests/transcript/player.h"
#include "tests/transcript/rewriter.h"
#include "tests/transcript/socket_driver.h"

namespace lockstep::transcript {
namespace {

constexpr const char* kUsage =
    "usage: transcript [--against HOST:PORT [--version V]] [--chunk N] [--rewrite] [--verbose] FILE...\n";

struct Options {
  std::string against;
  std::string version;
  std::size_t chunk = 0;
  bool rewrite = false;
  bool verbose = false;
  std::vector<std::string> files;
};

struct Totals {
  int played = 0;
  int failed = 0;
  int skipped = 0;
};

bool parse_options(const std::vector<std::string>& arguments, Options& options) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    if (argument == "--rewrite") {
      options.rewrite = true;
    } else if (argument == "--verbose") {
      options.verbose = true;
    } else if (argument == "--against" && has_value) {
      options.against = arguments[++i];
    } else if (argument == "--version" && has_value) {
      options.version = arguments[++i];
    } else if (argument == "--chunk" && has_value) {
      options.chunk = std::stoul(arguments[++i]);
    } else if (argument.substr(0, 2) == "--") {
      return false;
    } else {
      options.files.push_back(argument);
    }
  }
  return !options.files.empty();
}

std::unique_ptr<Driver> make_driver(const Options& options, Target& target) {
  if (!options.against.empty()) {
    const std::size_t colon = options.against.rfind(':');
    if (colon == std::string::npos) throw DriverError("--against takes HOST:PORT");
    auto driver =
        std::make_unique<SocketDriver>(options.against.substr(0, colon), options.against.substr(colon + 1));
    target = driver->target();
    if (!options.version.empty()) target.version = options.version;
    return driver;
  }
  return std::make_unique<EngineDriver>(options.chunk);
}

void play_file(const Options& options, const Transcript& transcript, Driver& driver, const Target& target,
               Totals& totals) {
  for (const Scenario& scenario : transcript.scenarios) {
    const std::string reason = reason_to_skip(scenario, target, driver);
    if (!reason.empty()) {
      ++totals.skipped;
      if (options.verbose)
        std::cout << transcript.path << ":" << scenario.line << ": skipped, " << reason << "\n";
      continue;
    }
    ++totals.played;
    const std::vector<Mismatch> mismatches = play(scenario, driver);
    if (mismatches.empty()) continue;
    ++totals.failed;
    std::cout << diff_text(transcript, scenario, mismatches) << std::flush;
  }
}

void rewrite_file(const Transcript& transcript, Driver& driver, const Target& target) {
  const std::string text = rewritten(transcript, driver, target);
  std::ofstream file(transcript.path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) throw DriverError("cannot write " + transcript.path);
}

int run(const std::vector<std::string>& arguments) {
  Options options;
  if (!parse_options(arguments, options)) {
    std::cerr << kUsage;
    return 2;
  }
  Target target;
  const std::unique_ptr<Driver> driver = make_driver(options, target);
  Totals totals;
  for (const std::string& path : options.files) {
    const Transcript transcript = read_transcript(path);
    if (options.rewrite) {
      rewrite_file(transcript, *driver, target);
    } else {
      play_file(options, transcript, *driver, target, totals);
    }
  }
  if (options.rewrite) return 0;
  std::cout << totals.played << " scenarios played, " << totals.failed << " failed, " << totals.skipped
            << " skipped\n";
  return totals.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::transcript

int main(int argc, char** argv) {
  try {
    return lockstep::transcript::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "transcript: " << error.what() << "\n";
    return 2;
  }
}
