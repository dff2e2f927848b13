"""Session: one connection, from the first line to the last. Lines in, effects out; knows no socket, clock or chance."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from ircdice.bot.message import There
from ircdice.config import NetworkConfig
from ircdice.settings import Settings
from ircdice.wire.accounts import Accounts
from ircdice.wire.arrival import Arrival
from ircdice.wire.channels import REFUSALS, Channels
from ircdice.wire.effects import CtcpRequest, Effect, Hopeless, Incoming, Note, Send, Welcome
from ircdice.wire.hearing import Ear, Query, Speaker, hear, is_storyteller, server_time, speaker
from ircdice.wire.isupport import Support
from ircdice.wire.joins import Rejoins
from ircdice.wire.line import Line
from ircdice.wire.login import Login
from ircdice.wire.nicks import Nicks, Regain
from ircdice.wire.playback import Playbacks
from ircdice.wire.roster import Roster
from ircdice.wire.sasl import NUMERICS
from ircdice.wire.speech import scrub

_NICK_REFUSED = ("432", "433", "436", "437")
_NICK_KEPT = (*_NICK_REFUSED, "435", "438", "447", "484")  # from a bot that has another already
_OF_COMING_IN = frozenset(
    {
        *("CAP", "AUTHENTICATE", "410", "421", "451", "461", *NUMERICS),  # the login
        *("376", "422", "401", "NOTICE", "MODE"),  # services, and the way to the channels
        *("303", "731", "734", "NICK", "QUIT"),  # the nick
        *("354", "ACCOUNT", "JOIN", "PART", "KICK"),  # accounts
    }
)


class Session:
    """What is known of one connection. All of it begins anew with the next, the pauses after a KICK excepted."""

    def __init__(
        self, config: NetworkConfig, settings: Settings, rejoins: Rejoins, began: float, nonce: str = ""
    ) -> None:
        self.me = config.nick
        self.userhost = ""  # the bot's own, as the server shows it to others
        self.error = ""  # the server's last ERROR: the reason of the end, for the socket has none
        self.welcomed = False
        self.support = Support()
        self.roster = Roster(self.support)
        self._channels = Channels(config, self.support, self.roster, rejoins)
        self._login = Login(config, nonce)
        self.caps = self._login.caps
        self._arrival = Arrival(config, self.support, self._login)
        self._accounts = Accounts(self.support, self.caps.enabled, self.roster.joined)
        self._regain = Regain(config.nick, self.support)
        self._config, self._settings = config, settings
        self._nicks = Nicks(config.nick, config.alternate_nicks)
        self._playbacks = Playbacks()
        self._since = began

    def receive(self, line: Line, now: float) -> Iterator[Effect]:
        """Take one line; what it brings about must be walked through, for it happens on the way."""
        if self._login.over:
            return
        if handler := _HANDLERS.get(line.command):
            yield from handler(self, line, now)
        if line.command in _OF_COMING_IN:
            yield from self._coming_in(line)

    @property
    def arrived(self) -> bool:
        """Whether all that comes before the channels is done."""
        return self._arrival.arrived

    def open(self) -> Iterator[Effect]:
        """The connection stands: the first words."""
        return self._login.open()

    def hurry(self) -> Iterator[Effect]:
        """The capabilities take too long: go on without what is open (IRC-03)."""
        return self._login.hurry()

    def woken(self, what: str) -> Iterator[Effect]:
        """The time that a `Wake` asked for has passed."""
        if self._login.over:
            return
        yield from self._login.woken(what)
        yield from self._arrival.woken(what, self.me)
        yield from self._regain.woken(what)
        yield from self._accounts.woken(what)
        yield from self._looked_out()

    def _coming_in(self, line: Line) -> Iterator[Effect]:
        """What the parts make of it that are about the login, the nick, and who is who."""
        subject = line.param(1) if line.command == "KICK" else line.nick
        yield from self._login.receive(line)
        yield from self._arrival.receive(line, self.me)
        yield from self._accounts.receive(line, own=self.is_me(subject))
        yield from self._regain.receive(line, self.me)
        yield from self._looked_out()

    def _looked_out(self) -> Iterator[Effect]:
        if self._arrival.arrived:
            yield from self._regain.begin(self.me, known=self._login.authenticated)

    def ear(self) -> Ear:
        """What deciding on a line depends on."""
        return Ear(
            network=self._config.name,
            me=self.me,
            casemapping=self.support.casemapping,
            joined=self.roster.joined,
            since=self._since,
            accounts="account-tag" in self.caps.enabled,
            known=self._accounts.known,
            relays=self._config.relays,
            ignore=self._config.ignore,
            leads=self._is_storyteller,
            there=self._there,
            absent=self.roster.is_absent,
        )

    def change(self, config: NetworkConfig, settings: Settings) -> Iterator[Effect]:
        """Go on by another config (IRC-25); gives what follows for the nick, as `receive` does."""
        self._config = self._channels.config = config
        self._settings = settings
        return self._regain.change(config.nick, self.me)

    def is_me(self, nick: str) -> bool:
        """Whether `nick` is the bot's own."""
        return self.support.fold(nick) == self.support.fold(self.me)

    def _batch(self, line: Line, _now: float) -> Iterator[Effect]:
        self._playbacks.batch(line)
        yield from ()

    def _privmsg(self, line: Line, now: float) -> Iterator[Effect]:
        if self._playbacks.is_history(line, self.support.fold, now):
            return
        heard = hear(line, self.ear())
        if isinstance(heard, Query):
            yield CtcpRequest(heard.nick, heard.text, self.support.fold(line.userhost))
        elif heard is not None:
            yield Incoming(heard, speaker(line, heard))

    def _there(self, who: Speaker) -> Callable[[str], There | None]:
        """What a channel's name means in that private line, and the speaker's rights there (DSK-07)."""

        def there(name: str) -> There | None:
            channel = self.roster.joined.get(self.support.fold(name))
            if channel is None:
                return None
            return There(channel, self._is_storyteller(who, channel))

        return there

    def _is_storyteller(self, who: Speaker, channel: str) -> bool:
        casemapping = self.support.casemapping
        settings = self._settings.channel(self._config.name, channel, casemapping)
        return is_storyteller(who, settings, casemapping, operator=self.roster.is_operator(channel, who.nick))

    def _ping(self, line: Line, _now: float) -> Iterator[Effect]:
        yield Send(f"PONG :{scrub(line.param(-1) or line.source) or 'ircdice'}", urgent=True)

    def _welcome(self, line: Line, _now: float) -> Iterator[Effect]:
        self.me = line.param(0) or self.me
        # By the server's own clock where it tells it: ours may be ahead, and all would count as played back.
        self._since = server_time(line) or self._since
        if self.welcomed:
            return
        yield from self._login.welcomed()
        if self._login.over:
            return
        self.welcomed = True
        yield Welcome()
        yield Note("welcome", f"as {self.me}, capabilities: {' '.join(sorted(self.caps.enabled)) or 'none'}")
        yield from self._arrival.welcomed()

    def _supported(self, line: Line, _now: float) -> Iterator[Effect]:
        self.support.load(line.params[1:-1])
        yield from ()

    def _refused(self, line: Line, _now: float) -> Iterator[Effect]:
        if line.command in _NICK_REFUSED and not self.welcomed:
            yield from self._next_nick(line)
        elif line.command in REFUSALS and line.param(1)[:1] in self.support.chantypes:
            yield from self._channels.refused(line)
        elif line.command in _NICK_KEPT and self.welcomed:
            yield from self._regain.refused(line, self.me)
            yield from self._looked_out()

    def _next_nick(self, line: Line) -> Iterator[Effect]:
        yield Note("nick refused", f"{self.me}: {line.command} {line.param(-1)}", level=logging.WARNING)
        nick = self._nicks.next()
        if nick is None:
            yield Hopeless("no nick left to try")
            return
        self.me = nick
        yield Send(f"NICK {nick}", urgent=True)

    def _forwarded(self, line: Line, _now: float) -> Iterator[Effect]:
        yield from self._channels.forwarded(line)

    def _join(self, line: Line, _now: float) -> Iterator[Effect]:
        if self.is_me(line.nick):
            self.userhost = line.userhost
            self.roster.enter(line.param(0))
            yield from self._channels.joined(line.param(0))
        else:
            self.roster.came(line.param(0), line.nick)

    def _part(self, line: Line, now: float) -> Iterator[Effect]:
        if not self.is_me(line.nick):
            self.roster.parted(line.param(0), line.nick)
        elif self.roster.leave(line.param(0)):
            yield from self._channels.parted(line, now)

    def _kick(self, line: Line, now: float) -> Iterator[Effect]:
        channel, nick = line.param(0), line.param(1)
        if not self.is_me(nick):
            self.roster.parted(channel, nick)
        elif self.roster.leave(channel):
            yield from self._channels.kicked(line, now)

    def _invited(self, line: Line, _now: float) -> Iterator[Effect]:
        if self.is_me(line.param(0)):
            yield from self._channels.invited(line)

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

    def _all_named(self, line: Line, _now: float) -> Iterator[Effect]:
        self.roster.told(line)
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
    "001": Session._welcome,
    "005": Session._supported,
    "353": Session._names,
    "366": Session._all_named,
    "396": Session._hidden,
    "470": Session._forwarded,
    "INVITE": Session._invited,
    "JOIN": Session._join,
    "PART": Session._part,
    "KICK": Session._kick,
    "QUIT": Session._quit,
    "NICK": Session._nick,
    "MODE": Session._mode,
    "ERROR": Session._error,
    "464": Session._error,  # wrong password
    "465": Session._error,  # banned
    **dict.fromkeys((*_NICK_KEPT, *REFUSALS), Session._refused),
}
