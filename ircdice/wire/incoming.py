"""Incoming: which lines are commands (IRC-11), who says them (IRC-13, IRC-14), CTCP, and played-back history."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from types import MappingProxyType
from typing import NamedTuple

from ircdice import __version__
from ircdice.bot.message import Message, Present, There
from ircdice.casemapping import fold
from ircdice.settings import ChannelSettings
from ircdice.wire.line import Line
from ircdice.wire.rate_limit import Caller

_REFUSED = re.compile("[\r\n\0]")  # IRC-21: no server sends one of these inside a message
_BOT_TAGS = frozenset({"bot", "draft/bot", "inspircd.org/bot"})
_RELAYED = re.compile("<([^<>]+)>")
_NOBODY: Mapping[str, str] = MappingProxyType({})


class Speaker(NamedTuple):
    """Who says a line, as far as rights go."""

    nick: str
    account: str | None = None  # that the server vouches for
    relay: bool = False


def _nothing(_speaker: Speaker, _channel: str) -> bool:
    return False


class Ear(NamedTuple):
    """What the decision about a line depends on."""

    network: str
    me: str
    casemapping: str = "rfc1459"
    joined: Mapping[str, str] = _NOBODY  # folded to written
    since: float = 0.0  # the server's time at the login; older lines are played back
    accounts: bool = False  # whether `account-tag` is enabled: otherwise the tag proves nothing
    known: Mapping[str, str] = _NOBODY  # without it: accounts by folded nick, from WHOX
    relays: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    leads: Callable[[Speaker, str], bool] = _nothing  # whether somebody is a storyteller in a channel
    there: Callable[[Speaker], Callable[[str], There | None]] | None = None  # what a channel's name means in private
    absent: Callable[[str, str], bool] | None = None  # whether nobody of a nick is in a channel
    owner: Callable[[str], str | None] | None = None  # who has a nick now
    storytellers: Callable[[str], tuple[Present, ...] | None] | None = None  # those in a channel, as `Message` has it
    hidden: Callable[[str], bool] = lambda _channel: False  # whether a channel is +s, +p or +k, or may be

    def fold(self, name: str) -> str:
        """`name` as this network compares it."""
        return fold(name, self.casemapping)


class Query(NamedTuple):
    """A CTCP request in private: `\\x01KIND argument\\x01`."""

    nick: str
    text: str


def hear(line: Line, ear: Ear) -> Message | Query | None:
    """What `line` is to the bot; None for a line that the bot never sees."""
    if line.command != "PRIVMSG" or len(line.params) < 2 or not _is_persons(line, ear) or _is_old(line, ear):
        return None
    target, text = ear.fold(line.params[0]), line.params[1]
    plain = text.replace("\x01", "")  # within a message it is an invisible character like others
    private = target == ear.fold(ear.me)
    if text.startswith("\x01"):
        return Query(line.nick, text) if private else None
    # `@#channel` reaches only its operators: an answer would tell the channel (STATUSMSG).
    if not (private or target in ear.joined) or not plain.strip() or _REFUSED.search(plain):
        return None
    who = Speaker(line.nick, account(line, ear), is_relay(line, ear))
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
        msgid=line.tags.get("msgid", ""),
        userhost=line.userhost,
        absent=ear.absent,
        owner=ear.owner,
        storytellers=ear.storytellers,
        hidden=channel is not None and ear.hidden(channel),
        there=ear.there(who) if private and ear.there else None,
    )


def account(line: Line, ear: Ear) -> str | None:
    """The services account of the sender, where the server vouches for it."""
    return (line.tags.get("account") or None) if ear.accounts else ear.known.get(ear.fold(line.nick))


def is_storyteller(who: Speaker, settings: ChannelSettings, casemapping: str, *, operator: bool) -> bool:
    """IRC-14: by account, or by rank if the settings say so; never by nick, and never through a relay."""
    if who.relay:
        return False
    if operator and settings.ops_are_storytellers:
        return True
    named = (fold(name, casemapping) for name in settings.storytellers)
    return who.account is not None and fold(who.account, casemapping) in named


def caller(line: Line, message: Message) -> Caller:
    """Whom a command counts for (IRC-15, IRC-28): the account or nick!user@host, the host, and the place."""
    relayed = _RELAYED.match(message.text) if message.relay else None
    who = message.account or line.source
    host = line.userhost.rpartition("@")[2] or line.nick
    return Caller(message.fold(f"{who} {relayed[1]}" if relayed else who), message.fold(host), message.place)


def server_time(line: Line) -> float | None:
    """Seconds since the epoch by the server's clock, if the line has a time."""
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
    return not any(_matches(mask, line, ear) for mask in ear.ignore)


