"""Posted lines as people paste them (LED-20): where ids stand, which lines belong to them. Knows no ledger."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from operator import add

from grammars.line import Line
from ircdice.ledger.decoration import TAB, fronts
from ircdice.ledger.ids import from_base32, plain_tag

_FLAGS = re.IGNORECASE | re.ASCII
LONG_DASH = "\ue000"  # telephones make one of `--`, people of `-`
_SIGNS = str.maketrans(  # what telephones and word processors write
    {**dict.fromkeys("‐‑―⁃﹣－", "-"), "—": LONG_DASH, "…": "..."} | {"´": "'", "′": "'", "″": '"', "\t": TAB}
)
_BREAK = re.compile(r"(\r\n|[\n\r\v\f\x85\u2028\u2029]|<br\s*/?>)", re.IGNORECASE)
NEW, SAME = "\n", "\v"  # what a break is made: a line of its own, or one that may be seen beside the one before it
_LINE = re.compile(f"(^|[{NEW}{SAME}])([^{NEW}{SAME}]*)")  # and the break before it
_STRETCH = re.compile(r".{1,3000}(?:\s|$)|.{1,3000}", re.DOTALL)
_BETWEEN = rf"[\s*_`~|>\"'(\[│:#{TAB}]"  # `id` and the id itself
_ID = re.compile(
    rf"(?P<end>;)?(?:[\s*_`~|\"'(\[│#{TAB}]|(?<![^\s>])>){{0,40}}"  # behind a semicolon it ends a posted line
    rf"(?<![0-9a-z])id{_BETWEEN}{{1,40}}(?P<seq>[0-9a-z]{{1,13}})\s?-\s?(?P<tag>[0-9a-z]{{6}})(?![0-9a-z])",
    _FLAGS,
)
_ALONE = re.compile(  # an id with nothing around it
    r"#(?:last|[0-9a-z]{1,13})|(?=[a-z]*[0-9])[0-9a-z]{1,13}|#?(?P<seq>[0-9a-z]{1,13})-(?P<tag>[0-9a-z]{6})", _FLAGS
)
_BEHIND = re.compile(r"[^\s0-9a-z]*", _FLAGS)
# how a posted line begins: `NICK: ` or `NICK vs NICK: `
HEAD = re.compile(r"(?P<acting>[^\s:;\"<>]+(?: [^\s:;\"<>]+){0,5}?)(?: vs (?P<other>[^\s:;\"<>]+))?: \S")
_DIGIT = re.compile("[0-9]")
_NICK_BEHIND = re.compile(r".+ \((?P<nick>[^()\s]+)\)")
_TURNING = re.compile("[\u061c\u200f\u202b\u202e\u2067]")
_MASKING = re.compile("[\x03\x04\x11\x16\x1e\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MOST_SPOKEN = 8  # ids that one posted line may speak of: six are 80 bytes of comment
MOST_LINES = 12  # that one posted line may have been broken into
MOST_LENGTH = 1_500  # characters of them
MOST_AFTER = 5_000  # characters behind an id, in which markup in front of its line may be closed
LARGEST = 2**63 - 1  # seq that a database can hold


@dataclass(frozen=True, slots=True)
class Pasted:
    """One id, and the text in front of it: `lines`, broken as they were, the nearest last; none where it stands alone.

    `seq` is None for `#last` and 0 for what no id can be, `typed` the number as it was given; `tag` is None for a short
    id. `behind` is what stands behind the last id of all, `turned` and `masked` tell of signs that were taken out.
    `lines` begin behind the id before it, or before as many of them as they speak of (`spoken`); by all that can be
    seen without the record these are `seeming`.
    """

    seq: int | None
    tag: str | None = None
    lines: tuple[str, ...] = ()
    after: str = ""
    typed: str = ""
    behind: str = ""
    masked: bool = False  # colours or marks of direction: it may look otherwise than it was compared
    turned: bool = False  # marks that turn the order of what is read
    spoken: int = 0
    seeming: int = 0
    most: int = 0
    read: Callable[[int], Pasted] | None = field(default=None, repr=False, compare=False)

    def speaking_of(self, ids: int) -> Pasted:
        """The same with that many of the ids before it in its line, at most `most`."""
        return self.read(ids) if self.read is not None else self

    @property
    def likely(self) -> Pasted:
        """How it is read where nothing is known of its record."""
        return self.speaking_of(self.seeming)


def pasted(text: str) -> list[Pasted]:
    """Every id in `text`, in order, with its line, but those in the comment of another as far as it can be seen."""
    waiting, found = parted(text), []
    while waiting:
        found.append(waiting.pop().likely)
        del waiting[len(waiting) - found[-1].spoken :]
    return found[::-1]


def parted(text: str) -> list[Pasted]:
    """Every id in `text`, in order, with what stands in front of it; lines without an id are passed over."""
    breaks, raw = zip(*_stretches(text), strict=True)
    stretches = [plain(each) for each in raw]
    whole = "".join(map(add, breaks, stretches))[1:]
    return _only_ids(whole) or _Paste(raw, stretches, whole).claims()


class _Paste:
    """A text that was pasted, made plain, and the ids in it."""

    def __init__(self, raw: Sequence[str], stretches: Sequence[str], whole: str) -> None:
        self._raw, self._whole = raw, whole
        self._ends = [end - 1 for end in accumulate(len(each) + 1 for each in stretches)]
        self._begins = [0, *(end + 1 for end in self._ends)]
        self._matches = list(_ID.finditer(whole))
        behind = (_BEHIND.match(whole, match.end()) for match in self._matches)
        self._starts = [0, *(match.end() for match in behind if match)]

    def claims(self) -> list[Pasted]:
        return [self._claim(at) for at in range(len(self._matches))]

    def _claim(self, at: int) -> Pasted:
        match = self._matches[at]
        after = self._whole[match.end() : match.end() + MOST_AFTER]
        typed = match["seq"].lower()
        behind = after if match is self._matches[-1] else ""
        most = min(at, _MOST_SPOKEN)
        seeming = (spoken for spoken in range(most, 0, -1) if match["end"] and self._in_comment(at, spoken))
        bare = Pasted(
            _number(typed), plain_tag(match["tag"]), (), after, typed, behind, seeming=next(seeming, 0), most=most
        )
        read = partial(self._reading, bare, at)
        return replace(read(0), read=read)

    def _reading(self, bare: Pasted, at: int, spoken: int) -> Pasted:
        """An id with the text in front of it, of which some of the ids before it are part."""
        match, start = self._matches[at], self._starts[at - spoken]
        lines = _lines(self._whole[start : match.start()])
        signs = self._signs(start, match.end())
        return replace(
            bare,
            lines=lines if match["end"] else _claimed(lines),
            spoken=spoken,
            masked=bool(_MASKING.search(signs)),
            turned=bool(_TURNING.search(signs)),
        )

    def _in_comment(self, at: int, spoken: int) -> bool:
        """Whether what stands between two ids closes a quote that began before the first, and no line begins there."""
        between = self._whole[self._matches[at - spoken].end() : self._matches[at].start()]
        return between.rstrip().endswith('"') and between.count('"') % 2 == 1 and not HEAD.search(between)

    def _signs(self, start: int, end: int) -> str:
        """The stretches as they were typed of which something stands between two places of the plain text."""
        return "".join(self._raw[bisect_right(self._ends, start) : bisect_left(self._begins, end)])


def ids_in(line: str) -> list[int]:
    """Where a posted line, made plain, speaks of ids: each place at which one begins."""
    return [match.start("seq") for match in _ID.finditer(line)]


def _stretches(text: str) -> Iterator[tuple[str, str]]:
    """The lines as they are broken, very long ones in parts, each with the break before it."""
    first_line, *more = _BREAK.split(text)
    for mark, line in [("\n", first_line), *zip(more[::2], more[1::2], strict=True)]:
        first, *others = _STRETCH.findall(line) or [""]
        yield NEW if mark in ("\n", "\r\n") else SAME, first
        yield from ((SAME, other) for other in others)


def plain(text: str) -> str:
    """One line without formatting and invisible signs, its quote marks and dashes the plain ones."""
    return Line.of(unicodedata.normalize("NFC", text).translate(_SIGNS)).plain.strip()


def broken(line: str) -> str:
    """A posted line made plain as it is where it was pasted: `<br>` in a comment breaks it there."""
    return plain(_BREAK.sub(" ", line))


def _only_ids(plain: str) -> list[Pasted]:
    """The ids of a text that holds nothing else; empty for any other."""
    words = [word for word in re.split(r"[\s,;\"'`*\ue001]+", plain) if word and word.lower() not in ("and", "id")]
    matches = [_ALONE.fullmatch(word) for word in words]
    if any(match["end"] for match in _ID.finditer(plain)) and any(map(_is_a_number, words)):
        return []  # an id ends what is left of a posted line: its numbers are no ids
    found = []
    for match in matches:
        if match is None:
            return []
        number, tag = (match["seq"] or match[0].lstrip("#")).lower(), match["tag"] and plain_tag(match["tag"])
        found.append(Pasted(None if number == "last" else _number(number), tag, typed=number))
    return found


def _is_a_number(word: str) -> bool:
    """Whether a word may be meant for an id and has neither its sign nor its tag."""
    return not word.startswith("#") and "-" not in word


def _number(digits: str) -> int:
    """The number of a record; 0 for what can be none."""
    number = from_base32(digits) or 0
    return number if number <= LARGEST else 0


def _lines(segment: str) -> tuple[str, ...]:
    """The nearest lines of what stands in front of an id, as many as one line may have been broken into."""
    kept: list[str] = []
    for broken_at, line in reversed(_LINE.findall(segment)):
        bare = line.strip()
        if bare and (len(kept) == MOST_LINES or sum(map(len, kept)) + len(bare) > MOST_LENGTH):
            break
        if bare:
            kept.insert(0, f"{SAME if broken_at == SAME else ''}{bare}")
    return tuple(kept) or ((segment.strip()[-MOST_LENGTH:],) if segment.strip() else ())


def _claimed(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines where `id …` without a semicolon tells of a result; none where a roll is merely mentioned."""
    if lines and max(fronts(lines[-1])) == len(lines[-1]):  # nothing but a client's columns in front of the id
        lines = lines[:-1]
        if lines and lines[-1].endswith(";"):
            return (*lines[:-1], lines[-1][:-1])
        heads = [line[at:] for line in lines[-1:] for at in fronts(line)]
        return lines if any(HEAD.match(head) and _DIGIT.search(head) for head in heads) else ()
    if not lines:
        return ()
    rest = lines[-1][max(fronts(lines[-1])) :]
    return lines if any(sign.isdigit() or sign in ":;" for sign in rest) or HEAD.match(lines[-1]) else ()


def names(line: str) -> tuple[str, ...]:
    """The nicks that a posted line begins with, and of `Viktor (alice)` both."""
    head = HEAD.match(line)
    if head is None:
        return ()
    behind = _NICK_BEHIND.fullmatch(head["acting"])
    return tuple(filter(None, (behind and behind["nick"], head["acting"], head["other"])))
