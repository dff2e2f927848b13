"""Rate limits: token buckets for sent lines and for commands (IRC-15, IRC-22, IRC-28). The time is passed in."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ircdice.config import Limits

HOST_SHARE = 5  # the users of one host together get this many times the limit of one user (IRC-28)
MOST_BUCKETS = 20_000  # past it, all new keys share one
MOST_WARNED = 1000  # speakers, for one bucket until it has refilled
_MOST_DEBT = 10  # tokens; a flood of PINGs must not silence the bot
_ALMOST = 1e-9  # tolerance: many small refills may fall just short of a token


class Bucket:
    """A token bucket: `burst` at once, then one more every `interval` seconds; an interval of 0 is no limit."""

    def __init__(self, burst: int, interval: float) -> None:
        self.burst, self.interval = burst, interval
        self._level = float(burst)
        self._seen = float("-inf")

    def take(self, now: float, count: int = 1) -> bool:
        """Take `count` tokens if available. If `count` exceeds the burst, a full bucket goes into debt."""
        self._refill(now)
        if self._level < min(count, self.burst) - _ALMOST:
            return False
        self._level -= count
        return True

    def force(self, now: float) -> None:
        """Take a token even if none is left: later lines wait for it, up to a bound (IRC-28)."""
        self._refill(now)
        self._level = max(self._level - 1, -_MOST_DEBT)

    def give(self, count: int = 1) -> None:
        """Put back tokens that were not used."""
        self._level = min(self._level + count, self.burst)

    def wait(self, now: float) -> float:
        """Seconds until a token is available."""
        self._refill(now)
        return 0.0 if self._level >= 1 - _ALMOST else (1 - self._level) * self.interval

    def full(self, now: float) -> bool:
        """Whether the bucket is full."""
        self._refill(now)
        return self._level >= self.burst

    def _refill(self, now: float) -> None:
        gained = max(now - self._seen, 0.0) / self.interval if self.interval > 0 else float("inf")
        self._level, self._seen = min(self.burst, self._level + gained), now


class Admission(Enum):
    """Result of checking a command against the limits."""

    HEAR = "hear"
    WARN = "warn"  # drop it and tell the sender
    DROP = "drop"


class Limiter:
    """A bucket for each key. A speaker who finds a bucket empty is warned once until it has refilled.

    Full buckets are forgotten.
    """

    def __init__(self, burst: int, interval: float) -> None:
        self._burst, self._interval = burst, interval
        self._buckets: dict[str, tuple[Bucket, set[str]]] = {}  # with the speakers who were warned
        self._sweep_at = 256

    def reserve(self, key: str, speaker: str, now: float, count: int = 1) -> Admission:
        """Check the next command of `speaker` against the bucket of `key`; HEAR takes `count` tokens."""
        if key not in self._buckets:
            self._sweep(now)
            key = key if len(self._buckets) < MOST_BUCKETS else ""
        bucket, warned = self._buckets.setdefault(key, (Bucket(self._burst, self._interval), set()))
        if warned and bucket.full(now):
            warned.clear()
        if bucket.take(now, count):
            return Admission.HEAR
        if speaker in warned or len(warned) >= MOST_WARNED:
            return Admission.DROP
        warned.add(speaker)
        return Admission.WARN

    def refund(self, key: str, count: int = 1) -> None:
        """Return the tokens."""
        if found := self._buckets.get(key) or self._buckets.get(""):
            found[0].give(count)

    def __len__(self) -> int:
        return len(self._buckets)

    def _sweep(self, now: float) -> None:
        if len(self._buckets) >= self._sweep_at:
            self._buckets = {key: each for key, each in self._buckets.items() if not each[0].full(now)}
            self._sweep_at = max(256, 2 * len(self._buckets))


class Caller(NamedTuple):
    """Whose limits a command uses: an account or nick!user@host, the host, and the place."""

    speaker: str
    host: str
    place: str = ""


class CommandLimits:
    """Three buckets for each command: of its speaker, of the host, and of the place."""

    def __init__(self, limits: Limits) -> None:
        self._limiters = (  # in the order of `Caller`
            Limiter(limits.user_burst, limits.user_interval),
            Limiter(limits.user_burst * HOST_SHARE, limits.user_interval / HOST_SHARE),
            Limiter(limits.channel_burst, limits.channel_interval),
        )

    def reserve(self, caller: Caller, now: float, count: int = 1) -> Admission:
        """Check the next command; HEAR takes `count` tokens from each bucket (GEN-17)."""
        for number, (limiter, key) in enumerate(zip(self._limiters, caller, strict=True)):
            admission = limiter.reserve(key, caller.speaker, now, count)
            if admission is not Admission.HEAR:
                self.refund(caller, count, number)
                return admission
        return Admission.HEAR

    def refund(self, caller: Caller, count: int = 1, buckets: int = 3) -> None:
        """Return the tokens to the first `buckets` of them: the line got no answer."""
        for limiter, key in list(zip(self._limiters, caller, strict=True))[:buckets]:
            limiter.refund(key, count)
