// Running, shrinking and printing of histories; their making is in random_history.cc.
#include "tests/sim/history.h"

#include <algorithm>
#include <memory>

#include "scripting/script_engine.h"
#include "server/engine/engine.h"
#include "tests/support/test_commands.h"

namespace lockstep::sim {
namespace {

constexpr int64_t kStartMs = 1'700'000'000'000;

std::string encode(const Command& command) {
  std::string bytes = "*" + std::to_string(command.size()) + "\r\n";
  for (const std::string& arg : command)
    bytes.append("$").append(std::to_string(arg.size())).append("\r\n").append(arg).append("\r\n");
  return bytes;
}

EngineConfig config(uint64_t seed) {
  EngineConfig config;
  config.seed = seed;
  config.start = Instant::from_ms(kStartMs);
  return config;
}

class Runner {
 public:
  Runner(uint64_t engine_seed, size_t chunk_bytes)
      : engine_(config(engine_seed), tests::table_with_test_commands(), make_lua_host({.seed = engine_seed})), chunk_bytes_(chunk_bytes) {}

  Transcript run(const History& history) {
    for (const Step& step : history) {
      switch (step.kind) {
        case Step::Kind::kSend: send(step); break;
        case Step::Kind::kAdvance: engine_.advance_to(Instant{engine_.now().us + step.advance_ms * 1000}); break;
        case Step::Kind::kClose: close(step.client); break;
      }
      collect();
    }
    return std::move(transcript_);
  }

 private:
  void send(const Step& step) {
    if (!sessions_.contains(step.client)) sessions_[step.client] = engine_.open({});
    std::string bytes;
    for (const Command& command : step.commands) bytes += encode(command);
    const size_t chunk = chunk_bytes_ == 0 ? bytes.size() : chunk_bytes_;
    for (size_t at = 0; at < bytes.size(); at += chunk) {
      // A buffer of its own that dies at once: whoever keeps a view into it is caught by ASan.
      const auto piece = std::make_unique<std::string>(bytes.substr(at, chunk));
      engine_.session(sessions_[step.client])->feed(*piece);
    }
  }

  void close(int client) {
    const auto found = sessions_.find(client);
    if (found == sessions_.end()) return;
    engine_.close(found->second);
    sessions_.erase(found);
    transcript_[client] += "<closed by the client>";
  }

  void collect() {
    engine_.take_dirty();
    for (auto at = sessions_.begin(); at != sessions_.end();) {
      Session& session = *engine_.session(at->second);
      const std::string_view out = session.output();
      transcript_[at->first] += out;
      session.consume(out.size());
      if (session.wants_close()) {
        engine_.close(at->second);
        transcript_[at->first] += "<closed by the server>";
        at = sessions_.erase(at);
      } else {
        ++at;
      }
    }
  }

  Engine engine_;
  const size_t chunk_bytes_;
  std::map<int, SessionId> sessions_;
  Transcript transcript_;
};

std::string quote(const std::string& word) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\'' && c != '\\';
  });
  if (plain) return word;
  std::string text = "\"";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text.append("\\").append(1, c);
    } else if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      text.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    }
  }
  return text + "\"";
}

}  // namespace

Transcript run(const History& history, uint64_t engine_seed, size_t chunk_bytes) {
  return Runner(engine_seed, chunk_bytes).run(history);
}

History shrink(History history, const std::function<bool(const History&)>& fails) {
  const auto try_without = [&](History smaller) {
    if (!fails(smaller)) return false;
    history = std::move(smaller);
    return true;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t block = history.size() / 2; block > 0; block /= 2) {
      for (size_t at = 0; at + block <= history.size();) {
        History without = history;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(at),
                      without.begin() + static_cast<std::ptrdiff_t>(at + block));
        if (try_without(std::move(without))) {
          smaller = true;
        } else {
          at += block;
        }
      }
    }
    for (size_t at = 0; at < history.size(); ++at) {
      for (size_t i = 0; i < history[at].commands.size();) {
        History without = history;
        without[at].commands.erase(without[at].commands.begin() + static_cast<std::ptrdiff_t>(i));
        if (without[at].commands.empty() || !try_without(std::move(without))) {
          ++i;
        } else {
          smaller = true;
        }
      }
    }
  }
  return history;
}

std::string to_text(const History& history) {
  std::string text;
  for (const Step& step : history) {
    const std::string name(1, static_cast<char>('A' + step.client));
    switch (step.kind) {
      case Step::Kind::kAdvance: text += "+" + std::to_string(step.advance_ms) + "ms\n"; break;
      case Step::Kind::kClose: text += name + " close\n"; break;
      case Step::Kind::kSend:
        for (const Command& command : step.commands) {
          text += name + ">";
          for (const std::string& word : command) text += " " + quote(word);
          text += "\n";
        }
        break;
    }
  }
  return text;
}

}  // namespace lockstep::sim
