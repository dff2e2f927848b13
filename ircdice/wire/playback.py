"""Playback: which lines are history that a server or a bouncer brings again (IRC-11). The time is passed in."""

from __future__ import annotations

from collections.abc import Callable

from ircdice.wire.line import Line

# What comes in a batch is history (`chathistory`, `znc.in/playback`, whatever else there may be), except in these.
_LIVE = frozenset({"labeled-response", "draft/multiline", "multiline"})
_MOST = 64  # batches open at a time; servers have one or two
_ZNC = "***!znc@znc.in"  # no nick that a person can have
_PLAYBACK = 60.0  # seconds: a bouncer that never says it is done mutes nobody for longer


class Playbacks:
    """The batches that are open, and the places that a ZNC plays back without any."""

    def __init__(self) -> None:
        self._live: dict[str, None] = {}
        self._playing: dict[str, float] = {}

    def batch(self, line: Line) -> None:
        """`BATCH +reference type …` or `BATCH -reference`; one within history is history."""
        sign, reference = line.param(0)[:1], line.param(0)[1:]
        self._live.pop(reference, None)
        within = line.tags.get("batch")
        live = line.param(1) in _LIVE and (within is None or within in self._live)
        if sign == "+" and live and len(self._live) < _MOST:
            self._live[reference] = None

    def is_history(self, line: Line, fold: Callable[[str], str], now: float) -> bool:
        """Whether a message is played back; ZNC's own words before and behind such lines are taken note of."""
        place = fold(line.param(0))
        if line.source == _ZNC:
            self._znc(place, line.param(1), now)
        batch = line.tags.get("batch")
        return (batch is not None and batch not in self._live) or now < self._playing.get(place, now)

    def _znc(self, place: str, text: str, now: float) -> None:
        if text.startswith("Buffer Playback"):
            self._playing = {place: end for place, end in self._playing.items() if now < end}
            self._playing[place] = now + _PLAYBACK
        elif text.startswith("Playback Complete"):
            self._playing.pop(place, None)
