// conf/lockstep.conf is the documentation of the options: it must name each of them once, with the default
// that the code has.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "protocol/inline_split.h"
#include "server/net/config.h"

namespace lockstep::net {
namespace {

using Lines = std::vector<std::vector<std::string>>;

Lines lines_of_conf_file() {
  Lines lines;
  std::ifstream file(LOCKSTEP_CONF_FILE);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    EXPECT_TRUE(split_inline(line, lines.emplace_back())) << line;
  }
  return lines;
}

TEST(ConfFile, NamesEveryOptionOnce) {
  std::map<std::string, int, std::less<>> named;
  for (const auto& words : lines_of_conf_file()) ++named[words.at(0)];
  for (const OptionSpec& spec : Settings::options()) EXPECT_EQ(named[std::string(spec.name)], 1) << spec.name;
  EXPECT_EQ(named.size(), Settings::options().size());
}

TEST(ConfFile, GivesEveryDefault) {
  for (const auto& words : lines_of_conf_file()) {
    Settings settings;
    EXPECT_EQ(settings.set(words.at(0), std::span(words).subspan(1)), std::nullopt) << words[0];
    EXPECT_EQ(settings.text(words[0]), Settings::find(words[0])->default_text) << words[0];
  }
}

TEST(ConfFile, GroupsOptionsByWhatTheyDo) {
  OptionEffect group = OptionEffect::kAtStart;
  std::ifstream file(LOCKSTEP_CONF_FILE);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ---- Not supported")) group = OptionEffect::kUnsupported;
    if (line.starts_with("# ---- Without effect")) group = OptionEffect::kNone;
    if (line.empty() || line[0] == '#') continue;
    const std::string name = line.substr(0, line.find(' '));
    OptionEffect effect = Settings::find(name)->effect;
    if (effect == OptionEffect::kLive) effect = OptionEffect::kAtStart;
    EXPECT_EQ(effect, group) << name;
  }
}

TEST(ConfFile, LoadsAsItIs) {
  Configuration configuration;
  const std::vector<std::string> arguments = {LOCKSTEP_CONF_FILE};
  EXPECT_EQ(read_configuration(arguments, nullptr, configuration), std::nullopt);
  EXPECT_TRUE(configuration.warnings.empty());
}

}  // namespace
}  // namespace lockstep::net
