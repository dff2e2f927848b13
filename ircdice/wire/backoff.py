"""Backoff: how long to wait before connecting again (IRC-06). Chance and times are passed in."""

from __future__ import annotations

import re

STOOD_WELL = 300.0  # seconds after which a connection counts as good, and the waiting begins anew
_HARSH = re.compile(r"throttl|too (?:fast|many)|[a-z]-?lined?\b|banned|reconnect", re.IGNORECASE)
_HARSH_LEAST = 60.0
FOR_GOOD = "refused for good"  # begins a reason that will be the same next time, until somebody does something


class Backoff:
    """Pauses that double from `first` to `longest`, each drawn between nothing and its ceiling (full jitter)."""

    def __init__(self, first: float, longest: float) -> None:
        self._first, self._longest = first, longest
        self._ceiling = first

    def bounds(self, first: float, longest: float) -> None:
        """Go on with other bounds (IRC-25)."""
        self._first, self._longest = first, longest
        self._ceiling = min(max(self._ceiling, first), longest)

    def pause(self, stood: float, chance: float, reason: str = "", *, error: bool = False) -> float:
        """Seconds to wait after a connection that stood `stood` seconds; `chance` is from 0 up to 1.

        `error` says that the server itself ended it, and `reason` in what words.
        """
        if stood >= STOOD_WELL:
            self._ceiling = self._first
        if error:
            self._ceiling = min(self._longest, self._ceiling * 2)
        if _HARSH.search(reason):  # the server asked for patience: coming back at once makes it worse
            self._ceiling = min(self._longest, max(self._ceiling, _HARSH_LEAST))
        if reason.startswith(FOR_GOOD):
            self._ceiling = self._longest
            return self._longest
        pause = self._ceiling * chance
        self._ceiling = min(self._longest, self._ceiling * 2)
        return pause
