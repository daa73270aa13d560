// The driver in process, see the header.
#include "tests/transcript/engine_driver.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scripting/script_engine.h"
#include "server/commands/table.h"

namespace lockstep::transcript {
namespace {

constexpr std::int64_t kStartMs = 1'700'000'000'000;

}  // namespace

EngineDriver::EngineDriver(std::size_t chunk) : chunk_(chunk) {}

EngineDriver::~EngineDriver() = default;

void EngineDriver::reset(const Settings& settings) {
  peers_.clear();
  EngineConfig config;
  const std::uint64_t seed = config.seed;
  config.start = Instant::from_ms(kStartMs);
  for (const auto& [name, value] : settings) {
    const std::string words[] = {value};
    const std::optional<std::string> fault = config.settings.set(name, words);
    if (fault) throw DriverError("@config " + name + ": " + *fault);
  }
  engine_ = std::make_unique<Engine>(std::move(config), command_table(), make_lua_host({.seed = seed}));
}

Driver::Session EngineDriver::open() {
  const std::string port = std::to_string(50'000 + peers_.size());
  const SessionId id = engine_->open({.address = "127.0.0.1:" + port, .local_address = "127.0.0.1:6379"});
  peers_.push_back({.id = id, .received = {}});
  return peers_.size() - 1;
}

void EngineDriver::send(Session session, std::string_view bytes) {
  while (!bytes.empty() && !peers_[session].closed) {
    const std::size_t size = chunk_ == 0 ? bytes.size() : std::min(chunk_, bytes.size());
    // A copy of exactly this chunk, so that a checked build sees a read beyond it or after the call.
    const std::vector<char> chunk(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    engine_->session(peers_[session].id)->feed({chunk.data(), chunk.size()});
    bytes.remove_prefix(size);
    collect();
  }
}

void EngineDriver::close(Session session) {
  Peer& peer = peers_[session];
  if (!peer.closed) engine_->close(peer.id);
  peer.closed = true;
  collect();
}

std::string_view EngineDriver::received(Session session) const { return peers_[session].received; }

void EngineDriver::consume(Session session, std::size_t size) { peers_[session].received.erase(0, size); }

bool EngineDriver::is_closed(Session session) const { return peers_[session].closed; }

void EngineDriver::advance_clock(std::int64_t duration_us) {
  engine_->advance_to(Instant{engine_->now().us + duration_us});
  collect();
}

void EngineDriver::collect() {
  for (auto dirty = engine_->take_dirty(); !dirty.empty(); dirty = engine_->take_dirty()) {
    for (const SessionId id : dirty) {
      const auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.id == id; });
      if (peer != peers_.end() && !peer->closed) carry(*peer);
    }
  }
  if (!engine_->shutdown_requested()) return;
  for (Peer& peer : peers_) peer.closed = true;
}

void EngineDriver::carry(Peer& peer) {
  lockstep::Session& session = *engine_->session(peer.id);
  const std::string_view output = session.output();
  peer.received += output;
  session.consume(output.size());
  if (!session.wants_close() || !session.output().empty()) return;
  engine_->close(peer.id);
  peer.closed = true;
}

}  // namespace lockstep::transcript
