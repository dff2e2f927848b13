"""Split: text cut into what one line can carry, counted in bytes (IRC-20). Knows no connection."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

MOST = 4
_CUT = " ..."
_USER, _HOST = 10, 63  # the longest that servers give, until the bot has seen its own
_JOINER = "\N{ZERO WIDTH JOINER}"


@lru_cache(maxsize=1_024)
def room(command: str, target: str, *, nick: str, userhost: str = "", linelen: int = 512) -> int:
    """Bytes left for the text once the server has put `:nick!user@host ` in front and CR LF behind."""
    mask = len(nick.encode()) + 1 + (len(userhost.encode()) or _USER + 1 + _HOST)
    around = len(f": {command} {target} :\r\n".encode())
    # However little is left, a character must fit, or there would be no end of lines.
    return max(linelen - mask - around, 16)


def split(text: str, size: int, most: int = MOST) -> tuple[str, ...]:
    """Cut `text` into at most `most` pieces of at most `size` bytes; what is over is left out, and that is shown."""
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
    """Cut at the best place in reach: behind a clause, behind a list's comma, at a blank, else between characters.

    A blank is the last choice of the three, so that `hunger` stays with its dice and `boon` with its 3.
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
    """The last place up to `reach` where no character is cut from the accents and joiners that belong to it."""
    end = reach
    while end > 1 and (unicodedata.combining(text[end]) or _JOINER in text[end - 1 : end + 1]):
        end -= 1
    return end if end > 1 else max(reach, 1)
