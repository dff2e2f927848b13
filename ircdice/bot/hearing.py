"""Whose line it is and whether the bot was called (GEN-02, IRC-12, IRC-13). Knows no command's grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from grammars.gate import begins_a_command
from grammars.line import Line
from ircdice.bot.message import Message

_RELAYED = re.compile(r"<(?P<user>[^>]{1,64})>\s*(?P<text>.*)", re.DOTALL)
_NAMED = re.compile(r"\s*@?(?P<name>[^\s:,]+)\s*[:,]\s*(?P<text>\S.*)?", re.DOTALL)
_NOT_IN_A_NICK = re.compile(r"[^\w\[\]\\`^{}|.-]")
MOST_NICK = 30


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said behind the address: `offset` characters were in front of it."""

    message: Message
    text: str
    offset: int = 0
    called: bool = False
    by_name: bool = False


def listen(message: Message, prefixes: str) -> Heard | None:
    """The line without relay, name and prefix; None for what is never read, and for another bot's commands."""
    if message.text.startswith("<") or message.relay:
        return _relayed(message, prefixes)
    return _addressed(message, prefixes)


def _relayed(message: Message, prefixes: str) -> Heard | None:
    """IRC-13: `<user> text` of a configured relay is user@relay's, without rights; anybody else's is never read."""
    plain = Line.of(message.text).plain
    match = _RELAYED.match(plain.lstrip()) if message.relay else None
    if match is None:
        return None
    user = _NOT_IN_A_NICK.sub("_", match["user"].strip())[:MOST_NICK]
    nick = f"{user}@{message.nick}"
    theirs = replace(message, nick=nick, text=match["text"], account=None, storyteller=False, relay=False)
    heard = _addressed(theirs, prefixes)
    return heard and replace(heard, offset=heard.offset + len(plain) - len(match["text"]))


def _addressed(message: Message, prefixes: str) -> Heard | None:
    plain = Line.of(message.text).plain
    named = _NAMED.match(plain)
    if named and message.fold(named["name"]) == message.fold(message.me):
        text = named["text"] or ""
        return Heard(message, text, len(plain) - len(text), called=True, by_name=True)
    private = message.channel is None
    start = len(plain) - len(plain.lstrip())
    if plain[start : start + 1] in (*prefixes,) and plain[start + 1 : start + 2].isalpha():
        text = plain[start + 1 :]
        if not private and not begins_a_command(text):
            return None
        return Heard(message, text, start + 1, called=True)
    # The text as typed: its columns are the reader's own.
    return Heard(message, message.text, 0, called=private)
