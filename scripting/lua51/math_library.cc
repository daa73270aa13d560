// The mathematical library of 5.1. Arguments are numbers or numeric strings everywhere, min and max included;
// random numbers come from the context's generator and never from a clock.
#include <cmath>
#include <cstdint>

#include "lauxlib.h"
#include "lua.h"
#include "scripting/lua51/libraries.h"
#include "scripting/lua_context.h"

namespace lockstep {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRadiansPerDegree = kPi / 180.0;

template <double (*kFunction)(double)>
int apply(lua_State* L) {
  lua_pushnumber(L, kFunction(luaL_checknumber(L, 1)));
  return 1;
}

template <double (*kFunction)(double, double)>
int apply(lua_State* L) {
  lua_pushnumber(L, kFunction(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

double to_degrees(double radians) { return radians / kRadiansPerDegree; }
double to_radians(double degrees) { return degrees * kRadiansPerDegree; }

int math_ldexp(lua_State* L) {
  const auto exponent = static_cast<int>(luaL_checkinteger(L, 2));
  lua_pushnumber(L, std::ldexp(luaL_checknumber(L, 1), exponent));
  return 1;
}

int math_frexp(lua_State* L) {
  int exponent = 0;
  lua_pushnumber(L, std::frexp(luaL_checknumber(L, 1), &exponent));
  lua_pushinteger(L, exponent);
  return 2;
}

int math_modf(lua_State* L) {
  double whole = 0;
  const double fraction = std::modf(luaL_checknumber(L, 1), &whole);
  lua_pushnumber(L, whole);
  lua_pushnumber(L, fraction);
  return 2;
}

template <bool kLargest>
int extreme(lua_State* L) {
  const int count = lua_gettop(L);
  double best = luaL_checknumber(L, 1);
  for (int i = 2; i <= count; i++) {
    const double value = luaL_checknumber(L, i);
    if (kLargest ? value > best : value < best) best = value;
  }
  lua_pushnumber(L, best);
  return 1;
}

// Bounds are 32-bit integers, as in Redis; what does not fit wraps around.
int32_t bound_argument(lua_State* L, int index) { return static_cast<int32_t>(luaL_checkinteger(L, index)); }

int math_random(lua_State* L) {
  const double random = static_cast<double>(context_of(L).random.next() % Lrand48::kMax) / Lrand48::kMax;
  const int count = lua_gettop(L);
  if (count == 0) {
    lua_pushnumber(L, random);
    return 1;
  }
  if (count > 2) return luaL_error(L, "wrong number of arguments");
  const int32_t lowest = count == 2 ? bound_argument(L, 1) : 1;
  const int32_t highest = bound_argument(L, count);
  luaL_argcheck(L, lowest <= highest, count, "interval is empty");
  const auto width = static_cast<int32_t>(static_cast<uint32_t>(highest) - static_cast<uint32_t>(lowest) + 1);
  lua_pushnumber(L, std::floor(random * width) + lowest);
  return 1;
}

int math_randomseed(lua_State* L) {
  context_of(L).random.seed(static_cast<int32_t>(luaL_checkinteger(L, 1)));
  return 0;
}

}  // namespace

void add_math_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"abs", apply<std::fabs>},    {"acos", apply<std::acos>},   {"asin", apply<std::asin>},
      {"atan", apply<std::atan>},   {"atan2", apply<std::atan2>}, {"ceil", apply<std::ceil>},
      {"cos", apply<std::cos>},     {"cosh", apply<std::cosh>},   {"deg", apply<to_degrees>},
      {"exp", apply<std::exp>},     {"floor", apply<std::floor>}, {"fmod", apply<std::fmod>},
      {"frexp", math_frexp},        {"ldexp", math_ldexp},        {"log", apply<std::log>},
      {"log10", apply<std::log10>}, {"max", extreme<true>},       {"min", extreme<false>},
      {"mod", apply<std::fmod>},    {"modf", math_modf},          {"pow", apply<std::pow>},
      {"rad", apply<to_radians>},   {"random", math_random},      {"randomseed", math_randomseed},
      {"sin", apply<std::sin>},     {"sinh", apply<std::sinh>},   {"sqrt", apply<std::sqrt>},
      {"tan", apply<std::tan>},     {"tanh", apply<std::tanh>},   {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
  lua_pushnumber(L, kPi);
  lua_setfield(L, -2, "pi");
  lua_pushnumber(L, HUGE_VAL);
  lua_setfield(L, -2, "huge");
}

}  // namespace lockstep
