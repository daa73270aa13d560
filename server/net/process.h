// What the server asks of the operating system for itself as a process. Called by main at start and end.
#pragma once

#include <cstdint>
#include <string>

#include "server/engine/engine.h"
#include "server/net/problem.h"

namespace lockstep::net {

// So that writing to a client or a terminal that has gone is an error like any other.
void ignore_hangups();

// Descriptors 0 to 2 that whoever started us has closed would be taken by sockets, and logs go there.
void fill_standard_streams();

// As Redis: raises the limit of open files so that `clients` fit, and says how many do. 0: none.
int64_t make_room_for(int64_t clients);

// Where relative paths start from now on.
int try_directory(const std::string& path);  // 0, or errno's value
std::string error_text(int error);
Problem enter_directory(const std::string& path);
std::string current_directory();

// A seed that nobody can guess.
uint64_t random_seed();

std::string operating_system();  // "Linux 6.1.0 x86_64"
std::string executable_path();

// What the process takes of memory and processors at this moment.
ProcessUse process_use();
// Gives the allocator's unused memory back to the system.
void release_memory();

// Holds the process id for supervisors.
class PidFile {
 public:
  // An empty path: none.
  Problem write(const std::string& path);
  void remove();

 private:
  std::string path_;
};

}  // namespace lockstep::net
