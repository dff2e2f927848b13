"""Limits: how much one speaker, and one channel, may ask of the bot (IRC-15). The time is passed in."""

from __future__ import annotations

from ircdice.config import Limits
from ircdice.wire.bucket import Admission, Limiter

TOO_FAST = "Not rolled: too many commands at once, wait a little."
# CTCP has a purse of its own, one for each who asks and one for all: whoever plays with it can still roll.
CTCP = Limits(user_burst=4, user_interval=10.0, channel_burst=10, channel_interval=2.0)


class Inward:
    """A bucket for each speaker and one for each place; a line is heard only when both have a token."""

    def __init__(self, limits: Limits) -> None:
        self._speakers = Limiter(limits.user_burst, limits.user_interval)
        self._places = Limiter(limits.channel_burst, limits.channel_interval)

    def reserve(self, speaker: str, place: str, now: float) -> Admission:
        """What to do with the next command; HEAR has taken a token of each."""
        admission = self._speakers.reserve(speaker, speaker, now)
        if admission is not Admission.HEAR:
            return admission
        admission = self._places.reserve(place, speaker, now)
        if admission is not Admission.HEAR:
            self._speakers.refund(speaker)
        return admission

    def refund(self, speaker: str, place: str) -> None:
        """The line got no answer: it costs nothing."""
        self._speakers.refund(speaker)
        self._places.refund(place)
