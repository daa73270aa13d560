// Shared by the units that compile Lua's core with float-only arithmetic. Include after Lua's own
// headers and before the source: the headers are guarded, so what is redefined here stays.
#pragma once

#include "lobject.h"

// The one rule that makes every number a float, as in 5.1: storing an integer stores a float. Tables
// keep integer keys inside (ltable.c is compiled as it is); they are converted where they come out.
#undef setivalue
#define setivalue(o, i) setfltvalue(o, cast_num(i))
