#include "server/net/config_text.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace lockstep::net {

std::string_view trim(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

Problem read_whole(std::FILE* stream, std::string& text) {
  std::array<char, 4096> block;
  while (const size_t bytes = std::fread(block.data(), 1, block.size(), stream)) text.append(block.data(), bytes);
  if (std::ferror(stream) != 0) return std::strerror(errno);
  return std::nullopt;
}

Problem read_whole(const std::string& path, std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), &std::fclose);
  if (!file) return std::strerror(errno);
  return read_whole(file.get(), text);
}

}  // namespace lockstep::net
