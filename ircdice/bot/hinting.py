"""Limits on hints to speakers who did not call the bot (GEN-11). The time is passed in."""

from __future__ import annotations

from dataclasses import dataclass, field

from ircdice.durations import MINUTE

EVERY = MINUTE  # between two hints to one speaker
SAME_EVERY = 10 * MINUTE  # until the same one again
REMEMBERED = 1_000  # speakers


@dataclass(slots=True)
class Hinting:
    """The hints given to each speaker, and who switched them off."""

    _given: dict[str, dict[str, int]] = field(default_factory=dict)
    _unwanted: dict[str, None] = field(default_factory=dict)  # in the order they said so

    def wanted(self, who: str, *, wanted: bool) -> None:
        """`hints on`, `hints off`."""
        self._unwanted.pop(who, None)
        if not wanted:
            self._unwanted[who] = None
        while len(self._unwanted) > REMEMBERED:
            del self._unwanted[next(iter(self._unwanted))]

    def allows(self, who: str, hint: str, now: int) -> bool:
        """Whether `hint` may be given at `now` (ms); if so, it counts as given."""
        given = {text: ts for text, ts in self._given.pop(who, {}).items() if now - ts < SAME_EVERY}
        allowed = who not in self._unwanted and hint not in given
        allowed = allowed and all(now - ts >= EVERY for ts in given.values())
        if allowed:
            given[hint] = now
        if given:
            self._given[who] = given
        while len(self._given) > REMEMBERED:
            del self._given[next(iter(self._given))]
        return allowed
