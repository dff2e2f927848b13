"""Session: the state of one connection, and which lines are commands, from whom (IRC-11, IRC-13, IRC-14).

Lines in, effects out; no socket, clock or randomness.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial

from ircdice.bot.message import Message, Present, There
from ircdice.config import Join, NetworkConfig
from ircdice.settings import ChannelSettings, Settings
from ircdice.wire.channels import MOST_JOINED, WHO_FIELDS, Rejoins, Roster, join_lines
from ircdice.wire.login import Login, Regain, nicks_to_try
from ircdice.wire.protocol import Caller, Close, CtcpQuery, Effect, Incoming, Line, Note, Send, Support, Wake, is_target

_NICK_REFUSED = ("432", "433", "436", "437")
_NICK_KEPT = (*_NICK_REFUSED, "435", "438", "447", "484")  # the bot keeps the nick that it has
_JOIN_REFUSED = ("403", "405", "471", "473", "474", "475", "476", "477", "437", "479", "489")
_MAY_PASS = ("437", "471", "473", "474", "475", "477", "489")
_LONGEST_TOKEN = 500  # characters of a PING
_BOT_TAGS = frozenset({"bot", "draft/bot", "inspircd.org/bot"})
_RELAYED = re.compile("<([^<>]+)>")
_ZNC = "***!znc@znc.in"  # not a valid nick for a user
_PLAYBACK = 60.0  # seconds: the longest that an unfinished playback can mute the bot
_MOST_PLAYBACKS = 64  # at a time
_WHO_AFTER = 10.0  # seconds in which joins are collected for one WHO


class Playbacks:
    """Tells history played back by a server or bouncer from live lines (IRC-11)."""

    def __init__(self, began: float) -> None:
        self._since = began  # the server's time at the login; older lines are played back
        self._ends: dict[str, float] = {}  # by place: when ZNC's playback counts as over at the latest

    def welcome(self, line: Line) -> None:
        """Use the server's clock, if the welcome shows it: if ours were ahead, all lines would count as history."""
        self._since = _server_time(line) or self._since

    def is_history(self, line: Line, fold: Callable[[str], str], now: float) -> bool:
        """Whether a message is played back: in a batch, older than the login, or between two messages of ZNC."""
        place = fold(line.params[0])
        if line.source == _ZNC and line.param(1).startswith("Buffer Playback"):
            self._ends = {place: end for place, end in self._ends.items() if now < end}
            if len(self._ends) < _MOST_PLAYBACKS:
                self._ends[place] = now + _PLAYBACK
        elif line.source == _ZNC and line.param(1).startswith("Playback Complete"):
            self._ends.pop(place, None)
        old = "time" in line.tags and (_server_time(line) or self._since) < self._since
        return old or "batch" in line.tags or now < self._ends.get(place, now)


def _server_time(line: Line) -> float | None:
    """The time tag of a line, in seconds since the epoch by the server's clock."""
    try:
        return datetime.fromisoformat(line.tags.get("time", "")).timestamp()
    except (ValueError, OverflowError):
        return None


