#include "server/net/process.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "server/base/check.h"

namespace lockstep::net {

void ignore_hangups() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
}

void fill_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1) LOCKSTEP_CHECK(open("/dev/null", O_RDWR) == descriptor);
}

int64_t make_room_for(int64_t clients) {
  constexpr int64_t kReserved = 32;  // for listeners, the loop, log and journal
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return clients;
  const auto wanted = static_cast<rlim_t>(clients + kReserved);
  if (limit.rlim_cur >= wanted) return clients;
  const rlimit raised{wanted, std::max(wanted, limit.rlim_max)};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return clients;
  const rlimit most{std::min(wanted, limit.rlim_max), limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &most) == 0) limit = most;
  return std::clamp(static_cast<int64_t>(limit.rlim_cur) - kReserved, int64_t{0}, clients);
}

int try_directory(const std::string& path) { return chdir(path.c_str()) == 0 ? 0 : errno; }

std::string error_text(int error) { return std::strerror(error); }

Problem enter_directory(const std::string& path) {
  if (const int error = try_directory(path))
    return "cannot change to the directory '" + path + "' of option 'dir': " + error_text(error);
  return std::nullopt;
}

std::string current_directory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) != nullptr ? path : ".";
}

uint64_t random_seed() {
  uint64_t seed = 0;
  LOCKSTEP_CHECK(getrandom(&seed, sizeof(seed), 0) == sizeof(seed));
  return seed;
}

std::string operating_system() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

std::string executable_path() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : "";
}

namespace {

int64_t to_us(const timeval& time) { return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec; }

size_t read_resident_bytes(size_t page_bytes) {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int found = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return found == 2 ? resident * page_bytes : 0;
}

}  // namespace

ProcessUse process_use() {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  ProcessUse use;
  use.resident_bytes = read_resident_bytes(page_bytes);
  use.system_memory_bytes = static_cast<size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L)) * page_bytes;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  use.user_us = to_us(usage.ru_utime);
  use.system_us = to_us(usage.ru_stime);
  getrusage(RUSAGE_CHILDREN, &usage);
  use.children_user_us = to_us(usage.ru_utime);
  use.children_system_us = to_us(usage.ru_stime);
  getrusage(RUSAGE_THREAD, &usage);
  use.main_thread_user_us = to_us(usage.ru_utime);
  use.main_thread_system_us = to_us(usage.ru_stime);
  return use;
}

void release_memory() { malloc_trim(0); }

Problem PidFile::write(const std::string& path) {
  if (path.empty()) return std::nullopt;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return "cannot write the pid file '" + path + "': " + std::strerror(errno);
  std::fprintf(file, "%d\n", getpid());
  std::fclose(file);
  path_ = path;
  return std::nullopt;
}

void PidFile::remove() {
  if (!path_.empty()) unlink(path_.c_str());
  path_.clear();
}

}  // namespace lockstep::net
