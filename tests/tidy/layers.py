"""Who may include whom: ARCHITECTURE.md's table of folders as rules. Used by tidy.py."""

import re

# Folder: what its files may name between quotes, as prefixes of paths. The longest folder that holds a file
# rules it; a file may always name its own header. Folders not listed (tests, bench) may name anything.
LAYERS = {
    "protocol": ["protocol/", "server/base/"],
    "server/base": ["server/base/"],
    "server/store": ["server/base/", "server/store/"],
    "server/engine": ["server/base/", "server/store/", "server/engine/", "protocol/"],
    "server/control": ["server/base/", "server/engine/engine.h", "server/engine/command.h",
                       "server/engine/arg_reader.h", "protocol/reply.h", "protocol/error_texts.h"],
    "server/commands": ["server/base/", "server/store/", "server/engine/command.h",
                        "server/engine/arg_reader.h", "server/commands/families.h",
                        "server/commands/container_help.h", "protocol/reply.h", "protocol/error_texts.h"],
    "scripting": ["scripting/", "server/base/", "server/engine/command.h", "server/engine/digest.h",
                  "server/engine/script_host.h", "protocol/reply.h"],
    "server/journal": ["server/journal/", "server/base/", "server/engine/journal.h", "protocol/"],
    "server/tls": ["server/tls/", "server/base/", "server/engine/session.h"],
    "server/net": ["server/net/", "server/base/", "server/tls/", "server/journal/", "server/engine/engine.h",
                   "server/engine/session.h", "server/engine/settings.h", "server/engine/script_host.h",
                   "protocol/inline_split.h", "protocol/error_texts.h"],
}

# Single files that may name more.
ALSO = {
    "server/commands/table.h": ["server/engine/command_table.h"],
    "server/commands/command_docs.cc": ["server/engine/command_syntax.h"],
    "scripting/shebang.cc": ["protocol/inline_split.h"],
    "server/commands/introspection.cc": ["server/engine/command_keys.h"],
    "server/commands/scripting.cc": ["server/engine/command_keys.h"],
    "server/commands/client.cc": ["server/commands/client_types.h"],
    "server/commands/client_control.cc": ["server/commands/client_types.h"],
    "server/commands/strings.cc": ["server/commands/value_condition.h"],
    "server/commands/conditional_strings.cc": ["server/commands/value_condition.h"],
    "server/commands/lists.cc": ["server/commands/list_moves.h"],
    "server/commands/blocking.cc": ["server/commands/list_moves.h"],
}

# A library's headers, and the only places that may name them. "*.cc" allows no header to pass them on.
LIBRARIES = [
    (r"uv(/.*)?\.h", ["server/net/"]),
    (r"lua\.h|lauxlib\.h|lualib\.h|l[a-z]+\.c", ["scripting/"]),
    (r"openssl/.*", ["server/engine/digest.cc", "server/tls/"]),
    (r"xxhash\.h", ["server/store/key_hash.h"]),
    (r"(spdlog|fmt)/.*", ["server/net/*.cc"]),
    (r"llhttp\.h", ["protocol/http_reader.cc"]),
    (r"rapidjson/.*", ["protocol/json_writer.h", "protocol/json_writer.cc", "scripting/*.cc"]),
    (r"msgpuck\.h", ["scripting/*.cc"]),
    (r"boost/context/.*", ["server/engine/unit_fiber.cc"]),
    (r"boost/.*", ["server/base/", "server/store/", "server/engine/", "server/commands/"]),
    (r"gtest/.*|gmock/.*", ["tests/", "bench/tests/"]),
    (r"benchmark/.*", ["bench/"]),
    (r"thread|mutex|shared_mutex|condition_variable|future|atomic", ["server/journal/", "server/net/", "tests/", "bench/"]),
    (r"sys/socket\.h|netinet/.*|arpa/.*|netdb\.h|sys/un\.h", ["server/net/", "tests/", "bench/"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def matches_place(path, place):
    if "*" in place:
        folder, suffix = place.split("*")
        return path.startswith(folder) and path.endswith(suffix)
    return path == place or (place.endswith("/") and path.startswith(place))


def layer_of(path):
    folders = [folder for folder in LAYERS if path.startswith(folder + "/")]
    return max(folders, key=len, default=None)


def check_project_include(path, name):
    layer = layer_of(path)
    if layer is None or name == path.rsplit(".", 1)[0] + ".h":
        return None
    # A single name (Lua's "lua.h", a neighbour) is no path of the project.
    if "/" not in name:
        return None
    allowed = LAYERS[layer] + ALSO.get(path, [])
    if any(name == item or (item.endswith("/") and name.startswith(item)) for item in allowed):
        return None
    return f"{layer}/ may not include {name}"


def check_library_include(path, name):
    for pattern, places in LIBRARIES:
        if re.fullmatch(pattern, name):
            if not any(matches_place(path, place) for place in places):
                return f"<{name}> is for {', '.join(places)} only"
            return None
    return None


def check_includes(path, lines):
    """Yields (line number, fault)."""
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        quoted, name = found[1] == '"', found[2]
        fault = check_project_include(path, name) if quoted else None
        fault = fault or check_library_include(path, name)
        if fault:
            yield number, fault
