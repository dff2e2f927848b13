"""Channels: joining, rejoining, and who is in them (IRC-08, IRC-14, IRC-28). Sends nothing; the time is passed in."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from ircdice.config import NetworkConfig
from ircdice.wire.effects import Effect, Note, Send
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line
from ircdice.wire.wording import is_target

REFUSALS = ("403", "405", "471", "473", "474", "475", "476", "477", "437", "479", "489")
_MAY_PASS = ("437", "471", "473", "474", "475", "477", "489")
MOST_JOINED = 1000  # channels; a server may claim that the bot is in as many as it likes
MOST_MEMBERS = 50_000  # names in all channels together
_MOST_INVITED = 500  # past it no INVITE is accepted
_LONGEST_NAME = 200  # characters of a nick, account or channel that is remembered
_HIDING = frozenset("spk")
_NO_ACCOUNT = ("", "0", "*")
_BYTES = 510  # of the 512 that every server takes, without CR and LF
_PAUSES = (1.0, 4.0, 16.0, 64.0, 256.0)
_HOUR = 3600.0
_REFUSED_FIRST = 60.0  # seconds until a channel that refused the bot is tried again


def join_lines(channels: Iterable[tuple[str, str | None]], at_once: int | None = None) -> Iterator[str]:
    """JOIN lines for channels and their keys, at most `at_once` in a line; None is as many as fit.

    Those with a key come first, as the protocol matches them by position.
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


def changed_channels(old: NetworkConfig, new: NetworkConfig, support: Support) -> list[str]:
    """PART and JOIN lines that take a bot from the channels of `old` to those of `new` (IRC-25)."""
    fold = support.fold
    before = {fold(join.name): join for join in old.channels}
    after = {fold(join.name): join for join in new.channels}
    parts = [f"PART {join.name} :no longer in the config" for name, join in before.items() if name not in after]
    joins = [(join.name, join.key) for name, join in after.items() if before.get(name) != join]
    return [*parts, *join_lines(joins, support.joins_at_once)]


class Rejoins:
    """When to join again after a KICK: pauses that grow, and after five in an hour no more. Refusals as well."""

    def __init__(self) -> None:
        self._kicks: dict[str, list[float]] = {}
        self._refusals: dict[str, int] = {}
        self._tries: dict[str, float] = {}  # when a refused channel is tried again

    def pause(self, channel: str, now: float) -> float | None:
        """Seconds until `channel` may be joined again after a KICK just now; None to stay out."""
        recent = [at for at in self._kicks.get(channel, []) if now - at < _HOUR]
        if len(self._kicks) >= MOST_JOINED:
            self._kicks = {name: times for name, times in self._kicks.items() if now - times[-1] < _HOUR}
        if len(recent) == len(_PAUSES) or (not recent and len(self._kicks) >= MOST_JOINED):
            return None
        self._kicks[channel] = [*recent, now]
        return _PAUSES[len(recent)]

    def refused(self, channel: str, now: float) -> float | None:
        """Seconds until a refused JOIN is worth another try: a minute, doubling to an hour; None if one is due."""
        if now < self._tries.get(channel, now):
            return None
        before = self._refusals.get(channel, 0)
        self._refusals[channel] = min(before + 1, 6)
        pause = min(_REFUSED_FIRST * 2.0**before, _HOUR)
        self._tries[channel] = now + pause
        return pause

    def joined(self, channel: str) -> None:
        """The bot is in: forget the refusals."""
        self._refusals.pop(channel, None)
        self._tries.pop(channel, None)


