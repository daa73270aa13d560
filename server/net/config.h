// Reads the settings as Redis does: a file named first, standard input for "-", then the options of the
// command line; what comes later wins. Called once, by main. Opens no socket and logs nothing.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "server/engine/settings.h"
#include "server/net/problem.h"

namespace lockstep::net {

// rename-command: what clients and scripts are to call a command by; empty: nothing.
struct CommandRename {
  std::string from;
  std::string to;
  std::string place;  // where it was asked for: "redis.conf:12"
};

struct Configuration {
  Settings settings;
  std::vector<CommandRename> renames;  // in the order given
  std::string file;                   // absolute; empty without one
  std::vector<std::string> warnings;  // options that were given and do nothing
};

// `arguments`: the command line behind the program's name. `input` is read only if it asks for it.
//
//   [file] [--option value ...] [--option "value"] ["--option value"] [-]
Problem read_configuration(std::span<const std::string> arguments, std::FILE* input, Configuration& into);

}  // namespace lockstep::net
