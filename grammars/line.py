"""One typed line made plain (GEN-02), with the way back to the columns as typed."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

# mIRC's colours take up to two digits and a comma with two more; the rest are single switches.
_FORMATTING = re.compile(r"\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9A-Fa-f]{6})?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
_PLAIN = str.maketrans("−–—‐‑‘’‚‹›‛“”„«»‟", "-----" + "'" * 6 + '"' * 6)
MOST_CLEANED = 4_000  # characters; a line ten times too long for a command is refused without being looked through


class Line(NamedTuple):
    """`plain` is what is parsed; `columns[i]` is the place of plain[i] as typed, None where nothing moved."""

    plain: str
    columns: tuple[int, ...] | None = None

    @classmethod
    def of(cls, text: str) -> Line:
        """The plain form of `text`: no formatting, plain quotes and dashes, single spaces and none in front."""
        if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " ":
            return cls(text)
        clean = cls._cleaned(text[:MOST_CLEANED])
        if len(text) <= MOST_CLEANED or clean.columns is None:
            return clean
        return cls(clean.plain + text[MOST_CLEANED:], clean.columns[:-1] + tuple(range(MOST_CLEANED, len(text) + 1)))

    @classmethod
    def _cleaned(cls, text: str) -> Line:
        drop = {i for m in _FORMATTING.finditer(text) for i in range(m.start(), m.end())}
        kept = [(i, c) for i, c in enumerate(text) if i not in drop and unicodedata.category(c) != "Cf"]
        kept = [(i, " " if c.isspace() else c.translate(_PLAIN)) for i, c in kept]
        if kept and kept[-1][1] == "…" and "#" not in text:  # as a phone writes it, `dc3…`; a comment keeps its own
            kept[-1] = kept[-1][0], "."
        once = [(i, c) for (_, before), (i, c) in pairwise([(-1, " "), *kept]) if not c == before == " "]
        return cls("".join(c for _, c in once), (*(i for i, _ in once), len(text)))

    def column(self, at: int) -> int:
        """Column from 1, in the text as typed, of plain[at]."""
        return 1 + (at if self.columns is None else self.columns[min(at, len(self.columns) - 1)])


# What looks like the bot's own quotes and semicolons, and letters that show as nothing.
_LOOKALIKES = str.maketrans(
    {**dict.fromkeys('"ʺ″‶〃״❝❞〝〞〟˝', "'"), **dict.fromkeys(";；︔⁏؛", ";"), **dict.fromkeys("͏ᅟᅠㅤﾠ⠀︎️", "")}
)
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
COMMENT_BYTES = 80
_QUOTED = re.compile(r"""\s*(?:["“”„«»](?P<said>[^"“”„«»]+)["“”„«»]|['‘’](?P<saying>[^'‘’]+)['‘’])\s*""")


def posted_comment(comment: str) -> str:
    """What of a comment is posted (GEN-03): at most 80 bytes, nothing that could look like the bot's own words."""
    if whole := _QUOTED.fullmatch(comment):  # it is posted between quotes anyway
        comment = whole["said"] or whole["saying"]
    seen = _seen(comment).replace(";", ",")
    return cut(seen, COMMENT_BYTES)


def _seen(text: str) -> str:
    """`text` without what cannot be seen, and with plain single quotes."""
    if text.isascii() and text.isprintable():
        return " ".join(text.replace('"', "'").split())
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN).translate(_LOOKALIKES)
    return " ".join("".join(c for c in plain if unicodedata.category(c) not in _UNSEEN).split())


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` UTF-8 bytes, never torn inside a character."""
    if len(text) <= limit and text.isascii():
        return text.rstrip()
    return text.encode("utf-8", "ignore")[:limit].decode("utf-8", "ignore").rstrip()


def shown(text: str, most: int = 40) -> str:
    """What is shown of somebody's words: short, and without invisible characters."""
    seen = _seen(text[: 2 * most])
    return seen if len(seen) <= most else seen[: most - 3] + "..."
