"""Channels: when to rejoin, and who is in them (IRC-08, IRC-14, IRC-28). The time is passed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ircdice.config import Join, NetworkConfig
from ircdice.wire.protocol import Line, Support

MOST_JOINED = 1000  # channels; a server may claim that the bot is in as many as it likes
MOST_MEMBERS = 50_000  # names in all channels together
_LONGEST_NAME = 200  # characters; longer nicks, accounts and channels are not remembered
_HIDING = frozenset("spk")
_NO_ACCOUNT = ("", "0", "*")
_WHO_TOKEN = "152"  # marks the answers to our own questions
WHO_FIELDS = f"%tcuhna,{_WHO_TOKEN}"  # the server answers in this order
_BYTES = 510  # every server accepts 512, which includes CR and LF
_PAUSES = (1.0, 4.0, 16.0, 64.0, 256.0)
_HOUR = 3600.0
_REFUSED_FIRST = 60.0  # seconds until a channel that refused the bot is tried again


def join_lines(channels: Iterable[Join], at_once: int | None = None) -> Iterator[str]:
    """JOIN lines for channels and their keys, at most `at_once` in a line; None means as many as fit.

    Channels with a key come first, because the protocol matches keys by position.
    """
    names: list[str] = []
    keys: list[str] = []
    for join in sorted(channels, key=lambda join: not join.key):
        longer = _join([*names, join.name], [*keys, join.key or ""])
        if names and (len(names) == at_once or len(longer.encode()) > _BYTES):
            yield _join(names, keys)
            names, keys = [], []
        names.append(join.name)
        keys += [join.key] if join.key else []
    if names:
        yield _join(names, keys)


def _join(names: list[str], keys: list[str]) -> str:
    return " ".join(filter(None, ("JOIN", ",".join(names), ",".join(keys))))


def changed_channels(old: NetworkConfig, new: NetworkConfig, support: Support) -> list[str]:
    """PART and JOIN lines that move the bot from the channels of `old` to those of `new` (IRC-25)."""
    fold = support.fold
    before = {fold(join.name): join for join in old.channels}
    after = {fold(join.name): join for join in new.channels}
    parts = [f"PART {join.name} :no longer in the config" for name, join in before.items() if name not in after]
    joins = [join for name, join in after.items() if before.get(name) != join]
    return [*parts, *join_lines(joins, support.joins_at_once)]


class Rejoins:
    """When to rejoin after a KICK or a refusal: with growing pauses, and not after five kicks in an hour."""

    def __init__(self) -> None:
        self._kicks: dict[str, list[float]] = {}
        self._refusals: dict[str, tuple[int, float]] = {}  # the number in a row, and when to try again

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
        """Seconds until a refused JOIN is retried: a minute, doubling to an hour; None if a retry is already due."""
        count, due = self._refusals.get(channel, (0, now))
        if now < due:
            return None
        pause = min(_REFUSED_FIRST * 2.0**count, _HOUR)
        self._refusals[channel] = (min(count + 1, 6), now + pause)
        return pause

    def joined(self, channel: str) -> None:
        """The bot has joined: forget the refusals."""
        self._refusals.pop(channel, None)


@dataclass(slots=True)
class Member:
    """A user who shares a channel with the bot."""

    account: str = ""  # empty if none or unknown
    userhost: str = ""
    modes: dict[str, set[str]] = field(default_factory=dict)  # operator modes, by folded name of each shared channel


@dataclass(slots=True)
class Channel:
    """A channel that the bot is in."""

    name: str  # as written
    members: dict[str, Member] = field(default_factory=dict)  # by folded nick
    complete: bool = False  # whether all members are known
    hiding: set[str] | None = None  # its modes that hide it (WEB-10); None if unknown
    modes_asked: bool = False
    who_due: bool = False  # a WHO is scheduled

    @property
    def may_be_hidden(self) -> bool:
        """Whether the channel is secret, private or has a key, or its modes are not known."""
        return self.hiding is None or bool(self.hiding)


class Roster:
    """The bot's own nick, the channels it is in, and their members with ranks and accounts.

    Private methods take folded names. Members are known for certain once the server has listed all (366).
    """

    def __init__(self, support: Support, me: str) -> None:
        self._support = support
        self.me = me
        self.userhost = ""  # the bot's own, as others see it
        self.joined: dict[str, Channel] = {}  # by folded name
        self._members: dict[str, Member] = {}  # of any channel, by folded nick
        self._count = 0  # of members in all channels

    def is_me(self, nick: str) -> bool:
        """Whether `nick` is the bot's own."""
        return self._support.fold(nick) == self._support.fold(self.me)

    def enter(self, name: str) -> bool:
        """The bot itself joined a channel; False if the limits are reached."""
        key = self._support.fold(name)
        if len(name) > _LONGEST_NAME or (key not in self.joined and len(self.joined) >= MOST_JOINED):
            return False
        self.leave(name)
        self.joined[key] = Channel(name)
        return True

    def leave(self, name: str) -> bool:
        """The bot itself left a channel; return whether it was in."""
        key = self._support.fold(name)
        for nick in list(self.joined[key].members) if key in self.joined else ():
            self._remove(nick, key)
        return self.joined.pop(key, None) is not None

    def receive(self, line: Line) -> None:
        """Update members, ranks, modes, accounts or the bot's host from a line."""
        first, second, fold = line.param(0), line.param(1), self._support.fold
        match line.command:
            case "353" if fold(line.param(2)) in self.joined:
                self._named(fold(line.param(2)), line.param(3))
            case "366" if channel := self.joined.get(fold(second)):
                channel.complete = self._count < MOST_MEMBERS
            case "324" if channel := self.joined.get(fold(second)):
                channel.hiding = set(line.param(2)) & _HIDING
            case "396" if self.userhost and second:  # a new host changes how much text fits in a line
                self.userhost = second if "@" in second else f"{self.userhost.partition('@')[0]}@{second}"
            case "MODE" if fold(first) in self.joined:
                self._moded(fold(first), second, line.params[2:])
            case _:
                self._receive_user(line)

    def _receive_user(self, line: Line) -> None:
        first, second, fold = line.param(0), line.param(1), self._support.fold
        match line.command:
            case "354" if second == _WHO_TOKEN and len(line.params) > 6:
                _, _, channel, user, host, nick, account, *_ = line.params
                self.came(channel, nick, account, f"{user}@{host}")
            case "ACCOUNT":
                self.seen(line.nick, account=first)
            case "NICK" if fold(line.nick) != fold(first):
                self._renamed(fold(line.nick), fold(first))
            case "PART":
                self._remove(fold(line.nick), fold(first))
            case "KICK":
                self._remove(fold(second), fold(first))
            case "QUIT":
                self._quit(fold(line.nick))

    def came(self, channel: str, nick: str, account: str = "", userhost: str = "") -> None:
        """`nick` is in a channel; `account` is given by extended-join and WHOX."""
        if (key := self._support.fold(channel)) in self.joined:
            self._add(key, self._support.fold(nick))
        self.seen(nick, userhost, account or None)

    def seen(self, nick: str, userhost: str = "", account: str | None = None) -> None:
        """Set a member's user@host and account; `*` and `0` mean no account, None leaves it unchanged."""
        member = self.member(nick)
        if 0 < len(userhost) <= _LONGEST_NAME:
            member.userhost = userhost
        if account is not None:
            member.account = account if account not in _NO_ACCOUNT and len(account) <= _LONGEST_NAME else ""

    def member(self, nick: str) -> Member:
        """What is known of `nick`, in whichever channel it is."""
        return self._members.get(self._support.fold(nick)) or Member()

    def is_operator(self, channel: str, nick: str) -> bool:
        """Whether `nick` is an operator of `channel`, or ranks higher."""
        return bool(self.member(nick).modes.get(self._support.fold(channel)))

    def is_absent(self, channel: str, nick: str) -> bool:
        """Whether it is certain that no one with that nick is in `channel`."""
        joined = self.joined.get(self._support.fold(channel))
        return joined is not None and joined.complete and self._support.fold(nick) not in joined.members

    def nicks(self, channel: str) -> tuple[str, ...]:
        """The folded nicks in `channel`, as far as known."""
        joined = self.joined.get(self._support.fold(channel))
        return tuple(joined.members) if joined else ()

    def owner(self, nick: str) -> str | None:
        """The current user of a nick: a member's folded account, or `!` and user@host; None if unknown (IRC-29)."""
        member = self.member(nick)
        if member.account:
            return self._support.fold(member.account)
        return "!" + self._support.fold(member.userhost) if member.userhost else None

    def __len__(self) -> int:
        """The number of names remembered."""
        return self._count + len(self.joined)

    def _named(self, channel: str, names: str) -> None:
        """Add the names of a 353 line, each prefixed with its ranks."""
        ranks = self._support.ranks
        for name in names.split(" "):
            nick = name.lstrip("".join(ranks))
            modes = {ranks[prefix] for prefix in name[: len(name) - len(nick)]} & self._operator_modes
            if member := self._add(channel, self._support.fold(nick)):
                member.modes[channel] = modes

    def _moded(self, key: str, modes: str, arguments: tuple[str, ...]) -> None:
        """MODE on a channel: `+o-v alice bob`."""
        channel = self.joined[key]
        for adding, mode, argument in self._support.mode_changes(modes, arguments):
            if mode in _HIDING and channel.hiding is not None:
                (channel.hiding.add if adding else channel.hiding.discard)(mode)
            member = channel.members.get(self._support.fold(argument))
            if member and mode in self._operator_modes:
                (member.modes[key].add if adding else member.modes[key].discard)(mode)

    def _renamed(self, old: str, new: str) -> None:
        self._quit(new)  # no one else can have it now, even if the server did not report that they left
        if member := self._members.get(old):
            modes = dict(member.modes)
            self._quit(old)
            for key, ranks in modes.items():
                if renamed := self._add(key, new):
                    renamed.modes[key] = ranks
            self.seen(new, member.userhost, member.account)

    @property
    def _operator_modes(self) -> set[str]:
        modes = list(self._support.ranks.values())
        return set(modes[: modes.index("o") + 1]) if "o" in modes else set()

    def _add(self, key: str, nick: str) -> Member | None:
        """The member of a channel with that nick, perhaps a new one; None if the limits are reached."""
        channel = self.joined[key]
        if not nick or nick in channel.members:
            return channel.members.get(nick)
        if self._count >= MOST_MEMBERS or len(nick) > _LONGEST_NAME:
            channel.complete = False  # absence is no longer certain for anyone
            return None
        self._count += 1
        member = channel.members[nick] = self._members.setdefault(nick, Member())
        member.modes[key] = set()
        return member

    def _quit(self, nick: str) -> None:
        for key in list(self._members[nick].modes) if nick in self._members else ():
            self._remove(nick, key)

    def _remove(self, nick: str, key: str) -> None:
        if key in self.joined and (member := self.joined[key].members.pop(nick, None)):
            self._count -= 1
            del member.modes[key]
            if not member.modes:
                del self._members[nick]
