// Performing the steps of one scenario over a driver, see the header.
#include "tests/transcript/conversation.h"

#include <regex.h>

#include <cctype>
#include <utility>

#include "tests/transcript/quoting.h"
#include "tests/transcript/resp_text.h"

namespace lockstep::transcript {
namespace {

// A pattern with its <name:expression> parts turned into groups.
struct Pattern {
  std::string expression;
  std::vector<std::pair<std::string, std::size_t>> names;  // with the number of the group
};

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && std::islower(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

Pattern parse_pattern(std::string_view text) {
  Pattern pattern;
  std::size_t groups = 0;
  bool in_capture = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t name_end = text[i] == '<' ? end_of_name(text, i + 1) : i;
    if (text[i] == '\\' && i + 1 < text.size()) {
      pattern.expression += text[i++];
      pattern.expression += text[i];
    } else if (name_end > i + 1 && name_end < text.size() && text[name_end] == ':') {
      pattern.names.emplace_back(text.substr(i + 1, name_end - i - 1), ++groups);
      pattern.expression += '(';
      in_capture = true;
      i = name_end;
    } else if (text[i] == '>' && in_capture) {
      pattern.expression += ')';
      in_capture = false;
    } else {
      if (text[i] == '(') ++groups;
      pattern.expression += text[i];
    }
  }
  return pattern;
}

}  // namespace

Conversation::Conversation(Driver& driver, const Scenario& scenario) : driver_(driver) {
  driver_.reset(scenario.settings);
}

Conversation::~Conversation() {
  try {
    for (const auto& [name, session] : sessions_) driver_.close(session);
  } catch (const DriverError&) {
    // The server is gone; what was thrown because of it is on its way already.
  }
}

void Conversation::perform(const Step& action) {
  const std::string text = with_captures(action.text);
  switch (action.kind) {
    case Step::Kind::send:
      driver_.send(session(action.session), encode_command(*split_arguments(text)));
      break;
    case Step::Kind::send_raw: driver_.send(session(action.session), joined_arguments(text)); break;
    case Step::Kind::close:
      driver_.close(session(action.session));
      sessions_.erase(action.session);
      break;
    case Step::Kind::advance: driver_.advance_clock(action.advance_us); break;
    default: break;  // expectations
  }
}

Received Conversation::take_reply(const std::string& name, Wait wait) {
  const Driver::Session from = session(name);
  for (;;) {
    const std::string_view bytes = driver_.received(from);
    Decoded decoded = decode_reply(bytes);
    if (decoded.state == Decoded::State::complete) {
      driver_.consume(from, decoded.size);
      return {Received::Kind::reply, std::move(decoded.text)};
    }
    if (decoded.state == Decoded::State::malformed) return {Received::Kind::malformed, decoded.text};
    if (driver_.is_closed(from) && bytes.empty()) return {Received::Kind::closed, "closed"};
    if (wait == Wait::no || !driver_.receive(from)) {
      if (bytes.empty()) return {Received::Kind::nothing, "nothing"};
      return {Received::Kind::malformed, "a part of a reply: " + quote(bytes)};
    }
  }
}

std::string_view Conversation::buffered(const std::string& name, std::size_t enough, Wait wait) {
  const Driver::Session from = session(name);
  while (wait == Wait::yes && driver_.received(from).size() < enough && driver_.receive(from)) {
  }
  return driver_.received(from);
}

void Conversation::consume(const std::string& name, std::size_t size) {
  driver_.consume(session(name), size);
}

bool Conversation::wait_for_close(const std::string& name) {
  const Driver::Session from = session(name);
  while (driver_.received(from).empty() && !driver_.is_closed(from) && driver_.receive(from)) {
  }
  return is_closed(name);
}

bool Conversation::is_closed(const std::string& name) {
  const Driver::Session from = session(name);
  return driver_.is_closed(from) && driver_.received(from).empty();
}

std::vector<std::string> Conversation::sessions() const {
  std::vector<std::string> names;
  for (const auto& [name, session] : sessions_) names.push_back(name);
  return names;
}

std::string Conversation::with_captures(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '<' ? end_of_name(text, i + 1) : i;
    const auto found = end > i && end < text.size() && text[end] == '>'
                           ? captures_.find(text.substr(i + 1, end - i - 1))
                           : captures_.end();
    if (found == captures_.end()) {
      out += text[i];
    } else {
      out += found->second;
      i = end;
    }
  }
  return out;
}

bool Conversation::matches(const std::string& pattern_text, const std::string& text) {
  const Pattern pattern = parse_pattern(with_captures(pattern_text));
  regex_t regex;
  const int error = ::regcomp(&regex, pattern.expression.c_str(), REG_EXTENDED);
  if (error != 0) {
    char what[128];
    ::regerror(error, &regex, what, sizeof what);
    throw DriverError("bad expression " + pattern_text + ": " + what);
  }
  std::vector<regmatch_t> groups(regex.re_nsub + 1);
  const bool found = ::regexec(&regex, text.c_str(), groups.size(), groups.data(), 0) == 0;
  ::regfree(&regex);
  if (!found || groups[0].rm_so != 0 || static_cast<std::size_t>(groups[0].rm_eo) != text.size())
    return false;
  for (const auto& [name, group] : pattern.names) {
    const regmatch_t& span = groups[group];
    captures_[name] =
        text.substr(static_cast<std::size_t>(span.rm_so), static_cast<std::size_t>(span.rm_eo - span.rm_so));
  }
  return true;
}

Driver::Session Conversation::session(const std::string& name) {
  const auto found = sessions_.find(name);
  if (found != sessions_.end()) return found->second;
  return sessions_[name] = driver_.open();
}

std::string encode_command(const std::vector<std::string>& arguments) {
  std::string bytes = "*" + std::to_string(arguments.size()) + "\r\n";
  for (const std::string& argument : arguments) {
    bytes += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  }
  return bytes;
}

}  // namespace lockstep::transcript
