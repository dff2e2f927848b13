"""Wording: replies as lines for IRC, and lines cut to length (IRC-20, IRC-21). Sends nothing."""

from __future__ import annotations

import re
import string
import unicodedata

from ircdice.bot.message import Message, Reply
from ircdice.settings import ChannelSettings

MOST_LINES = 4
ZERO_WIDTH = "\u200b"
SAFE = "to "  # put in front of what other bots would take for a command; it is no bot's command itself
# A bot's command begins with punctuation, or with a nick and a colon. Most bots strip a space in front, and another
# sign may be some bot's prefix too.
_TAKEN_FOR_COMMANDS = frozenset(string.punctuation) - frozenset("\"'(")
_MARKUP = frozenset("[#-")
_CUT = " ..."
_USER, _HOST = 10, 63  # the longest that servers give, until the bot has seen its own
_JOINER = "\N{ZERO WIDTH JOINER}"
_NAMES = re.compile(r"(\S+?)(?: vs (\S+?))?: ")
_VERDICT = re.compile(r"([^;]*?: )([^;]+)(;.*)")
_BREAKS = re.compile("[\r\n\t\x0b\x0c\x85\u2028\u2029]")
# Lone surrogates cannot be encoded. Marks of direction would let a name or a comment reverse the text after it.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def command(reply: Reply, heard: Message | None, settings: ChannelSettings) -> str:
    """PRIVMSG or NOTICE. Private words are notices, unless the talk is private already."""
    if reply.private:
        in_talk = heard is not None and heard.channel is None and heard.nick == reply.target
        return "PRIVMSG" if in_talk else "NOTICE"
    return "NOTICE" if settings.notice and not (heard and heard.channel is None) else "PRIVMSG"


def wording(reply: Reply, heard: Message | None, settings: ChannelSettings) -> str:
    """The reply's text, fit to be sent."""
    text = scrub(reply.text)
    if settings.no_highlight and not reply.private:
        text = unhighlighted(text, heard.nick if heard else _first_name(text))
    if settings.colour and reply.seq is not None:
        text = coloured(text)
    return guarded(text, private=reply.private)


def scrub(text: str) -> str:
    """Remove control characters; line breaks become spaces (IRC-21)."""
    return _CONTROL.sub("", _BREAKS.sub(" ", text)).strip()


def coloured(text: str) -> str:
    """The verdict of a recorded line in bold."""
    parts = _VERDICT.fullmatch(text)
    if parts is None:
        return text
    names, verdict, rest = parts.groups()
    return f"{names}\x02{verdict}\x02{rest}"


def guarded(text: str, *, private: bool = False) -> str:
    """`text` so that no other bot takes it for a command: a nick may begin with a backtick.

    A private line may begin with a tag or with Markdown, `[note]` or `- `, which is pasted as it is.
    """
    pasted = private and text[:1] in _MARKUP
    return SAFE + text if text[:1] in _TAKEN_FOR_COMMANDS and not pasted else text


def unhighlighted(text: str, nick: str) -> str:
    """Put a zero-width space into the nicks that a line names, so that no client highlights them."""
    named = _NAMES.match(text)
    names = {nick, *(named.groups("") if named else ())} - {""}
    for name in sorted(names, key=len, reverse=True):
        whole = rf"(?<![^\s\"]){re.escape(name)}(?![^\s:;,.\"])"
        text = re.sub(whole, lambda found: found[0][0] + ZERO_WIDTH + found[0][1:], text)
    return text


def is_target(name: str) -> bool:
    """Whether a line may be addressed to `name`, without breaking it or adding targets."""
    if not name or name[0] == ":" or " " in name or "," in name:
        return False
    return not _CONTROL.search(name)


def _first_name(text: str) -> str:
    return text.partition(":")[0].partition(" ")[0]


def room(command: str, target: str, *, nick: str, userhost: str = "", linelen: int = 512) -> int:
    """Bytes left for the text after the server has added `:nick!user@host ` and CR LF."""
    mask = len(nick.encode()) + 1 + (len(userhost.encode()) or _USER + 1 + _HOST)
    around = len(f": {command} {target} :\r\n".encode())
    # At least one character must fit, or splitting would never end.
    return max(linelen - mask - around, 16)


def split(text: str, size: int, most: int = MOST_LINES) -> tuple[str, ...]:
    """Cut `text` into at most `most` pieces of at most `size` bytes; ` ...` shows that the rest is left out."""
    if text and len(text.encode()) <= size:
        return (text,)
    pieces: list[str] = []
    while text and len(pieces) < most:
        last = len(pieces) == most - 1
        if len(text.encode()) <= size:
            piece, text = text, ""
        elif last:
            piece, text = _cut(text, size - len(_CUT))[0] + _CUT, ""
        else:
            piece, text = _cut(text, size)
        pieces.append(piece)
    return tuple(pieces)


def _cut(text: str, size: int) -> tuple[str, str]:
    """Cut after a clause, after a list's comma, at a space, or else between characters.

    A space is the last choice of the three, so that `hunger` stays with its dice and `boon` with its 3.
    """
    reach = _fitting(text, size)
    for mark in ("; ", ", ", " "):
        at = text.rfind(mark, reach // 2, reach + 1)
        if at > 0:
            end = at + len(mark) - 1
            return text[:end].rstrip(), text[end:].lstrip()
    at = text.rfind(" ", 1, reach + 1)
    end = at if at > 0 else _between(text, reach)
    return text[:end].rstrip(), text[end:].lstrip()


def _fitting(text: str, size: int) -> int:
    """How many characters fit in `size` bytes."""
    return len(text.encode()[:size].decode(errors="ignore"))


def _between(text: str, reach: int) -> int:
    """The last place up to `reach` that separates no character from its accents and joiners."""
    end = reach
    while end > 1 and (unicodedata.combining(text[end]) or _JOINER in text[end - 1 : end + 1]):
        end -= 1
    return end if end > 1 else max(reach, 1)
