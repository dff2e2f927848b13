"""One typed line: limits and patterns of its parts, and its plain form, which maps back to columns (GEN-02)."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

FLAGS = re.IGNORECASE | re.ASCII  # excludes digits and spaces of other alphabets (GEN-02)
MOST_CHARACTERS = 400  # GEN-15
MOST_DICE = 100  # GEN-15
MOST_DRAWN = 1000  # GEN-15, GD-14
LARGEST = 1_000_000

END = r"(?![a-z0-9]|[^\x00-\x7f])"  # a word ends here: no letter, digit, or other alphabet (`h２`) follows
ALONE = rf"{END}(?!\s*[^\x00-\x7f])"  # END, and not followed by a lookalike number as in `h ２`
SPACE_OR_COMMA = " ,"  # between the parts of a command (GEN-04)
NUMBER = r"[-+]?[0-9]+(?!\.[0-9])"
WHOLE = r"-?[0-9]+(?!\.[0-9])"
LAST = r"(?=\s*[.!?]*(?:\s*$|\s*#|\s+for\s))"  # the line ends here, or `#` or `for` follows
# `5d10`, `d20`, `d%`, `4dF`, `d{1,3,5}` in a line of talk: not inside a word, and no `2dfs`.
NDX = re.compile(r"(?:(?<![a-z0-9.])|(?<=roll))[0-9]*\s?d(?:[0-9]+|%|\{|f(?![a-z])|f(?=[kdrem]))", FLAGS)
# A nick on any network, or `user@relay` (IRC-13); a full stop at its end ends the sentence.
_NICK = r"(?:[A-Za-z0-9_\[\]\\`^{}|@\-%s]|[^\x00-\xa0\ud800-\udfff\U00010000-\U0010ffff])"
NICK_PATTERN = rf"{_NICK % '.'}{{0,49}}{_NICK % ''}"
REF_PATTERN = r"#(?:last(?![0-9a-z])|[0-9a-z]+(?:-[0-9a-z]+)?)"
# `4d-27b5pk`, but not a hyphenated word such as `self-esteem`: a digit, or no vowel after the hyphen (LED-10).
_BASE32 = "[0-9a-hjkmnp-tv-z]"
WHOLE_ID = re.compile(
    r"(?<![0-9a-z-])(?:[0-9a-z]{1,13}-(?=[a-z]*[0-9])[0-9a-z]{6}"
    rf"|(?=[a-z]*[0-9]|[a-z]*-[^aeiou]{{6}}){_BASE32}{{1,13}}-{_BASE32}{{6}})(?![0-9a-z-])",
    FLAGS,
)
_FIGURES = "one two three four five six seven eight nine ten eleven twelve"
FIGURES = {word: str(number) for number, word in enumerate(_FIGURES.split(), 1)}
FIGURE = f"(?:{'|'.join(FIGURES)})"
CHANNEL_PATTERN = r"[#&+!][^\s,]*[^\s,.!?]"
LONE_NUMBER = r"[0-9]+(?![0-9d+-]|\.[0-9]|\s*[-+d])"  # a number, but not dice or a sum

# mIRC's colours take up to two digits and a comma with two more; the rest are single switches. The ledger hashes texts
# without them (LED-11): a change here would make old records differ.
FORMATTING = re.compile(r"\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9A-Fa-f]{6})?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
_PLAIN = str.maketrans("−–—‐‑‘’‚‹›‛“”„«»‟", "-----" + "'" * 6 + '"' * 6)


class Line(NamedTuple):
    """`plain` is the text to parse; `columns[i]` is the original place of plain[i], None if nothing moved."""

    plain: str
    columns: tuple[int, ...] | None = None

    @classmethod
    def of(cls, text: str) -> Line:
        """The plain form of `text`: no formatting, plain quotes and dashes, single spaces, none at the start."""
        if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " ":
            return cls(text)
        drop = {i for m in FORMATTING.finditer(text) for i in range(m.start(), m.end())}
        kept = [(i, c) for i, c in enumerate(text) if i not in drop and unicodedata.category(c) != "Cf"]
        kept = [(i, " " if c.isspace() else c.translate(_PLAIN)) for i, c in kept]
        if kept and kept[-1][1] == "…" and "#" not in text:  # as phones type it, `dc3…`; comments keep theirs
            kept[-1] = kept[-1][0], "."
        once = [(i, c) for (_, before), (i, c) in pairwise([(-1, " "), *kept]) if not c == before == " "]
        return cls("".join(c for _, c in once), (*(i for i, _ in once), len(text)))

    def column(self, at: int) -> int:
        """The column of plain[at] in the text as typed, from 1."""
        return 1 + (at if self.columns is None else self.columns[min(at, len(self.columns) - 1)])


# Letters and marks that show nothing, and categories of characters that show nothing either.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(map(chr, range(0xFE00, 0xFE10)))
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# What looks like the bot's own quotes and semicolons.
_LOOKALIKES = str.maketrans({**dict.fromkeys('"ʺ″‶〃״❝❞〝〞〟˝', "'"), **dict.fromkeys(";；︔⁏؛", ";")})
COMMENT_BYTES = 80
_QUOTED = re.compile(r"""\s*(?:["“”„«»](?P<said>[^"“”„«»]+)["“”„«»]|['‘’](?P<saying>[^'‘’]+)['‘’])\s*""")


def posted_comment(comment: str) -> str:
    """A comment as posted (GEN-03): at most 80 bytes, and without lookalikes of the bot's own text."""
    if whole := _QUOTED.fullmatch(comment):  # it is posted in quotes anyway
        comment = whole["said"] or whole["saying"]
    seen = _seen(comment).replace(";", ",")
    return cut(seen, COMMENT_BYTES)


def _seen(text: str) -> str:
    """`text` without invisible characters, and with plain single quotes."""
    if text.isascii() and text.isprintable():
        return " ".join(text.replace('"', "'").split())
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN).translate(_LOOKALIKES)
    return " ".join("".join(c for c in plain if not is_unseen(c)).split())


def is_unseen(character: str) -> bool:
    """Whether a character shows nothing."""
    return character in INVISIBLE or unicodedata.category(character) in _UNSEEN


def cut(text: str, limit: int) -> str:
    """`text` cut to `limit` UTF-8 bytes, never inside a character."""
    if len(text) <= limit and text.isascii():
        return text.rstrip()
    return text.encode("utf-8", "ignore")[:limit].decode("utf-8", "ignore").rstrip()


def shown(text: str, most: int = 40) -> str:
    """A user's text for display: shortened, without invisible characters."""
    seen = _seen(text[: 2 * most])
    return seen if len(seen) <= most else seen[: most - 3] + "..."
