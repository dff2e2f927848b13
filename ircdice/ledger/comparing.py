"""Is what was pasted the recorded line, and where is it not (LED-20, LED-21)? Knows no ledger.

A line is compared whole. What may differ is what clients, forums and telephones do to it on the way: formatting,
blanks, invisible signs, quote marks, dashes, line breaks, and decoration in front of it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ircdice.ledger.decoration import TAB, carried, fronts
from ircdice.ledger.paste import HEAD, LONG_DASH, SAME, Pasted, broken, ids_in, plain

_FLAGS = re.IGNORECASE | re.ASCII
_MARKUP = re.compile(
    r"\[(?P<tag>b|i|u|s|color|size|font|code|url)(?:=[^\]]{0,80})?\](?P<tagged>[^\[\]]*)\[/(?P=tag)\]|\*\*", _FLAGS
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});", _FLAGS)
_CLOSED = re.compile(r"\[/[a-z]{1,10}\]|</[a-z]{1,10}>", _FLAGS)
MOST_LIKENED = 24  # readings of what was pasted that are held against the record


@dataclass(frozen=True, slots=True)
class Agreement:
    """A pasted line that is the recorded one; `speaker` is the nick that the paste shows it said by, if any.

    `beside`: words stood in front of it or behind it that are no part of it.
    """

    speaker: str = ""
    beside: bool = False


def reading(given: Pasted, line: str) -> tuple[Pasted, Agreement | None]:
    """What was pasted, with as many of the ids before it as the recorded `line` speaks of, and whether it is that.

    LED-20: the whole line is tried; what is not the line, and has not even its end, is read as it seems. An id that
    stands alone is the record's.
    """
    ids = ids_in(whole := broken(line))
    for spoken in range(min(len(ids), given.most) + 1):
        read = given.speaking_of(spoken) if spoken else given
        if (agreed := agreement(read, line)) is not None:
            return read, agreed
    if 0 < len(ids) <= given.most and _blankless(" ".join(read.lines)).endswith(_blankless(whole[ids[0] :])):
        return read, None
    return given.likely, None if given.likely.lines else Agreement()


def _blankless(text: str) -> str:
    return "".join(text.replace(TAB, " ").split())


def agreement(given: Pasted, line: str) -> Agreement | None:
    """Whether the recorded `line` is what was pasted, whole and in front of the id; None where anything differs."""
    each = (_agreement(given, wanted) for wanted in dict.fromkeys((plain(line), broken(line))))
    return next(filter(None, each), None)


def _agreement(given: Pasted, wanted: str) -> Agreement | None:
    for lines in _variants(given.lines):
        for first in range(len(lines) - 1, -1, -1):
            for at, speaker in fronts(lines[first], given.after, prose=True).items():
                head = lines[first][at:].replace(TAB, " ").strip()
                if not head or not wanted.startswith(head):  # nearly always: the rest costs more
                    continue
                if _is(wanted, head, lines[first + 1 :], lines[first][:at]):
                    before = [*lines[:first], "" if at in fronts(lines[first], given.after) else lines[first][:at]]
                    return Agreement(speaker, beside=any(map(_says, [*before, *given.behind.splitlines()])))
    return None


def _says(text: str) -> bool:
    """Whether there are words in what stands beside a line: more than a client's time or a forum's markup."""
    bare = _CLOSED.sub("", text).strip()
    return any(map(str.isalnum, bare)) and max(fronts(f"{bare} ")) < len(bare)


def _is(wanted: str, head: str, rest: Sequence[str], front: str) -> bool:
    """Whether a broken line makes the whole, whose first part stands behind `front`."""
    ends = {len(head)}
    for part in rest:
        ends = {
            end for at in ends for each in _readings(part, front, wanted[:at]) if (end := _behind(wanted, at, each))
        }
    return len(wanted) in ends


def _readings(part: str, front: str, before: str) -> set[str]:
    """The next part behind none or all of what the first one carries too: not every `[mara]` is a client's.

    Where whoever reads it may see one line nothing is passed over: `10 |` would be a die.
    """
    text = part.replace(TAB, " ")
    found = {text.strip()}
    if not part.startswith(SAME):
        found |= {text[at:].strip() for at in carried(part, front, behind_a_digit=before.rstrip()[-1:].isdigit())}
    return found


def _behind(wanted: str, at: int, part: str) -> int | None:
    """Where `part` ends that stands at a place of the whole: at a break a blank may have gone, but not between digits.

    None where it does not stand there.
    """
    if not part:
        return at
    if wanted.startswith(" ", at):
        at += 1
    elif wanted[at - 1].isdigit() and part[0].isdigit():
        return None
    return at + len(part) if wanted.startswith(part, at) else None


def _variants(lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The lines as they may have been before a telephone, a forum or a browser saw them."""
    seen = set()
    for dash in ("-", "--"):
        read = tuple(line.replace(LONG_DASH, dash) for line in lines)
        result, quote, comment = "\n".join(read).rpartition(' "')
        texts = _bare(result) + quote + comment, _bare(result + quote + comment)  # a comment has its own markup
        unescaped = tuple(map(_unescaped, read))
        for variant in (read, *(tuple(text.split("\n")) for text in texts), unescaped):
            if variant not in seen:
                seen.add(variant)
                yield variant


def _unescaped(line: str) -> str:
    mark = SAME if line.startswith(SAME) else ""
    return mark + plain(_ENTITY.sub(lambda entity: html.unescape(entity[0]), line))


def _bare(text: str) -> str:
    return _MARKUP.sub(lambda mark: mark["tagged"] or "", text)


def candidates(given: Pasted, *, prose: bool = False) -> list[str]:
    """What may be meant as the posted line, the likeliest first: it begins `NICK: ` or `NICK vs NICK: `."""
    found = []
    lines = tuple(line.replace(LONG_DASH, "-") for line in given.lines)
    for first in range(len(lines) - 1, -1, -1):
        for at in sorted(fronts(lines[first], given.after, prose=prose), reverse=True):
            whole = " ".join(each.strip() for each in [lines[first][at:], *lines[first + 1 :]]).replace(TAB, " ")
            if HEAD.match(whole):
                found.append(whole)
    return found


def meant(given: Pasted, line: str | None = None) -> str:
    """What was pasted as the posted line: what is most like `line` where that is known. Empty for an id alone."""
    found = candidates(given, prose=line is not None) or [
        " ".join(map(str.strip, given.lines)).replace(LONG_DASH, "-").replace(TAB, " ")
    ]
    if line is None:
        return found[0]
    words = plain(line).split()
    return max(
        found[:MOST_LIKENED], key=lambda each: SequenceMatcher(None, words, each.split(), autojunk=False).ratio()
    )


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
