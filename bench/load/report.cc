#include "bench/load/report.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {
namespace {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\') {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", byte);
      out += escaped;
    }
  }
  return out + '"';
}

double percentile_us(std::vector<std::uint32_t>& batch_ns, double share) {
  const auto index = static_cast<std::size_t>(share * static_cast<double>(batch_ns.size() - 1));
  const auto at = batch_ns.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(batch_ns.begin(), at, batch_ns.end());
  return *at / 1e3;
}

void print_times(std::string_view who, const ProcessTimes& times, const PhaseResult& phase) {
  const int length = static_cast<int>(who.size());
  const double wall_us = phase.seconds * 1e6;
  std::printf("\"%.*s_cpu_us_per_op\":%.4f,", length, who.data(), times.cpu_us / static_cast<double>(phase.operations));
  std::printf("\"%.*s_busy\":%.3f,", length, who.data(), times.cpu_us / wall_us);
  std::printf("\"%.*s_waited\":%.3f,", length, who.data(), times.waited_us / wall_us);
}

}  // namespace

void print_report(const Options& options, PhaseResult& phase, const ProcessTimes& server, const ProcessTimes& load) {
  const auto operations = static_cast<double>(phase.operations);
  std::printf("{\"workload\":%s,\"depth\":%zu,\"connections\":%zu,\"operations\":%.0f,\"seconds\":%.6f,",
              json_string(options.workload).c_str(), options.depth, options.connections, operations, phase.seconds);
  std::printf("\"stopped_by\":\"%s\",\"ops_per_second\":%.0f,\"batch_p50_us\":%.1f,\"batch_p99_us\":%.1f,",
              phase.out_of_time ? "time" : "count", operations / phase.seconds, percentile_us(phase.batch_ns, 0.50),
              percentile_us(phase.batch_ns, 0.99));
  if (options.server_pid != 0) print_times("server", server, phase);
  print_times("load", load, phase);
  std::printf("\"unexpected\":%llu,\"first_unexpected\":%s}\n", static_cast<unsigned long long>(phase.unexpected),
              json_string(phase.first_unexpected).c_str());
}

}  // namespace lockstep::bench