def is_relay(line: Line, ear: Ear) -> bool:
    """Whether a relay of the config says it: by mask or account, never by nick alone (IRC-29)."""
    return any(_matches(mask, line, ear, by_nick=False) for mask in ear.relays)


def _is_old(line: Line, ear: Ear) -> bool:
    time = server_time(line)
    return time is not None and time < ear.since


def _matches(mask: str, line: Line, ear: Ear, *, by_nick: bool = True) -> bool:
    """Whether a mask (`*!*@host`), nick or account of the config fits the sender (IRC-15)."""
    pattern = "".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in ear.fold(mask))
    if "!" in mask or "@" in mask:
        names = [line.source]
    else:
        names = [account(line, ear) or "", *([line.nick] if by_nick else [])]
    return any(re.fullmatch(pattern, ear.fold(name), re.DOTALL) for name in names if name)


# What comes in a batch is history (`chathistory`, `znc.in/playback`, …), except in these.
_LIVE = frozenset({"labeled-response", "draft/multiline", "multiline"})
_MOST_BATCHES = 64  # open at a time; servers have one or two
_ZNC = "***!znc@znc.in"  # no nick that a person can have
_PLAYBACK = 60.0  # seconds: a bouncer that never ends its playback mutes nobody for longer


class Playbacks:
    """Tells history that a server or a bouncer plays back from live lines."""

    def __init__(self) -> None:
        self._live: dict[str, None] = {}
        self._playing: dict[str, float] = {}

    def batch(self, line: Line) -> None:
        """`BATCH +reference type …` or `BATCH -reference`; a batch within history is history."""
        sign, reference = line.param(0)[:1], line.param(0)[1:]
        self._live.pop(reference, None)
        within = line.tags.get("batch")
        live = line.param(1) in _LIVE and (within is None or within in self._live)
        if sign == "+" and live and len(self._live) < _MOST_BATCHES:
            self._live[reference] = None

    def is_history(self, line: Line, fold: Callable[[str], str], now: float) -> bool:
        """Whether a message is played back; ZNC announces the beginning and the end in a message of its own."""
        place = fold(line.param(0))
        if line.source == _ZNC:
            self._znc(place, line.param(1), now)
        batch = line.tags.get("batch")
        return (batch is not None and batch not in self._live) or now < self._playing.get(place, now)

    def _znc(self, place: str, text: str, now: float) -> None:
        if text.startswith("Buffer Playback"):
            self._playing = {place: end for place, end in self._playing.items() if now < end}
            if len(self._playing) < _MOST_BATCHES:
                self._playing[place] = now + _PLAYBACK
        elif text.startswith("Playback Complete"):
            self._playing.pop(place, None)


_CTCP = re.compile(r"\x01([A-Za-z]+)(?: ([^\x01]*))?\x01?")
_ECHOED = 100  # bytes of a PING that are sent back


def ctcp_answer(text: str, now: float) -> str | None:
    """The answer to a CTCP request (IRC-11); None is silence. No quoting: `\\x10r` stays what it is and is no CR."""
    found = _CTCP.fullmatch(text)
    match found and found[1].upper():
        case "VERSION":
            return f"\x01VERSION ircdice {__version__}\x01"
        case "CLIENTINFO":
            return "\x01CLIENTINFO ACTION CLIENTINFO PING SOURCE TIME VERSION\x01"
        case "SOURCE":
            return f"\x01SOURCE {_source()}\x01"
        case "PING":
            plain = "".join(filter(str.isprintable, (found and found[2]) or ""))
            return f"\x01PING {plain.encode()[:_ECHOED].decode(errors='ignore')}\x01"
        case "TIME":
            return f"\x01TIME {datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}\x01"
    return None


def _source() -> str:
    """Where the source is, by the package's metadata."""
    try:
        urls = metadata("ircdice").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    return urls[0].partition(", ")[2] if urls else f"ircdice {__version__}"
