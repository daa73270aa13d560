// The parser of transcript files: one line, one step. See the header.
#include "tests/transcript/transcript.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/transcript/quoting.h"

namespace lockstep::transcript {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// A mark ends at a space or at the end of the line: "A<raw" is not "A<" with the text "raw".
bool take_mark(std::string_view& text, std::string_view mark) {
  const bool ends = text.size() == mark.size() || (text.size() > mark.size() && text[mark.size()] == ' ');
  return ends && take_prefix(text, mark);
}

std::string take_session_name(std::string_view& text) {
  if (text.empty() || std::isupper(static_cast<unsigned char>(text.front())) == 0) return {};
  const auto end = std::find_if(text.begin(), text.end(),
                                [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  std::string name(text.begin(), end);
  text.remove_prefix(name.size());
  return name;
}

std::int64_t unit_us(std::string_view unit) {
  if (unit == "us") return 1;
  if (unit == "ms") return 1'000;
  if (unit == "s") return 1'000'000;
  return 0;
}

class Parser {
 public:
  Parser(const std::string& path, std::string_view text) : text_(text) { transcript_.path = path; }

  Transcript run() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      transcript_.lines.emplace_back(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      parse_line(trimmed(transcript_.lines.back()));
    }
    return std::move(transcript_);
  }

 private:
  void parse_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    if (take_mark(line, "==")) return begin_scenario(trimmed(line));
    if (transcript_.scenarios.empty()) fail("a scenario begins with a line '== name'");
    if (line.front() == '@') return parse_annotation(line);
    if (line.front() == '+') return parse_advance(line.substr(1));
    parse_session_line(line);
  }

  void begin_scenario(std::string_view name) {
    if (name.empty()) fail("a scenario needs a name");
    const auto same_name = [&](const Scenario& other) { return other.name == name; };
    if (std::any_of(transcript_.scenarios.begin(), transcript_.scenarios.end(), same_name)) {
      fail("another scenario has this name");
    }
    Scenario scenario;
    scenario.name = name;
    scenario.line = line_;
    transcript_.scenarios.push_back(std::move(scenario));
  }

  void parse_annotation(std::string_view line) {
    Scenario& scenario = transcript_.scenarios.back();
    if (!scenario.steps.empty()) fail("annotations stand before the first step");
    if (take_mark(line, "@since")) {
      scenario.since = trimmed(line);
      if (scenario.since.find_first_not_of("0123456789.") != std::string::npos || scenario.since.empty()) {
        fail("@since takes a version");
      }
    } else if (take_mark(line, "@not-redis")) {
      scenario.not_redis = trimmed(line);
      if (scenario.not_redis.empty()) fail("@not-redis takes the reason");
    } else if (take_mark(line, "@config")) {
      const auto words = split_arguments(line);
      if (!words || words->size() != 2) fail("@config takes the name and the value of an option");
      scenario.settings.emplace_back((*words)[0], (*words)[1]);
    } else {
      fail("unknown annotation");
    }
  }

  void parse_advance(std::string_view text) {
    Step step{.kind = Step::Kind::advance, .line = line_, .session = {}, .text = std::string(text)};
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::int64_t unit = unit_us(text.substr(static_cast<std::size_t>(end - text.data())));
    if (error != std::errc{} || unit == 0) fail("the clock advances by a line like +50ms (us, ms, s)");
    step.advance_us = number * unit;
    add(std::move(step));
  }

  void parse_session_line(std::string_view line) {
    Step step{.kind = Step::Kind::send, .line = line_, .session = take_session_name(line), .text = {}};
    if (step.session.empty()) fail("a line begins with the name of a session, in upper case");
    const std::optional<Step::Kind> kind = take_step_mark(line);
    if (!kind) fail("a session's line goes on with > >raw < <~ <raw <- or close");
    step.kind = *kind;
    step.text = trimmed(line);
    if (step.kind == Step::Kind::reply && step.text == "closed") step.kind = Step::Kind::closed;
    check_text(step);
    add(std::move(step));
  }

  static std::optional<Step::Kind> take_step_mark(std::string_view& line) {
    if (take_mark(line, ">raw")) return Step::Kind::send_raw;
    if (take_mark(line, "<raw")) return Step::Kind::raw_reply;
    if (take_mark(line, "<~")) return Step::Kind::matching_reply;
    if (take_mark(line, "<-")) return Step::Kind::nothing;
    if (take_mark(line, ">")) return Step::Kind::send;
    if (take_mark(line, "<")) return Step::Kind::reply;
    if (take_mark(line, " close")) return Step::Kind::close;
    return std::nullopt;
  }

  void check_text(const Step& step) const {
    const bool takes_text = step.kind != Step::Kind::nothing && step.kind != Step::Kind::close;
    if (step.text.empty() == takes_text)
      fail(takes_text ? "something must follow the mark" : "nothing may follow");
    const bool is_quoted = step.kind == Step::Kind::send || step.kind == Step::Kind::send_raw ||
                           step.kind == Step::Kind::raw_reply;
    if (is_quoted && !split_arguments(step.text)) fail("quotes are not balanced");
  }

  void add(Step step) { transcript_.scenarios.back().steps.push_back(std::move(step)); }

  [[noreturn]] void fail(const std::string& fault) const {
    throw TranscriptError(transcript_.path, line_, fault);
  }

  std::string_view text_;
  Transcript transcript_;
  int line_ = 0;
};

}  // namespace

bool Scenario::needs_manual_clock() const {
  return std::any_of(steps.begin(), steps.end(),
                     [](const Step& step) { return step.kind == Step::Kind::advance; });
}

Transcript parse_transcript(const std::string& path, std::string_view text) {
  return Parser(path, text).run();
}

Transcript read_transcript(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw TranscriptError(path, 0, "cannot be read");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parse_transcript(path, text);
}

bool version_at_least(std::string_view version, std::string_view least) {
  while (!least.empty()) {
    int have = 0;
    int want = 0;
    const auto have_end = std::from_chars(version.data(), version.data() + version.size(), have).ptr;
    const auto want_end = std::from_chars(least.data(), least.data() + least.size(), want).ptr;
    if (have != want) return have > want;
    version.remove_prefix(
        std::min<std::size_t>(static_cast<std::size_t>(have_end - version.data()) + 1, version.size()));
    least.remove_prefix(
        std::min<std::size_t>(static_cast<std::size_t>(want_end - least.data()) + 1, least.size()));
  }
  return true;
}

}  // namespace lockstep::transcript
