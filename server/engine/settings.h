// Every option of the server: its name, kind, default and what a change of it does, in one table; and
// the values in force. Filled from command line, file and standard input by the shell (net/config),
// read by CONFIG GET, the engine and the shell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class OptionKind : uint8_t {
  kInteger,   // decimal within [min, max]
  kOctal,     // octal digits within [min, max], as file permissions are written
  kPort,      // 0 to 65535, or "auto" for any free one: the number kAutoPort
  kMemory,    // bytes, with the suffixes k kb m mb g gb
  kBoolean,   // yes or no
  kString,    // one word; may be empty
  kChoice,    // one of `choices`, separated by '|'
  kWords,     // as many words as one likes, kept joined by blanks
  kEvents,    // classes of keyspace events, "KEA"
};

enum class OptionEffect : uint8_t {
  kAtStart,      // read once; CONFIG SET refuses it
  kLive,         // may change while running
  kNone,         // taken so that what was written for Redis runs; changes nothing, and the start says so
  kUnsupported,  // only the default is taken: going on without what it asks for would be dangerous
};

inline constexpr int64_t kAutoPort = -1;

struct OptionSpec {
  std::string_view name;
  OptionKind kind;
  OptionEffect effect;
  std::string_view default_text;  // in canonical form
  int64_t min = 0;
  int64_t max = 0;
  std::string_view choices = {};
  std::string_view note = {};     // kNone, kUnsupported: what the start adds to its line
  // Says what is wrong with a text of the right kind; empty when nothing is.
  std::string_view (*check)(std::string_view text) = nullptr;
};

// What every command looks at, ready to be read.
struct HotSettings {
  uint32_t event_classes = 0;  // EventClasses
};

class Settings {
 public:
  Settings();  // the defaults

  static std::span<const OptionSpec> options();  // in the order of their names
  static const OptionSpec* find(std::string_view name);  // any case; nullptr when unknown

  // Sets an option from its words as written. On failure nothing changes, and the reason comes back
  // (without the option's name): "argument must be between 0 and 65535 inclusive", ...
  std::optional<std::string> set(std::string_view name, std::span<const std::string> words);

  // In canonical form: what CONFIG GET answers. `name` must be an option's.
  std::string_view text(std::string_view name) const;
  int64_t integer(std::string_view name) const;   // kInteger, kOctal, kPort, kMemory, kEvents
  bool boolean(std::string_view name) const;
  // False as long as nobody has set it.
  bool given(std::string_view name) const;
  const HotSettings& hot() const { return hot_; }

 private:
  struct Value {
    std::string text;
    int64_t number = 0;  // 0 for kinds without one; kBoolean: 1 or 0
    bool given = false;
  };
  static std::optional<std::string> parse(const OptionSpec& spec, std::span<const std::string> words,
                                          Value& value);
  const Value& value(std::string_view name) const;
  void refresh_hot();

  std::vector<Value> values_;  // as options()
  HotSettings hot_;
};

}  // namespace lockstep
