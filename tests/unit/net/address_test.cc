// Socket addresses as text, and which of them protected-mode takes for local.
#include "server/net/address.h"

#include <gtest/gtest.h>

namespace lockstep::net {
namespace {

sockaddr_storage address(const std::string& host) { return parse_address(host, 6379).value(); }

TEST(Address, Text) {
  EXPECT_EQ(to_text(address("127.0.0.1")), "127.0.0.1:6379");
  EXPECT_EQ(to_text(address("::1")), "[::1]:6379");
  EXPECT_EQ(to_text(address("*")), "0.0.0.0:6379");
  EXPECT_EQ(to_text(address("::*")), "[::]:6379");
  EXPECT_EQ(port_of(address("::1")), 6379);
  EXPECT_FALSE(parse_address("localhost", 1));
  EXPECT_FALSE(parse_address("", 1));
  EXPECT_FALSE(parse_address("127.0.0.256", 1));
}

// Who passes here is let in by protected-mode.
TEST(Address, Loopback) {
  for (const char* host : {"127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(address(host))) << host;
  for (const char* host : {"128.0.0.1", "126.255.255.255", "10.0.0.1", "0.0.0.0", "::", "::2", "fe80::1",
                           "::ffff:10.0.0.127", "7f00::1"})
    EXPECT_FALSE(is_loopback(address(host))) << host;
}

}  // namespace
}  // namespace lockstep::net
