"""Roster: the channels that the bot is in, who is there, who is operator (IRC-14). Knows no settings, no accounts."""

from __future__ import annotations

from ircdice.wire.isupport import Support
from ircdice.wire.line import Line


class Roster:
    """Channels and nicks by their folded names. Who is there is believed once the server has told all (366)."""

    def __init__(self, support: Support) -> None:
        self._support = support
        self.joined: dict[str, str] = {}  # folded to written
        self._ranks: dict[str, dict[str, set[str]]] = {}  # channel to nick to the modes that rank it operator
        self._there: dict[str, set[str]] = {}  # channel to nicks
        self._told: set[str] = set()  # channels of which all nicks were told

    def enter(self, channel: str) -> None:
        """The bot itself joined."""
        key = self._support.fold(channel)
        self.joined[key], self._ranks[key], self._there[key] = channel, {}, set()

    def leave(self, channel: str) -> bool:
        """The bot itself is out; whether it was in."""
        key = self._support.fold(channel)
        self._ranks.pop(key, None)
        self._there.pop(key, None)
        self._told.discard(key)
        return self.joined.pop(key, None) is not None

    def is_operator(self, channel: str, nick: str) -> bool:
        """Whether `nick` is operator of `channel`, or more, now."""
        return bool(self._ranks.get(self._support.fold(channel), {}).get(self._support.fold(nick)))

    def is_absent(self, channel: str, nick: str) -> bool:
        """Whether nobody of that nick is in `channel` for certain."""
        key = self._support.fold(channel)
        return key in self._told and self._support.fold(nick) not in self._there[key]

    def came(self, channel: str, nick: str) -> None:
        """`nick` joined a channel."""
        self._there.get(self._support.fold(channel), set()).add(self._support.fold(nick))

    def told(self, line: Line) -> None:
        """Numeric 366: those were all names."""
        self._told |= {self._support.fold(line.param(1))} & self._there.keys()

    def named(self, line: Line) -> None:
        """Numeric 353: the names in a channel, each with the signs of its ranks in front."""
        ranks = self._support.ranks
        key = self._support.fold(line.param(2))
        channel = self._ranks.get(key)
        for name in line.param(3).split(" ") if channel is not None else ():
            nick = name.lstrip("".join(ranks))
            modes = {ranks[sign] for sign in name[: len(name) - len(nick)]} & self._operator_modes
            nick = self._support.fold(nick)
            self._there[key].add(nick)
            self._put(channel, nick, modes)

    def parted(self, channel: str, nick: str) -> None:
        """`nick` left a channel, by its own will or not."""
        key, nick = self._support.fold(channel), self._support.fold(nick)
        self._ranks.get(key, {}).pop(nick, None)
        self._there.get(key, set()).discard(nick)

    def gone(self, nick: str) -> None:
        """`nick` left the network."""
        nick = self._support.fold(nick)
        for channel in self._ranks.values():
            channel.pop(nick, None)
        for there in self._there.values():
            there.discard(nick)

    def renamed(self, old: str, new: str) -> None:
        """A nick changed; its rank goes with it."""
        old, new = self._support.fold(old), self._support.fold(new)
        for channel in self._ranks.values():
            self._put(channel, new, channel.pop(old, set()))
        for there in self._there.values():
            if old in there:
                there.discard(old)
                there.add(new)

    def moded(self, channel: str, modes: str, arguments: tuple[str, ...]) -> None:
        """MODE on a channel: `+o-v alice bob`."""
        members = self._ranks.get(self._support.fold(channel))
        for adding, mode, argument in self._support.mode_changes(modes if members is not None else "", arguments):
            if mode in self._operator_modes and argument:
                self._change(members, self._support.fold(argument), mode, adding)

    @property
    def _operator_modes(self) -> set[str]:
        modes = list(self._support.ranks.values())
        return set(modes[: modes.index("o") + 1]) if "o" in modes else set()

    def _change(self, members: dict[str, set[str]] | None, nick: str, mode: str, adding: bool) -> None:
        had = set() if members is None else members.get(nick, set())
        self._put(members, nick, had | {mode} if adding else had - {mode})

    @staticmethod
    def _put(members: dict[str, set[str]] | None, nick: str, modes: set[str]) -> None:
        if members is None:
            return
        members.pop(nick, None)
        if modes:
            members[nick] = modes
