"""Plants every fault that tidy.py is to find in a small project, one at a time, and looks whether it is found
where it stands, and nothing else. Run by `tidy.py --self-test`."""

import os
import tempfile

import tidy

ROW = '    {.name = "%s", .arity = 2, .handler = nothing},\n'

# A project without fault, with what looks like one and is none.
CLEAN = {
    "CMakeLists.txt": "# The build.\nproject(x)\n",
    "protocol/reader.h": "// Reads.\n#pragma once\n#include \"server/base/numbers.h\"\n",
    "protocol/reader.cc": "#include \"protocol/reader.h\"\n\n#include <vector>\nint f() { return 1; }\n",
    "server/engine/digest.cc": "#define QUIET\n#include \"server/engine/digest.h\"\n#include <openssl/sha.h>\n",
    "server/engine/digest.h": "// Digests.\n",
    "server/net/wall_clock.cc": "// The clock.\nlong now() { return clock_gettime(CLOCK_BOOTTIME, &t); }\n",
    "server/net/log.cc": "// The log.\n#include <spdlog/logger.h>\n",
    "server/store/key_hash.h": "// Hashes.\n#include <xxhash.h>\n",
    "server/commands/keys.cc": ("// Keys.\n#include \"server/engine/command.h\"\nRows rows = {\n" + ROW % "get" +
                                ROW % "client|id" + "};\n"),
    "server/engine/time.cc": ("// Says steady_clock in words, \"sleep(1)\" in quotes.\n"
                              "void time(Call& call) { call.reply(\"usleep(5)\"); }\n"
                              "void f() { options.time(\"PX\"); random() ; x.sleep(1); }\n"),
    "scripting/engine.cc": "// Lua.\n#include \"lua.h\"\n#include \"lapi.c\"\n",
    "tests/unit/a_test.cc": ("// Tests.\n#include <gtest/gtest.h>\n#include \"server/net/log.h\"\n"
                             "auto t = steady_clock::now();\n"),
    "tests/scripts/get.txt": "== a\n",
    "tests/scripts/get-more.txt": "== a\n",
    "tests/scripts/client-id.txt": "== a\n",
    "tests/scripts/protocol.txt": "== a\n",
    "tools/serve": "#!/bin/sh\n# Serves.\ncd \"$root/work\"\n",
    "docs.md": "A network/work, rooted; https://example.org/work.\n",
}

LONG_BODY = "  step();\n" * 60


def planted():
    """(path, content, line, words of the rule)"""
    def include(path, name, line, words):
        return path, f"// A file.\n#include {name}\n", line, words
    yield include("protocol/x.cc", '"server/store/entry.h"', 2, "may not include")
    yield include("protocol/x.cc", '"server/engine/command.h"', 2, "may not include")
    yield include("server/base/x.h", '"server/store/entry.h"', 2, "may not include")
    yield include("server/store/x.h", '"protocol/reply.h"', 2, "may not include")
    yield include("server/store/x.h", '"server/engine/engine.h"', 2, "may not include")
    yield include("server/engine/x.cc", '"server/commands/table.h"', 2, "may not include")
    yield include("server/engine/x.cc", '"scripting/script_engine.h"', 2, "may not include")
    yield include("server/commands/x.cc", '"server/engine/session.h"', 2, "may not include")
    yield include("server/commands/x.cc", '"server/commands/table.h"', 2, "may not include")
    yield include("server/control/x.cc", '"server/control/clock.h"', 2, "may not include")
    yield include("scripting/x.cc", '"server/store/keyspace.h"', 2, "may not include")
    yield include("server/net/x.cc", '"server/commands/table.h"', 2, "may not include")
    yield include("server/net/x.cc", '"scripting/script_engine.h"', 2, "may not include")
    yield include("server/engine/x.cc", "<uv.h>", 2, "is for server/net/")
    yield include("server/commands/x.cc", '"lua.h"', 2, "is for scripting/")
    yield include("server/engine/x.cc", "<openssl/evp.h>", 2, "is for")
    yield include("server/store/x.cc", "<xxhash.h>", 2, "is for")
    yield include("server/net/x.h", "<spdlog/spdlog.h>", 2, "is for")
    yield include("server/engine/x.cc", "<fmt/core.h>", 2, "is for")
    yield include("server/engine/x.cc", "<thread>", 2, "is for")
    yield include("server/engine/x.cc", "<gtest/gtest.h>", 2, "is for")
    yield include("server/engine/x.cc", "<sys/socket.h>", 2, "is for")
    yield "server/net/x.cc", "// Long.\n" + "int a;\n" * 500, 501, "501 lines"
    yield "server/net/x.cc", "// Long.\nvoid f(int a,\n       int b) {\n" + LONG_BODY + "}\n", 2, "a function of 63"
    yield ("server/net/x.cc", "// Long.\nnamespace a {\nclass B : C {\n  int f() const override {\n    if (x) {\n" +
           LONG_BODY + "    }\n  }\n};\n}\n", 4, "a function of 64")
    yield ("tools/x.py", '"""Long."""\n\n\ndef f():\n' + "    step()\n" * 60, 4, "a function of 61")
    yield "server/net/x.h", "#pragma once\n", 1, "does not open"
    yield "server/net/x.cc", '#include "server/net/y.h"\n', 1, "does not open"
    yield "tools/x", "#!/bin/sh\nset -e\n", 1, "does not open"
    yield "bench/CMakeLists.txt", "project(x)\n", 1, "does not open"
    for clock in ("std::chrono::steady_clock::now()", "clock_gettime(a, &b)", "time(nullptr)", "std::time(0)",
                  "gettimeofday(&t, 0)", "uv_hrtime()"):
        yield "server/engine/x.cc", f"// Clock.\n\nauto t = {clock};\n", 3, "names a system clock"
    for random in ("std::random_device{}()", "rand()", "std::rand()", "getrandom(p, 8, 0)"):
        yield "server/engine/x.cc", f"// Random.\nauto r = {random};\n", 2, "takes random numbers"
    for sleep in ("std::this_thread::sleep_for(a)", "usleep(5)", "sleep(1)"):
        yield "tests/unit/x_test.cc", f"// Sleeps.\nvoid f() {{ {sleep}; }}\n", 2, "sleeps"
    yield "docs.md", "text\nTO" "DO: more\n", 2, "unfinished"
    yield "docs.md", "text\n\n/ro" "ot/x\n", 3, "path of one machine"
    yield "conf/x.conf", "dir /wo" "rk/main\n", 1, "path of one machine"
    yield "server/commands/more.cc", "// More.\n" + ROW % "set", 2, "no transcript tests/scripts/set.txt"
    yield "server/commands/more.cc", "// More.\n" + ROW % "config|get", 2, "no transcript tests/scripts/config-get.txt"
    yield "tests/scripts/unknown.txt", "== a\n", 1, "a transcript of no command"


def faults_of(files):
    with tempfile.TemporaryDirectory() as root:
        for path, content in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(content)
        return tidy.check(root)


def run():
    wrong = [f"found in the clean project: {fault}" for fault in faults_of(CLEAN)]
    count = 0
    for path, content, line, words in planted():
        count += 1
        found = faults_of({**CLEAN, path: content})
        if len(found) != 1 or found[0][:2] != (path, line) or words not in found[0][2]:
            wrong.append(f"planted {words!r} at {path}:{line}\n{content[:200]}found {found}")
    print("\n".join(wrong) or f"all {count} planted faults found, and nothing else")
    return 1 if wrong else 0
