// Options and the files that hold them: a file rewritten for some options says these options, whatever else stands
// in it, and rewriting it again changes nothing. Input: lines that set the options, a NUL, the file.
#include <string>
#include <string_view>
#include <vector>

#include "protocol/inline_split.h"
#include "server/base/check.h"
#include "server/net/config_rewrite.h"
#include "server/net/config_text.h"
#include "tests/fuzz/fuzz_input.h"

namespace lockstep {
namespace {

// What a start with these lines would set; lines that it would refuse do nothing.
Settings settings_of(std::string_view text) {
  Settings settings;
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view line = net::trim(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (line.starts_with('#') || !split_inline(line, words) || words.empty()) continue;
    settings.set(words[0], std::span(words).subspan(1));
  }
  return settings;
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  const std::string_view input = tests::FuzzInput(data, size).rest();
  const size_t middle = std::min(input.find('\0'), input.size());
  const Settings settings = settings_of(input.substr(0, middle));
  const std::string file = net::rewritten(input.substr(std::min(middle + 1, input.size())), settings);
  const Settings read_back = settings_of(file);
  for (const OptionSpec& spec : Settings::options()) {
    const bool any_port = spec.kind == OptionKind::kPort && read_back.integer(spec.name) == kAutoPort;
    LOCKSTEP_CHECK(any_port || read_back.text(spec.name) == settings.text(spec.name));
  }
  LOCKSTEP_CHECK(net::rewritten(file, settings) == file);
  return 0;
}
