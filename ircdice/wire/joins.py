"""Joins: the JOIN lines of a login, and when to come back after a KICK (IRC-08). The time is passed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

AT_ONCE = 10  # channels in one JOIN; ngircd and InspIRCd take more, none that we met takes fewer
_BYTES = 400
_PAUSES = (1.0, 4.0, 16.0, 64.0, 256.0)
_HOUR = 3600.0


def join_lines(channels: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    """JOIN lines for channels and their keys; those with a key stand first, as the protocol matches them by place."""
    names: list[str] = []
    keys: list[str] = []
    for name, key in sorted(channels, key=lambda channel: channel[1] is None):
        if names and (len(names) == AT_ONCE or len(_join([*names, name], [*keys, key or ""]).encode()) > _BYTES):
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
    """Counts kicks by channel: a pause that grows with each, and after five in an hour no more."""

    def __init__(self) -> None:
        self._kicks: dict[str, list[float]] = {}

    def pause(self, channel: str, now: float) -> float | None:
        """Seconds until `channel` may be joined again after a KICK just now; None to stay out."""
        recent = [at for at in self._kicks.get(channel, []) if now - at < _HOUR]
        if len(recent) == len(_PAUSES):
            return None
        self._kicks[channel] = [*recent, now]
        return _PAUSES[len(recent)]
