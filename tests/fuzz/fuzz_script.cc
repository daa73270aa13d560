// Any text as a script: it is refused or runs, answers one value, the same on two hosts, and leaves the world of
// scripts as it was. Input: the script.
#include <string>
#include <string_view>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/script_runner.h"

namespace lockstep {
namespace {

// Fails, with all that scripts see.
constexpr std::string_view kWorld =
    "local seen = {} "
    "local function look(prefix, t) "
    "  for name, value in pairs(t) do "
    "    seen[#seen + 1] = prefix .. tostring(name) .. '=' .. type(value) "
    "    if type(value) == 'table' and value ~= _G and name ~= 'server' then look(prefix .. name .. '.', value) end "
    "  end "
    "end "
    "look('', _G) "
    "look('string:', getmetatable('')) "
    "look('globals:', getmetatable(_G)) "
    "table.sort(seen) "
    "error({err = table.concat(seen, ' ') .. ' ' .. #KEYS .. #ARGV .. ('x'):upper() .. tostring(redis.call)})";

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  static tests::ScriptRunner first;
  static tests::ScriptRunner second;
  static const std::string world = first.run(kWorld, {}).error_text();
  static const std::string world_there = second.run(kWorld, {}).error_text();
  LOCKSTEP_CHECK(world == world_there && world.find("redis.call=function") != std::string::npos);

  const std::string_view script = tests::FuzzInput(data, size).rest();
  const std::string_view argv[] = {"a", "10"};
  LOCKSTEP_CHECK(first.run(script, argv).hash() == second.run(script, argv).hash());
  LOCKSTEP_CHECK(first.run(kWorld, {}).error_text() == world);
  LOCKSTEP_CHECK(second.run(kWorld, {}).error_text() == world);
  return 0;
}
