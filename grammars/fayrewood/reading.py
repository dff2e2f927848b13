"""From the clauses of a toss or sweep to its node, and the objections to those that cannot stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pyparsing as pp

from grammars.fayrewood.nodes import LADDER, MOST_MAINS, TOP, Clash, Main, Pool, Sweep, Toss
from grammars.tokens import LARGEST, NICK, Clauses, Misread, Piece, misread, written

_LEVELS = {sides: level for level, sides in enumerate(LADDER) if sides}
_NUMBER = r"\s*[:=]?\s*(?P<{}>[-+]?[0-9]+)(?!\.?[0-9])"
_MORE = r"(?:[\s,]+(?:(?:dc|diff(?:iculty)?)\s*[:=]?\s*[0-9]+|boon|bane|frayed|help\s*[0-9]+))*"
_END = rf"(?={_MORE}\s*(?:$|\#|[.!?]+\s*(?:$|\#)))"  # GEN-03: `for help me out` is a comment, `for help dc5` none
_NAME = rf"(?=[a-z_])(?!d[0-9]|(?:dc|diff(?:iculty)?|boon|bane|frayed|help)(?![a-z]))(?:{NICK})"  # nobody's @
_ENDS = r"(?=\s*(?:$|\#|for\s|[.!?]+\s*(?:$|\#)))"
_CLAUSE = (
    r"(?P<main>(?:(?P<count>[0-9]*)d\s*(?P<sides>[0-9]+)|(?P<level>[0-9]+))(?!\.?[0-9])"
    r"(?:\s*(?P<way>up|down)(?P<rungs>[0-9]+)?)?)"
    r"|(?P<modifier>boon|bane|frayed)(?![a-z0-9])"
    rf"|(?:dc|diff(?:iculty)?){_NUMBER.format('difficulty')}"
    rf"|help{_NUMBER.format('helpers')}"
    rf"|vs\.?\s*@(?P<against>{NICK})|vs\.?\s+(?P<named>{_NAME}){_ENDS}"
    r"|(?P<vs>vs)(?:\.|(?![a-z_])|(?=d[0-9]))"
    r"|(?P<numberless>dc|diff(?:iculty)?|help)(?![a-z0-9])"
)
_PURPOSE = rf"|(?P<purpose>for\s+help){_END}"  # FW-12
_SPLITS = frozenset({"vs", "against", "named"})
LONGEST_SHOWN = 60  # characters of a line within a sentence: a reply has 400 bytes


@dataclass(slots=True)
class _Said:
    """What one side has said so far."""

    mains: list[Main] = field(default_factory=list)
    first: Piece | None = None  # its first main die
    modifier: Piece | None = None
    helpers: Piece | None = None


def _int(typed: str) -> int:
    return int(typed[:12])


def _whole(match: Piece, kind: str, name: str) -> int:
    """A number from 1, or an objection that names its limits."""
    typed = match[kind]
    number = _int(typed)
    if 1 <= number <= LARGEST:
        return number
    limits = "1 or more" if number < 1 else f"1 to {LARGEST}"
    nearest = str(min(max(number, 1), LARGEST))
    raise misread(match, kind, f"{name} is {limits}, you wrote {_shown(typed)}.", nearest, meant=True)


def _shown(typed: str) -> str:
    return typed if len(typed) < 12 else f"{typed[:9]}..."


def _shown_at(match: Piece) -> int:
    """Where a piece begins; behind the command word, where what follows it does."""
    text = match.string
    at = match.end() if match.start() == 0 else match.start()
    return at + len(text[at:]) - len(text[at:].lstrip())


def _before(match: Piece) -> str:
    """What stands before a piece, where it is short enough to be said again."""
    before = match.string[: match.start()].rstrip()
    return f"{before} " if len(before) < LONGEST_SHOWN else ""


def _main(match: Piece) -> Main:
    """FW-01, FW-02: a level or a die of the ladder, stepped."""
    level = _die(match) if match["sides"] else _int(match["level"])
    if level > TOP:
        sentence = f"a level is 0 to {TOP}, you wrote {_shown(match['level'])}: a difficulty is written dc7."
        raise misread(match, "level", sentence, _levels_for(match["level"]))
    if match["way"] is None:
        return _shared(level, 0)
    rungs = _whole(match, "rungs", "a number of rungs") if match["rungs"] else 1
    return _shared(level, rungs if match["way"].lower() == "up" else -rungs)


def _levels_for(typed: str) -> str:
    """What was meant by a number that is no level: a die without its `d`, two levels without their blank."""
    if _int(typed) in _LEVELS:
        return f"d{_int(typed)}"
    apart = len(typed) == MOST_MAINS and all(int(each) <= TOP for each in typed)
    return " ".join(typed) if apart else str(TOP)


@lru_cache(maxsize=1024)
def _shared(level: int, steps: int) -> Main:
    """Main dice are immutable: commands may share them."""
    return Main(level, steps)


def _die(match: Piece) -> int:
    sides, count = _int(match["sides"]), match["count"]
    if sides not in _LEVELS:
        dice = ", ".join(f"d{sides}" for sides in _LEVELS)
        nearest = min(_LEVELS, key=lambda known: abs(known - sides))
        raise misread(
            match, "sides", f"a main die is one of {dice}, you wrote d{_shown(match['sides'])}.", f"{nearest}"
        )
    if count and _int(count) != 1:
        both = f"d{sides} d{sides}" if _int(count) == MOST_MAINS else f"d{sides}"
        sentence = f"each main die is named by itself: {both}, not {_shown(count)}d{sides}."
        raise misread(match, "main", sentence, both, meant=True)
    return _LEVELS[sides]


def _too_many(match: Piece, has_difficulty: bool) -> Misread:
    """A third main die: GEN-12 where it could be a difficulty."""
    typed = match["main"]
    if match["level"] and match["way"] is None and _int(match["level"]) and not has_difficulty:
        either = f"a difficulty, {_before(match)}dc{_shown(typed)}, or a third main die, and a toss has two at most"
        return misread(match, "main", f'"{_shown(typed)}" could be {either}.', f"dc{typed}", meant=True)
    return misread(match, "main", f"a toss has two main dice at most: leave {_shown(typed)} out.", "", meant=True)


def _twice(match: Piece, earlier: Piece) -> Misread:
    here, there = written(match), written(earlier)
    most = "a toss has one modifier die at most" if match["modifier"] else "one is enough"
    return misread(match, 0, f"{here}: {there} stands here already, {most}.", "", meant=True)


def _pool(said: _Said, where: Piece, behind: str) -> Pool:
    """FW-01, FW-03, FW-12: the pool of one side, or what is wrong with it."""
    modifier = said.modifier["modifier"].lower() if said.modifier else None
    helpers = _helpers(said, modifier) if said.helpers else 0
    if not said.mains:
        text, end = where.string, where.end()
        sentence = f"{behind} wants at least one main die, a level from 1 or a die."
        raise Misread(
            text, _shown_at(where), sentence, instead=f"{text[:end]} d4{text[end:]}", meant=bool(said.modifier)
        )
    if not any(main.rung for main in said.mains) and not helpers and said.first:
        sentence = f"{behind} wants at least one main die, and {written(said.first)} is none."
        raise misread(said.first, "main", sentence, "d4", meant=True)
    return _shared_pool(tuple(said.mains), modifier, helpers)


@lru_cache(maxsize=1024)
def _shared_pool(mains: tuple[Main, ...], modifier: str | None, helpers: int) -> Pool:
    """Pools too."""
    return Pool(mains, modifier, helpers)


def _helpers(said: _Said, modifier: str | None) -> int:
    """FW-12: helpers step up the skill, and bring no boon beside it."""
    match = said.helpers
    if match is None:
        return 0
    if len(said.mains) < MOST_MAINS:
        sentence = "help steps up the second main die, and there is one only: say boon."
        raise misread(match, 0, sentence, " boon", meant=True)
    if modifier == "boon":
        raise misread(match, 0, "help steps up a die or brings a boon, not both: leave one out.", "", meant=True)
    return _whole(match, "helpers", "help's number of helpers")


def _sorted(pieces: Sequence[Piece]) -> tuple[list[_Said], dict[str, Piece]]:
    """The pieces by side, and those that belong to the whole: a difficulty, `vs`, `for help`."""
    side, whole = _Said(), dict[str, Piece]()
    sides = [side]
    for match in pieces[1:]:
        kind = match.lastgroup or ""
        if kind == "main":
            _add_main(side, match, pieces)
        elif kind == "modifier" or kind == "helpers":
            if earlier := getattr(side, kind):
                raise _twice(match, earlier)
            setattr(side, kind, match)
        elif kind == "numberless":
            raise misread(match, 0, f"{written(match)} wants a number behind it.")
        elif kind in whole:
            raise _twice(match, whole[kind])
        else:
            whole[kind] = match
            if kind in _SPLITS:
                side = _Said()
                sides.append(side)
    return sides, whole


def _add_main(side: _Said, match: Piece, pieces: Sequence[Piece]) -> None:
    if len(side.mains) == MOST_MAINS:
        raise _too_many(match, any(piece.lastgroup in {"difficulty", *_SPLITS} for piece in pieces))
    side.first = side.first or match
    side.mains.append(_main(match))


def _said_something(pieces: list[Piece]) -> None:
    """Nothing of the command behind its word is no objection to it: the line is incomplete, or talk."""
    if len(pieces) == 1:
        raise pp.ParseException(pieces[0].string, pieces[0].end())


def _toss(pieces: list[Piece]) -> Toss | Clash:
    _said_something(pieces)
    splits = [match for match in pieces if match.lastgroup in _SPLITS]
    if len(splits) > 1:
        raise misread(splits[1], 0, "vs stands here already: a clash has two sides.", "", meant=True)
    if splits and splits[0]["vs"]:
        has_difficulty = any(match.lastgroup == "difficulty" for match in pieces)
        _ask_back(splits[0], pieces[pieces.index(splits[0]) + 1 :], has_difficulty=has_difficulty)
    sides, whole = _sorted(pieces)
    if splits:
        return _clash(pieces, sides, whole)
    difficulty = whole.get("difficulty")
    pool = _pool(sides[0], pieces[0], "a toss")
    return Toss(pool, difficulty and _whole(difficulty, "difficulty", "a difficulty"), "purpose" in whole)


def _clash(pieces: list[Piece], sides: list[_Said], whole: dict[str, Piece]) -> Clash:
    """FW-13: two pools, and no difficulty."""
    mine, theirs = sides
    split, for_help = next(whole[kind] for kind in _SPLITS if kind in whole), "purpose" in whole
    if difficulty := whole.get("difficulty"):
        typed = written(difficulty)
        if whole.get("vs") and not (theirs.first or theirs.modifier or theirs.helpers):
            raise misread(whole["vs"], 0, f"{typed} is a difficulty without vs: leave vs out.", "", meant=True)
        sentence = f"with vs the other side's total is the difficulty: leave {typed} out."
        raise misread(difficulty, 0, sentence, "", meant=True)
    acting = _pool(mine, pieces[0], "a toss")
    if name := split["named"]:
        sentence = f"vs wants main dice or @nick behind it: {_before(split)}vs @{name}."
        raise misread(split, "named", sentence, f"@{name}", meant=True)
    if not (against := split["against"]):
        return Clash(acting, _pool(theirs, split, "vs"), None, for_help)
    if behind := theirs.first or theirs.modifier or theirs.helpers:
        raise misread(behind, 0, f"@{against} says that for their own side: put yours before vs.", "", meant=True)
    return Clash(acting, None, against, for_help)


def _ask_back(split: Piece, behind: Sequence[Piece], *, has_difficulty: bool) -> None:
    """GEN-05, GEN-12: a lone number behind `vs` is asked about."""
    alone = [match for match in behind if match.lastgroup != "purpose"]
    if has_difficulty:  # then `vs` begins a clash, and the difficulty is what is too much
        return
    if len(alone) != 1 or not (typed := alone[0]["level"]) or alone[0]["way"] or not _int(typed):
        return
    die, before, text = LADDER[min(_int(typed), TOP)], _before(split), split.string
    sentence = f'"vs {_shown(typed)}" could be a difficulty, {before}dc{_shown(typed)}, or a die, {before}vs d{die}.'
    at = split.start() + len(split[0]) - len(split[0].lstrip(" ,"))
    raise Misread(text, at, sentence, instead=f"{text[:at]}dc{typed}{text[alone[0].end() :]}", meant=True)


def _sweep(pieces: list[Piece]) -> Sweep:
    """FW-11: main dice, a modifier die, a difficulty."""
    _said_something(pieces)
    for match in pieces[1:]:
        if match.lastgroup == "helpers" or match.lastgroup in _SPLITS:
            left_out = written(match)
            sentence = f"a sweep takes main dice, a modifier die and a difficulty: leave {left_out} out."
            raise misread(match, 0, sentence, "")
    sides, whole = _sorted(pieces)
    pool = _pool(sides[0], pieces[0], "a sweep")
    if "difficulty" not in whole:
        text = pieces[0].string
        raise Misread(text, len(text), "a sweep wants a difficulty, as dc3.", instead=f"{text} dc3")
    return Sweep(pool, _whole(whole["difficulty"], "difficulty", "a difficulty"))


_TOSS = Clauses(r"(?:toss|fw)(?![a-z_])", _CLAUSE + _PURPOSE, _toss, commas=True)
GRAMMAR = {"toss": _TOSS, "fw": _TOSS, "sweep": Clauses(r"sweep(?![a-z_])", _CLAUSE, _sweep, commas=True)}
