"""Makes a failing history small: fewer steps, then shorter ones, as long as it fails in the same way. The
method is delta debugging (ddmin, Zeller and Hildebrandt 2002). Knows nothing of servers: it is given a
function that plays a history."""

import time

PLAIN = (b"x", b"1", b"0")


class Shrinker:
    """`fails(steps)` answers how a history fails, None when it does not; `same(failure)` whether that is the one
    looked for; `may_replace(words, other)` whether words may be tried in place of other ones."""

    def __init__(self, fails, same, may_replace, budget_s):
        self.fails, self.same, self.may_replace = fails, same, may_replace
        self.deadline = time.monotonic() + budget_s

    def still(self, steps):
        failure = self.fails(steps)
        return failure is not None and self.same(failure)

    def out_of_time(self):
        return time.monotonic() > self.deadline

    def shrink(self, steps):
        steps = self._fewer(steps)
        smaller = self._shorter(steps)
        return self._fewer(smaller) if smaller != steps else steps

    def _fewer(self, steps):
        parts = 2
        while len(steps) > 1 and not self.out_of_time():
            size = -(-len(steps) // parts)
            for first in range(0, len(steps), size):
                rest = steps[:first] + steps[first + size:]
                if self.out_of_time():
                    break
                if rest and self.still(rest):
                    steps, parts = rest, max(parts - 1, 2)
                    break
            else:
                if size == 1:
                    break
                parts = min(parts * 2, len(steps))
        return steps

    def _shorter(self, steps):
        """Words left out, or replaced by plain ones."""
        for number in range(len(steps)):
            at = len(steps[number].words) - 1
            while at > 0 and not self.out_of_time():
                words = steps[number].words
                candidates = [words[:at] + words[at + 1:]]
                candidates += [words[:at] + (plain,) + words[at + 1:] for plain in PLAIN if len(words[at]) > 8]
                for candidate in candidates:
                    if not self.may_replace(candidate, words):
                        continue
                    trial = steps[:number] + [steps[number].with_words(candidate)] + steps[number + 1:]
                    if self.still(trial):
                        steps = trial
                        break
                at -= 1
        return steps
