// A whole engine: sessions opened, fed, closed, time moved. Two engines with one seed get the same, one of
// them byte by byte; both must say the same, in whole replies, and nothing due may be left behind.
// Input: a list of operations, each a byte and what it needs.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/fake_script_host.h"
#include "tests/support/reply_check.h"
#include "tests/support/test_commands.h"

namespace lockstep {
namespace {

// CLIENT LIST and INFO tell how much input waits, so they may differ with how it was cut.
bool tells_of_input(std::string_view name) { return name.starts_with("client") || name == "info"; }

const std::vector<CommandSpec>& rows() {
  static const std::vector<CommandSpec> kept = [] {
    std::vector<CommandSpec> rows;
    const auto add = [&](const CommandSpec& spec) {
      if (!tells_of_input(spec.name)) rows.push_back(spec);
    };
    const CommandTable& table = tests::table_with_test_commands();
    for (const CommandSpec* spec : table.commands()) {
      add(*spec);
      for (const CommandSpec* subcommand : table.subcommands(*spec)) add(*subcommand);
    }
    return rows;
  }();
  return kept;
}

const CommandTable& table() {
  static const std::span<const CommandSpec> families[] = {rows()};
  static const CommandTable made(families);
  return made;
}

// What makes sessions meet; beside it, the example of every command is a request.
constexpr std::string_view kRequests[] = {
    "SET k v",
    "SET k v PX 10",
    "DEL k",
    "GET k",
    "TESTWAIT k 0",
    "TESTWAIT k l 20",
    "TESTMOVE k l 10",
    "TESTMOVE l k 0",
    "TESTMATCH k v 30",
    "EVAL 'SET k 1; SET l 2; PUBLISH k m' 0",
    "EVAL 'SET KEYS[1] ARGV[1]; RENAME KEYS[1] l' 1 k w",
    "MSET k a l b",
    "RENAME k l",
    "HELLO 3",
    "HELLO 2",
    "SUBSCRIBE k l",
    "PSUBSCRIBE *",
    "MULTI",
    "EXEC",
    "WATCH k l",
    "EXPIRE k 1 NX",
    "PEXPIREAT l 9223372036854775807",
    "SET l v PXAT 9223372036854775807",
    "FLUSHALL",
    "SCAN 0 COUNT 1",
    "AUTH default x",
};

class Host {
 public:
  explicit Host(bool cut) : cut_(cut), engine_(config(), table(), std::make_unique<tests::FakeScriptHost>()) {}

  void open() {
    if (peers_.size() < 6) peers_.push_back({engine_.open({.address = "fuzz", .local_address = "fuzz"}), ""});
  }
  void close(size_t which) {
    if (peers_.empty()) return;
    const size_t at = which % peers_.size();
    engine_.close(peers_[at].id);
    peers_.erase(peers_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void feed(size_t which, std::string_view bytes) {
    if (peers_.empty()) return;
    const SessionId id = peers_[which % peers_.size()].id;
    const size_t piece = cut_ ? 1 : std::max<size_t>(bytes.size(), 1);
    for (size_t at = 0; at < bytes.size(); at += piece) {
      const std::string copy(bytes.substr(at, piece));  // gone after the call
      engine_.session(id)->feed(copy);
    }
    carry();
  }
  void advance(int64_t ms, size_t budget) {
    const Instant to{engine_.now().us + ms * 1000};
    const bool all = engine_.advance_to(to, budget);
    LOCKSTEP_CHECK(engine_.now() == to);
    LOCKSTEP_CHECK(!all || engine_.next_deadline() > to);
    carry();
  }
  bool over() const { return engine_.shutdown_requested(); }
  // All that anybody was told.
  std::string told() const {
    std::string all = told_;
    for (const Peer& peer : peers_) all += peer.received + "open\n";
    return all;
  }

 private:
  struct Peer {
    SessionId id;
    std::string received;
  };

  static EngineConfig config() {
    EngineConfig made;
    made.start = Instant::from_ms(tests::kStartMs);
    return made;
  }

  // As a shell does: sends what there is, closes who wants it.
  void carry() {
    const auto dirty = engine_.take_dirty();
    for (Peer& peer : peers_) {
      Session& session = *engine_.session(peer.id);
      const std::string output(session.output());
      session.consume(output.size());
      LOCKSTEP_CHECK(tests::are_whole_replies(output));
      // Whoever says something is dirty.
      LOCKSTEP_CHECK(output.empty() || std::find(dirty.begin(), dirty.end(), peer.id) != dirty.end());
      peer.received += output;
    }
    std::erase_if(peers_, [this](const Peer& peer) {
      if (!engine_.session(peer.id)->wants_close()) return false;
      told_ += peer.received + "closed\n";
      engine_.close(peer.id);
      return true;
    });
  }

  const bool cut_;
  Engine engine_;
  std::vector<Peer> peers_;
  std::string told_;
};

// One operation of the input on one engine; both engines get the same.
struct Operation {
  uint8_t kind;
  uint8_t who;
  uint8_t number;
  std::string bytes;
};

std::vector<Operation> read_operations(tests::FuzzInput input) {
  constexpr size_t kMost = 400;
  std::vector<Operation> operations;
  while (!input.empty() && operations.size() < kMost) {
    Operation op{static_cast<uint8_t>(input.byte() % 8), input.byte(), input.byte(), {}};
    if (op.kind == 0) op.bytes = input.bytes(op.number);
    if (op.kind == 1) op.bytes = std::string(input.bytes(op.number % 32)) + "\r\n";
    if (op.kind == 2) op.bytes = tests::request(rows()[op.number % rows().size()].example);
    if (op.kind == 3 || op.kind == 4) op.bytes = tests::request(kRequests[op.number % std::size(kRequests)]);
    operations.push_back(std::move(op));
  }
  return operations;
}

void apply(Host& host, const Operation& op) {
  switch (op.kind) {
    case 5:
      return host.advance(int64_t{1} << op.number % 40, op.who % 4 == 0 ? op.who / 4 : SIZE_MAX);
    case 6:
      return host.open();
    case 7:
      return host.close(op.who);
    default:
      return host.feed(op.who, op.bytes);
  }
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  Host whole(false);
  Host cut(true);
  for (Host* host : {&whole, &cut}) {
    host->open();
    host->open();
    host->open();
  }
  for (const Operation& op : read_operations(tests::FuzzInput(data, size))) {
    apply(whole, op);
    apply(cut, op);
    LOCKSTEP_CHECK(whole.over() == cut.over());
    if (whole.over()) break;
  }
  LOCKSTEP_CHECK(whole.told() == cut.told());
  return 0;
}
