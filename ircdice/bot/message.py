"""Messages that the bot reads, whom they address (GEN-02, IRC-12, IRC-13), and its replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import NamedTuple

from grammars.gate import begins_a_command
from grammars.line import CHANNEL_PATTERN, FLAGS, NDX, Line, is_unseen
from grammars.reading import AS_NAME
from grammars.repeat import command_at
from ircdice.casemapping import DEFAULT, fold
from ircdice.errors import RuleError
from ircdice.ledger import Record
from ircdice.ledger.record import plain
from ircdice.reply import within

_RELAYED = re.compile(r"<(?P<user>[^>]{1,64})>\s*(?P<text>.*)", re.DOTALL)
# `FUDice:`, `@FUDice,`, `FUDice :` (French; but a smiley is `:)`), or the name alone, if a command follows.
_NAMED = re.compile(r"@?(?P<name>[^\s:,@]+)(?P<colon>[:,]|\s+[:,](?=\s))?\s*")
# Characters that are invalid in nicks, and a `_` before something that looks like an escape.
_NOT_IN_A_NICK = re.compile(r"[^\w\[\]\\`^{}|.-]|_(?=[0-9a-f]{2}|[\[{])", re.IGNORECASE)
_NAME_FIRST = re.compile(rf"(\s{AS_NAME})(\s+in\s+{CHANNEL_PATTERN})(?=[\s.,!?]|$)", FLAGS)
MOST_NICK = 64  # characters for a relay's user, the same limit as in its pattern
_HASHED = 12  # hex digits that replace the end of a longer name


class There(NamedTuple):
    """A channel that the bot is in, as written, and whether the sender is a storyteller there."""

    channel: str
    storyteller: bool
    hidden: bool = False  # as in `Message`


class ChannelModes(NamedTuple):
    """A channel that the bot is in: its name as recorded, and whether it is +s, +p or +k (WEB-10)."""

    channel: str
    hidden: bool


FindModes = Callable[[str, str], ChannelModes | None]
"""The modes of a channel, by network and name; None if the bot is not in it or does not know them yet."""


class Present(NamedTuple):
    """A user currently in a channel; `who` as in a record."""

    nick: str
    who: str


@dataclass(frozen=True, slots=True)
class Message:
    """One received line. `channel` is None in private; names are as sent by the server."""

    network: str  # the name of the config's section
    channel: str | None
    nick: str
    text: str
    me: str = "FUDice"  # the bot's current nick there
    account: str | None = None  # the services account, if known
    storyteller: bool = False  # IRC-14, decided by account or rank, never by nick
    relay: bool = False  # IRC-13: `nick` carries other people's lines, `<user> text`
    casemapping: str = DEFAULT
    msgid: str = field(default="", compare=False, repr=False)  # IRC-27: the id of the line, if the server sends one
    userhost: str = field(default="", compare=False, repr=False)  # user@host, as the server shows it
    hidden: bool = field(default=False, compare=False, repr=False)  # the channel is +s, +p or +k, or may be (WEB-10)
    relayed: bool = False  # `nick` is user@relay, who cannot receive private lines
    aside: bool = False  # sent in private, about `channel` (DSK-07)
    # Whether that nick is absent from that channel. None: unknown.
    absent: Callable[[str, str], bool] | None = field(default=None, compare=False, repr=False)
    # The nicks in a channel, folded, as far as known.
    nicks: Callable[[str], Iterable[str]] | None = field(default=None, compare=False, repr=False)
    # The current user of a nick: the folded account, or `!` and user@host. None: unknown (IRC-29).
    owner: Callable[[str], str | None] | None = field(default=None, compare=False, repr=False)
    # The storytellers currently in a channel. None: they cannot be identified (IRC-14).
    storytellers: Callable[[str], tuple[Present, ...] | None] | None = field(default=None, compare=False, repr=False)
    # In private, the channel with a name; None if the bot is not in it. Without this function any name is accepted.
    there: Callable[[str], There | None] | None = field(default=None, compare=False, repr=False)
    # When it was received, on the event loop's clock: limits the wait for an absent ledger (LED-05).
    heard_at: float | None = field(default=None, compare=False, repr=False)
    # For the record: the account if known, else `~` and the folded nick; the channel, folded, or `@who` in private.
    who: str = field(init=False, compare=False, repr=False)
    place: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Cached, because they are used many times for one line.
        who = self.fold(self.account) if self.account else "~" + self.fold(self.nick)
        object.__setattr__(self, "who", who)
        object.__setattr__(self, "place", f"@{who}" if self.channel is None else self.fold(self.channel))

    def fold(self, name: str) -> str:
        """`name`, folded by the network's casemapping."""
        return fold(name, self.casemapping)

    def has(self, nick: str) -> bool:
        """Whether that nick is known to be in the channel."""
        return self.channel is not None and self.absent is not None and not self.absent(self.channel, nick)

    def lacks(self, nick: str) -> bool:
        """Whether that nick is known not to be in the channel."""
        return self.channel is not None and self.absent is not None and self.absent(self.channel, nick)

    def owner_of(self, nick: str) -> str | None:
        """The current user of that nick, if known (IRC-29)."""
        return self.owner(nick) if self.owner else None

    def is_from(self, owner: str) -> bool:
        """Whether the sender is that user of a nick (IRC-29)."""
        return owner == (self.fold(self.account) if self.account else None) or owner == "!" + self.fold(self.userhost)

    def about(self, channel: str) -> Message:
        """A private line as one about a channel, with the speaker's rights there.

        RuleError if the bot is not there, and the same if the speaker is known not to be, unless they are a
        storyteller: the channel and its contents may be secret.
        """
        place = self.there(channel) if self.there else There(channel, self.storyteller)
        if place is not None:
            there, storyteller, hidden = place
            theirs = replace(self, channel=there, storyteller=storyteller, hidden=hidden, aside=True)
            if storyteller or not theirs.lacks(self.nick):
                return theirs
        raise RuleError(f"you and I are not both in {channel}.")


