"""Rate limits: on `verify` (LED-23), so that tags cannot be guessed, and on hints (GEN-11). The time is passed in."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ircdice.clock import MINUTE

EACH = 20  # lines of one user
WRONG = 200  # wrong ids of all users
PERIOD = MINUTE
EVERY = MINUTE  # between two hints to one speaker
SAME_EVERY = 10 * MINUTE  # between two identical hints
REMEMBERED = 1_000  # hints, and speakers who switched them off


@dataclass(slots=True)
class Allowance:
    """The lines and the wrong ids of the last minute, by user.

    Once all users together have asked about too many wrong ids, only the users who did so must wait.
    """

    each: int = EACH
    wrong: int = WRONG
    _taken: list[tuple[int, str]] = field(default_factory=list)  # time and user of each line
    _guessed: list[tuple[int, str]] = field(default_factory=list)  # time and user of each wrong id

    def wait(self, who: str, count: int, now: int) -> int:
        """Take `count` lines at `now` (ms) and return 0; if there are too few, take none and return the ms until there
        are enough."""
        self._taken = [each for each in self._taken if now - each[0] < PERIOD]
        self._guessed = [each for each in self._guessed if now - each[0] < PERIOD]
        own = [at for at, user in self._taken if user == who]
        guesses = [at for at, user in self._guessed if user == who]
        over = len(own) + count - self.each
        if over > 0:
            return (own[over - 1] if over <= len(own) else now) + PERIOD - now
        if guesses and len(self._guessed) >= self.wrong:
            return min(guesses[-1], self._guessed[-self.wrong][0]) + PERIOD - now
        self._taken += [(now, who)] * count
        return 0

    def count_wrong(self, who: str, count: int, now: int) -> None:
        """Count ids that no record has."""
        self._guessed += [(now, who)] * count


@dataclass(slots=True)
class Hinting:
    """The hints sent lately, and the speakers who switched them off."""

    _sent: deque[tuple[int, str, str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))  # time, speaker, hint
    _off: dict[str, None] = field(default_factory=dict)  # in order

    def switch(self, who: str, *, on: bool) -> None:
        """`hints on`, `hints off`."""
        self._off.pop(who, None)
        if not on:
            self._off[who] = None
        while len(self._off) > REMEMBERED:
            del self._off[next(iter(self._off))]

    def allows(self, who: str, hint: str, now: int) -> bool:
        """Whether `hint` may be sent at `now` (ms); if so, it counts as sent."""
        own = ((ts, text) for ts, speaker, text in self._sent if speaker == who)
        allowed = who not in self._off and all(now - ts >= (SAME_EVERY if text == hint else EVERY) for ts, text in own)
        if allowed:
            self._sent.append((now, who, hint))
        return allowed
