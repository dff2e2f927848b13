"""Posted lines as people paste them (LED-20): where ids stand, which lines belong to them. Knows no ledger.

A line is compared whole with the one recorded. What may differ is what clients, forums and telephones do to it on
the way: formatting, blanks, invisible signs, quote marks, dashes, line breaks, and decoration in front of it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from grammars.line import Line
from ircdice.ledger.decoration import TAB, fronts
from ircdice.ledger.ids import from_base32, plain_tag

_FLAGS = re.IGNORECASE | re.ASCII
_LONG_DASH = "\ue000"  # telephones make one of `--`, people of `-`
_SIGNS = str.maketrans(  # what telephones and word processors write
    {**dict.fromkeys("‐‑―⁃﹣－", "-"), "—": _LONG_DASH, "…": "..."} | {"´": "'", "′": "'", "″": '"', "\t": TAB}
)
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]|<br\s*/?>", re.IGNORECASE)
_STRETCH = re.compile(r".{1,3000}(?:\s|$)|.{1,3000}", re.DOTALL)
_BETWEEN = r"[\s*_`~|>\"'(\[│:#\ue001]"
_ID = re.compile(
    rf"(?P<end>;)?(?:[\s*_`~|\"'(\[│#\ue001]|(?<![^\s>])>){{0,40}}(?<![0-9a-z])id{_BETWEEN}{{1,40}}(?P<seq>[0-9a-z]{{1,13}})\s?-\s?(?P<tag>[0-9a-z]{{6}})(?![0-9a-z])",
    _FLAGS,
)
_ALONE = re.compile(
    r"#(?:last|[0-9a-z]{1,13})|(?=[a-z]*[0-9])[0-9a-z]{1,13}|#?(?P<seq>[0-9a-z]{1,13})-(?P<tag>[0-9a-z]{6})", _FLAGS
)
_BEHIND = re.compile(r"[^\s0-9a-z]*", _FLAGS)
_HEAD = re.compile(r"(?P<acting>[^\s:;\"<>]+(?: [^\s:;\"<>]+){0,5}?)(?: vs (?P<other>[^\s:;\"<>]+))?: \S")
_DIGIT = re.compile("[0-9]")
_NICK_BEHIND = re.compile(r".+ \((?P<nick>[^()\s]+)\)")
_MARKUP = re.compile(
    r"\[(?P<tag>b|i|u|s|color|size|font|code|url)(?:=[^\]]{0,80})?\](?P<tagged>[^\[\]]*)\[/(?P=tag)\]|\*\*", _FLAGS
)
_TURNING = re.compile("[\u061c\u200f\u202b\u202e\u2067]")
_MASKING = re.compile("[\x03\x04\x11\x16\x1e\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CLOSED = re.compile(r"\[/[a-z]{1,10}\]|</[a-z]{1,10}>", _FLAGS)
_MOST_IN_A_COMMENT = 4  # ids
MOST_LINES = 12  # that one posted line may have been broken into
MOST_LENGTH = 1_500  # characters of them
MOST_AFTER = 5_000
MOST_LIKENED = 24  # readings of what was pasted that are held against the record
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


@dataclass(frozen=True, slots=True)
class Agreement:
    """A pasted line that is the recorded one; `speaker` is the nick that the paste shows it said by, if any.

    `beside`: words stood in front of it or behind it that are no part of it.
    """

    speaker: str = ""
    beside: bool = False


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
    return between.rstrip().endswith('"') and between.count('"') % 2 == 1 and not _HEAD.search(between)


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
    found = []
    for match in matches:
        if match is None:
            return []
        number, tag = (match["seq"] or match[0].lstrip("#")).lower(), match["tag"] and plain_tag(match["tag"])
        found.append(Pasted(None if number == "last" else _number(number), tag, typed=number))
    return found


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
        return lines if any(_HEAD.match(head) and _DIGIT.search(head) for head in heads) else ()
    if not lines:
        return ()
    rest = lines[-1][max(fronts(lines[-1])) :]
    return lines if any(sign.isdigit() or sign in ":;" for sign in rest) or _HEAD.match(lines[-1]) else ()


def agreement(given: Pasted, line: str) -> Agreement | None:
    """Whether the recorded `line` is what was pasted, whole and in front of the id; None where anything differs."""
    wanted = plain(line)
    for lines in _variants(given.lines):
        for first in range(len(lines) - 1, -1, -1):
            rest = [each.replace(TAB, " ").strip() for each in lines[first + 1 :]]
            for at, speaker in fronts(lines[first], given.after, prose=True).items():
                head = lines[first][at:].replace(TAB, " ").strip()
                if not head or not wanted.startswith(head):  # nearly always: the rest costs more
                    continue
                bare = [each[max(fronts(each)) :] for each in rest]
                if _is(wanted, [head, *rest]) or _is(wanted, [head, *bare]):
                    before = [*lines[:first], "" if at in fronts(lines[first], given.after) else lines[first][:at]]
                    return Agreement(speaker, beside=any(map(_says, [*before, *given.behind.split("\n")])))
    return None


def _says(text: str) -> bool:
    """Whether there are words in what stands beside a line: more than a client's time or a forum's markup."""
    bare = _CLOSED.sub("", text).strip()
    return any(map(str.isalnum, bare)) and max(fronts(f"{bare} ")) < len(bare)


def _is(wanted: str, parts: list[str]) -> bool:
    """Whether `parts` of a broken line make the whole: at a break a blank may have gone, but not between digits."""
    at = 0
    for part in filter(None, parts):
        if at and wanted.startswith(" ", at):
            at += 1
        elif at and wanted[at - 1].isdigit() and part[0].isdigit():
            return False
        if not wanted.startswith(part, at):
            return False
        at += len(part)
    return at == len(wanted)


def _variants(lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The lines as they may have been before a telephone, a forum or a browser saw them."""
    seen = set()
    for dash in ("-", "--"):
        read = tuple(line.replace(_LONG_DASH, dash) for line in lines)
        bare = tuple(_MARKUP.sub(lambda mark: mark["tagged"] or "", "\n".join(read)).split("\n"))
        for variant in (read, bare, tuple(plain(html.unescape(line)) for line in read)):
            if variant not in seen:
                seen.add(variant)
                yield variant


