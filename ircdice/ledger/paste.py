"""Find posted lines in pasted text (LED-20): ids, the text around them, and differences from a record."""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from grammars.line import FORMATTING
from ircdice.casemapping import DEFAULT, same
from ircdice.ledger.record import from_base32, plain_tag

_FLAGS = re.IGNORECASE | re.ASCII
LARGEST = 2**63 - 1  # the largest seq in a database
MOST_BEFORE = 1_500  # characters before an id that may contain its line
MOST_HEADS = 12  # possible starts of the line

# Bold, italics, underline and invisible characters do not change words. Nor does a colour, if it is neither black nor
# white, has no background, and cannot be read as part of a number by clients without colours.
_UNSEEN = re.compile("[\t\x02\x0f\x11\x1d\x1f\xad\u200b-\u200e\u2060-\u2064\u2068\u2069\ufeff]+")
_COLOUR = re.compile(r"(?<![0-9])(?<![0-9]\t)\x03(?:0?[2-9]|1[0-4])(?!\t?,?[0-9])|\x03(?![0-9])")
_MASKING = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200f\u202a-\u202e\u2066\u2067]")
_AT_THE_ENDS = " \t\r\ufeff\u200b\u200e"  # a byte order mark, and characters that phones put around a text
_PUNCTUATION = str.maketrans(
    {**dict.fromkeys("‐‑‒–―⁃−﹣－", "-"), **dict.fromkeys("‘’‚‛‹›´′", "'"), **dict.fromkeys("“”„‟«»″", '"')}
    | {"—": "--", "…": "...", "│": "|", "\x1c": ""}
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ENTITY = re.compile("&(?:quot|apos|amp|lt|gt|nbsp|#34|#39|#x27|#60|#62|#160);")  # others could hide text
_QUOTED = re.compile(r"(?:>|\|(?= )| )+")  # at the start of a quoted line, or a line wrapped in a client's columns

_ID = re.compile(
    r"(?: (?=;))?;?[\s*_`~|\"'(\[]{0,9}(?<![0-9a-z])id[\s*_`~|>\"'(\[:#]{1,9}"
    r"(?P<seq>[0-9a-z]{1,13}) ?- ?(?P<tag>[0-9a-z]{6})(?![0-9a-z])",
    _FLAGS,
)
_ALONE = re.compile(  # in a paste that consists of ids
    r"#(?:last|[0-9a-z]{1,13})|(?=[a-z]*[0-9])[0-9a-z]{1,13}|#?(?P<seq>[0-9a-z]{1,13})-(?P<tag>[0-9a-z]{6})", _FLAGS
)
_HEAD = re.compile(  # `NICK: `, `Big Viktor (NICK): ` or `NICK vs NICK: `
    r"(?<![^\s<>()\[\]{}\"'|*])"
    r"(?=(?P<acting>(?:[^\s:;]+ ){0,5}\((?P<played_by>[^()\s]+)\)|[^\s:;]+)(?: vs [^\s:;]+)?: \S)"
)
_BEFORE_A_LINE = " <>()[]{}\"'*"
_BOUNDARY = rf"(?<![^{re.escape(_BEFORE_A_LINE)}])"
_MONTH = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?)"
)
_DAY, _OF_YEAR, _YEAR = "(?:0?[1-9]|[12][0-9]|3[01])", "(?:0?[1-9]|1[0-2])", "(?:19|20)[0-9]{2}"
_TIME = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2}| ?[ap]m)?"
_WHEN = re.compile(
    rf"(?<![\w.:/-])(?:{_YEAR}[-/.]{_OF_YEAR}[-/.]{_DAY}(?:T{_TIME})?"
    rf"|(?:{_DAY}[-/.]{_OF_YEAR}|{_OF_YEAR}[-/.]{_DAY})[-/.](?:{_YEAR}|[0-9]{{2}})"
    rf"|{_MONTH} {_DAY}(?:(?: {_TIME})?,? {_YEAR})?|{_DAY} {_MONTH}(?: {_YEAR})?|{_TIME})(?!\w|[:/]\S)",
    _FLAGS,
)
_TAG = re.compile(r"[\[<]/?(?:b|i|u|p|q|em|strong|code|pre|quote|blockquote|spoiler|li|div|span)[\]>]", _FLAGS)
_CLIENTS_WORD = re.compile(
    r"app|bot|notice|quote|today|yesterday|at|[ap]m|utc|gmt|(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?", _FLAGS
)
_SYMBOLS = frozenset("<>|=+^`→⇒➔➜➤▶►┃")  # decoration, like punctuation
_DOUBTS = re.compile(r"\?|!=|=?/=|(?<!\S)[:;=]['-]?[()\[\]/\\|](?!\S)")  # symbols with a meaning, such as `!=` or `:(`
_WORD = re.compile(r"[^\s:/=()<>,;\"]+")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")


