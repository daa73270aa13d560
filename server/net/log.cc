#include "server/net/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace lockstep::net {
namespace {

// spdlog's levels in the order of ours.
constexpr std::array kLevels = {spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                                spdlog::level::warn};

spdlog::level::level_enum threshold_of(std::string_view name) {
  if (name == "debug") return kLevels[static_cast<size_t>(LogLevel::kDebug)];
  if (name == "verbose") return kLevels[static_cast<size_t>(LogLevel::kVerbose)];
  if (name == "warning") return kLevels[static_cast<size_t>(LogLevel::kWarning)];
  if (name == "nothing") return spdlog::level::off;
  return kLevels[static_cast<size_t>(LogLevel::kNotice)];
}

// The mark that stands for the level in Redis' lines.
class LevelMark final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& line) override {
    static constexpr std::array kMarks = {'.', '-', '*', '#'};
    line.push_back(kMarks[static_cast<size_t>(message.level)]);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<LevelMark>(); }
};

// spdlog itself would make the folders that are missing.
Problem check_writable(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (file == nullptr) return "cannot open the log file '" + path + "': " + std::strerror(errno);
  std::fclose(file);
  return std::nullopt;
}

}  // namespace

Log::Log() = default;
Log::~Log() = default;

Problem Log::open(std::string_view threshold, const std::string& path) {
  spdlog::sink_ptr sink;
  if (path.empty()) {
    sink = std::make_shared<spdlog::sinks::stdout_sink_st>();
  } else if (auto problem = check_writable(path)) {
    return problem;
  } else {
    sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path);
  }
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelMark>('*').set_pattern("%P:M %d %b %Y %H:%M:%S.%e %* %v");
  auto logger = std::make_unique<spdlog::logger>("lockstep", std::move(sink));
  logger->set_formatter(std::move(formatter));
  logger->set_level(threshold_of(threshold));
  logger->flush_on(spdlog::level::trace);
  logger_ = std::move(logger);
  return std::nullopt;
}

void Log::set_threshold(std::string_view threshold) {
  if (logger_) logger_->set_level(threshold_of(threshold));
}

// Errors of writing (a full disk) are spdlog's to report, on standard error; the server goes on.
void Log::write(LogLevel level, std::string_view text) {
  if (logger_) logger_->log(kLevels[static_cast<size_t>(level)], spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace lockstep::net