class Session:
    """One connection. Reset on each connection, except the pauses after a KICK."""

    def __init__(
        self, config: NetworkConfig, settings: Settings, rejoins: Rejoins, began: float, nonce: str = ""
    ) -> None:
        self.error = ""  # the server's last ERROR: why the connection ends
        self.support = Support()
        self.roster = Roster(self.support, config.nick)
        self.login = Login(config, self.support, self.roster, nonce)
        self.enabled = self.login.enabled  # capabilities
        self.config, self.settings = config, settings
        self._playbacks = Playbacks(began)
        self._regain = Regain(config.nick, self.support, self.roster)
        self._nicks = nicks_to_try(config.nick, config.alternate_nicks)
        self._rejoins = rejoins

    def receive(self, line: Line, now: float) -> Iterator[Effect]:
        """Take one line. The state changes while the effects are iterated."""
        if self.login.over:
            return
        if line.command == "NICK" and not is_target(line.param(0)):  # not a possible nick
            return
        if line.command == "PRIVMSG":  # only the bot handles these
            if heard := self.hear(line, now):
                yield heard
            return
        yield from self._handle(line, now)
        self.roster.receive(line)
        yield from self.login.receive(line)
        yield from self._regain.receive(line)
        yield from self._watch_nick()

    def woken(self, action: Callable[[], Iterator[Effect]]) -> Iterator[Effect]:
        """Do what a `Wake` was for."""
        if not self.login.over:
            yield from action()
            yield from self._watch_nick()

    def change(self, config: NetworkConfig, settings: Settings) -> Iterator[Effect]:
        """Switch to another config (IRC-25)."""
        self.config, self.settings = config, settings
        yield from self._ask_modes()
        yield from self._regain.change(config.nick)

    def opened_by(self, line: Line) -> bool:
        """Whether the bot can speak in the channel again: it joined, got a rank, or a mode was removed."""
        if line.command == "JOIN":
            return self.roster.is_me(line.nick)
        return any(
            adding and self.roster.is_me(argument) if mode in self.support.ranks.values() else not adding
            for adding, mode, argument in self.support.mode_changes(line.param(1), line.params[2:])
        )

    def hear(self, line: Line, now: float) -> Incoming | CtcpQuery | None:
        """Read a PRIVMSG for the bot; None if it must not see it. `now` is by the event loop's clock."""
        fold, roster = self.support.fold, self.roster
        if len(line.params) < 2 or self._playbacks.is_history(line, fold, now):
            return None
        (nick, _, userhost), (target, text, *_) = line.source.partition("!"), line.params
        # Without the capability the tag proves nothing; WHOX may have given the account.
        tagged = "account-tag" in self.enabled
        account = (line.tags.get("account") if tagged else roster.member(nick).account) or None
        # Not a server, the bot itself, another bot or an ignored user.
        if not userhost or roster.is_me(nick) or _BOT_TAGS & line.tags.keys():
            return None
        if self._fits(self.config.ignore, line.source, (account, nick)):
            return None
        private, host = roster.is_me(target), fold(userhost.rpartition("@")[2])
        if text.startswith("\x01"):
            return CtcpQuery(nick, text, Caller(host, host)) if private else None
        text = text.replace("\x01", "")  # within a message it is just an invisible character
        # `@#channel` reaches only operators; an answer would reach the whole channel (STATUSMSG).
        channel = None if private else roster.joined.get(fold(target))
        if not (private or channel) or not text.strip():
            return None
        roster.seen(nick, userhost, account or "")
        relay = self._fits(self.config.relays, line.source, (account,))
        rights = partial(self._is_storyteller, nick, account, relay)
        message = Message(
            network=self.config.name,
            channel=channel.name if channel else None,
            nick=nick,
            text=text,
            me=roster.me,
            account=account,
            storyteller=channel is not None and rights(channel.name),
            relay=relay,
            casemapping=self.support.casemapping,
            msgid=line.tags.get("msgid", ""),
            userhost=userhost,
            absent=roster.is_absent,
            nicks=roster.nicks,
            owner=roster.owner,
            storytellers=self.storytellers,
            hidden=channel is not None and channel.may_be_hidden,
            there=partial(self._there, rights) if private else None,
            heard_at=now,
        )
        # IRC-15, IRC-28: limits apply to the account or nick!user@host, and through a relay to the relayed name.
        speaker, relayed = account or line.source, _RELAYED.match(text) if relay else None
        return Incoming(message, Caller(fold(f"{speaker} {relayed[1]}" if relayed else speaker), host, message.place))

    def storytellers(self, channel: str) -> tuple[Present, ...] | None:
        """The storytellers in a channel; None if none are set, or the server does not report accounts (IRC-14)."""
        settings = self._settings_of(channel)
        by_account = settings.storytellers and ("account-tag" in self.enabled or self.support.whox)
        if not (settings.ops_are_storytellers or by_account):
            return None
        storytellers: list[Present] = []
        joined = self.roster.joined.get(self.support.fold(channel))
        for nick, member in joined.members.items() if joined else ():
            account = member.account or None
            relay = self._fits(self.config.relays, f"{nick}!{member.userhost}", (account,))
            if not self.roster.is_me(nick) and self._is_storyteller(nick, account, relay, channel):
                storytellers.append(Present(nick, self.support.fold(account) if account else f"~{nick}"))
        return tuple(storytellers)

    def _handle(self, line: Line, now: float) -> Iterator[Effect]:
        last = line.param(-1)
        match line.command:
            case "PING":
                token = (last or line.source)[:_LONGEST_TOKEN]
                yield Send(f"PONG :{token or 'ircdice'}", urgent=True)
            case "001":
                yield from self._welcome(line)
            case "005":
                self.support.load(line.params[1:-1])
            case "JOIN" | "PART" | "KICK" | "INVITE" | "NICK":
                yield from self._moved(line, now)
            case "470":
                yield Note("forwarded", f"to {line.param(2)}: {last}", line.param(1), logging.WARNING)
            case "FAIL" | "WARN" | "NOTE":  # IRC-27: a command, a code and perhaps more, then the same in words
                yield Note(line.command, " ".join(line.params), level=logging.WARNING)
            case "ERROR" | "464" | "465":  # or: wrong password, banned
                self.error = last
                yield Note("error", last, level=logging.WARNING)
            case _:
                yield from self._refused(line, now)

    def _moved(self, line: Line, now: float) -> Iterator[Effect]:
        """A user, or the bot itself, joins, leaves or changes nick."""
        first, second = line.param(0), line.param(1)
        by_me = self.roster.is_me(line.nick)
        match line.command:
            case "JOIN" if by_me:
                yield from self._joined(line)
            case "JOIN" if self.support.fold(first) in self.roster.joined:
                yield from self._came(line)
            case "PART" if by_me and self.roster.leave(first):
                yield Note("parted", second, first, logging.WARNING)
                if self.support.fold(first) in self._keys():  # a forced PART (REMOVE, SAPART) counts as a KICK
                    yield from self._back(first, now)
            case "KICK" if self.roster.is_me(second) and self.roster.leave(first):
                yield Note("kicked", f"by {line.nick}: {line.param(2)}", first, logging.WARNING)
                yield from self._back(first, now)
            case "INVITE" if self.roster.is_me(first):
                yield from self._invited(second, line.nick)
            case "NICK" if by_me:
                self.roster.me = first
                yield Note("nick", f"now {first}")

    def _refused(self, line: Line, now: float) -> Iterator[Effect]:
        """A numeric that refuses a nick or a JOIN: 437 either."""
        if line.command in _NICK_REFUSED and not self.login.welcomed:
            yield from self._next_nick(line)
        elif line.command in _JOIN_REFUSED and line.param(1)[:1] in self.support.chantypes:
            yield from self._join_refused(line, now)
        elif line.command in _NICK_KEPT and self.login.welcomed:
            yield from self._regain.refused(line)

    def _watch_nick(self) -> Iterator[Effect]:
        if self.login.arrived:
            yield from self._regain.begin(known=self.login.authenticated)

    def _welcome(self, line: Line) -> Iterator[Effect]:
        self.roster.me = line.param(0) if is_target(line.param(0)) else self.roster.me
        self._playbacks.welcome(line)
        if self.login.welcomed:
            return
        yield from self.login.welcome()
        if self.login.over:
            return
        yield Note("welcome", f"as {self.roster.me}, capabilities: {' '.join(sorted(self.enabled)) or 'none'}")

    def _next_nick(self, line: Line) -> Iterator[Effect]:
        yield Note("nick refused", f"{self.roster.me}: {line.command} {line.param(-1)}", level=logging.WARNING)
        nick = next(self._nicks, None)
        if nick is None:
            yield Close("no nick left to try")
            return
        self.roster.me = nick
        yield Send(f"NICK {nick}", urgent=True)

    def _joined(self, line: Line) -> Iterator[Effect]:
        """The bot itself joined a channel."""
        channel, key = line.param(0), self.support.fold(line.param(0))
        self.roster.userhost = line.userhost
        if self.roster.enter(channel):
            self._rejoins.joined(key)
            yield Note("joined", channel=channel)
            if self.support.whox:
                yield Send(f"WHO {channel} {WHO_FIELDS}")
            yield from self._ask_modes()

    def _came(self, line: Line) -> Iterator[Effect]:
        """Another user joined a channel."""
        channel = self.roster.joined[self.support.fold(line.param(0))]
        self.roster.came(channel.name, line.nick, line.param(1), line.userhost)
        extended = "extended-join" in self.enabled and len(line.params) > 1
        if self.support.whox and not extended and not channel.who_due:
            channel.who_due = True
            yield Wake(_WHO_AFTER, self._ask_accounts)

    def _ask_accounts(self) -> Iterator[Effect]:
        for channel in self.roster.joined.values():
            if channel.who_due:
                channel.who_due = False
                yield Send(f"WHO {channel.name} {WHO_FIELDS}")

    def _ask_modes(self) -> Iterator[Effect]:
        """Ask for the modes of channels that may have a page (WEB-10), once."""
        for channel in self.roster.joined.values():
            if self._settings_of(channel.name).page != "no" and not channel.modes_asked:
                channel.modes_asked = True
                yield Send(f"MODE {channel.name}")

    def _join_refused(self, line: Line, now: float) -> Iterator[Effect]:
        """A JOIN was refused: retry channels of the config, which may be full or closed for a while."""
        channel, key = line.param(1), self.support.fold(line.param(1))
        yield Note("refused", f"{line.command} {line.param(-1)}", channel, logging.WARNING)
        if line.command in _MAY_PASS and key in self._keys():
            pause = self._rejoins.refused(key, now)
            if pause is not None:
                yield Send(self._join_line(channel), later=pause)

    def _back(self, channel: str, now: float) -> Iterator[Effect]:
        """Rejoin after a pause, unless the bot was kicked too often."""
        pause = self._rejoins.pause(self.support.fold(channel), now)
        if pause is None:
            yield Note("staying out", "kicked too often in an hour", channel, logging.WARNING)
        else:
            yield Send(self._join_line(channel), later=pause)

    def _invited(self, channel: str, nick: str) -> Iterator[Effect]:
        """Join if the config says so, by `accept_invites` or by naming the channel."""
        if self.support.fold(channel) in self.roster.joined:
            return
        fits = channel[:1] in self.support.chantypes and is_target(channel)
        wanted = self.config.accept_invites or self.support.fold(channel) in self._keys()
        accepted = fits and wanted and len(self.roster.joined) < MOST_JOINED
        yield Note("invited", f"by {nick}: {'accepted' if accepted else 'declined'}", channel)
        if accepted:
            yield Send(self._join_line(channel))

    def _join_line(self, channel: str) -> str:
        return next(join_lines([Join(channel, self._keys().get(self.support.fold(channel)))]))

    def _keys(self) -> dict[str, str | None]:
        """The channels of the config and their keys."""
        return {self.support.fold(join.name): join.key for join in self.config.channels}

    def _settings_of(self, channel: str) -> ChannelSettings:
        return self.settings.channel(self.config.name, channel, self.support.casemapping)

    def _is_storyteller(self, nick: str, account: str | None, relay: bool, channel: str) -> bool:
        """IRC-14: by account, or by rank if the settings say so; never by nick, and never through a relay."""
        fold, settings = self.support.fold, self._settings_of(channel)
        by_rank = settings.ops_are_storytellers and self.roster.is_operator(channel, nick)
        by_account = account is not None and fold(account) in map(fold, settings.storytellers)
        return not relay and (by_rank or by_account)

    def _there(self, rights: Callable[[str], bool], name: str) -> There | None:
        """The channel meant in a private line, and the speaker's rights there (DSK-07)."""
        channel = self.roster.joined.get(self.support.fold(name))
        if channel is None:
            return None
        return There(channel.name, rights(channel.name), channel.may_be_hidden)

    def _fits(self, masks: Iterable[str], source: str, names: Iterable[str | None]) -> bool:
        """Whether a mask of the config matches nick!user@host, or the name if it has no `!` or `@` (IRC-15).

        A relay is known by its account or mask, never by a nick alone (IRC-29).
        """
        fold = self.support.fold
        for mask in masks:
            pattern = fold(mask).replace("[", "[[]")  # masks know `*` and `?`, but no sets
            candidates = [source] if "!" in mask or "@" in mask else filter(None, names)
            if any(fnmatchcase(fold(name), pattern) for name in candidates):
                return True
        return False
