// One test for each file in tests/scripts: plays it in process with the bytes fed at once and in chunks
// of 1, 3 and 17. The files are found by listing the directory. Holds the main() of transcript_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/transcript/engine_driver.h"
#include "tests/transcript/player.h"
#include "tests/transcript/transcript.h"

namespace lockstep::transcript {
namespace {

constexpr std::size_t kChunks[] = {0, 1, 3, 17};

class ScriptTest : public testing::Test {
 public:
  explicit ScriptTest(std::string path) : path_(std::move(path)) {}

  void TestBody() override {
    const Transcript transcript = read_transcript(path_);
    EXPECT_FALSE(transcript.scenarios.empty()) << path_ << " has no scenario";
    for (const std::size_t chunk : kChunks) {
      EngineDriver driver(chunk);
      for (const Scenario& scenario : transcript.scenarios) {
        const std::vector<Mismatch> mismatches = play(scenario, driver);
        EXPECT_TRUE(mismatches.empty())
            << (chunk == 0 ? "fed at once" : "fed in chunks of " + std::to_string(chunk)) << "\n"
            << diff_text(transcript, scenario, mismatches);
      }
      if (HasFailure()) return;  // in chunks the same again would only repeat it
    }
  }

 private:
  std::string path_;
};

// Names of tests hold letters, digits and underscores only.
std::string test_name(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

void register_scripts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_SCRIPTS_DIRECTORY)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    testing::RegisterTest("Scripts", test_name(path).c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new ScriptTest(path.string()); });
  }
}

}  // namespace
}  // namespace lockstep::transcript

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  lockstep::transcript::register_scripts();
  return RUN_ALL_TESTS();
}
