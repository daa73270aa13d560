"""Makes histories from a seed. An episode has its own choice of commands, connections and habits, so that rare
ones meet often somewhere. Called by differential.py; what a single call looks like is for calls.py."""

from random import Random

import scenes
from calls import Calls
from lua_scripts import Scripts
from steps import Step
from words import CHANNELS, PATTERNS, Words

NAMES = "ABCDEF"
WEIGHT_OF_GROUP = {"string": 10, "hash": 10, "list": 10, "set": 10, "sorted-set": 10, "stream": 10, "generic": 10,
                   "scripting": 6, "transactions": 3, "pubsub": 4, "connection": 2, "server": 1}
WEIGHT = {"eval": 70, "evalsha": 25, "eval_ro": 15, "evalsha_ro": 10, "publish": 15, "subscribe": 2, "psubscribe": 2,
          "flushall": 0.15, "flushdb": 0.3, "swapdb": 0.5, "script|flush": 0.3, "quit": 0.3, "reset": 1, "select": 1,
          "shutdown": 0.3, "multi": 0.5, "exec": 1, "discard": 0.5, "config|set": 0.5, "info": 0.2}
# Sent in a batch of their own: they act on other connections, or end or hold up their own.
ALONE = {"client|kill", "client|unblock", "client|pause", "client|unpause", "quit", "reset", "shutdown",
         "flushall", "flushdb"}
EMPTYING = ("flushall", "flushdb")  # Redis 8 does it in another thread, and the connection waits
UNKNOWN = (b"nothing", b"", b"g\x00t", b"GET ", b"x" * 200)


class Setting:
    """What all episodes of a run share: the table, the rules, what the oracle can do."""

    def __init__(self, table, others, rules, version):
        self.commands = [command for name, command in sorted(table.items()) if name not in rules.excluded]
        self.rules = rules
        self.foreign_tokens = {name: sorted(others[name].tokens() - table[name].tokens()) for name in table}
        self.has_fractions = version >= (7, 2, 0)  # as arguments of redis.call, in their shortest form
        # What a script may call, and how, is in these facts; where an older oracle has others, it is not asked.
        self.scripted = [command for command in self.commands
                         if version >= (8, 0, 0) or command.facts_agree(others[command.name])]


class Episode:
    def __init__(self, setting, seed, number):
        self.random = Random(f"{seed}/{number}")
        self.setting = setting
        self.names = NAMES[:self.one_of(1, 2, 2, 3, 3, 4, 6)]
        self.listeners = [name for name in self.names[1:] if self.chance(0.35)]
        self.stay = self.one_of(3, 10, 30, 60)  # how long a connection goes on
        self.only_short = self.chance(0.7)      # no element that would change the encoding of a hash
        self.listening = set()  # who may have subscribed and speaks RESP2: little else is answered then
        self.resp3 = set()
        self.steps = []
        groups = {command.group for command in setting.commands}
        self.words = Words(self.random, groups, self.only_short, setting.rules.unused_words)
        self.calls = Calls(self.random, self.words, setting.foreign_tokens)
        self._choose_commands()
        self.calls.make_script = Scripts(self.random, self._scripted_call, self.words, setting.has_fractions).make
        self.scenes = [scene for scene in scenes.ALL if self.chance(0.6)]

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def _choose_commands(self):
        """Some of the commands only, and some of these more than others."""
        setting, keep = self.setting, self.one_of(0.3, 0.6, 1.0)
        self.commands = [command for command in setting.commands if self.chance(keep)] or setting.commands
        weights = [WEIGHT.get(command.name, WEIGHT_OF_GROUP.get(command.group, 2)) * self.one_of(0.3, 1, 1, 3)
                   for command in self.commands]
        self.cumulative = [sum(weights[:end + 1]) for end in range(len(weights))]
        self.scripted = [command for command in setting.scripted
                         if not setting.rules.is_loose(command.name) and command.group != "scripting"
                         and command.name not in ALONE and ("noscript" not in command.flags or self.chance(0.1))]
        self.blocking = [command for command in setting.commands
                         if "blocking" in command.flags and command.group == "list"]

    def make(self, length):
        """About `length` steps."""
        for name in self.names:
            if self.chance(0.5):
                self.add(name, "HELLO", "3")
        self._load_scripts()
        while len(self.steps) < length:
            name = self.one_of(*self.names)
            for _ in range(self.random.randint(1, self.stay)):
                self._go_on(name)
        return self.steps

    def _load_scripts(self):
        """For EVALSHA, so that it finds some."""
        for _ in range(4):
            script = self.calls.make_script()
            self.calls.scripts.append(script)
            self.add(self.names[0], "SCRIPT", "LOAD", script[0])

    def _go_on(self, name):
        if name in self.listening and self.chance(0.03 if name in self.listeners else 0.3):
            self._leave(name)
        if self.scenes and self.chance(0.04):
            self.one_of(*self.scenes)(self, name)
        elif name in self.listeners and self.chance(0.5):
            self._listen(name)
        else:
            self.call(name)

    def add(self, name, *words, **more):
        """A step of a connection; words are text, bytes or IdOf."""
        words = tuple(word.encode() if isinstance(word, str) else word for word in words)
        self.steps.append(Step(name, words, **more))
        first = words[0].upper()
        if first == b"HELLO" and len(words) > 1:
            (self.resp3.add if words[1] == b"3" else self.resp3.discard)(name)
        elif first in (b"RESET", b"QUIT"):
            self.resp3.discard(name)
        elif first in (b"SUBSCRIBE", b"PSUBSCRIBE") and name not in self.resp3:
            self.listening.add(name)

    def call(self, name, **more):
        """A call of any of the commands."""
        command = self.random.choices(self.commands, cum_weights=self.cumulative)[0]
        words = self.waiting_call(command) if "blocking" in command.flags else self.calls.of(command)
        if self.chance(0.003):
            words[0] = self.one_of(*UNKNOWN)
        if command.name in EMPTYING:
            more["until"] = "replied"
        self.add(name, *words, alone="blocking" in command.flags or command.name in ALONE, **more)

    def waiting_call(self, command):
        while True:
            words = self.calls.of(command)
            if command.name not in ("blpop", "brpop", "blmpop") or not self.setting.rules.waits_for_one_key:
                return words
            count = words[2] if command.name == "blmpop" and len(words) > 2 else b"%d" % (len(words) - 2)
            if count in (b"0", b"1"):
                return words

    def _scripted_call(self):
        return self.calls.of(self.one_of(*self.scripted))

    def _listen(self, name):
        word = self.one_of("SUBSCRIBE", "PSUBSCRIBE", "SUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "PING")
        count = self.one_of(1, 1, 2, 3)
        if word == "PING" or "UN" in word and self.chance(0.5):
            count = self.one_of(0, 1) if word == "PING" else 0
        pool = PATTERNS if word.startswith("P") else CHANNELS
        self.add(name, word, *(self.one_of(*pool) for _ in range(count)))

    def _leave(self, name):
        self.listening.discard(name)
        if self.chance(0.5):
            self.add(name, "UNSUBSCRIBE")
            self.add(name, "PUNSUBSCRIBE")
            return
        self.add(name, "RESET", alone=True)
        if self.chance(0.5):
            self.add(name, "HELLO", "3")

    def other(self, name):
        """Another connection, if there is one."""
        return self.one_of(*(self.names.replace(name, "") or name))
