// What a script returned, as a reply. The opposite of LuaSink; used by the interpreter. It must not raise Lua
// errors: part of the reply may be out.
#pragma once

#include "lua.h"
#include "protocol/reply.h"

namespace lockstep {

// Answers with the value on top of the stack, whatever it is; the stack above it is scratch afterwards.
// `resp` is what the script chose with redis.setresp: booleans are themselves in RESP3 only. A result of more
// than 4 Mi values or 1 GiB is answered with an error. May raise out of memory before anything is answered.
void write_result(lua_State* L, int resp, ReplySink& reply);

}  // namespace lockstep