@dataclass(frozen=True, slots=True)
class Reply:
    """One line to send, to a channel or, if `private`, to a nick; `seq` is the record that it posts, if any."""

    network: str
    target: str
    text: str
    private: bool = False
    seq: int | None = None
    place: str = ""  # the channel as recorded
    joins: bool = False  # the next reply follows immediately, and may share its line (GEN-17)


def posting(record: Record, target: str | None = None) -> Reply:
    """The line of a record with its id, to `target`, or else to the place in the record."""
    draft = record.draft
    where = target or (draft.nick if draft.private else draft.channel)
    return Reply(
        draft.network, where, within(record.posted), private=draft.private, seq=record.seq, place=draft.channel
    )


# Addressing: who sent a line, and whether the bot was called.


class Heard(NamedTuple):
    """The text after the address, which had `offset` characters."""

    message: Message
    text: str  # as typed
    plain: str  # the text to parse
    offset: int = 0
    called: bool = False
    by_name: bool = False
    unknown_word: bool = False  # after a prefix: another bot's command, unless a macro or the like has that name


def listen(message: Message, prefixes: str) -> Heard | None:
    """The line without relay, name and prefix; None for lines that are never read."""
    if message.channel is not None and plain(message.channel) != message.channel:
        return None  # the ledger could not distinguish it from the channel with the composed name (LED-11)
    if message.channel is None:  # `as NAME` and `in #CHANNEL` in the order of the grammars
        message = replace(message, text=_NAME_FIRST.sub(r"\2\1", message.text, count=1))
    if message.relay or Line.of(message.text).plain.startswith("<"):
        if (theirs := _relayed(message)) is None:
            return None
        message = theirs
    return _addressed(message, prefixes)


def _relayed(message: Message) -> Message | None:
    """IRC-13: `<user> text` from a configured relay counts as user@relay's, without rights; from others it is ignored.

    The text that is read and recorded, and columns, start after the relay's part.
    """
    line = Line.of(message.text)
    match = _RELAYED.match(line.plain) if message.relay and message.channel is not None else None
    if match is None:
        return None
    typed = plain(message.text[line.column(0) : line.column(match.end("user")) - 1])
    user = _as_a_nick(plain(match["user"].strip()))  # as it will be recorded
    # IRC-29: a name with invisible characters could imitate another; colours and bold are not part of it.
    if not user or any(map(is_unseen, typed)):
        return None
    text = message.text[line.column(match.start("text")) - 1 :]
    nick = f"{user}@{message.nick}"
    return replace(
        message, nick=nick, text=text, account=None, userhost="", storyteller=False, relay=False, relayed=True
    )


def _as_a_nick(named: str) -> str:
    """A unique nick for a relay's user: `Carol_20Ann` for `Carol Ann`, `Carol_5f20Ann` for `Carol_20Ann`."""
    user = _NOT_IN_A_NICK.sub(lambda match: _code(ord(match[0])), named)
    if len(user) <= MOST_NICK:
        return user
    return f"{user[: MOST_NICK - _HASHED - 1]}_{sha256(named.encode()).hexdigest()[:_HASHED]}"


def _code(point: int) -> str:
    return f"_{point:02x}" if point < 0x100 else f"_{{{point:x}}}"


def _addressed(message: Message, prefixes: str) -> Heard | None:
    """The line after the bot's name or one prefix (GEN-02, GEN-04)."""
    line = Line.of(message.text)
    bare = line.plain
    named = _NAMED.match(bare)
    if named and message.fold(named["name"]) == message.fold(message.me):
        at = named.end()
        if bare[at : at + 1] in (*prefixes,) and begins_a_command(bare[at + 1 :]):  # the prefix may follow the name
            at += 1
        if named["colon"] or message.channel is None or begins_a_command(bare[at:]):
            return _after(message, line, at, by_name=True)
        if NDX.search(bare, at):  # `FUDice rol 5d10`, or talk of the bot
            return _after(message, line, at, by_name=True)._replace(called=False)
    prefix, after = bare[:1], bare[1:]
    begins = after[:1].isalpha() or command_at(after) or begins_a_command(after)
    if prefix in (*prefixes,) and not after[:1].isspace() and begins:
        if message.channel is None:
            return _after(message, line, 1, by_name=False)
        if prefix == "`" and "`" in after:  # a quotation
            return None
        return _after(message, line, 1, by_name=False)._replace(unknown_word=not begins_a_command(after))
    return Heard(message, message.text, bare, called=message.channel is None)


def _after(message: Message, line: Line, at: int, *, by_name: bool) -> Heard:
    """The line from plain[at], as typed; columns are relative to the whole line."""
    offset = line.column(at) - 1
    text = message.text[offset:]
    return Heard(message, text, Line.of(text).plain, offset, called=True, by_name=by_name)