def candidates(given: Pasted, *, prose: bool = False) -> list[str]:
    """What may be meant as the posted line, the likeliest first: it begins `NICK: ` or `NICK vs NICK: `."""
    found = []
    lines = tuple(line.replace(_LONG_DASH, "-") for line in given.lines)
    for first in range(len(lines) - 1, -1, -1):
        for at in sorted(fronts(lines[first], given.after, prose=prose), reverse=True):
            whole = " ".join([lines[first][at:], *lines[first + 1 :]]).replace(TAB, " ")
            if _HEAD.match(whole):
                found.append(whole)
    return found


def meant(given: Pasted, line: str | None = None) -> str:
    """What was pasted as the posted line: what is most like `line` where that is known. Empty for an id alone."""
    found = candidates(given, prose=line is not None) or [
        " ".join(given.lines).replace(_LONG_DASH, "-").replace(TAB, " ")
    ]
    if line is None:
        return found[0]
    words = plain(line).split()
    return max(
        found[:MOST_LIKENED], key=lambda each: SequenceMatcher(None, words, each.split(), autojunk=False).ratio()
    )


def names(line: str) -> tuple[str, ...]:
    """The nicks that a posted line begins with, and of `Viktor (alice)` both."""
    head = _HEAD.match(line)
    if head is None:
        return ()
    behind = _NICK_BEHIND.fullmatch(head["acting"])
    return tuple(filter(None, (behind and behind["nick"], head["acting"], head["other"])))


def differences(line: str, given: str) -> tuple[tuple[str, str], ...]:
    """Where `given` is not the recorded `line`, by words: what it was, and what was pasted for it."""
    return tuple((was, said) for was, said, _ in _compared(line, given) if was != said)


def marked(line: str, given: str) -> str:
    """The recorded `line` with stars around what `given` has otherwise."""
    parts = [f"{was if was == said else f'*{was}*'}{end}" for was, said, end in _compared(line, given)]
    return " ".join(part for part in parts if part)


def _compared(line: str, given: str) -> Iterator[tuple[str, str, str]]:
    """Both in step: words of `line`, words of `given`, and a sign that ends both."""
    was, said = plain(line).split(), plain(given).split()
    for step, a, b, c, d in SequenceMatcher(None, was, said, autojunk=False).get_opcodes():
        if step == "replace" and b - a == d - c:
            yield from (_without_the_end(*pair) for pair in zip(was[a:b], said[c:d], strict=True))
        else:
            yield " ".join(was[a:b]), " ".join(said[c:d]), ""


def _without_the_end(was: str, said: str) -> tuple[str, str, str]:
    """Two words and the sign that ends both, `9;` and `10;`."""
    end = was[-1] if was[-1] == said[-1] and was[-1] in ".,;:" and min(len(was), len(said)) > 1 else ""
    return was.removesuffix(end), said.removesuffix(end), end
