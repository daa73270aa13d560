#include "server/engine/engine.h"

#include <algorithm>

#include "server/base/check.h"
#include "server/engine/event_classes.h"

namespace lockstep {
namespace {

std::string make_run_id(std::mt19937_64& random) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string id(40, '0');
  for (char& digit : id) digit = kDigits[random() & 15];
  return id;
}

}  // namespace

Engine::Engine(EngineConfig config, const CommandTable& commands, std::unique_ptr<ScriptHost> scripts,
               std::unique_ptr<Journal> journal)
    : settings_(std::move(config.settings)),
      process_(std::move(config.process)),
      stopwatch_us_(std::move(config.stopwatch_us)),
      log_(std::move(config.log)),
      random_(config.seed),
      run_id_(make_run_id(random_)),
      scripts_(std::move(scripts)),
      journal_(std::move(journal)),
      pubsub_(outbox_, settings_.hot()),
      databases_(static_cast<int>(settings_.integer("databases")), random_(), *this),
      wall_{databases_.shared().now, config.wall_offset_ms},
      watches_(databases_.shared()),
      waiters_(timeouts_),
      pause_(timeouts_),
      script_(settings_, stopwatch_us_, fiber_),
      recorder_(stopwatch_us_, commands, outbox_, pubsub_),
      server_{.databases = databases_,
              .pubsub = pubsub_,
              .watches = watches_,
              .waiters = waiters_,
              .pause = pause_,
              .stats = stats_,
              .recorder = recorder_,
              .settings = settings_,
              .scripts = *scripts_,
              .script = script_,
              .sessions = *this,
              .executor = dispatch_,
              .commands = commands,
              .wall = wall_,
              .random = random_,
              .process = process_,
              .rates = rates_,
              .run_id = run_id_,
              .log = log_,
              .shell = shell_,
              .started_at = config.start},
      dispatch_(server_),
      schedule_(server_, dispatch_, outbox_, *journal_, sessions_, fiber_) {
  databases_.shared().now = sampled_at_ = config.start;
  server_.start_memory_bytes = server_.memory_use().total();
}

Engine::~Engine() {
  if (suspended()) schedule_.abandon();
}

// Keys expire before waiters time out.
std::optional<Deadlines::Due> Engine::earliest_due() const {
  const Deadlines& expiries = databases_.shared().deadlines;
  const bool keys_first = server_.active_expire && expiries.earliest_ms() <= timeouts_.earliest_ms();
  return (keys_first ? expiries : timeouts_).earliest();
}

Instant Engine::next_deadline() const {
  const auto due = earliest_due();
  const int64_t earliest_ms = due ? due->at_ms : INT64_MAX;
  // What lies past the microseconds that an Instant can count is never reached.
  return earliest_ms > INT64_MAX / 1000 ? Instant::never() : Instant::from_ms(earliest_ms);
}

bool Engine::advance_to(Instant to, size_t budget) {
  LOCKSTEP_CHECK(!schedule_.inside_unit());
  if (suspended()) return false;
  if (next_deadline() > std::max(to, now()) || settings_.hot().latency_us == INT64_MAX) return fire_until(to, budget);
  const int64_t begun_us = recorder_.read_us();
  const bool done = fire_until(to, budget);
  recorder_.note_spike("expire-cycle", recorder_.read_us() - begun_us, server_);
  return done;
}

bool Engine::fire_until(Instant to, size_t budget) {
  StoreShared& store = databases_.shared();
  to = std::max(to, store.now);
  for (Instant next = next_deadline(); next <= to && next != Instant::never(); next = next_deadline()) {
    if (budget-- == 0) {
      store.now = to;
      return false;
    }
    const Deadlines::Due due = *earliest_due();
    store.now = std::max(store.now, next);
    schedule_.fire(due);
    if (suspended()) return false;
  }
  store.now = to;
  return true;
}

void Engine::sample() {
  server_.memory_use();
  const int64_t passed_us = now().us - sampled_at_.us;
  if (passed_us <= 0) return;
  const double seconds = static_cast<double>(passed_us) / 1e6;
  const auto since = [&](uint64_t Stats::*figure) {
    return static_cast<double>(stats_.*figure - server_.sampled.*figure);
  };
  rates_.commands_per_s = static_cast<int64_t>(since(&Stats::commands_processed) / seconds);
  rates_.input_kib_per_s = since(&Stats::input_bytes) / 1024 / seconds;
  rates_.output_kib_per_s = since(&Stats::output_bytes) / 1024 / seconds;
  rates_.turns_per_s = static_cast<int64_t>(since(&Stats::turns) / seconds);
  rates_.turn_us = static_cast<int64_t>(since(&Stats::turns_us) / std::max(since(&Stats::turns), 1.0));
  server_.sampled = stats_;
  sampled_at_ = now();
}

SessionId Engine::open(Endpoint endpoint) {
  auto session = std::make_unique<Session>(schedule_, *journal_, blocks_);
  SessionState& state = session->state();
  session->reply().tell_errors_to(&recorder_.errors);
  state.slot = sessions_.next_id();
  state.id = next_session_++;
  state.endpoint = std::move(endpoint);
  state.opened_at = state.last_command_at = now();
  state.set_authenticated(settings_.text("requirepass").empty());
  ++stats_.connections_received;
  return sessions_.insert(std::move(session));
}

void Engine::close(SessionId id) {
  LOCKSTEP_CHECK(!schedule_.inside_unit());
  if (Session* session = sessions_.find(id)) schedule_.close(*session);
}

void Engine::kill(SessionState& session, const SessionState& by) {
  if (session.close_after_reply) return;
  session.close_after_reply = true;
  if (&session == &by) return;  // the end of its unit does the rest
  schedule_.leave(session);
  session.cut_off = true;
  schedule_.mark_dirty(*sessions_.find(session.slot));
}

void Engine::every_second() {
  LOCKSTEP_CHECK(!schedule_.inside_unit());
  sessions_.for_each([this](Session& session) { schedule_.hold_to_limit(session); });
  sample();
}

void Engine::release_output() {
  sessions_.for_each([this](Session& session) {
    if (session.has_released_output()) schedule_.queue_dirty(session);
  });
}

void Engine::key_changed(int database, std::string_view key) { watches_.key_changed(database, key); }

void Engine::key_expired(int database, std::string_view key) {
  ++stats_.keys_expired;
  server_.notify(database, kEventExpired, "expired", key);
}

void Engine::key_created(int database, std::string_view key) {
  waiters_.signal(database, key);
  server_.notify(database, kEventNew, "new", key);
}

void Engine::database_flushed(Keyspace& keyspace) { watches_.flushed(keyspace); }

void Engine::databases_swapped(Keyspace& a, Keyspace& b) {
  watches_.swapped(a, b);
  for (const Keyspace* keyspace : {&a, &b}) waiters_.signal_all(keyspace->number());
}

void Engine::for_each(const Visit& visit) {
  sessions_.for_each([&](Session& session) { visit(session.state(), figures(session.state())); });
}

SessionFigures Engine::figures(const SessionState& state) {
  const Session& session = *sessions_.find(state.slot);
  // How much of the feeder's input has come already depends on how TCP cut it; no reply may.
  const size_t input_bytes = schedule_.is_feeder(session) ? 0 : session.input_bytes();
  return {.input_bytes = input_bytes,
          .output_bytes = session.output_bytes(),
          .memory_bytes = sizeof(Session) + input_bytes + session.output_bytes(),
          .blocked = session.blocked()};
}

}  // namespace lockstep
