"""Encounters: who is in one, their Luck, and what was rolled in it (SC-18…SC-20, SC-26, SC-28). Rolls nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from grammars.strike_cinder import tables as t
from grammars.strike_cinder.clauses import NAME, PATH, word_of
from grammars.strike_cinder.targets import Standing
from grammars.tokens import MOST_DICE, NOTHING, Clauses, Piece, misread

MOST_LUCK = 1000
MOST_RANK = 10
MOST_NAME = 40  # characters of a name that is offered
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


@dataclass(frozen=True, slots=True)
class OpenEncounter:
    """An encounter begins; the Encounter itself has its Luck, and a Defense DC and dice where they are given."""

    name: str
    luck: int
    dc: int | None = None
    strike: int | None = None
    cinder: int | None = None

    def __post_init__(self) -> None:
        """Refuse Luck, DCs and dice below 1."""
        if not 1 <= self.luck <= MOST_LUCK or (self.dc is not None and not 1 <= self.dc <= MOST_LUCK):
            raise ValueError(f"Luck and DC are 1 to {MOST_LUCK}.")
        if not all(dice is None or 1 <= dice <= MOST_DICE for dice in (self.strike, self.cinder)):
            raise ValueError(f"a pool has 1 to {MOST_DICE} dice.")

    def __str__(self) -> str:
        said = {" dc": self.dc, " strike ": self.strike, " cinder ": self.cinder}
        more = "".join(f"{word}{number}" for word, number in said.items() if number is not None)
        return f"sc encounter open {self.name} luck {self.luck}{more}"


@dataclass(frozen=True, slots=True)
class CloseEncounter:
    """An encounter is over."""

    def __str__(self) -> str:
        return "sc encounter close"


@dataclass(frozen=True, slots=True)
class Join:
    """A character joins, with the rank of the skill that helps and Exchange Equipment (SC-18)."""

    name: str
    path: str
    rank: int = 0
    exchange: bool = False

    def __post_init__(self) -> None:
        """Refuse an unknown rank, the equipment for Paths that have none (SC-18), and an unnamed Shifter."""
        if self.path == t.ANY_SHIFTER or not 0 <= self.rank <= MOST_RANK:
            raise ValueError("a natural or an afflicted shifter, and a rank of 1 to 10.")
        if self.exchange and self.path not in t.EXCHANGE:
            raise ValueError("Exchange Equipment is for others.")

    def __str__(self) -> str:
        rank = f" rank {self.rank}" if self.rank else ""
        return f"sc join {self.name} {self.path}{rank}{' exchange' if self.exchange else ''}"


@dataclass(frozen=True, slots=True)
class Luck:
    """Everybody's Luck, or one's, or a change of it; `before` is how it stood, as the table remembers."""

    name: str | None = None
    change: int | None = None
    before: Standing | None = None

    def __str__(self) -> str:
        return "sc luck" + (f" {self.name}" if self.name else "") + ("" if self.change is None else f" {self.change:+}")


@dataclass(frozen=True, slots=True)
class Leave:
    """A character leaves."""

    name: str

    def __str__(self) -> str:
        return f"sc leave {self.name}"


@dataclass(frozen=True, slots=True)
class Tracking:
    """The question for the text to paste into a post, told as seen by one character."""

    private = True
    name: str | None = None

    def __str__(self) -> str:
        return "sc tracking" + (f" {self.name}" if self.name else "")


_SC = r"sc(?![a-z0-9])\s*"
_WHOLE = r"[:=]?\s*(?P<{}>[0-9]+)(?!\.?[0-9])"
_OPEN = rf"{_SC}encounter\s+open\s+(?P<name>{NAME})\s+luck\s*{_WHOLE.format('luck')}(?:\s*dc\s*{_WHOLE.format('dc')})?"
_CLOSE = rf"{_SC}encounter\s+close(?![a-z0-9])"
_JOIN = rf"{_SC}join\s+(?P<name>{NAME})\s+(?P<path>{PATH})(?![a-z0-9])"
_JOIN_CLAUSE = r"rank\s*(?P<rank>[0-9]+|[ivx]+)(?![a-z0-9])|(?P<exchange>exchange)(?:\s*equipment)?(?![a-z0-9])"
_LUCK = rf"{_SC}luck(?![a-z0-9])(?:\s+(?P<name>(?=[^0-9+-]){NAME})(?:\s*(?P<change>[-+]\s*[0-9]+)(?!\.?[0-9]))?)?"
_SET = rf"{_SC}luck\s+(?P<name>(?=[^0-9+-]){NAME})\s+(?P<number>[0-9]+)(?!\.?[0-9])"
# Names of several words, or in quotes: what stands there is told how a name is written.
_OPEN_LONG = rf"{_SC}encounter\s+open\s+(?P<names>[^0-9,;]+?)\s+luck\s*{_WHOLE.format('luck')}"
_JOIN_LONG = rf"{_SC}join\s+(?P<names>[^0-9,;]+?)\s+(?P<path>{PATH})(?![a-z0-9])"
_LEAVE = rf"{_SC}leave\s+(?P<name>{NAME})"
_TRACKING = rf"{_SC}tracking(?![a-z0-9])(?:\s+(?!for\s)(?P<name>{NAME}))?"


def _within(match: Piece, group: str, most: int, name: str) -> int:
    number = int(match[group])
    if 1 <= number <= most:
        return number
    sentence = f"{name} is 1 to {most}, you wrote {number}."
    raise misread(match, group, sentence, str(min(max(number, 1), most)), meant=True)


def _name(match: Piece) -> str:
    """A name that `vs` can be told from a Path by."""
    name = match["name"]
    if word_of(name) in (*t.PATHS, "ironwill"):
        raise misread(match, "name", f"{name} means something else behind vs: another name is wanted.", meant=True)
    return name


def _open(pieces: list[Piece]) -> OpenEncounter:
    match = pieces[0]
    dc = _within(match, "dc", MOST_LUCK, "a DC") if match["dc"] else None
    return OpenEncounter(_name(match), _within(match, "luck", MOST_LUCK, "Luck"), dc)


def _rank(piece: Piece) -> int:
    typed = piece["rank"].lower()
    if typed in ROMAN:
        return ROMAN.index(typed) + 1
    if not typed.isdigit():
        raise misread(piece, "rank", f"a rank is 1 to {MOST_RANK}, you wrote {typed}.", meant=True)
    return _within(piece, "rank", MOST_RANK, "a rank")


def _join(pieces: list[Piece]) -> Join:
    head, *behind = pieces
    path = word_of(head["path"])
    said: dict[str, int] = {}
    if path == t.ANY_SHIFTER:
        raise misread(
            head, "path", "which Shifter? natural shifter or afflicted shifter.", f"natural {path}", meant=True
        )
    for piece in behind:
        kind = piece.lastgroup or ""
        if kind in said:
            raise misread(piece, 0, f"{kind} stands here already.", "", meant=True)
        said[kind] = _rank(piece) if kind == "rank" else True
        if kind == "exchange" and path not in t.EXCHANGE:
            names = ", ".join(t.PATHS[each].name for each in t.EXCHANGE)
            sentence = f"Exchange Equipment gives Luck to {names}, not to {t.article(t.PATHS[path].name)}."
            raise misread(piece, 0, sentence, "", meant=True)
    return Join(_name(head), path, said.get("rank", 0), "exchange" in said)


def _luck(pieces: list[Piece]) -> Luck:
    match = pieces[0]
    change = match["change"]
    return Luck(match["name"], None if change is None else int(re.sub(r"\s", "", change)))


def _set(pieces: list[Piece]) -> Luck:
    """GEN-12: a number that may be the new Luck, or what it changes by."""
    match = pieces[0]
    number = match["number"]
    raise misread(match, "number", f"Luck is changed by +N or -N, you wrote {number}.", f"+{number}")


def _long(pieces: list[Piece]) -> OpenEncounter:
    """SC-26: a name is what may stand behind `vs`."""
    match = pieces[0]
    one = "-".join(re.findall(r"[^\s\"']+", match["names"]))[:MOST_NAME] or "Encounter"
    sentence = f"a name is one word, as {one}."
    raise misread(match, "names", sentence, one, meant="luck" in match.groupdict())


def _named(node: Any) -> Any:
    return lambda pieces: node(pieces[0]["name"])


ENCOUNTERS = (
    Clauses(_OPEN, NOTHING, _open),
    Clauses(_CLOSE, NOTHING, lambda _: CloseEncounter()),
    Clauses(_JOIN, _JOIN_CLAUSE, _join),
    Clauses(_OPEN_LONG, NOTHING, _long),
    Clauses(_JOIN_LONG, NOTHING, _long),
    Clauses(_SET, NOTHING, _set),
    Clauses(_LUCK, NOTHING, _luck),
    Clauses(_LEAVE, NOTHING, _named(Leave)),
    Clauses(_TRACKING, NOTHING, _named(Tracking)),
)