class Roster:
    """The channels that the bot is in, their members, who is operator, and the accounts of members.

    Names are folded. Members are known for certain once the server has listed all (366).
    """

    def __init__(self, support: Support) -> None:
        self._support = support
        self.joined: dict[str, str] = {}  # folded to written
        self.accounts: dict[str, str] = {}  # by nick, of members
        self._hosts: dict[str, str] = {}  # user@host by nick, of members
        self._members: dict[str, dict[str, str]] = {}  # channel to nick to the operator modes of that nick
        self._complete: set[str] = set()
        self._modes: dict[str, set[str]] = {}  # channel to those of its modes that hide it, where known
        self._count = 0  # of members in all channels

    def enter(self, channel: str) -> bool:
        """The bot itself joined; False where no more can be remembered."""
        key = self._support.fold(channel)
        if len(channel) > _LONGEST_NAME or (key not in self.joined and len(self.joined) >= MOST_JOINED):
            return False
        self.leave(channel)
        self.joined[key], self._members[key] = channel, {}
        return True

    def leave(self, channel: str) -> bool:
        """The bot itself is out; whether it was in."""
        key = self._support.fold(channel)
        gone = self._members.pop(key, {})
        self._count -= len(gone)
        self._complete.discard(key)
        self._modes.pop(key, None)
        was_in = self.joined.pop(key, None) is not None
        for nick in gone:
            self._forget_stranger(nick)
        return was_in

    def __len__(self) -> int:
        """How many names are remembered."""
        return self._count + len(self.joined) + len(self.accounts) + len(self._hosts)

    def is_operator(self, channel: str, nick: str) -> bool:
        """Whether `nick` is operator of `channel`, or more, now."""
        return bool(self._members.get(self._support.fold(channel), {}).get(self._support.fold(nick)))

    def is_absent(self, channel: str, nick: str) -> bool:
        """Whether it is certain that nobody of that nick is in `channel`."""
        key = self._support.fold(channel)
        return key in self._complete and self._support.fold(nick) not in self._members[key]

    def members(self, channel: str) -> tuple[str, ...]:
        """The nicks of those who are in `channel`, folded."""
        return tuple(self._members.get(self._support.fold(channel), ()))

    def account(self, nick: str) -> str | None:
        """The services account of a member, where known."""
        return self.accounts.get(self._support.fold(nick))

    def userhost(self, nick: str) -> str:
        """user@host of a member, where known."""
        return self._hosts.get(self._support.fold(nick), "")

    def owner(self, nick: str) -> str | None:
        """Who has a nick now: the folded account of a member, or `!` and user@host; None if not known (IRC-29)."""
        nick = self._support.fold(nick)
        if nick in self.accounts:
            return self._support.fold(self.accounts[nick])
        return "!" + self._support.fold(self._hosts[nick]) if nick in self._hosts else None

    def came(self, channel: str, nick: str, account: str = "", userhost: str = "") -> None:
        """`nick` is in a channel; `account` is given by extended-join and WHOX."""
        key, member = self._support.fold(channel), self._support.fold(nick)
        if member not in self._members.get(key, {}):
            self._add(key, member)
        if account:
            self.logged_in(nick, account)
        self.seen(nick, userhost)

    def seen(self, nick: str, userhost: str) -> None:
        """A member has that user@host now."""
        nick = self._support.fold(nick)
        if userhost and len(userhost) <= _LONGEST_NAME and self._is_member(nick):
            self._hosts[nick] = userhost

    def logged_in(self, nick: str, account: str) -> None:
        """A member has that account now, or none (`*`, `0`)."""
        nick = self._support.fold(nick)
        self.accounts.pop(nick, None)
        if account not in _NO_ACCOUNT and len(account) <= _LONGEST_NAME and self._is_member(nick):
            self.accounts[nick] = account

    def named(self, line: Line) -> None:
        """Numeric 353: names in a channel, each with the signs of its ranks in front."""
        ranks = self._support.ranks
        key = self._support.fold(line.param(2))
        for name in line.param(3).split(" ") if key in self._members else ():
            nick = name.lstrip("".join(ranks))
            modes = {ranks[sign] for sign in name[: len(name) - len(nick)]} & self._operator_modes
            self._add(key, self._support.fold(nick), "".join(sorted(modes)))

    def all_named(self, line: Line) -> None:
        """Numeric 366: those were all names."""
        self._complete |= {self._support.fold(line.param(1))} & self._members.keys()
        if self._count >= MOST_MEMBERS:
            self._complete.clear()

    def parted(self, channel: str, nick: str) -> None:
        """`nick` left a channel, or was thrown out."""
        nick = self._support.fold(nick)
        self._remove(self._support.fold(channel), nick)
        self._forget_stranger(nick)

    def gone(self, nick: str) -> None:
        """`nick` left the network."""
        nick = self._support.fold(nick)
        for channel in self._members:
            self._remove(channel, nick)
        self.accounts.pop(nick, None)
        self._hosts.pop(nick, None)

    def renamed(self, old: str, new: str) -> None:
        """A nick changed; its ranks and account go with it."""
        old, new = self._support.fold(old), self._support.fold(new)
        account, userhost = self.accounts.pop(old, ""), self._hosts.pop(old, "")
        for channel, members in self._members.items():
            if old in members:
                modes = members[old]
                self._remove(channel, old)
                self._add(channel, new, modes)
        self.logged_in(new, account)
        self._hosts.pop(new, None)
        self.seen(new, userhost)

    def is_hidden(self, channel: str) -> bool | None:
        """Whether a channel is secret, private or has a key (WEB-10); None if its modes are not known."""
        modes = self._modes.get(self._support.fold(channel))
        return None if modes is None else bool(modes)

    def has_modes(self, line: Line) -> None:
        """Numeric 324: the modes of a channel."""
        key = self._support.fold(line.param(1))
        if key in self.joined:
            self._modes[key] = set(line.param(2)) & _HIDING

    def moded(self, channel: str, modes: str, arguments: tuple[str, ...]) -> None:
        """MODE on a channel: `+o-v alice bob`."""
        known = self._modes.get(self._support.fold(channel), set())
        for adding, mode, _ in self._support.mode_changes(modes, arguments):
            if mode in _HIDING:
                (known.add if adding else known.discard)(mode)
        members = self._members.get(self._support.fold(channel), {})
        for adding, mode, argument in self._support.mode_changes(modes, arguments) if members else ():
            nick = self._support.fold(argument)
            if mode in self._operator_modes and nick in members:
                had = set(members[nick])
                members[nick] = "".join(sorted(had | {mode} if adding else had - {mode}))

    @property
    def _operator_modes(self) -> set[str]:
        modes = list(self._support.ranks.values())
        return set(modes[: modes.index("o") + 1]) if "o" in modes else set()

    def _is_member(self, nick: str) -> bool:
        return any(nick in members for members in self._members.values())

    def _add(self, channel: str, nick: str, modes: str = "") -> None:
        members = self._members.get(channel)
        if members is None or not nick:
            return
        if nick not in members:
            if self._count >= MOST_MEMBERS or len(nick) > _LONGEST_NAME:
                self._complete.discard(channel)  # from now on nobody is known to be absent
                return
            self._count += 1
        members[nick] = modes

    def _remove(self, channel: str, nick: str) -> None:
        if self._members.get(channel, {}).pop(nick, None) is not None:
            self._count -= 1

    def _forget_stranger(self, nick: str) -> None:
        """Of people who share no channel with us we would not hear that they go."""
        if (nick in self.accounts or nick in self._hosts) and not self._is_member(nick):
            self.accounts.pop(nick, None)
            self._hosts.pop(nick, None)


