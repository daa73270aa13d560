// The classes of keyspace events, and how `notify-keyspace-events` names them. Read by the settings; a
// change of a key says its class when it calls Call::notify.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

enum EventClasses : uint32_t {
  kEventGeneric = 1 << 0,    // g: DEL, EXPIRE, RENAME, ...
  kEventString = 1 << 1,     // $
  kEventList = 1 << 2,       // l
  kEventSet = 1 << 3,        // s
  kEventHash = 1 << 4,       // h
  kEventSortedSet = 1 << 5,  // z
  kEventExpired = 1 << 6,    // x: at the deadline
  kEventEvicted = 1 << 7,    // e
  kEventStream = 1 << 8,     // t
  kEventModule = 1 << 9,     // d
  kEventNew = 1 << 10,       // n: a key that was not there
  kEventKeyspace = 1 << 11,  // K: by __keyspace@<db>__:<key>, the event as the message
  kEventKeyevent = 1 << 12,  // E: by __keyevent@<db>__:<event>, the key as the message
  kEventMiss = 1 << 13,      // m: a key that was looked up and is not there
};

// "AKE", "Egx", ...; nothing when a character names no class.
std::optional<uint32_t> parse_event_classes(std::string_view text);
// The form in which CONFIG GET answers: "AKE", "gxE".
std::string event_classes_text(uint32_t classes);

}  // namespace lockstep
