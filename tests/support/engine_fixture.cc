// The engine in a test's hand; see the header.
#include "tests/support/engine_fixture.h"

#include <algorithm>
#include <charconv>

#include "protocol/inline_split.h"
#include "server/base/check.h"
#include "tests/support/fake_script_host.h"
#include "tests/support/test_commands.h"

namespace lockstep::tests {
namespace {

EngineConfig with_start(EngineConfig config) {
  config.start = Instant::from_ms(kStartMs);
  return config;
}

}  // namespace

std::string request(std::string_view words) {
  std::vector<std::string> split;
  LOCKSTEP_CHECK(split_inline(words, split));
  std::string bytes = "*" + std::to_string(split.size()) + "\r\n";
  for (const std::string& word : split) bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return bytes;
}

std::string shown(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const bool line_end = bytes.substr(i, 2) == "\r\n";
    text += line_end ? '|' : bytes[i];
    if (line_end) ++i;
  }
  return text;
}

EngineFixture::EngineFixture(EngineConfig config, std::unique_ptr<Journal> journal)
    : engine_(with_start(std::move(config)), table_with_test_commands(), std::make_unique<FakeScriptHost>(),
              std::move(journal)) {}

SessionId EngineFixture::open() {
  return engine_.open({.address = "in-process", .local_address = "in-process"});
}

void EngineFixture::feed(SessionId id, std::string_view bytes) {
  // From memory of exactly this size that is gone after the call, so that sanitizers see who reads beyond
  // either.
  const std::unique_ptr<char[]> copy(new char[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  engine_.session(id)->feed({copy.get(), bytes.size()});
}

void EngineFixture::send(SessionId id, std::string_view lines) {
  std::string bytes;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    bytes += request(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  feed(id, bytes);
}

std::string EngineFixture::take(SessionId id) {
  Session& session = *engine_.session(id);
  const std::string text = shown(session.output());
  session.consume(session.output().size());
  return text;
}

std::string EngineFixture::ask(SessionId id, std::string_view lines) {
  send(id, lines);
  return take(id);
}

std::vector<SessionId> EngineFixture::dirty() {
  const auto taken = engine_.take_dirty();
  return {taken.begin(), taken.end()};
}

int64_t EngineFixture::info(std::string_view field) {
  const SessionId id = open();
  const std::string text = ask(id, "INFO everything");
  close(id);
  const size_t at = text.find("|" + std::string(field) + ":");
  LOCKSTEP_CHECK(at != text.npos);
  const char* begin = text.data() + at + field.size() + 2;
  int64_t value = 0;
  LOCKSTEP_CHECK(std::from_chars(begin, text.data() + text.size(), value).ec == std::errc());
  return value;
}

}  // namespace lockstep::tests
