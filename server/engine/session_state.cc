#include "server/engine/session_state.h"

namespace lockstep {

StoredArgs::StoredArgs(std::span<const std::string_view> args) 
    : bytes_(std::make_unique<char[]>(total(args))) {
  views_.reserve(args.size());
  char* at = bytes_.get();
  for (const std::string_view arg : args) {
    views_.emplace_back(at, arg.size());
    at = std::copy(arg.begin(), arg.end(), at);
  }
}

bool Endpoint::is_local() const {
  return unix_socket || descriptor < 0 || address.starts_with("127.0.0.1:") || address.starts_with("[::1]:");
}

size_t StoredArgs::total(std::span<const std::string_view> args) {
  size_t bytes = 0;
  for (const std::string_view arg : args) bytes += arg.size();
  return bytes;
}

}  // namespace lockstep
