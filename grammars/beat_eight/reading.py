"""From the clauses of a `b8` command to its node, and the objections to those that cannot stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grammars.beat_eight.nodes import DIFFICULTIES, HARDEST, IMPOSSIBLE, Impossible, Opposed, Roll, Side
from grammars.tokens import LARGEST, NICK, Clauses, Misread, Piece, misread, written

_NUMBER = r"\s*[:=]?\s*(?P<{}>[-+]?\s*[0-9]+)(?!\.?[0-9])"
# GEN-04, B8-03: a blank for a hyphen.
_WORDS = "|".join(re.escape(w).replace(r"\-", r"(?:\s*-\s*|\s+)") for w in (*DIFFICULTIES, IMPOSSIBLE))
_CLAUSE = (
    rf"t{_NUMBER.format('trait')}|a{_NUMBER.format('ability')}|x{_NUMBER.format('actions')}"
    rf"|(?P<word>{_WORDS})(?![a-z0-9])|(?P<difficulty>[-+]\s*[0-9]+)(?!\.?[0-9])"
    rf"|vs\.?\s*@(?P<against>{NICK})|(?P<lone>vs\.?\s*(?P<bare>[0-9]+))(?![a-z]|\.?[0-9])"
    r"|(?P<vs>vs)(?:\.|(?![a-z_])|(?=[tax][-+]?[0-9]))"
    r"|(?P<number>[0-9]+)(?![a-z]|\.?[0-9])"
)
_LIMITS = {  # how it is written, the least, and its name
    "trait": ("t", -LARGEST, "a trait"),
    "ability": ("a", -LARGEST, "an ability"),
    "actions": ("x", 1, "x, the number of actions at once,"),
    "difficulty": ("", -LARGEST, "a difficulty"),
}
_ADDS = frozenset({"trait", "ability", "actions"})
_SPLITS = frozenset({"vs", "against"})
_ASKED = frozenset({"lone", "number"})
LONGEST_SHOWN = 60  # characters of a line within a sentence: a reply has 400 bytes


def _whole(match: Piece, kind: str) -> int:
    """The number of a clause, within what can be meant."""
    typed = match[kind].replace(" ", "")
    number, (mark, lowest, name) = int(typed[:12]), _LIMITS[kind]
    if lowest <= number <= LARGEST:
        return number
    limits = f"is {lowest} or more" if number < lowest == 1 else f"is {lowest} to {LARGEST}"
    shown = typed if len(typed) < 12 else f"{typed[:9]}..."
    nearest = str(min(max(number, lowest), LARGEST))
    sentence = f"{name} {limits}, you wrote {mark}{shown}."
    raise misread(match, kind, sentence, nearest if mark else f"{int(nearest):+}", meant=True)


def _difficulty(match: Piece) -> tuple[int, str | None]:
    """B8-03: by number or by word."""
    if typed := match["word"]:
        word = typed.lower()
        word = word if word in DIFFICULTIES else re.sub(r"[-\s]+", "-", word)
        return DIFFICULTIES.get(word, HARDEST), word
    number = _whole(match, "difficulty")
    if number < HARDEST:
        sentence = f"the hardest difficulty is -7: say -7 or impossible, you wrote {number}."
        raise misread(match, "difficulty", sentence, "-7", meant=True)
    return number, None


def _one_difficulty(said: Sequence[Piece]) -> tuple[int, str | None]:
    """B8-03: one word or one number."""
    if len(said) > 1:
        first, second = (written(match) for match in said[:2])
        sentence = f"a roll has one difficulty: {first} stands here already, leave {second} out."
        raise misread(said[1], 0, sentence, "", meant=True)
    return _difficulty(said[0]) if said else (0, None)


def _side(pieces: Sequence[Piece]) -> Side:
    """B8-02: a trait and a number of actions at most once, abilities as often as wanted."""
    once: dict[str, int] = {}
    abilities = []
    for match in pieces:
        kind = match.lastgroup or ""
        number = _whole(match, kind)
        if kind == "ability":
            abilities.append(number)
        elif kind in once:
            sentence = f"{written(match)}: {_LIMITS[kind][0]} stands here already, it counts once a side."
            raise misread(match, 0, sentence, "", meant=True)
        else:
            once[kind] = number
    return Side(once.get("trait", 0), tuple(abilities), once.get("actions", 1))


def _asked_back(pieces: Sequence[Piece], match: Piece) -> Misread:
    """GEN-12: a number that could be two things; GEN-05 behind `vs`."""
    number = (match["bare"] or match["number"])[:6]
    before = match.string[: match.start()].rstrip()
    before = f"{before} " if len(before) < LONGEST_SHOWN else ""
    if match["bare"]:
        either = f"a difficulty, {before}+{number}, or the target's trait, {before}vs t{number}"
        return misread(match, "lone", f'"{written(match)}" could be {either}.', f"vs t{number}", meant=True)
    has_trait = any(piece["trait"] for piece in pieces[1 : pieces.index(match)])
    name, mark = ("an ability", "a") if has_trait else ("a trait", "t")
    either = f"{name}, {before}{mark}{number}, or a difficulty, {before}+{number}"
    return misread(match, "number", f'"{number}" could be {either}.', f"{mark}{number}", meant=True)


def _built(pieces: list[Piece]) -> Roll | Opposed | Impossible:
    adding, difficulties, sides = [], [], []
    for match in pieces[1:]:
        kind = match.lastgroup or ""
        if kind in _ADDS:
            adding.append(match)
        elif kind in _SPLITS:
            sides.append(match)
        elif kind in _ASKED:
            raise _asked_back(pieces, match)
        else:
            difficulties.append(match)
    if sides:
        return _opposed(adding, difficulties, sides)
    difficulty, word = _one_difficulty(difficulties)
    side = _side(adding)
    return Impossible(side) if word == IMPOSSIBLE else Roll(side, difficulty, word)


def _opposed(adding: Sequence[Piece], difficulties: Sequence[Piece], sides: Sequence[Piece]) -> Opposed:
    """B8-06: two sides, and no difficulty."""
    if difficulties:
        sentence = f"difficulty is no part of an opposed roll: leave {written(difficulties[0])} out."
        raise misread(difficulties[0], 0, sentence, "", meant=True)
    if len(sides) > 1:
        raise misread(sides[1], 0, "vs stands here already: an opposed roll has two sides.", "", meant=True)
    at, against = sides[0].start(), sides[0]["against"]
    behind = [match for match in adding if match.start() > at]
    if against and behind:
        sentence = f"@{against} says that for their own side: put yours before vs."
        raise misread(behind[0], 0, sentence, "", meant=True)
    initiator = _side([match for match in adding if match.start() < at])
    return Opposed(initiator, None if against else _side(behind), against)


GRAMMAR = Clauses(r"b8(?:(?![a-z0-9_])|(?=[tax][:=]?[-+]?[0-9]))", _CLAUSE, _built, commas=True)
