"""Timeouts: how long the bot waits for a server, and how long before it connects again (IRC-03, IRC-06)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_GOOD = 300.0  # seconds after which a connection counts as good, and the pauses begin anew
_THROTTLED = re.compile(r"throttl|too (?:fast|many)|[a-z]-?lined?\b|banned|reconnect", re.IGNORECASE)
_THROTTLED_LEAST = 60.0
FOR_GOOD = "refused for good"  # begins a reason that will be the same next time, until somebody does something


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that the bot waits for a server."""

    connect: float = 30.0
    negotiate: float = 20.0  # for capabilities to be settled; then the bot goes on without them
    silent: float = 30.0  # for any line, while registering
    register: float = 120.0  # for the welcome
    ask: float = 60.0  # of silence, before a PING is sent
    give_up: float = 60.0  # after that PING
    leave: float = 5.0  # to send what is queued at the end
    tick: float = 1.0


class Action(Enum):
    """What to do about a silent server."""

    NOTHING = "nothing"
    END_CAP = "end negotiation"
    PING = "ping"
    GIVE_UP = "give up"


class Keepalive:
    """Watches one connection for silence. The time is passed in."""

    def __init__(self, timeouts: Timeouts, now: float) -> None:
        self._timeouts = timeouts
        self._began = self._heard = now
        self._asked = self._ended = self._welcome = False

    def heard(self, now: float) -> None:
        """A line came: any line shows that the server is alive."""
        self._heard, self._asked = now, False

    def welcome(self) -> None:
        """The server accepted us."""
        self._welcome = True

    def step(self, now: float) -> Action:
        """What to do now."""
        silence = now - self._heard
        return self._registered(silence) if self._welcome else self._registering(silence, now - self._began)

    def _registered(self, silence: float) -> Action:
        if silence >= self._timeouts.ask + self._timeouts.give_up:
            return Action.GIVE_UP
        if silence >= self._timeouts.ask and not self._asked:
            self._asked = True
            return Action.PING
        return Action.NOTHING

    def _registering(self, silence: float, waited: float) -> Action:
        if silence >= self._timeouts.silent or waited >= self._timeouts.register:
            return Action.GIVE_UP
        if waited >= self._timeouts.negotiate and not self._ended:
            self._ended = True
            return Action.END_CAP
        return Action.NOTHING


class Backoff:
    """Pauses that double from `first` to `longest`, each drawn between zero and its ceiling (full jitter)."""

    def __init__(self, first: float, longest: float) -> None:
        self._first, self._longest = first, longest
        self._ceiling = first

    def bounds(self, first: float, longest: float) -> None:
        """Use other bounds from now on (IRC-25)."""
        self._first, self._longest = first, longest
        self._ceiling = min(max(self._ceiling, first), longest)

    def pause(self, lasted: float, chance: float, reason: str = "", *, error: bool = False) -> float:
        """Seconds to wait after a connection that lasted so long; `chance` is from 0 up to 1.

        `error` means that the server ended it, and `reason` is what it said.
        """
        if lasted >= _GOOD:
            self._ceiling = self._first
        if error:
            self._ceiling = min(self._longest, self._ceiling * 2)
        if _THROTTLED.search(reason):  # coming back soon would make it worse
            self._ceiling = min(self._longest, max(self._ceiling, _THROTTLED_LEAST))
        if reason.startswith(FOR_GOOD):
            self._ceiling = self._longest
            return self._longest
        pause = self._ceiling * chance
        self._ceiling = min(self._longest, self._ceiling * 2)
        return pause
