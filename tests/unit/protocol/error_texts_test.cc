// Error texts that are put together. The expected ones are redis-server 7.0.15's to the same requests.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "protocol/error_texts.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;

std::string unknown(std::string_view name, const std::vector<std::string_view>& args) {
  return errors::unknown_command(name, args.data(), args.size());
}

TEST(ErrorTexts, UnknownCommand) {
  EXPECT_EQ(unknown("foo", {}), "ERR unknown command 'foo', with args beginning with: ");
  EXPECT_EQ(unknown("FOO", {"a", "b"}), "ERR unknown command 'FOO', with args beginning with: 'a' 'b' ");
}

TEST(ErrorTexts, ShowsNoMoreThanSoMuchOfWhatWasSent) {
  const std::string long_name(200, 'n');
  const std::string shown(128, 'n');
  EXPECT_EQ(unknown(long_name, {}), "ERR unknown command '" + shown + "', with args beginning with: ");
  const std::string argument(126, 'a');
  EXPECT_EQ(unknown("x", {argument, "b", "c"}),
            "ERR unknown command 'x', with args beginning with: '" + argument + "' ");
  std::string forty;
  for (int i = 0; i < 32; ++i) forty += "'a' ";
  EXPECT_EQ(unknown("x", std::vector<std::string_view>(40, "a")),
            "ERR unknown command 'x', with args beginning with: " + forty);
  EXPECT_EQ(unknown("x", {long_name}),
            "ERR unknown command 'x', with args beginning with: '" + shown + "' ");
}

TEST(ErrorTexts, StopsAtAZeroByteAsRedisDoes) {
  EXPECT_EQ(unknown("a\0b"sv, {"c\0d"sv}), "ERR unknown command 'a', with args beginning with: 'c' ");
}

TEST(ErrorTexts, Subcommands) {
  EXPECT_EQ(errors::unknown_subcommand("client", "foo"), "ERR unknown subcommand 'foo'. Try CLIENT HELP.");
  EXPECT_EQ(errors::unknown_subcommand("CONFIG", std::string(200, 'x')),
            "ERR unknown subcommand '" + std::string(128, 'x') + "'. Try CONFIG HELP.");
}

TEST(ErrorTexts, NamesOfCommands) {
  EXPECT_EQ(errors::wrong_arity("get"), "ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(errors::wrong_arity("client|id"), "ERR wrong number of arguments for 'client|id' command");
  EXPECT_EQ(errors::invalid_expire("set"), "ERR invalid expire time in 'set' command");
  EXPECT_EQ(errors::not_in_subscriber_mode("get"),
            "ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
            "this context");
}

}  // namespace
}  // namespace lockstep
