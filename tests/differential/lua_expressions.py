"""Random Lua expressions whose value is the same in every Lua that keeps to Redis' 5.1: arithmetic, strings,
tables, and the errors between them. Used by lua_scripts.py. What DIFFERENCES.md names under "In scripts" is
not made."""

NUMBERS = (b"0", b"1", b"2", b"3", b"7", b"10", b"-1", b"-7", b"0.5", b"3.99", b"100", b"1e15", b"1e16", b"2^53",
           b"123456789012", b"1/3",
           b"10/2", b"2^31", b"-2^31", b"255", b"1e-5", b"1e300", b"'10'", b"'0x10'", b"' 5 '", b"tonumber('12')",
           b"#'abc'", b"0.1")
STRINGS = (b"''", b"'abc'", b"'a,b,c'", b"'12'", b"'3.5'", b"'hello world'", b"'x\\0y'", b"'AbC'", b"'  pad '",
           b"'0x1f'", b"'1e3'", b"'%d'", b"'key=val'")
FORMATS = (b"%d", b"%s", b"%5.2f", b"%g", b"%05d", b"%-5s|", b"%i", b"%.3g", b"%e", b"%.14g", b"%q", b"%5s", b"%.2s",
           b"%c", b"%x", b"%X", b"%o", b"%u", b"%%")
PATTERNS = (b"'%a+'", b"'%d+'", b"'.'", b"'^a'", b"'c$'", b"'(%w+)=(%w+)'", b"'[^,]+'", b"'l+'", b"'%s'", b"'a-b'",
            b"'()b'", b"'%bac'", b"'x%z'", b"'[a-'", b"'(a'")
SMALL = (b"0", b"1", b"2", b"3", b"-1", b"-2", b"10", b"2.5", b"'2'")


def literal(data):
    """A Lua string with exactly these bytes."""
    return b"'" + b"".join(bytes([byte]) if 0x20 <= byte < 0x7F and byte not in b"'\\" else b"\\%03d" % byte
                           for byte in data) + b"'"


class Expressions:
    def __init__(self, random):
        self.random = random

    def script(self):
        """A script that returns one value, or what was caught."""
        value = self.any(3)
        kind = self.random.randrange(4)
        if kind == 0:
            return b"return tostring(" + value + b")"
        if kind == 1:
            return b"return " + value
        if kind == 2:
            return b"local ok,e=pcall(function() return " + value + b" end) return {tostring(ok),tostring(e)}"
        return b"local t={} for i=1,3 do t[i]=tostring(" + value + b") end return t"

    def any(self, depth):
        return self.number(depth) if self.random.random() < 0.5 else self.string(depth)

    def number(self, depth):
        pick = self.random.choice
        if depth == 0:
            return pick(NUMBERS)
        a, b = self.number(depth - 1), self.number(depth - 1)
        kind = self.random.randrange(14)
        if kind < 5:
            return b"(%s%s%s)" % (a, pick((b"+", b"-", b"*", b"/", b"%", b"^")), b)
        if kind == 5:
            return b"math.%s(%s)" % (pick((b"floor", b"ceil", b"abs", b"sqrt", b"floor", b"floor")), a)
        if kind == 6:
            return b"math.%s(%s,%s)" % (pick((b"max", b"min", b"fmod", b"pow")), a, b)
        if kind == 7:
            return b"tonumber(%s)" % self.string(depth - 1)
        if kind == 8:
            return b"tonumber(%s,%s)" % (pick(STRINGS), pick((b"10", b"16", b"2", b"36", b"8")))
        if kind == 9:
            return b"#%s" % self.string(depth - 1)
        if kind == 10:
            return b"(%s)" % self.string(depth - 1)  # a string that may or may not be a number
        if kind == 11:
            return b"select('#',%s,%s)" % (a, b)
        if kind == 12:
            return b"(%s:byte(%s) or -1)" % (b"(%s)" % self.string(depth - 1), pick(SMALL))
        return b"(-%s)" % a

    def string(self, depth):
        pick = self.random.choice
        if depth == 0:
            return pick(STRINGS)
        a = self.string(depth - 1)
        kind = self.random.randrange(14)
        if kind < 3:
            return b"(%s..%s)" % (a, self.any(depth - 1))
        if kind == 3:
            return b"tostring(%s)" % self.any(depth - 1)
        if kind == 4:
            return b"string.format('%s',%s)" % (pick(FORMATS), self.any(depth - 1))
        if kind == 5:
            return b"string.sub(%s,%s,%s)" % (a, pick(SMALL), pick(SMALL))
        if kind == 6:
            return b"string.%s(%s)" % (pick((b"upper", b"lower", b"reverse")), a)
        if kind == 7:
            return b"string.rep(%s,%s)" % (a, pick(SMALL))
        if kind == 8:
            return b"tostring((string.find(%s,%s)))" % (a, pick(PATTERNS))
        if kind == 9:
            return b"tostring(string.match(%s,%s))" % (a, pick(PATTERNS))
        if kind == 10:
            return b"(string.gsub(%s,%s,%s))" % (a, pick(PATTERNS),
                                                 pick((b"'<%0>'", b"'%1'", b"''", b"string.upper", b"{a=1,b='x'}")))
        if kind == 11:
            return b"table.concat({%s,%s},%s)" % (a, self.any(depth - 1), pick((b"','", b"''", b"1")))
        if kind == 12:
            return b"type(%s)" % pick((b"nil", b"{}", b"print", b"1", b"'x'", b"redis.call", b"math.huge"))
        return b"tostring(%s %s %s)" % (self.any(depth - 1), pick((b"==", b"~=", b"<", b"<=", b"and", b"or")),
                                        self.any(depth - 1))
