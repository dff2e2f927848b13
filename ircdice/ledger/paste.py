"""Posted lines as people paste them (LED-20): where ids stand, which lines belong to them. Knows no ledger."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grammars.line import Line
from ircdice.ledger.decoration import TAB, fronts
from ircdice.ledger.ids import from_base32, plain_tag

_FLAGS = re.IGNORECASE | re.ASCII
LONG_DASH = "\ue000"  # telephones make one of `--`, people of `-`
_SIGNS = str.maketrans(  # what telephones and word processors write
    {**dict.fromkeys("‐‑―⁃﹣－", "-"), "—": LONG_DASH, "…": "..."} | {"´": "'", "′": "'", "″": '"', "\t": TAB}
)
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]|<br\s*/?>", re.IGNORECASE)
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
_MOST_IN_A_COMMENT = 4  # ids
MOST_LINES = 12  # that one posted line may have been broken into
MOST_LENGTH = 1_500  # characters of them
MOST_AFTER = 5_000  # characters behind an id, in which markup in front of its line may be closed
LARGEST = 2**63 - 1  # seq that a database can hold


@dataclass(frozen=True, slots=True)
class Pasted:
    """One id, and the text in front of it: `lines`, broken as they were, the nearest last; none where it stands alone.

    `seq` is None for `#last` and 0 for what no id can be, `typed` the number as it was given; `tag` is None for a short
    id. `behind` is what stands behind the last id of all, `turned` and `masked` tell of signs that were taken out.
    """

    seq: int | None
    tag: str | None = None
    lines: tuple[str, ...] = ()
    after: str = ""
    typed: str = ""
    behind: str = ""
    masked: bool = False  # colours or marks of direction: it may look otherwise than it was compared
    turned: bool = False  # marks that turn the order of what is read


def pasted(text: str) -> list[Pasted]:
    """Every id in `text`, in order, with its line; lines without an id are passed over."""
    raw = list(_stretches(text))
    stretches = [plain(each) for each in raw]
    whole = "\n".join(stretches)
    if alone := _only_ids(whole):
        return alone
    found, start = [], 0
    for match in _outside_comments(whole):
        lines = _lines(whole[start : match.start()])
        signs = _signs(raw, stretches, start, match.end())
        start = _BEHIND.match(whole, match.end()).end()  # type: ignore[union-attr]  # it matches nothing at least
        if not match["end"]:
            lines = _claimed(lines)
        after = whole[match.end() : match.end() + MOST_AFTER]
        masked, turned = bool(_MASKING.search(signs)), bool(_TURNING.search(signs))
        typed = match["seq"].lower()
        number, tag = _number(typed), plain_tag(match["tag"])
        found.append(Pasted(number, tag, lines, after, typed, masked=masked, turned=turned))
    return [*found[:-1], *(replace(last, behind=last.after) for last in found[-1:])]


def _outside_comments(whole: str) -> list[re.Match[str]]:
    """The ids that end a line or are spoken of, without those in the comment of a line that another id ends."""
    matches = list(_ID.finditer(whole))
    behind = [matches[at + 1 : at + 1 + _MOST_IN_A_COMMENT] for at in range(len(matches))]
    return [
        match
        for match, later in zip(matches, behind, strict=True)
        if not any(_ends_its_comment(whole[match.end() : outer.start()]) for outer in later if outer["end"])
    ]


def _ends_its_comment(between: str) -> bool:
    """Whether what stands between two ids closes a quote that began in front of the first, and no line begins there."""
    return between.rstrip().endswith('"') and between.count('"') % 2 == 1 and not HEAD.search(between)


def _signs(raw: list[str], stretches: list[str], start: int, end: int) -> str:
    """The stretches as they were typed of which something stands between two places of the plain text."""
    typed, at = "", 0
    for each, bare in zip(raw, stretches, strict=True):
        if at < end and at + len(bare) > start:
            typed += each
        at += len(bare) + 1
    return typed


def _stretches(text: str) -> Iterator[str]:
    """The lines as they are broken, very long ones in parts."""
    for line in _BREAK.split(text):
        yield from _STRETCH.findall(line) or [""]


def plain(text: str) -> str:
    """One line without formatting and invisible signs, its quote marks and dashes the plain ones."""
    return Line.of(unicodedata.normalize("NFC", text).translate(_SIGNS)).plain.strip()


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
    for line in reversed([line.strip() for line in segment.split("\n")]):
        if line and (len(kept) == MOST_LINES or sum(map(len, kept)) + len(line) > MOST_LENGTH):
            break
        if line:
            kept.insert(0, line)
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