@dataclass(frozen=True, slots=True)
class PastedId:
    """An id in a paste; `seq` is None for `#last` and 0 if out of range, `tag` is None for a short id."""

    seq: int | None
    tag: str | None
    typed: str
    start: int = 0  # the start of `; id` before it, with the preceding space or line break
    end: int = 0

    @classmethod
    def of(cls, match: re.Match[str]) -> PastedId:
        """The id in a match."""
        typed, tag = (match["seq"] or match[0].lstrip("#")).lower(), match["tag"]
        number = from_base32(typed) or 0
        seq = None if typed == "last" else number if number <= LARGEST else 0
        return cls(seq, plain_tag(tag) if tag else None, typed, match.start(), match.end())


class Paste:
    """Pasted text in plain form and the ids in it; `bots` are the bot's own nicks."""

    def __init__(self, text: str, bots: Collection[str] = ()) -> None:
        lines = list(_lines(text, bots))
        self._raw = [raw for raw, _ in lines]
        self._starts = [0, *accumulate(len(line) + 1 for _, line in lines)]
        self.text = " ".join(line for _, line in lines)
        alone = list(_only_ids(self.text))
        self.only_ids = bool(alone)
        self.ids = alone or [PastedId.of(match) for match in _ID.finditer(self.text)]

    def start_of(self, line: str, name: PastedId, casemapping: str = DEFAULT) -> int | None:
        """The start of the recorded `line` if it is complete and exact, directly before an id; otherwise None."""
        wanted = readable(line)
        start = name.start - len(wanted)
        head = max(wanted.find(": "), 0)  # `bob acts, initiative 12` does not begin with the name of a player
        given = self.text[max(start, 0) : name.start]
        if not wanted or given[head:] != wanted[head:] or not same(given[:head], wanted[:head], casemapping):
            return None
        if not self._ends_a_line(name):
            return None
        before, after = self.text[max(start - 1, 0) : start], self.text[name.end : name.end + 1]
        # `_`, `|` and the backtick can be part of a nick: they are markup only in pairs. Signs such as `「` cannot.
        paired = before in "_`|~" and before == after
        sign = not before.isascii() and unicodedata.category(before)[0] in "PS"
        return start if before in _BEFORE_A_LINE or sign or paired else None

    def claim(self, name: PastedId, line: str) -> int:
        """The start of the text that is probably meant as the recorded `line` of an id, genuine or not."""
        wanted = readable(line)
        mention = _ID.search(wanted)  # ids in a comment do not end a line
        mentioned = mention is not None and self.text.endswith(wanted[mention.start() :], 0, name.start)
        tail = name.start - len(wanted) + mention.start() if mention and mentioned else name.start
        start = max([0, name.start - MOST_BEFORE, *(each.end for each in self.ids if each.end <= tail)])
        if self._ends_a_line(name) and not may_be_a_line(self.text[start : name.start]):
            start = max(0, name.start - MOST_BEFORE)  # the id before this one is in a comment
        if wanted:
            head = re.compile(_BOUNDARY + re.escape(wanted.partition(": ")[0] + ": "), re.IGNORECASE)
            begins = [match.start() for match in head.finditer(self.text, start, name.start)]
            if begins:  # the one nearest to the expected place
                return min(begins, key=lambda at: abs(name.start - len(wanted) - at))
        first = _HEAD.search(self.text, start, name.start)
        return first.start() if first else start

    def _ends_a_line(self, name: PastedId) -> bool:
        """Whether an id is preceded by `; id`, not just `id`."""
        return self.text.startswith((";", " ;"), name.start)

    def candidates(self, name: PastedId) -> Iterator[tuple[int, str, str]]:
        """Candidates for the line of an id, shortest first: start, nick and line."""
        heads = list(_HEAD.finditer(self.text, max(0, name.start - MOST_BEFORE), name.start))
        for head in heads[: -MOST_HEADS - 1 : -1]:
            yield head.start(), head["played_by"] or head["acting"], self.text[head.start() : name.start].strip()

    def around(self, start: int, end: int) -> tuple[str, str]:
        """The other text on a posted line's lines: before it, back to another id; after it, unless an id follows."""
        first, last = self._starts[self._nth(start)], self._starts[self._nth(end - 1) + 1] - 1
        before = max([first, *(each.end for each in self.ids if each.end <= start)])
        followed = any(end <= each.start < last for each in self.ids)
        return self.text[before:start], "" if followed else self.text[end:last]

    def masked(self, start: int, end: int, line: str) -> bool:
        """Whether control codes or invisible characters hide or change what a reader sees.

        Those of the recorded `line` do not, nor U+200B in the nick before it (IRC-21).
        """
        raw = self._raw[self._nth(start) : self._nth(end - 1) + 1]
        if any(_MASKING.search(_COLOUR.sub("", _UNSEEN.sub("\t", each))) for each in raw):
            return True
        head = re.compile("\u200b?".join(map(re.escape, readable(line).partition(": ")[0])), re.IGNORECASE)
        shown = (head.sub("", FORMATTING.sub("", each)).strip(_AT_THE_ENDS) for each in raw)
        return any(unicodedata.category(c) == "Cf" and c not in line for each in shown for c in each)

    def _nth(self, at: int) -> int:
        """The line that contains a position in the text."""
        return bisect_right(self._starts, at) - 1


