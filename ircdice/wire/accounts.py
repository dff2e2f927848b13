"""Accounts: who is logged in to services, where no line says so by itself (IRC-14). WHOX, and what keeps it true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ircdice.wire.effects import Effect, Send, Wake
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line

WHO = "who is there "
_TOKEN = "152"  # tells our answers from others'
_FIELDS = f"%tcna,{_TOKEN}"
_GATHER = 10.0  # seconds in which those who come are gathered for one question
_NOBODY = ("", "0", "*")


class Accounts:
    """Accounts by folded nick, of those who are in a channel with us: of others we would not hear that they go."""

    def __init__(self, support: Support, enabled: set[str], joined: Mapping[str, str]) -> None:
        self.known: dict[str, str] = {}
        self._support, self._enabled, self._joined = support, enabled, joined
        self._channels: dict[str, set[str]] = {}  # by nick, those that we share
        self._gathering: set[str] = set()

    def receive(self, line: Line, *, own: bool) -> Iterator[Effect]:
        """Take a line; `own` is whether it is about the bot itself."""
        if "account-tag" in self._enabled:
            return
        nick, channel = self._support.fold(line.nick), self._support.fold(line.param(0))
        match line.command:
            case "354" if line.param(1) == _TOKEN:
                self._told(line)
            case "ACCOUNT" if nick in self._channels:
                self._put(nick, line.param(0))
            case "JOIN":
                yield from self._came(line, nick, own=own)
            case "PART" | "KICK":
                gone = nick if line.command == "PART" else self._support.fold(line.param(1))
                for one in list(self._channels) if own else [gone]:
                    self._left(one, channel)
            case "QUIT":
                self._forget(nick)
            case "NICK":
                self._renamed(nick, channel)

    def woken(self, what: str) -> Iterator[Effect]:
        """Ask who is in a channel, if we are still there."""
        if what.startswith(WHO):
            channel = what.removeprefix(WHO)
            self._gathering.discard(channel)
            if self._support.fold(channel) in self._joined:
                yield Send(f"WHO {channel} {_FIELDS}")

    def _told(self, line: Line) -> None:
        channel = self._support.fold(line.param(2))
        if channel in self._joined and len(line.params) > 4:
            self._put(self._support.fold(line.param(3)), line.param(4), channel)

    def _came(self, line: Line, nick: str, *, own: bool) -> Iterator[Effect]:
        channel = line.param(0)
        if own:
            if self._support.whox:
                yield Send(f"WHO {channel} {_FIELDS}")
        elif "extended-join" in self._enabled and len(line.params) > 1:
            self._put(nick, line.param(1), self._support.fold(channel))
        elif self._support.whox and channel not in self._gathering:
            self._gathering.add(channel)
            yield Wake(_GATHER, WHO + channel)

    def _put(self, nick: str, account: str, channel: str = "") -> None:
        if channel:
            self._channels.setdefault(nick, set()).add(channel)
        self.known.pop(nick, None)
        if account not in _NOBODY:
            self.known[nick] = account

    def _left(self, nick: str, channel: str) -> None:
        shared = self._channels.get(nick, set())
        shared.discard(channel)
        if not shared:
            self._forget(nick)

    def _forget(self, nick: str) -> None:
        self.known.pop(nick, None)
        self._channels.pop(nick, None)

    def _renamed(self, old: str, new: str) -> None:
        account, shared = self.known.pop(old, ""), self._channels.pop(old, None)
        self._forget(new)
        if shared:
            self._channels[new] = shared
            self._put(new, account)
