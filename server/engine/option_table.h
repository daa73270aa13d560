// Every option of the server: its names, kind, default and what a change of it does. The rows that
// settings.h parses by, the shell judges by and CONFIG lists.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lockstep {

enum class OptionKind : uint8_t {
  kInteger,          // decimal within [min, max]
  kOctal,            // octal digits within [min, max], as file permissions are written
  kPort,             // 0 to 65535, or "auto" for any free one: the number kAutoPort
  kMemory,           // bytes within [min, max], with the suffixes k kb m mb g gb
  kMemoryOrPercent,  // the same, or "5%": kept as text
  kBoolean,          // yes or no
  kString,           // one word; may be empty
  kChoice,           // one of `choices`, separated by '|'
  kWords,            // as many words as one likes, kept joined by blanks
  kEvents,           // classes of keyspace events, "KEA"
  kOutputLimits,     // "class hard soft seconds", any number of times: see output_limits.h
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
  int64_t max = INT64_MAX;
  std::string_view choices = {};
  std::string_view note = {};     // kNone, kUnsupported: what the start adds to its line
  // Says what is wrong with a text of the right kind; empty when nothing is.
  std::string_view (*check)(std::string_view text) = nullptr;
  std::string_view alias = {};    // the name it had in older versions of Redis; the same value
  bool immutable = false;         // CONFIG SET refuses it, as it does in Redis
  bool is_protected = false;      // CONFIG SET refuses it unless enable-protected-configs lets it

  // For the rows of the table: the same with something said of it.
  constexpr OptionSpec also(std::string_view other_name) const {
    OptionSpec spec = *this;
    spec.alias = other_name;
    return spec;
  }
  constexpr OptionSpec within(int64_t least, int64_t most) const {
    OptionSpec spec = *this;
    spec.min = least;
    spec.max = most;
    return spec;
  }
  constexpr OptionSpec checked(std::string_view (*by)(std::string_view)) const {
    OptionSpec spec = *this;
    spec.check = by;
    return spec;
  }
  constexpr OptionSpec fixed() const {
    OptionSpec spec = *this;
    spec.immutable = true;
    return spec;
  }
  constexpr OptionSpec guarded() const {
    OptionSpec spec = *this;
    spec.is_protected = true;
    return spec;
  }
};

// A name of an option. Those with an alias have two.
struct OptionName {
  std::string_view name;
  const OptionSpec* spec;
};

std::span<const OptionSpec> option_table();      // in the order of their names
std::span<const OptionName> option_names();      // in order, aliases among them
const OptionSpec* find_option(std::string_view name);  // any case; nullptr when unknown

// Takes the next word off `rest`; empty when there is none.
std::string_view next_word(std::string_view& rest);

}  // namespace lockstep
