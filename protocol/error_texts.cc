#include "protocol/error_texts.h"

#include <algorithm>

#include "server/base/ascii.h"

namespace lockstep::errors {
namespace {

// Redis shows at most this much of what a client sent.
constexpr size_t kShown = 128;

// As C's %.*s shows it.
std::string_view shown(std::string_view text, size_t limit) {
  return text.substr(0, std::min(limit, text.find('\0')));
}

}  // namespace

std::string as_c_string(std::string_view text) { return std::string(text.substr(0, text.find('\0'))); }

std::string unknown_command(std::string_view name, const std::string_view* args, size_t count) {
  std::string shown_args;
  for (size_t i = 0; i < count && shown_args.size() < kShown; ++i) {
    const std::string_view arg = shown(args[i], kShown - shown_args.size());
    shown_args.append("'").append(arg).append("' ");
  }
  std::string text = "ERR unknown command '";
  return text.append(shown(name, kShown)).append("', with args beginning with: ").append(shown_args);
}

std::string unknown_subcommand(std::string_view container, std::string_view subcommand) {
  std::string text = "ERR unknown subcommand '";
  text.append(shown(subcommand, kShown)).append("'. Try ");
  return text.append(upper(container)).append(" HELP.");
}

std::string bad_subcommand_use(std::string_view container, std::string_view subcommand) {
  std::string text = "ERR unknown subcommand or wrong number of arguments for '";
  text.append(shown(subcommand, kShown)).append("'. Try ");
  return text.append(upper(container)).append(" HELP.");
}

std::string unknown_client_type(std::string_view type) {
  return "ERR Unknown client type '" + as_c_string(type) + "'";
}

std::string no_such_user(std::string_view name) { return "ERR No such user '" + as_c_string(name) + "'"; }

std::string unknown_option(std::string_view name) {
  return "ERR Unknown option or number of arguments for CONFIG SET - '" + as_c_string(name) + "'";
}

std::string option_refused(std::string_view name, std::string_view reason) {
  std::string text = "ERR CONFIG SET failed (possibly related to argument '";
  return text.append(as_c_string(name)).append("') - ").append(reason);
}

std::string rewriting_failed(std::string_view reason) {
  return std::string("ERR Rewriting config file: ").append(reason);
}

std::string wrong_arity(std::string_view command) {
  return "ERR wrong number of arguments for '" + lower(command) + "' command";
}

std::string no_latency_samples(std::string_view event) {
  return "ERR No samples available for event '" + as_c_string(event) + "'";
}

std::string invalid_expire(std::string_view command) {
  return "ERR invalid expire time in '" + lower(command) + "' command";
}

// Upstash's text.
std::string undeclared_script_key(std::string_view key) {
  std::string text = "ERR Dynamic keys are not allowed in Lua scripts when 'allow-key-locking' flag is set. Key was: ";
  return text.append(key);
}

std::string not_in_subscriber_mode(std::string_view command) {
  return "ERR Can't execute '" + lower(command) +
         "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
}

std::string exec_aborted_by(std::string_view error) {
  constexpr std::string_view kPlain = "ERR ";
  const std::string_view reason = error.substr(error.starts_with(kPlain) ? kPlain.size() : 0);
  return "EXECABORT Transaction discarded because of: " + std::string(reason);
}

}  // namespace lockstep::errors