class Channels:
    """What to do when a channel refuses the bot, throws it out or invites it."""

    def __init__(self, config: NetworkConfig, support: Support, roster: Roster, rejoins: Rejoins) -> None:
        self.config = config
        self._support, self._roster, self._rejoins = support, roster, rejoins

    def refused(self, line: Line, now: float) -> Iterator[Effect]:
        """A channel may be full, closed or banned for a while: try those of the config again."""
        channel = line.param(1)
        yield Note("refused", f"{line.command} {line.param(-1)}", channel, logging.WARNING)
        key = self._support.fold(channel)
        if line.command in _MAY_PASS and key in self._keys():
            pause = self._rejoins.refused(key, now)
            if pause is not None:
                yield Send(self._join_line(channel), later=pause)

    def forwarded(self, line: Line) -> Iterator[Effect]:
        """Numeric 470: the server takes the bot to another channel."""
        yield Note("forwarded", f"to {line.param(2)}: {line.param(-1)}", line.param(1), logging.WARNING)

    def kicked(self, line: Line, now: float) -> Iterator[Effect]:
        """Thrown out: back after a pause, unless it happened too often."""
        yield Note("kicked", f"by {line.nick}: {line.param(2)}", line.param(0), logging.WARNING)
        yield from self._back(line.param(0), now)

    def parted(self, line: Line, now: float) -> Iterator[Effect]:
        """Out by PART: unless the bot asked for it, it is a KICK by another name (REMOVE, SAPART)."""
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
        """Join if the config says so, by `accept_invites` or by naming the channel."""
        channel = line.param(1)
        if self._support.fold(channel) in self._roster.joined:
            return
        fits = (
            channel[:1] in self._support.chantypes and is_target(channel) and len(self._roster.joined) < _MOST_INVITED
        )
        accepted = fits and (self.config.accept_invites or self._support.fold(channel) in self._keys())
        yield Note("invited", f"by {line.nick}: {'accepted' if accepted else 'declined'}", channel)
        if accepted:
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
