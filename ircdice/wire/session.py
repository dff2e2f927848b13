"""Session: what is known of one connection. Lines in, effects out; no socket, clock or randomness."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator

from ircdice.bot.message import Present, There
from ircdice.config import NetworkConfig
from ircdice.settings import Settings
from ircdice.wire.channels import REFUSALS, Channels, Rejoins, Roster
from ircdice.wire.effects import CtcpRequest, Effect, Hopeless, Incoming, Note, Send, Wake, Welcome
from ircdice.wire.incoming import Ear, Playbacks, Query, Speaker, caller, hear, is_relay, is_storyteller, server_time
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line
from ircdice.wire.login import Arrival, Login
from ircdice.wire.nicks import Nicks, Regain
from ircdice.wire.rate_limit import Caller
from ircdice.wire.wording import scrub

_NICK_REFUSED = ("432", "433", "436", "437")
_NICK_KEPT = (*_NICK_REFUSED, "435", "438", "447", "484")  # from a bot that has another already
_LONGEST_TOKEN = 500  # characters of a PING
_WHO = "who is in "  # what a `Wake` is about
_WHO_TOKEN = "152"  # marks the answers to our own questions
_WHO_FIELDS = f"%tcuhna,{_WHO_TOKEN}"  # the server answers in this order
_WHO_AFTER = 10.0  # seconds in which those who join are gathered for one question


class Session:
    """One connection. All of it begins anew with the next, except the pauses after a KICK."""

    def __init__(
        self, config: NetworkConfig, settings: Settings, rejoins: Rejoins, began: float, nonce: str = ""
    ) -> None:
        self.me = config.nick
        self.userhost = ""  # the bot's own, as others see it
        self.error = ""  # the server's last ERROR: why the connection ends
        self.welcomed = False
        self.support = Support()
        self.roster = Roster(self.support)
        self._channels = Channels(config, self.support, self.roster, rejoins)
        self._login = Login(config, nonce)
        self.caps = self._login.caps
        self._arrival = Arrival(config, self.support, self._login)
        self._regain = Regain(config.nick, self.support)
        self._config, self._settings = config, settings
        self._nicks = Nicks(config.nick, config.alternate_nicks)
        self._playbacks = Playbacks()
        self._asking: set[str] = set()  # channels of which WHO will be asked
        self._modes_asked: set[str] = set()
        self._since = began

    def receive(self, line: Line, now: float) -> Iterator[Effect]:
        """Take one line. The state changes while the effects are iterated."""
        if self._login.over:
            return
        if handler := _HANDLERS.get(line.command):
            yield from handler(self, line, now) or ()
        yield from self._login.receive(line)
        yield from self._arrival.receive(line, self.me)
        yield from self._regain.receive(line, self.me)
        yield from self._watch_nick()

    @property
    def arrived(self) -> bool:
        """Whether all that comes before the channels is done."""
        return self._arrival.arrived

    def open(self) -> Iterator[Effect]:
        """The connection is open: send the first lines."""
        return self._login.open()

    def hurry(self) -> Iterator[Effect]:
        """The capabilities take too long: go on without what is open (IRC-03)."""
        return self._login.hurry()

    def woken(self, what: str) -> Iterator[Effect]:
        """The time of a `Wake` has come."""
        if self._login.over:
            return
        yield from self._login.woken(what)
        yield from self._arrival.woken(what, self.me)
        yield from self._regain.woken(what)
        if what.startswith(_WHO):
            channel = what.removeprefix(_WHO)
            self._asking.discard(channel)
            if channel in self.roster.joined:
                yield Send(f"WHO {self.roster.joined[channel]} {_WHO_FIELDS}")
        yield from self._watch_nick()

    def ear(self) -> Ear:
        """What the decision about a line depends on."""
        return Ear(
            network=self._config.name,
            me=self.me,
            casemapping=self.support.casemapping,
            joined=self.roster.joined,
            since=self._since,
            accounts="account-tag" in self.caps.enabled,
            known=self.roster.accounts,
            relays=self._config.relays,
            ignore=self._config.ignore,
            leads=self._is_storyteller,
            there=self._there,
            absent=self.roster.is_absent,
            owner=self.roster.owner,
            storytellers=self._storytellers,
            hidden=self._is_hidden,
        )

    def change(self, config: NetworkConfig, settings: Settings) -> Iterator[Effect]:
        """Use another config from now on (IRC-25)."""
        self._config = self._channels.config = config
        self._settings = settings
        yield from self._ask_modes()
        yield from self._regain.change(config.nick, self.me)

    def _ask_modes(self) -> Iterator[Effect]:
        """Ask for the modes of channels that may have a page (WEB-10), once."""
        for key, channel in self.roster.joined.items():
            settings = self._settings.channel(self._config.name, channel, self.support.casemapping)
            if settings.page != "no" and key not in self._modes_asked:
                self._modes_asked.add(key)
                yield Send(f"MODE {channel}")

    def is_me(self, nick: str) -> bool:
        """Whether `nick` is the bot's own."""
        return self.support.fold(nick) == self.support.fold(self.me)

    def _watch_nick(self) -> Iterator[Effect]:
        if self._arrival.arrived:
            yield from self._regain.begin(self.me, known=self._login.authenticated)

    def _batch(self, line: Line, _now: float) -> None:
        self._playbacks.batch(line)

    def _privmsg(self, line: Line, now: float) -> Iterator[Effect]:
        if self._playbacks.is_history(line, self.support.fold, now):
            return
        heard = hear(line, self.ear())
        if isinstance(heard, Query):
            host = self.support.fold(line.userhost.rpartition("@")[2])
            yield CtcpRequest(heard.nick, heard.text, Caller(host, host))
        elif heard is not None:
            if "account-tag" in self.caps.enabled:
                self.roster.logged_in(heard.nick, heard.account or "")
            self.roster.seen(heard.nick, line.userhost)
            yield Incoming(heard, caller(line, heard))

    def _there(self, who: Speaker) -> Callable[[str], There | None]:
        """What a channel's name means in that private line, and the speaker's rights there (DSK-07)."""

        def there(name: str) -> There | None:
            channel = self.roster.joined.get(self.support.fold(name))
            if channel is None:
                return None
            return There(channel, self._is_storyteller(who, channel), self._is_hidden(channel))

        return there

    def _is_storyteller(self, who: Speaker, channel: str) -> bool:
        casemapping = self.support.casemapping
        settings = self._settings.channel(self._config.name, channel, casemapping)
        return is_storyteller(who, settings, casemapping, operator=self.roster.is_operator(channel, who.nick))

    def _storytellers(self, channel: str) -> tuple[Present, ...] | None:
        """The storytellers in a channel; None if the settings name none, or the server tells no accounts (IRC-14)."""
        settings = self._settings.channel(self._config.name, channel, self.support.casemapping)
        by_account = settings.storytellers and ("account-tag" in self.caps.enabled or self.support.whox)
        if not (settings.ops_are_storytellers or by_account):
            return None
        members = [self._member(nick) for nick in self.roster.members(channel)]
        found = [who for who in members if not self.is_me(who.nick) and self._is_storyteller(who, channel)]
        return tuple(
            Present(who.nick, self.support.fold(who.account) if who.account else f"~{who.nick}") for who in found
        )

    def _member(self, nick: str) -> Speaker:
        """A member of a channel, as far as rights go."""
        account = self.roster.account(nick)
        line = Line("", source=f"{nick}!{self.roster.userhost(nick)}", tags={"account": account or ""})
        return Speaker(nick, account, is_relay(line, self.ear()))

    def _is_hidden(self, channel: str) -> bool:
        return self.roster.is_hidden(channel) is not False

    def _ping(self, line: Line, _now: float) -> Iterator[Effect]:
        token = scrub(line.param(-1) or line.source)[:_LONGEST_TOKEN]
        yield Send(f"PONG :{token or 'ircdice'}", urgent=True)

    def _welcome(self, line: Line, _now: float) -> Iterator[Effect]:
        self.me = line.param(0) or self.me
        # By the server's own clock if it has one: ours may be ahead, and all would count as played back.
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

    def _isupport(self, line: Line, _now: float) -> None:
        self.support.load(line.params[1:-1])

    def _refused(self, line: Line, now: float) -> Iterator[Effect]:
        if line.command in _NICK_REFUSED and not self.welcomed:
            yield from self._next_nick(line)
        elif line.command in REFUSALS and line.param(1)[:1] in self.support.chantypes:
            yield from self._channels.refused(line, now)
        elif line.command in _NICK_KEPT and self.welcomed:
            yield from self._regain.refused(line, self.me)
            yield from self._watch_nick()

    def _next_nick(self, line: Line) -> Iterator[Effect]:
        yield Note("nick refused", f"{self.me}: {line.command} {line.param(-1)}", level=logging.WARNING)
        nick = self._nicks.next()
        if nick is None:
            yield Hopeless("no nick left to try")
            return
        self.me = nick
        yield Send(f"NICK {nick}", urgent=True)

    def _forwarded(self, line: Line, _now: float) -> Iterator[Effect]:
        return self._channels.forwarded(line)

    def _join(self, line: Line, _now: float) -> Iterator[Effect]:
        channel = line.param(0)
        key = self.support.fold(channel)
        if self.is_me(line.nick):
            self.userhost = line.userhost
            if self.roster.enter(channel):
                yield from self._channels.joined(channel)
                if self.support.whox:
                    yield Send(f"WHO {channel} {_WHO_FIELDS}")
                self._modes_asked.discard(key)
                yield from self._ask_modes()
        elif key in self.roster.joined:
            self.roster.came(channel, line.nick, line.param(1), line.userhost)
            extended = "extended-join" in self.caps.enabled and len(line.params) > 1
            if self.support.whox and not extended and key not in self._asking:
                self._asking.add(key)
                yield Wake(_WHO_AFTER, _WHO + key)

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

    def _quit(self, line: Line, _now: float) -> None:
        self.roster.gone(line.nick)

    def _nick(self, line: Line, _now: float) -> Iterator[Effect]:
        if self.is_me(line.nick) and line.param(0):
            self.me = line.param(0)
            yield Note("nick", f"now {self.me}")
        self.roster.renamed(line.nick, line.param(0))

    def _account(self, line: Line, _now: float) -> None:
        self.roster.logged_in(line.nick, line.param(0))

    def _who(self, line: Line, _now: float) -> None:
        if line.param(1) == _WHO_TOKEN and len(line.params) > 6:
            _, _, channel, user, host, nick, account, *_ = line.params
            self.roster.came(channel, nick, account, f"{user}@{host}")

    def _mode(self, line: Line, _now: float) -> None:
        self.roster.moded(line.param(0), line.param(1), line.params[2:])

    def _has_modes(self, line: Line, _now: float) -> None:
        self.roster.has_modes(line)

    def _names(self, line: Line, _now: float) -> None:
        self.roster.named(line)

    def _all_named(self, line: Line, _now: float) -> None:
        self.roster.all_named(line)

    def _hidden(self, line: Line, _now: float) -> None:
        # 396: the host that others see has changed, and with it the room in a line.
        user = self.userhost.partition("@")[0]
        if user and line.param(1):
            self.userhost = line.param(1) if "@" in line.param(1) else f"{user}@{line.param(1)}"

    def _standard_reply(self, line: Line, _now: float) -> Iterator[Effect]:
        # IRC-27: FAIL, WARN and NOTE name a command, a code and perhaps more, then say it in words.
        yield Note(line.command, " ".join(line.params), level=logging.WARNING)

    def _error(self, line: Line, _now: float) -> Iterator[Effect]:
        self.error = line.param(-1)
        yield Note("error", self.error, level=logging.WARNING)


_Handler = Callable[[Session, Line, float], Iterable[Effect] | None]
_HANDLERS: dict[str, _Handler] = {
    "PRIVMSG": Session._privmsg,
    "BATCH": Session._batch,
    "PING": Session._ping,
    "001": Session._welcome,
    "005": Session._isupport,
    "324": Session._has_modes,
    "353": Session._names,
    "354": Session._who,
    "366": Session._all_named,
    "396": Session._hidden,
    "470": Session._forwarded,
    "ACCOUNT": Session._account,
    "INVITE": Session._invited,
    "JOIN": Session._join,
    "PART": Session._part,
    "KICK": Session._kick,
    "QUIT": Session._quit,
    "NICK": Session._nick,
    "MODE": Session._mode,
    "ERROR": Session._error,
    **dict.fromkeys(("FAIL", "WARN", "NOTE"), Session._standard_reply),
    "464": Session._error,  # wrong password
    "465": Session._error,  # banned
    **dict.fromkeys((*_NICK_KEPT, *REFUSALS), Session._refused),
}
