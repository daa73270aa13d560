// Command line, files and standard input become settings in the order and with the quoting of Redis.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "server/net/config.h"

namespace lockstep::net {
namespace {

class Config : public testing::Test {
 protected:
  Config() {
    std::string pattern = testing::TempDir() + "lockstep-config-XXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~Config() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  // Empty when it worked.
  std::string read(const std::vector<std::string>& arguments, const std::string& input = "") {
    const std::string path = write("standard-input", input);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "r"), &std::fclose);
    result_ = Configuration();
    return read_configuration(arguments, stream.get(), result_).value_or("");
  }

  std::string text(std::string_view option) const { return std::string(result_.settings.text(option)); }

  std::string directory_;
  Configuration result_;
};

TEST_F(Config, NothingGivesTheDefaults) {
  EXPECT_EQ(read({}), "");
  EXPECT_EQ(text("port"), "6379");
  EXPECT_EQ(result_.file, "");
  EXPECT_TRUE(result_.warnings.empty());
}

TEST_F(Config, OptionsOfTheCommandLine) {
  EXPECT_EQ(read({"--port", "7000", "--BIND", "127.0.0.1", "-::1", "--save", "", "--loglevel", "Verbose"}), "");
  EXPECT_EQ(text("port"), "7000");
  EXPECT_EQ(text("bind"), "127.0.0.1 -::1");
  EXPECT_EQ(text("save"), "");
  EXPECT_EQ(text("loglevel"), "verbose");
  EXPECT_TRUE(result_.warnings.empty());
}

TEST_F(Config, NameAndValueInOneArgument) {
  EXPECT_EQ(read({"--loglevel verbose", "--port", "7000"}), "");
  EXPECT_EQ(text("loglevel"), "verbose");
  EXPECT_EQ(text("port"), "7000");
}

TEST_F(Config, AValueMayLookLikeAnOption) {
  EXPECT_EQ(read({"--requirepass", "--secret", "--port", "7000"}), "");
  EXPECT_EQ(text("requirepass"), "--secret");
  EXPECT_EQ(text("port"), "7000");
  EXPECT_EQ(read({"--requirepass", "-"}), "");
  EXPECT_EQ(text("requirepass"), "-");
}

TEST_F(Config, SaveAloneMeansNone) {
  EXPECT_EQ(read({"--save", "--port", "7000"}), "");
  EXPECT_EQ(text("save"), "");
  EXPECT_EQ(text("port"), "7000");
}

TEST_F(Config, AFile) {
  const std::string path = write("a.conf",
                                 "# comment\n\n   \t\nport 7000\r\n  requirepass \"a b\\x41\\\"\"  \n"
                                 "PIDFILE 'it''s'\n");
  EXPECT_EQ(read({path}), path + ":6: unbalanced quotes");
  EXPECT_EQ(read({write("a.conf", "port 7000\r\n  requirepass \"a b\\x41\\\"\"  \nPIDFILE 'it\\'s'")}), "");
  EXPECT_EQ(text("port"), "7000");
  EXPECT_EQ(text("requirepass"), "a bA\"");
  EXPECT_EQ(text("pidfile"), "it's");
  EXPECT_EQ(result_.file, std::filesystem::canonical(path));
}

TEST_F(Config, LaterWins) {
  const std::string path = write("a.conf", "port 7000\nport 7001\ntimeout 1\ndatabases 1\n");
  EXPECT_EQ(read({path, "-", "--databases", "3"}, "timeout 2\ndatabases 2\n"), "");
  EXPECT_EQ(text("port"), "7001");
  EXPECT_EQ(text("timeout"), "2");
  EXPECT_EQ(text("databases"), "3");
}

TEST_F(Config, StandardInputIsReadOnRequestOnly) {
  EXPECT_EQ(read({"-"}, "port 7000\n"), "");
  EXPECT_EQ(text("port"), "7000");
  EXPECT_EQ(read({"--timeout", "1", "-"}, "port 7000\n"), "");
  EXPECT_EQ(text("port"), "7000");
  EXPECT_EQ(read({"--timeout", "1"}, "port 7000\n"), "");
  EXPECT_EQ(text("port"), "6379");
}

TEST_F(Config, Includes) {
  write("one.conf", "port 7001\n");
  write("two.conf", "timeout 2\n");
  const std::string path = write("main", "port 7000\ninclude " + directory_ + "/*.conf\ndatabases 3\n");
  EXPECT_EQ(read({path}), "");
  EXPECT_EQ(text("port"), "7001");
  EXPECT_EQ(text("timeout"), "2");
  EXPECT_EQ(text("databases"), "3");
  EXPECT_EQ(read({write("none", "include " + directory_ + "/nothing-*\n")}), "");
  EXPECT_EQ(read({write("gone", "include " + directory_ + "/gone.conf\n")}),
            "cannot read config file '" + directory_ + "/gone.conf': No such file or directory");
  const std::string itself = directory_ + "/itself";
  EXPECT_EQ(read({write("itself", "include " + itself + "\n")}),
            itself + ":1: too many files include each other");
}

TEST_F(Config, TheCommandLineIncludes) {
  const std::string path = write("one.conf", "port 7001\ntimeout 1\n");
  EXPECT_EQ(read({"--port", "7000", "--include", path, "--timeout", "2"}), "");
  EXPECT_EQ(text("port"), "7001");
  EXPECT_EQ(text("timeout"), "2");
  EXPECT_EQ(read({"--include"}), "command line: option 'include': wrong number of arguments");
  EXPECT_EQ(read({"--include", directory_ + "/gone"}),
            "cannot read config file '" + directory_ + "/gone': No such file or directory");
}

TEST_F(Config, CommandsAreRenamedInTheOrderGiven) {
  const std::string path = write("a.conf", "rename-command CONFIG \"\"\nRename-Command get \"get it\"\n");
  EXPECT_EQ(read({path, "--rename-command", "SET", "put"}), "");
  ASSERT_EQ(result_.renames.size(), 3u);
  EXPECT_EQ(result_.renames[0].from, "CONFIG");
  EXPECT_EQ(result_.renames[0].to, "");
  EXPECT_EQ(result_.renames[1].to, "get it");
  EXPECT_EQ(result_.renames[1].place, path + ":2");
  EXPECT_EQ(result_.renames[2].from, "SET");
  EXPECT_EQ(read({"--rename-command", "GET"}),
            "command line: option 'rename-command': wrong number of arguments");
}

TEST_F(Config, LimitsOfOutputAddUp) {
  const std::string path = write("a.conf",
                                 "client-output-buffer-limit normal 1mb 2mb 3\n"
                                 "client-output-buffer-limit replica 0 0 0\n");
  EXPECT_EQ(read({path, "--client-output-buffer-limit", "pubsub", "4mb", "0", "0"}), "");
  EXPECT_EQ(text("client-output-buffer-limit"), "normal 1048576 2097152 3 slave 0 0 0 pubsub 4194304 0 0");
}

TEST_F(Config, ErrorsSayWhere) {
  EXPECT_EQ(read({"--port", "70000"}),
            "command line: option 'port': argument must be between 0 and 65535 inclusive");
  EXPECT_EQ(read({"--port"}), "command line: option 'port': wrong number of arguments");
  EXPECT_EQ(read({"--nosuch", "1"}), "command line: unknown option 'nosuch'");
  EXPECT_EQ(read({"-"}, "\nnosuch 1\n"), "standard input:2: unknown option 'nosuch'");
  EXPECT_EQ(read({"-", "stray"}), "command line: 'stray' is no option (they start with --)");
  EXPECT_EQ(read({directory_ + "/absent"}),
            "cannot read config file '" + directory_ + "/absent': No such file or directory");
  EXPECT_EQ(read({directory_}), "cannot read config file '" + directory_ + "': Is a directory");
}

TEST_F(Config, WhatWouldBeDangerousToIgnoreIsRefused) {
  EXPECT_EQ(read({"--appendonly", "yes"}),
            "option 'appendonly' other than 'no' is not supported: nothing is written to disk yet, "
            "locks end with the process");
  EXPECT_EQ(read({"--replicaof", "127.0.0.1", "6379"}),
            "option 'replicaof' is not supported: there is no replication");
  EXPECT_EQ(read({"--maxmemory-policy", "allkeys-lru", "--maxmemory", "1gb"}),
            "option 'maxmemory-policy' other than 'noeviction' is not supported together with maxmemory: locks are not "
            "evicted");
  for (const std::string option : {"daemonize yes", "cluster-enabled yes", "tls-port 6380", "aclfile users.acl",
                                   "supervised systemd", "loadmodule x.so", "user default off"})
    EXPECT_NE(read({"--" + option}), "") << option;
  EXPECT_EQ(read({"--appendonly", "no", "--daemonize", "no", "--cluster-enabled", "no", "--tls-port", "0"}), "");
  EXPECT_TRUE(result_.warnings.empty());
}

TEST_F(Config, TheCommandLineTakesBackWhatAFileAsksFor) {
  EXPECT_EQ(read({write("a.conf", "daemonize yes\nappendonly yes\n"), "--daemonize", "no", "--appendonly", "no"}),
            "");
}

TEST_F(Config, OneWarningForEachOptionWithoutEffect) {
  EXPECT_EQ(read({"--slave-priority", "7", "--maxmemory", "100mb", "--hz", "10", "--io-threads", "4", "--io-threads",
                  "8"}),
            "");
  EXPECT_EQ(result_.warnings, (std::vector<std::string>{
                                  "option 'io-threads' has no effect: one thread does everything",
                                  "option 'replica-priority' has no effect"}));
}

TEST_F(Config, WarningsTellNoSecrets) {
  EXPECT_EQ(read({"--masterauth", "secret"}), "");
  EXPECT_EQ(result_.warnings, std::vector<std::string>{"option 'masterauth' has no effect: there is no replication"});
}

}  // namespace
}  // namespace lockstep::net
