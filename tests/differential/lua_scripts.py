"""Makes Lua scripts: commands called with redis.call and redis.pcall, values of every kind returned, errors of
every kind raised. Each comes with the keys and arguments it expects. Used by calls.py."""

from calls import expires_soon, is_safe
from lua_expressions import Expressions, literal

LOCK_SCRIPTS = (
    b"if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end",
    b"if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],300000) else return 0 end",
    b"if redis.call('exists',KEYS[1])==0 then redis.call('hincrby',KEYS[1],ARGV[1],1) "
    b"redis.call('pexpire',KEYS[1],300000) return nil end "
    b"if redis.call('hexists',KEYS[1],ARGV[1])==1 then redis.call('hincrby',KEYS[1],ARGV[1],1) return nil end "
    b"return redis.call('hlen',KEYS[1])",
    b"redis.call('publish',ARGV[1],KEYS[1]) return redis.call('incr',KEYS[1])",
    b"local r=redis.pcall('incr',KEYS[1]) "
    b"if type(r)=='table' and r.err then return redis.error_reply(r.err) end return r",
    b"return {KEYS[1],ARGV[1],#KEYS,#ARGV,KEYS[2] or false,ARGV[2] or false}",
)
ERRORS = (
    b"error('text')", b"error('text', 0)", b"error('text', 2)", b"error({err='MY text'})", b"error({err='text'})",
    b"return redis.error_reply('text')", b"return redis.error_reply('-CODE text')",
    b"return redis.error_reply('CODE text')",
    b"return redis.status_reply('fine')", b"return {ok='fine'}", b"return {err='CODE text'}", b"return {err=''}",
    b"return redis.call()", b"return redis.call('nothing')", b"return redis.call('get')", b"return redis.call({})",
    b"return redis.call('get', true)", b"return redis.pcall('get', nil)", b"foo = 1", b"return foo",
    b"local x return x.y",
    b"local x return x()", b"return {} .. 'x'", b"return 1 + {}", b"return 1 < 'x'", b"return #5", b"return -{}",
    b"string.foo()",
    b"redis.foo = 1", b"return redis.foo", b"return redis.sha1hex()", b"return redis.sha1hex('x')",
    b"return redis.log(redis.LOG_DEBUG, 'x')",
    b"return redis.log()", b"return redis.setresp(4)", b"return redis.set_repl(redis.REPL_ALL)",
    b"return redis.replicate_commands()",
    b"return pcall(error, 'x')", b"return {pcall(redis.call, 'nothing')}",
    b"local ok, e = pcall(redis.call, 'incr') return e.err or e",
    b"local ok, e = pcall(error, {err='text'}) return e", b"return {1, nil, 3}", b"return {1, false, 3}",
    b"return {a=1}", b"return nil",
    b"return", b"", b"return true", b"return false", b"return 3.99", b"return -3.99", b"return 1e100 < 2",
    b"return {double=3.5}",
    b"return {map={a=1}}", b"return {set={a=true}}", b"return {{{{1}}}}", b"return {redis.call('ping'), 'x'}",
    b"return print",
    b"return {1,2", b"return 'x", b"x = ", b"return redis.REDIS_VERSION_NUM > 0", b"return tostring(nil)",
    b"return type(redis)",
    b"return redis.call('multi')", b"return redis.call('subscribe', 'c1')", b"return KEYS",
    b"return redis.call('eval', 'return 1', 0)", b"return redis.call('select', '1')",
    b"return redis.pcall('select', '99')", b"return ARGV",
    b"return redis.call('blpop', 'l1', 0)", b"return redis.call('brpoplpush', 'l1', 'l2', 0)",
)
FRACTIONS = ((b"0.1", b"0.1"), (b"3.5", b"3.5"), (b"10/2", b"5"), (b"1e15", b"1000000000000000"), (b"1e17", b"1e17"),
             (b"2^53", b"9007199254740992"), (b"1/3", b"0.3333333333333333"), (b"-0.0", b"-0"))
WAITING = 2  # the last so many call what scripts may call only since Redis 7.2
HEADS = (b"#!lua\n", b"#!lua flags=no-writes\n", b"#!lua flags=allow-stale,no-writes\n", b"#!lua flags=no-cluster\n",
         b"#!lua flags=nothing\n",
         b"#!lua name=x\n", b"#!python\n", b"#!lua flags=allow-oom\n", b"#!\n")


class Scripts:
    """Makes scripts for one episode. `call()` answers the words of a call that a script may make."""

    def __init__(self, random, call, words, has_fractions):
        self.random = random
        self.call = call
        self.words = words
        self.has_fractions = has_fractions
        self.expressions = Expressions(random)

    def make(self):
        """(text, keys, arguments)"""
        dice = self.random.random()
        if dice < 0.2:
            token = self.random.choice((b"v", b"token", b"c1", b"1"))
            return self.random.choice(LOCK_SCRIPTS), [self.words.key("string")], [token]
        if dice < 0.35:
            return self.random.choice(ERRORS if self.has_fractions else ERRORS[:-WAITING]), [], []
        if dice < 0.55:
            return self.expressions.script(), [], []
        text, keys, arguments = self._of_calls()
        if self.random.random() < 0.1:
            text = self.random.choice(HEADS) + text
        return text, keys, arguments

    def _of_calls(self):
        keys, arguments, parts = [], [], []
        for number in range(self.random.choice((1, 1, 2, 3))):
            function = self.random.choice((b"redis.call", b"redis.call", b"redis.pcall"))
            words, written = self._with_fraction(self.call())
            inside = b",".join(written.get(at) or self._argument(word, keys, arguments) for at, word in enumerate(words))
            parts.append(b"local r%d=%s(%s)" % (number, function, inside))
        results = [b"r%d" % number for number in range(len(parts))]
        if self.random.random() < 0.15:
            parts.insert(0, b"redis.setresp(3)")
        end = self.random.randrange(4)
        if end == 0:
            parts.append(b"return {%s}" % b",".join(b"type(%s)" % result for result in results))
        elif end == 1:
            parts.append(b"return {%s}" % b",".join(results))
        elif end == 2:
            text = b"if type(R)=='table' then return R.err or R.ok or R[1] end return R"
            parts.append(text.replace(b"R", results[0]))
        else:
            parts.append(b"return " + results[-1])
        return self.random.choice((b" ", b"\n", b"; ")).join(parts), keys, arguments

    def _with_fraction(self, words):
        """(words, {place: how it is written}): now and then one of them is a number in Lua."""
        at = self.random.randrange(1, len(words)) if len(words) > 1 else 0
        if self.has_fractions and at and self.random.random() < 0.08:
            written, word = self.random.choice(FRACTIONS)
            trial = [*words[:at], word, *words[at + 1:]]
            if is_safe(trial) and not expires_soon(trial):
                return trial, {at: written}
        return words, {}

    def _argument(self, word, keys, arguments):
        """A word of a call as a literal, a number, or one of KEYS or ARGV."""
        dice = self.random.random()
        if word.removeprefix(b"-").isdigit() and len(word) < 10 and not word.startswith((b"0", b"-0")) and dice < 0.5:
            return word
        if dice < 0.4:
            return literal(word)
        if word in self.words.keys:
            keys.append(word)
            return b"KEYS[%d]" % len(keys)
        arguments.append(word)
        return b"ARGV[%d]" % len(arguments)