def _lines(text: str, bots: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each non-empty line, as typed and in plain form, without quote marks and the bot's nick at the start."""
    said = "|".join(map(re.escape, bots))
    by_bot = re.compile(
        rf"(?:[\[(]?{_TIME}[\])]? *)?[<\[(]? ?[@%+&~]?(?:{said})_*(?:\([^()\s]+@[^()\s]+\))?[>\])]?:?(?: \|)? ", _FLAGS
    )
    for line in text.split("\n"):
        for nth, raw in enumerate(_BREAK.split(line)):
            found = readable(raw)
            if nth == 0:
                found = _QUOTED.sub("", found, count=1) if _QUOTED.match(found) else found
                found = by_bot.sub("", found, count=1) if bots and by_bot.match(found) else found
            if found:
                yield raw.rstrip("\r"), found


def readable(text: str) -> str:
    """One line without formatting and invisible characters, with plain quote marks, dashes and spaces.

    HTML is undone: `&quot;` is a quote mark, and `<br>` a space.
    """
    text = _BREAK.sub(" ", _ENTITY.sub(lambda entity: html.unescape(entity[0]), text))
    text = FORMATTING.sub("", unicodedata.normalize("NFC", text)).translate(_PUNCTUATION).replace("**", "")
    seen = (c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    return " ".join("".join(seen).split())


def other_words(text: str) -> list[str]:
    """The words in plain text, except times, punctuation, markup and additions by clients."""
    text = _TAG.sub(" ", _WHEN.sub(" ", text))
    symbols = [
        c for c in text if not (c.isalnum() or c.isspace() or c in _SYMBOLS or unicodedata.category(c)[0] == "P")
    ]
    words = map(core, _WORD.findall(text))
    return symbols + _DOUBTS.findall(text) + [word for word in words if word and not _CLIENTS_WORD.fullmatch(word)]


def may_be_a_line(text: str) -> bool:
    """Whether text before an id may be a posted line, rather than talk that mentions the id."""
    return any(c.isdigit() or c in ":;" for c in _WHEN.sub("", text))


def core(nick: str) -> str:
    """A nick without surrounding punctuation, which clients, ranks and nick collisions add."""
    return _ENDS.sub("", nick)


def _only_ids(text: str) -> Iterator[PastedId]:
    """The ids of a text that contains nothing else; otherwise empty."""
    words = [word for word in re.split(r"[\s,;\"'`]+", text) if word and word.lower() not in ("and", "id")]
    matches = [_ALONE.fullmatch(word) for word in words]
    closing = any(match[0].lstrip().startswith(";") for match in _ID.finditer(text))
    if all(matches) and not (closing and any(match and not match["tag"] for match in matches)):
        yield from map(PastedId.of, filter(None, matches))


def compared(line: str, given: str) -> Iterator[tuple[str, str, str]]:
    """The recorded `line` and the pasted text aligned: words of each, and the punctuation after both."""
    was, said = readable(line).split(), readable(given).split()
    for step, a, b, c, d in SequenceMatcher(None, was, said, autojunk=False).get_opcodes():
        if step == "replace" and b - a == d - c:
            yield from (_without_the_end(*pair) for pair in zip(was[a:b], said[c:d], strict=True))
        else:
            yield " ".join(was[a:b]), " ".join(said[c:d]), ""


def _without_the_end(was: str, said: str) -> tuple[str, str, str]:
    """Two words, and the character that ends both, such as `9;` and `10;`."""
    end = was[-1] if was[-1] == said[-1] and was[-1] in ".,;:" and min(len(was), len(said)) > 1 else ""
    return was.removesuffix(end), said.removesuffix(end), end
