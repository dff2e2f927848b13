"""How often anybody may have a line verified (LED-23), so that tags cannot be guessed. The time is passed in."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ircdice.durations import MINUTE

EACH, ALL = 20, 200  # lines
PERIOD = MINUTE


@dataclass(slots=True)
class Allowance:
    """The lines of the last minute, by asker."""

    each: int = EACH
    all: int = ALL
    _taken: deque[tuple[int, str, int]] = field(default_factory=deque)  # when, by whom, how many

    def wait(self, who: str, count: int, now: int) -> int:
        """0, and `count` lines are taken at `now` (ms); else the ms until as many would be free, and none is taken."""
        while self._taken and now - self._taken[0][0] >= PERIOD:
            self._taken.popleft()
        own = [entry for entry in self._taken if entry[1] == who]
        wait = max(_free(own, count, self.each, now), _free(list(self._taken), count, self.all, now))
        if not wait:
            self._taken.append((now, who, count))
        return wait


def _free(taken: list[tuple[int, str, int]], count: int, most: int, now: int) -> int:
    """The ms until `count` more fit beside what was taken, oldest first; a whole period where they never do."""
    over = sum(lines for _, _, lines in taken) + count - most
    if over <= 0:
        return 0
    for when, _, lines in taken:
        over -= lines
        if over <= 0:
            return max(when + PERIOD - now, 1)
    return PERIOD
