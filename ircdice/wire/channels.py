"""Channels: where the config wants the bot, and how it gets back there (IRC-08). Sends nothing, keeps no time."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from ircdice.config import NetworkConfig
from ircdice.wire.effects import Effect, Note, Send
from ircdice.wire.isupport import Support
from ircdice.wire.joins import Rejoins, join_lines
from ircdice.wire.line import Line
from ircdice.wire.roster import Roster
from ircdice.wire.speech import is_target

REFUSALS = ("403", "405", "471", "473", "474", "475", "476", "477", "437", "479", "489")
_MAY_PASS = ("437", "471", "473", "474", "475", "477", "489")
_MOST_JOINED = 500  # past it nobody can lead the bot into more channels by INVITE


class Channels:
    """What to do when a channel lets the bot not in, throws it out, or asks it in."""

    def __init__(self, config: NetworkConfig, support: Support, roster: Roster, rejoins: Rejoins) -> None:
        self.config = config
        self._support, self._roster, self._rejoins = support, roster, rejoins

    def refused(self, line: Line) -> Iterator[Effect]:
        """What is full, closed or banned today may not be so tomorrow: a channel of the config is never given up."""
        channel = line.param(1)
        yield Note("refused", f"{line.command} {line.param(-1)}", channel, logging.WARNING)
        if line.command in _MAY_PASS and self._support.fold(channel) in self._keys():
            yield Send(self._join_line(channel), later=self._rejoins.refused(self._support.fold(channel)))

    def forwarded(self, line: Line) -> Iterator[Effect]:
        """Numeric 470: the server takes the bot to another channel."""
        yield Note("forwarded", f"to {line.param(2)}: {line.param(-1)}", line.param(1), logging.WARNING)

    def kicked(self, line: Line, now: float) -> Iterator[Effect]:
        """Thrown out: back after a pause, unless it has been too often."""
        yield Note("kicked", f"by {line.nick}: {line.param(2)}", line.param(0), logging.WARNING)
        yield from self._back(line.param(0), now)

    def parted(self, line: Line, now: float) -> Iterator[Effect]:
        """Out by PART: what the bot did not ask for (REMOVE, SAPART) is a KICK by another name."""
        yield Note("parted", line.param(1), line.param(0), logging.WARNING)
        if self._support.fold(line.param(0)) in self._keys():
            yield from self._back(line.param(0), now)

    def _back(self, channel: str, now: float) -> Iterator[Effect]:
        pause = self._rejoins.pause(self._support.fold(channel), now)
        if pause is None:
            yield Note("staying out", "kicked too often in an hour", channel, logging.WARNING)
        else:
            yield Send(self._join_line(channel), later=pause)

    def invited(self, line: Line) -> Iterator[Effect]:
        """Asked in: the config says where to go, by `accept_invites` or by naming the channel."""
        channel = line.param(1)
        if self._support.fold(channel) in self._roster.joined:
            return
        fits = channel[:1] in self._support.chantypes and is_target(channel) and len(self._roster.joined) < _MOST_JOINED
        taken = fits and (self.config.accept_invites or self._support.fold(channel) in self._keys())
        yield Note("invited", f"by {line.nick}: {'accepted' if taken else 'declined'}", channel)
        if taken:
            yield Send(self._join_line(channel))

    def joined(self, channel: str) -> Iterator[Effect]:
        """The bot is in."""
        self._rejoins.joined(self._support.fold(channel))
        yield Note("joined", channel=channel)

    def _join_line(self, channel: str) -> str:
        (line,) = join_lines([(channel, self._keys().get(self._support.fold(channel)))])
        return line

    def _keys(self) -> dict[str, str | None]:
        return {self._support.fold(join.name): join.key for join in self.config.channels}
