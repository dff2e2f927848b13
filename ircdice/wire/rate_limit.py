"""Rate limits: a token bucket, and the limits on commands (IRC-15, IRC-28). The time is passed in."""

from __future__ import annotations

from enum import Enum

from ircdice.config import Limits
from ircdice.wire.protocol import Caller

HOST_SHARE = 5  # the users of one host together get this many times the limit of one user (IRC-28)
MOST_BUCKETS = 60_000  # past it, all new speakers share one, and so do hosts and places
MOST_WARNED = 50  # speakers, for one bucket until it has refilled: new nicks cost a flooder nothing
_FORGET_EVERY = 60.0  # seconds
_MOST_DEBT = 10  # tokens; a flood of PINGs must not silence the bot
_ALMOST = 1e-9  # tolerance: many small refills may fall just short of a token


class Bucket:
    """A token bucket: `burst` at once, then one more every `interval` seconds; an interval of 0 is no limit."""

    __slots__ = ("_burst", "_full_at", "_interval")

    def __init__(self, burst: int, interval: float) -> None:
        self._burst, self._interval = burst, interval
        self._full_at = float("-inf")  # each missing token puts this off by one interval

    def change(self, burst: int, interval: float, now: float) -> None:
        """Switch to another burst and interval; the tokens left stay, up to the new burst."""
        missing = max(self._full_at - now, 0.0) / self._interval if self._interval else 0.0
        self._full_at = now + max(missing + burst - self._burst, 0.0) * interval
        self._burst, self._interval = burst, interval

    def take(self, now: float, count: int = 1) -> bool:
        """Take `count` tokens if available. If `count` exceeds the burst, a full bucket goes into debt."""
        missing = max(self._full_at - now, 0.0)
        if missing > (self._burst - min(count, self._burst)) * self._interval + _ALMOST:
            return False
        self._full_at = now + missing + count * self._interval
        return True

    def force(self, now: float) -> None:
        """Take a token even if none is left: later lines wait for it, up to a bound (IRC-28)."""
        missing = max(self._full_at - now, 0.0) + self._interval
        self._full_at = now + min(missing, (self._burst + _MOST_DEBT) * self._interval)

    def give(self, count: int = 1) -> None:
        """Put back tokens that were not used."""
        self._full_at -= count * self._interval

    def wait(self, now: float) -> float:
        """Seconds until a token is available."""
        return max(self._full_at - now - (self._burst - 1) * self._interval, 0.0)

    def full(self, now: float) -> bool:
        """Whether the bucket is full."""
        return self._full_at <= now


class Admission(Enum):
    """Result of checking a command. The sender is notified of the last two."""

    HEARD = "heard"
    DROPPED = "dropped"
    TOO_FAST = "too many commands at once"
    TOO_LATE = "too much waits"


class CommandLimits:
    """Three buckets for each command: of its speaker, of the host, and of the place.

    A speaker who finds one empty is warned once until it has refilled. Full buckets are forgotten.
    """

    def __init__(self, limits: Limits) -> None:
        self._sizes = (  # burst and interval, in the order of `Caller`
            (limits.user_burst, limits.user_interval),
            (limits.user_burst * HOST_SHARE, limits.user_interval / HOST_SHARE),
            (limits.channel_burst, limits.channel_interval),
        )
        self._buckets: dict[tuple[int, str], Bucket] = {}
        self._warned: dict[tuple[int, str], set[str]] = {}  # speakers, by bucket
        self._forget_at = 0.0

    def reserve(self, caller: Caller, now: float, count: int = 1) -> Admission:
        """Check the next command; HEARD takes `count` tokens from each bucket (GEN-17)."""
        if now >= self._forget_at:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.full(now)}
            self._warned = {key: warned for key, warned in self._warned.items() if key in self._buckets}
            self._forget_at = now + _FORGET_EVERY
        taken: list[Bucket] = []
        for kind, name in enumerate(caller):
            key = kind, name if len(self._buckets) < MOST_BUCKETS or (kind, name) in self._buckets else ""
            bucket = self._buckets.get(key) or self._buckets.setdefault(key, Bucket(*self._sizes[kind]))
            if bucket.full(now):
                self._warned.pop(key, None)
            if not bucket.take(now, count):
                for other in taken:
                    other.give(count)
                warned = self._warned.setdefault(key, set())
                if caller.speaker in warned or len(warned) >= MOST_WARNED:
                    return Admission.DROPPED
                warned.add(caller.speaker)
                return Admission.TOO_FAST
            taken.append(bucket)
        return Admission.HEARD

    def refund(self, caller: Caller, count: int = 1) -> None:
        """Return the tokens: the line got no answer."""
        for kind, name in enumerate(caller):
            if bucket := self._buckets.get((kind, name)) or self._buckets.get((kind, "")):
                bucket.give(count)

    def __len__(self) -> int:
        return len(self._buckets)
