"""Joins: the JOIN lines of a login, and when to come back after a KICK (IRC-08). The time is passed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_BYTES = 510  # of the 512 that every server takes, CR and LF among them
_PAUSES = (1.0, 4.0, 16.0, 64.0, 256.0)
_HOUR = 3600.0
_REFUSED_FIRST = 60.0  # seconds until a channel that was full, or closed to us, is tried again


def join_lines(channels: Iterable[tuple[str, str | None]], at_once: int | None = None) -> Iterator[str]:
    """JOIN lines for channels and their keys, `at_once` in a line at most; None is as many as fit.

    Those with a key stand first, as the protocol matches them by place.
    """
    names: list[str] = []
    keys: list[str] = []
    for name, key in sorted(channels, key=lambda channel: channel[1] is None):
        if names and (len(names) == at_once or len(_join([*names, name], [*keys, key or ""]).encode()) > _BYTES):
            yield _join(names, keys)
            names, keys = [], []
        names.append(name)
        if key is not None:
            keys.append(key)
    if names:
        yield _join(names, keys)


def _join(names: list[str], keys: list[str]) -> str:
    return " ".join(filter(None, ("JOIN", ",".join(names), ",".join(keys))))


class Rejoins:
    """Counts kicks by channel: a pause that grows with each, and after five in an hour no more. Refusals as well."""

    def __init__(self) -> None:
        self._kicks: dict[str, list[float]] = {}
        self._refusals: dict[str, int] = {}

    def pause(self, channel: str, now: float) -> float | None:
        """Seconds until `channel` may be joined again after a KICK just now; None to stay out."""
        recent = [at for at in self._kicks.get(channel, []) if now - at < _HOUR]
        if len(recent) == len(_PAUSES):
            return None
        self._kicks[channel] = [*recent, now]
        return _PAUSES[len(recent)]

    def refused(self, channel: str) -> float:
        """Seconds until a JOIN that was refused is worth another try: a minute, doubling to an hour."""
        before = self._refusals.get(channel, 0)
        self._refusals[channel] = min(before + 1, 6)
        return min(_REFUSED_FIRST * 2.0**before, _HOUR)

    def joined(self, channel: str) -> None:
        """The bot is in: what refused it is over."""
        self._refusals.pop(channel, None)
