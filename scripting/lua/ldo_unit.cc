// Compiles Lua's ldo.c, calls and errors, without hooks on calls and returns: the one hook that there is counts
// steps (steps.h), and no call needs to ask for others.
#define ldo_c
#define LUA_CORE

#include "lprefix.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"

#include "lapi.h"
#include "ldebug.h"
#include "ldo.h"
#include "lfunc.h"
#include "lgc.h"
#include "lmem.h"
#include "lobject.h"
#include "lopcodes.h"
#include "lparser.h"
#include "lstate.h"
#include "lstring.h"
#include "ltable.h"
#include "ltm.h"
#include "lundump.h"
#include "lvm.h"
#include "lzio.h"

#undef ldo_c
#undef LUA_CORE

#define hookmask basehookcount * 0
#include "ldo.c"
