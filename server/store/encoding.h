// The names of Redis' encodings, for OBJECT ENCODING and DEBUG OBJECT.
#pragma once

#include <string_view>

#include "server/store/entry.h"

namespace lockstep {

// What Redis makes of a value like this when it is set at once; nothing here is encoded so.
std::string_view encoding_name(const Entry& entry);

}  // namespace lockstep
