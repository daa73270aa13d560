// The texts that options are read from, as files: whole, and line by line. Used by config and config_rewrite.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "server/net/problem.h"

namespace lockstep::net {

std::string_view trim(std::string_view line);  // of blanks and line ends

// The reason alone, without the path.
Problem read_whole(std::FILE* stream, std::string& text);
Problem read_whole(const std::string& path, std::string& text);

}  // namespace lockstep::net
