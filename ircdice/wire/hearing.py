"""Hearing: which lines are handed to the bot (IRC-11), and as what. One decision, free of sockets and clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from ircdice.bot.message import Message, There
from ircdice.casemapping import fold
from ircdice.settings import ChannelSettings
from ircdice.wire.line import Line

_REFUSED = re.compile("[\r\n\0]")  # IRC-21: no server sends one of these inside a message
_BOT_TAGS = frozenset({"bot", "draft/bot", "inspircd.org/bot"})
_BEHIND_RELAY = re.compile("<([^<>]+)>")


_NOBODY: Mapping[str, str] = MappingProxyType({})


class Speaker(NamedTuple):
    """Who says a line, as far as rights go."""

    nick: str
    account: str | None = None  # that the server vouches for
    relay: bool = False


def _nothing(_speaker: Speaker, _channel: str) -> bool:
    return False


class Ear(NamedTuple):
    """All that the decision depends on beside the line."""

    network: str
    me: str
    casemapping: str = "rfc1459"
    joined: Mapping[str, str] = _NOBODY  # folded to written
    since: float = 0.0  # the server's time at the login; what is older is played back
    accounts: bool = False  # whether `account-tag` was agreed on: else the tag proves nothing
    known: Mapping[str, str] = _NOBODY  # without it: accounts by folded nick, as WHOX told them
    relays: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    leads: Callable[[Speaker, str], bool] = _nothing  # whether somebody is a storyteller in a channel
    there: Callable[[Speaker], Callable[[str], There | None]] | None = None  # what a channel's name means in private
    absent: Callable[[str, str], bool] | None = None  # whether nobody of a nick is in a channel

    def fold(self, name: str) -> str:
        """`name` as this network compares it."""
        return fold(name, self.casemapping)


class Query(NamedTuple):
    """A CTCP request: `\\x01KIND argument\\x01`, said to the bot alone."""

    nick: str
    text: str


def hear(line: Line, ear: Ear) -> Message | Query | None:
    """What `line` is to the bot; None is a line that it never hears of."""
    if line.command != "PRIVMSG" or len(line.params) < 2 or not _is_persons(line, ear) or _is_old(line, ear):
        return None
    target, text = ear.fold(line.params[0]), line.params[1]
    plain = text.replace("\x01", "")  # within a message it is a sign like any other that is not seen
    private = target == ear.fold(ear.me)
    if text.startswith("\x01"):
        return Query(line.nick, text) if private else None
    # `@#channel` reaches its operators alone: an answer would tell the channel what they keep from it (STATUSMSG).
    if not (private or target in ear.joined) or not plain.strip() or _REFUSED.search(plain):
        return None
    who = _who(line, ear)
    channel = None if private else ear.joined[target]
    return Message(
        network=ear.network,
        channel=channel,
        nick=who.nick,
        text=plain,
        me=ear.me,
        account=who.account,
        storyteller=channel is not None and ear.leads(who, channel),
        relay=who.relay,
        casemapping=ear.casemapping,
        absent=ear.absent,
        there=ear.there(who) if private and ear.there else None,
    )


def _who(line: Line, ear: Ear) -> Speaker:
    nick = line.nick
    return Speaker(nick, account(line, ear), bool(ear.relays) and ear.fold(nick) in map(ear.fold, ear.relays))


def account(line: Line, ear: Ear) -> str | None:
    """The services account behind a line, where the server vouches for it."""
    return (line.tags.get("account") or None) if ear.accounts else ear.known.get(ear.fold(line.nick))


def is_storyteller(who: Speaker, settings: ChannelSettings, casemapping: str, *, operator: bool) -> bool:
    """IRC-14: by account, or by rank where the channel's settings say so; never by nick, and never through a relay."""
    if who.relay:
        return False
    if operator and settings.ops_are_storytellers:
        return True
    named = (fold(name, casemapping) for name in settings.storytellers)
    return who.account is not None and fold(who.account, casemapping) in named


def speaker(line: Line, message: Message) -> str:
    """Under which key a speaker's lines are counted (IRC-15): a new nick is no new bucket."""
    behind = _BEHIND_RELAY.match(message.text) if message.relay else None
    who = message.account or line.userhost or line.nick
    return message.fold(f"{who} {behind[1]}" if behind else who)


def server_time(line: Line) -> float | None:
    """Seconds since the epoch by the server's clock, where the line says so."""
    if "time" not in line.tags:
        return None
    try:
        return datetime.fromisoformat(line.tags["time"]).timestamp()
    except (ValueError, OverflowError):
        return None


def _is_persons(line: Line, ear: Ear) -> bool:
    """Whether a person said it whom the bot listens to: no server, not itself, no other bot, nobody ignored."""
    if not line.userhost or ear.fold(line.nick) == ear.fold(ear.me) or _BOT_TAGS & line.tags.keys():
        return False
    return not (ear.ignore and any(_matches(mask, line, ear) for mask in ear.ignore))


def _is_old(line: Line, ear: Ear) -> bool:
    said = server_time(line)
    return said is not None and said < ear.since


def _matches(mask: str, line: Line, ear: Ear) -> bool:
    """IRC-15: `ignore` names masks (`*!*@host`), nicks or accounts."""
    pattern = "".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in ear.fold(mask))
    names = (line.source,) if "!" in mask or "@" in mask else (line.nick, account(line, ear) or "")
    return any(re.fullmatch(pattern, ear.fold(name), re.DOTALL) for name in names if name)
