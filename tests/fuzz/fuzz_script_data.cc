// The libraries of scripts that read other formats: whatever comes is read or refused, and what was read comes
// back when it is written and read again. Input: the text; for struct its part before the first NUL is the format.
#include <algorithm>
#include <string>
#include <string_view>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/script_runner.h"

namespace lockstep {
namespace {

#define SAME                                                                           \
  "local function same(a, b) "                                                         \
  "  if type(a) ~= 'table' or type(b) ~= 'table' then return a == b or (a ~= a and b ~= b) end " \
  "  for k, v in pairs(a) do if not same(v, b[k]) then return false end end "          \
  "  for k in pairs(b) do if a[k] == nil then return false end end "                   \
  "  return true "                                                                     \
  "end "

// Written once, numbers have lost what is beyond 14 digits; from then on nothing changes.
constexpr std::string_view kJson =
    SAME
    "local read, value = pcall(cjson.decode, ARGV[1]) "
    "if not read then return value end "
    "local written, text = pcall(cjson.encode, value) "
    "if not written then return text end "
    "local again = cjson.decode(text) "
    "assert(same(again, cjson.decode(cjson.encode(again))), 'differs')";

// What is deeper than 16 is lost, and so is the difference between an array with holes and a map: the third
// writing is that of the second.
constexpr std::string_view kMsgpack =
    SAME
    "local read, value = pcall(cmsgpack.unpack_one, ARGV[1]) "
    "if not read then return value end "
    "local _, value = cmsgpack.unpack_one(ARGV[1]) "
    "local again = cmsgpack.unpack(cmsgpack.pack(value)) "
    "assert(same(again, cmsgpack.unpack(cmsgpack.pack(again))), 'differs')";

constexpr std::string_view kStruct =
    "pcall(struct.size, ARGV[1]) "
    "local read = {pcall(struct.unpack, ARGV[1], ARGV[2])} "
    "pcall(struct.pack, ARGV[1], unpack(read, 2)) "
    "pcall(struct.pack, ARGV[1], ARGV[2], ARGV[2], ARGV[2]) "
    "bit.tohex(#ARGV[2], #ARGV[1])";

void expect_no_error(std::string_view script, std::span<const std::string_view> argv) {
  static tests::ScriptRunner runner;
  const std::string error = runner.run(script, argv).error_text();
  const bool was_limited = error.find("not enough memory") != std::string::npos ||
                           error.find("SCRIPT KILL") != std::string::npos;
  LOCKSTEP_CHECK(error.empty() || was_limited);
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  const std::string_view text = tests::FuzzInput(data, size).rest();
  const std::string_view format = text.substr(0, text.find('\0'));
  const std::string_view argv[] = {format, text.substr(std::min(format.size() + 1, text.size()))};
  expect_no_error(kJson, {&text, 1});
  expect_no_error(kMsgpack, {&text, 1});
  expect_no_error(kStruct, argv);
  return 0;
}
