// One scenario on its way: sessions by their names, captured values, actions performed, replies
// taken. Shared by the player and the rewriter, which differ in what they do with the replies.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/transcript/driver.h"
#include "tests/transcript/transcript.h"

namespace lockstep::transcript {

struct Received {
  enum class Kind { reply, nothing, closed, malformed };
  Kind kind;
  std::string text;  // the notation of the reply, else what came instead in words
};

class Conversation {
 public:
  enum class Wait { no, yes };

  Conversation(Driver& driver, const Scenario& scenario);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  void perform(const Step& action);

  Received take_reply(const std::string& session, Wait wait);
  std::string_view buffered(const std::string& session, std::size_t enough, Wait wait);
  void consume(const std::string& session, std::size_t size);
  bool wait_for_close(const std::string& session);
  bool is_closed(const std::string& session);
  void settle() { driver_.settle(); }
  std::vector<std::string> sessions() const;

  // An expected line with <name> replaced by what was captured under that name.
  std::string with_captures(std::string_view text) const;
  // Matches the whole text against a POSIX extended expression; <name:expression> captures.
  bool matches(const std::string& pattern, const std::string& text);

 private:
  Driver::Session session(const std::string& name);

  Driver& driver_;
  std::map<std::string, Driver::Session> sessions_;
  std::map<std::string, std::string, std::less<>> captures_;
};

// A command as clients send it: an array of bulk strings.
std::string encode_command(const std::vector<std::string>& arguments);

}  // namespace lockstep::transcript
