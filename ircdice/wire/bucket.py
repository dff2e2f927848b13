"""Buckets: how much may be done in a time. The time is passed in; knows no clock."""

from __future__ import annotations

from enum import Enum

# The sum of many small refills may miss a whole token by a rounding error; that is no reason to wait.
_WHOLE = 1 - 1e-9
MOST_WARNED = 1000  # by one bucket until it has drained; after so many words there are no more


class Bucket:
    """A token bucket: `burst` at once, then one more every `interval` seconds; an interval of 0 is no limit."""

    def __init__(self, burst: int, interval: float) -> None:
        self.burst, self.interval = burst, interval
        self._level = float(burst)
        self._seen: float | None = None

    def take(self, now: float) -> bool:
        """Take a token if there is one."""
        self._refill(now)
        if self._level < _WHOLE:
            return False
        self._level -= 1
        return True

    def force(self, now: float) -> None:
        """Take a token, there or not: what could not wait is paid for by what comes after it."""
        self._refill(now)
        self._level -= 1

    def give(self) -> None:
        """Put a token back that was not used."""
        self._level = min(self._level + 1, self.burst)

    def pace(self, burst: int, interval: float, now: float) -> None:
        """Go on with other figures; what was used up stays so."""
        self._refill(now)
        self._level += burst - self.burst
        self.burst, self.interval = burst, interval

    def wait(self, now: float) -> float:
        """Seconds until there is a token."""
        self._refill(now)
        return 0.0 if self._level >= _WHOLE else (1 - self._level) * self.interval

    def full(self, now: float) -> bool:
        """Whether nothing was taken from it that has not come back."""
        self._refill(now)
        return self._level >= self.burst

    def _refill(self, now: float) -> None:
        if self.interval <= 0:
            self._level = float(self.burst)
        elif self._seen is not None and now > self._seen:
            self._level = min(self.burst, self._level + (now - self._seen) / self.interval)
        self._seen = now


class Admission(Enum):
    """What becomes of a line, by its speaker's bucket."""

    HEAR = "hear"
    WARN = "warn"
    DROP = "drop"


class Limiter:
    """One bucket for each speaker, or each channel (IRC-15): past it one word, then silence until it has drained.

    A token is reserved for each command and refunded when the bot had nothing to say. Each who finds a bucket empty
    is warned once. Buckets that are full again are forgotten.
    """

    def __init__(self, burst: int, interval: float) -> None:
        self._burst, self._interval = burst, interval
        self._buckets: dict[str, Bucket] = {}
        self._warned: dict[str, set[str]] = {}  # by bucket
        self._sweep_at = 256

    def reserve(self, key: str, speaker: str, now: float) -> Admission:
        """What to do with the next command of `speaker`, which counts for `key`; HEAR has taken a token."""
        bucket = self._buckets.get(key)
        if bucket is None:
            self._sweep(now)
            bucket = self._buckets[key] = Bucket(self._burst, self._interval)
        if key in self._warned and bucket.full(now):
            del self._warned[key]
        return Admission.HEAR if bucket.take(now) else self._refused(key, speaker)

    def refund(self, key: str) -> None:
        """Give the token back: the line got no answer."""
        if bucket := self._buckets.get(key):
            bucket.give()

    def _refused(self, key: str, speaker: str) -> Admission:
        warned = self._warned.setdefault(key, set())
        if speaker in warned or len(warned) >= MOST_WARNED:
            return Admission.DROP
        warned.add(speaker)
        return Admission.WARN

    def _sweep(self, now: float) -> None:
        if len(self._buckets) < self._sweep_at:
            return
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.full(now)}
        self._warned = {key: who for key, who in self._warned.items() if key in self._buckets}
        self._sweep_at = max(256, 2 * len(self._buckets))
