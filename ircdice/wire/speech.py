"""Speech: a reply as lines for the wire (IRC-20, IRC-21). Knows the manners of IRC; sends nothing."""

from __future__ import annotations

import re
import string

from ircdice.bot.message import Message, Reply
from ircdice.settings import ChannelSettings

ZERO_WIDTH = "\u200b"
# A bot's command begins with punctuation, or with a nick and a colon. A blank in front would be stripped by most of
# them and another sign may be some bot's prefix too, so a plain word is put there that is no bot's command.
_TAKEN_FOR_COMMANDS = frozenset(string.punctuation) - frozenset("\"'(")
SAFE = "to "
_NAMES = re.compile(r"(\S+?)(?: vs (\S+?))?: ")
_VERDICT = re.compile(r"([^;]*?: )([^;]+)(;.*)")
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKS = frozenset("\r\n\t\x0b\x0c\x85\u2028\u2029")


def command(reply: Reply, heard: Message | None, settings: ChannelSettings) -> str:
    """PRIVMSG or NOTICE. Side words are notices; in talk that is private already they are plain messages."""
    if reply.private:
        in_talk = heard is not None and heard.channel is None and heard.nick == reply.target
        return "PRIVMSG" if in_talk else "NOTICE"
    return "NOTICE" if settings.notice and not (heard and heard.channel is None) else "PRIVMSG"


def wording(reply: Reply, heard: Message | None, settings: ChannelSettings) -> str:
    """The reply's text, fit for the wire."""
    text = scrub(reply.text)
    if settings.no_highlight and not reply.private:
        text = unhighlighted(text, heard.nick if heard else _first_name(text))
    if settings.colour and reply.seq is not None:
        text = coloured(text)
    return guarded(text, private=reply.private)


def scrub(text: str) -> str:
    """Take out the control characters, whoever they came from; what would break a line becomes a blank (IRC-21)."""
    if text.isprintable():  # nearly every line, and forty times as fast
        return text.strip()
    signs = (" " if sign in _BREAKS else sign for sign in text if sign in _BREAKS or not _is_control(sign))
    return "".join(signs).strip()


def coloured(text: str) -> str:
    """The verdict of a recorded line in bold; on the wire only."""
    parts = _VERDICT.fullmatch(text)
    if parts is None:
        return text
    names, verdict, rest = parts.groups()
    return f"{names}\x02{verdict}\x02{rest}"


def guarded(text: str, *, private: bool = False) -> str:
    """`text` so that no other bot takes it for a command: a nick may begin with a backtick.

    What is told to one person may begin with a tag, `[note]`: it is to be pasted as it is.
    """
    tagged = private and text.startswith("[")
    return SAFE + text if text[:1] in _TAKEN_FOR_COMMANDS and not tagged else text


def unhighlighted(text: str, nick: str) -> str:
    """Break the nicks that a line is about, wherever they stand in it, so that no client rings for them."""
    named = _NAMES.match(text)
    names = {nick, *(named.groups("") if named else ())} - {""}
    for name in sorted(names, key=len, reverse=True):
        whole = rf"(?<![^\s\"]){re.escape(name)}(?![^\s:;,.\"])"
        text = re.sub(whole, lambda found: found[0][0] + ZERO_WIDTH + found[0][1:], text)
    return text


def is_target(name: str) -> bool:
    """Whether a line may be addressed to `name`: what breaks the line, or makes it several, may not."""
    if not name or name[0] == ":" or " " in name or "," in name:
        return False
    return name.isprintable() or not any(map(_is_control, name))


def _first_name(text: str) -> str:
    return text.partition(":")[0].partition(" ")[0]


def _is_control(sign: str) -> bool:
    # Lone surrogates cannot be encoded, and would end the connection in the encoder. Marks of direction would let a
    # name or a comment turn round what stands behind it.
    return sign < " " or "\x7f" <= sign <= "\x9f" or "\ud800" <= sign <= "\udfff" or sign in _DIRECTIONS
