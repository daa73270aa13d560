// The CRC-64 of Redis' payloads: polynomial ad93d23594c935a9 (Jones), reflected in and out, starting at 0.
// Of "123456789" it is e9c6d914c4b8d9ca.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

uint64_t crc64(std::string_view bytes);

}  // namespace lockstep
