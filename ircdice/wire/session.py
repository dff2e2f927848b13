"""Session: one connection, from the first line to the last. Lines in, effects out; knows no socket, clock or chance."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

from ircdice.bot.message import Message
from ircdice.config import NetworkConfig
from ircdice.settings import Settings
from ircdice.wire.cap import Negotiation
from ircdice.wire.effects import Asked, Effect, Heard, Hopeless, Note, Send, Welcome
from ircdice.wire.hearing import Ear, Query, hear, is_storyteller, server_time, speaker
from ircdice.wire.isupport import Support
from ircdice.wire.joins import Rejoins, join_lines
from ircdice.wire.line import Line
from ircdice.wire.nicks import Nicks
from ircdice.wire.replay import Replays
from ircdice.wire.roster import Roster
from ircdice.wire.speech import scrub

_NICK_REFUSED = ("432", "433", "436", "437")
_JOIN_REFUSED = ("403", "405", "471", "473", "474", "475", "476", "477", "437", "479", "489")


class Session:
    """What is known of one connection. All of it begins anew with the next, the pauses after a KICK excepted."""

    def __init__(self, config: NetworkConfig, settings: Settings, rejoins: Rejoins, began: float) -> None:
        self.me = config.nick
        self.userhost = ""  # the bot's own, as the server shows it to others
        self.error = ""  # the server's last ERROR: the reason of the end, for the socket has none
        self.welcomed = False
        self.support = Support()
        self.caps = Negotiation()
        self.roster = Roster(self.support)
        self._config, self._settings, self._rejoins = config, settings, rejoins
        self._nicks = Nicks(config.nick, config.alternate_nicks)
        self._replays = Replays()
        self._since = began

    def receive(self, line: Line, now: float) -> Iterator[Effect]:
        """Take one line; what it brings about must be walked through, for it happens on the way."""
        if handler := _HANDLERS.get(line.command):
            yield from handler(self, line, now)

    def ear(self) -> Ear:
        """What deciding on a line depends on."""
        return Ear(
            network=self._config.name,
            me=self.me,
            casemapping=self.support.casemapping,
            joined=self.roster.joined,
            since=self._since,
            accounts="account-tag" in self.caps.enabled,
            relays=self._config.relays,
            ignore=self._config.ignore,
        )

    def change(self, config: NetworkConfig, settings: Settings) -> None:
        """Go on by another config (IRC-25)."""
        self._config, self._settings = config, settings

    def is_me(self, nick: str) -> bool:
        """Whether `nick` is the bot's own."""
        return self.support.fold(nick) == self.support.fold(self.me)

    def _batch(self, line: Line, _now: float) -> Iterator[Effect]:
        self._replays.batch(line)
        yield from ()

    def _privmsg(self, line: Line, now: float) -> Iterator[Effect]:
        if self._replays.is_history(line, self.support.fold, now):
            return
        heard = hear(line, self.ear())
        if isinstance(heard, Query):
            yield Asked(heard.nick, heard.text, self.support.fold(line.userhost))
        elif heard is not None:
            yield Heard(replace(heard, storyteller=self._is_storyteller(heard)), speaker(line, heard))

    def _is_storyteller(self, message: Message) -> bool:
        if message.channel is None:
            return False
        operator = self.roster.is_operator(message.channel, message.nick)
        settings = self._settings.channel(message.network, message.channel, message.casemapping)
        return is_storyteller(message, settings, operator=operator)

    def _ping(self, line: Line, _now: float) -> Iterator[Effect]:
        yield Send(f"PONG :{scrub(line.param(-1) or line.source) or 'ircdice'}", urgent=True)

    def _cap(self, line: Line, _now: float) -> Iterator[Effect]:
        yield from (Send(answer, urgent=True) for answer in self.caps.receive(line))

    def _welcome(self, line: Line, _now: float) -> Iterator[Effect]:
        self.me = line.param(0) or self.me
        self.caps.welcomed()
        # By the server's own clock where it tells it: ours may be ahead, and all would count as played back.
        self._since = server_time(line) or self._since
        if self.welcomed:
            return
        self.welcomed = True
        yield Welcome()
        yield Note("welcome", f"as {self.me}, capabilities: {' '.join(sorted(self.caps.enabled)) or 'none'}")
        channels = [(join.name, join.key) for join in self._config.channels]
        yield from (Send(join) for join in join_lines(channels))

    def _supported(self, line: Line, _now: float) -> Iterator[Effect]:
        self.support.load(line.params[1:-1])
        yield from ()

    def _refused(self, line: Line, _now: float) -> Iterator[Effect]:
        if line.command in _NICK_REFUSED and not self.welcomed:
            yield from self._next_nick(line)
        elif line.command in _JOIN_REFUSED:
            yield Note("refused", f"{line.command} {line.param(-1)}", line.param(1), logging.WARNING)

    def _next_nick(self, line: Line) -> Iterator[Effect]:
        yield Note("nick refused", f"{self.me}: {line.command} {line.param(-1)}", level=logging.WARNING)
        nick = self._nicks.next()
        if nick is None:
            yield Hopeless("no nick left to try")
            return
        self.me = nick
        yield Send(f"NICK {nick}", urgent=True)

    def _forwarded(self, line: Line, _now: float) -> Iterator[Effect]:
        yield Note("forwarded", f"to {line.param(2)}: {line.param(-1)}", line.param(1), logging.WARNING)

    def _join(self, line: Line, _now: float) -> Iterator[Effect]:
        if self.is_me(line.nick):
            self.userhost = line.userhost
            self.roster.enter(line.param(0))
            yield Note("joined", channel=line.param(0))

    def _part(self, line: Line, _now: float) -> Iterator[Effect]:
        if not self.is_me(line.nick):
            self.roster.parted(line.param(0), line.nick)
        elif self.roster.leave(line.param(0)):
            yield Note("parted", line.param(1), line.param(0), logging.WARNING)

    def _kick(self, line: Line, now: float) -> Iterator[Effect]:
        channel, nick = line.param(0), line.param(1)
        if not self.is_me(nick):
            self.roster.parted(channel, nick)
        elif self.roster.leave(channel):
            yield Note("kicked", f"by {line.nick}: {line.param(2)}", channel, logging.WARNING)
            yield self._return(channel, now)

    def _return(self, channel: str, now: float) -> Effect:
        pause = self._rejoins.pause(self.support.fold(channel), now)
        if pause is None:
            return Note("staying out", "kicked too often in an hour", channel, logging.WARNING)
        keys = {self.support.fold(join.name): join.key for join in self._config.channels}
        (join,) = join_lines([(channel, keys.get(self.support.fold(channel)))])
        return Send(join, later=pause)

    def _quit(self, line: Line, _now: float) -> Iterator[Effect]:
        self.roster.gone(line.nick)
        yield from ()

    def _nick(self, line: Line, _now: float) -> Iterator[Effect]:
        if self.is_me(line.nick) and line.param(0):
            self.me = line.param(0)
            yield Note("nick", f"now {self.me}")
        self.roster.renamed(line.nick, line.param(0))

    def _mode(self, line: Line, _now: float) -> Iterator[Effect]:
        self.roster.moded(line.param(0), line.param(1), line.params[2:])
        yield from ()

    def _names(self, line: Line, _now: float) -> Iterator[Effect]:
        self.roster.named(line)
        yield from ()

    def _hidden(self, line: Line, _now: float) -> Iterator[Effect]:
        # 396: the host that others see has changed, and with it the room in a line.
        user = self.userhost.partition("@")[0]
        if user and line.param(1):
            self.userhost = line.param(1) if "@" in line.param(1) else f"{user}@{line.param(1)}"
        yield from ()

    def _error(self, line: Line, _now: float) -> Iterator[Effect]:
        self.error = line.param(-1)
        yield Note("error", self.error, level=logging.WARNING)


_Handler = Callable[[Session, Line, float], Iterator[Effect]]
_HANDLERS: dict[str, _Handler] = {
    "PRIVMSG": Session._privmsg,
    "BATCH": Session._batch,
    "PING": Session._ping,
    "CAP": Session._cap,
    "001": Session._welcome,
    "005": Session._supported,
    "353": Session._names,
    "396": Session._hidden,
    "470": Session._forwarded,
    "JOIN": Session._join,
    "PART": Session._part,
    "KICK": Session._kick,
    "QUIT": Session._quit,
    "NICK": Session._nick,
    "MODE": Session._mode,
    "ERROR": Session._error,
    "464": Session._error,  # wrong password
    "465": Session._error,  # banned
    **dict.fromkeys((*_NICK_REFUSED, *_JOIN_REFUSED), Session._refused),
}
