"""The clauses of a Strike & Cinder roll: each piece of text taken up by the side that it says something of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from grammars.strike_cinder import tables as t
from grammars.strike_cinder.pools import ImpossibleError, Pool
from grammars.tokens import NICK, Misread, Piece, misread, written

_END = r"(?![a-z0-9])"
PATH = r"human|arcanist|cursed|possessed|half[\s-]*blood|(?:natural|afflicted)(?:[\s-]*shifter)?|shifter|undying|spirit"
NAME = rf"(?:{NICK})(?<![.])"
TAG = "|".join(t.TAGS)
_DICE = r"(?:\s*(?P<count>[0-9]+)(?!\.?[0-9]))?(?:\s*d\s*(?P<sides>[0-9]+))?"
HEAD = rf"sc{_END}\s*(?P<verb>{{}})(?![a-z]){_DICE}"
CLAUSE = (
    r"(?P<change>[-+]\s*[0-9]+(?:\s*d\s*6(?![0-9]))?)(?!\s*d\s*[0-9]|\.?[0-9])"
    rf"|(?P<path>{PATH}){_END}"
    rf"|(?P<assist>assist(?:\s*(?P<helped>[0-9]+)(?:d6)?)?){_END}"
    r"|(?P<dc>(?:dc|diff(?:iculty)?)\s*[:=]?\s*[-+]?[0-9]+)(?!\.?[0-9])"
    rf"|(?P<fullmoon>full[\s-]*moon){_END}"
    rf"|(?P<weakness>silver|sky[\s-]*iron|salt|(?:true[\s-]*)?sunlight){_END}"
    rf"|(?P<state>shifted|manifested){_END}"
    rf"|(?P<ritual>ritual){_END}"
    rf"|(?P<ironwill>iron[\s-]*will){_END}"
    rf"|(?P<tag>{TAG}){_END}"
    rf"|vs\.?\s*(?:@(?P<against>{NICK})|(?P<target>{PATH}){_END}|(?P<will>iron[\s-]*will){_END}"
    r"|(?P<lone>[0-9]+(?:\s*d\s*[0-9]+)?)(?!\.?[a-z0-9])"
    rf"|(?<=[\s.])(?P<name>(?!(?:dc|diff(?:iculty)?)[\s:=]*[-+]?[0-9])(?=[^0-9.@-]){NAME}))"
    rf"|(?P<wanting>dc|diff(?:iculty)?|vs\.?){_END}"
)
SPEAKER = rf"|as\s+@?(?P<speaker>{NAME})(?!\S)"
RECIPIENT = rf"|for\s+@?(?P<recipient>{NAME})(?=[.!?]*\s*(?:$|\#))"
_SEPARATOR = re.compile(r"[\s-]+")
_NUMBER = re.compile(r"([-+]?)\s*([0-9]+)")
_PLAIN = {"halfblood": "half-blood", "truesunlight": "sunlight"}


@lru_cache(maxsize=256)
def word_of(typed: str) -> str:
    """A word as the tables have it: `half blood`, `Sky Iron` and `True Sunlight` are read alike."""
    close = _SEPARATOR.sub("", typed).lower()
    if close.startswith(("natural", "afflicted")):
        return f"{close.removesuffix('shifter')} shifter"
    return _PLAIN.get(close, close)


@dataclass(slots=True)
class Side:
    """The words of one side while it is read, each with the piece that it stood in."""

    words: dict[str, Any] = field(default_factory=dict)
    pieces: dict[str, Piece] = field(default_factory=dict)

    def put(self, key: str, value: Any, piece: Piece) -> None:
        """Note one word; an objection where it stands here already."""
        if key in self.pieces:
            raise without(piece, f"{written(piece)}: {NAMES.get(key, key)} stands here already.")
        self.pieces[key], self.words[key] = piece, value

    def several(self, key: str) -> tuple[str, ...]:
        """The words noted that are of one kind, in the order of writing."""
        return tuple([word for word, kind in self.words.items() if kind == key]) if self.pieces else ()


NAMES = {"assist": "assistance, which does not stack with itself,", "count": "a number of dice", "path": "a Path"}
Built = TypeVar("Built")


def without(piece: Piece, sentence: str, *, instead: str = "", meant: bool = True) -> Misread:
    """An objection to a whole clause, and the line without it, or with `instead` in its place."""
    text, start, end = piece.string, piece.start(), piece.end()
    blank = " " if instead else ""
    mended = f"{text[:start]}{blank}{instead}{text[end:]}"
    at = start + len(piece[0]) - len(piece[0].lstrip(" ,"))
    return Misread(text, at, sentence, instead=mended, meant=meant)


def built(head: Piece, build: Callable[[], Built], *sides: Side) -> Built:
    """What `build` makes, or its objection at the word that is to blame."""
    try:
        return build()
    except ImpossibleError as fault:
        raise _blamed(head, sides, fault) from None


def _blamed(head: Piece, sides: tuple[Side, ...], fault: ImpossibleError) -> Misread:
    """The objection at the first side's word that a fault names, at the head's number, else behind the head."""
    sentence, instead, text = str(fault), fault.instead, head.string
    piece = next((side.pieces[fault.word] for side in sides if fault.word in side.pieces), None)
    if piece is not None:
        return at_piece(piece, sentence, instead)
    if fault.word != "count" or not head["count"]:
        return Misread(text, head.end(), sentence, meant=instead is not None, missing=True)
    if instead:
        return misread(head, "count", sentence, instead, meant=True)
    without_dice = text[: head.start("count")] + text[head.end() :]
    return Misread(text, head.start("count"), sentence, instead=without_dice, meant=True)


def at_piece(piece: Piece, sentence: str, instead: str | None) -> Misread:
    """The objection to a clause; of a contest's or a target's, `vs` stays where something else is to stand."""
    group = piece.lastgroup
    if instead and group in {"target", "lone", "will"}:
        return misread(piece, group, sentence, instead, meant=True)
    return without(piece, sentence, instead=instead or "")


def _whole(piece: Piece, group: str) -> int:
    number = _NUMBER.search(piece[group])
    return int(number[1] + number[2]) if number else 0


def _sides_are_six(head: Piece) -> None:
    if head["sides"] not in (None, "6"):
        sentence = f"Strike & Cinder is rolled with d6, you wrote {head['count'] or ''}d{head['sides']}."
        raise misread(head, "sides", sentence, "6", meant=True)


def head_side(head: Piece) -> Side:
    """The side that the head begins: its number of dice, one for a bare `d6`."""
    _sides_are_six(head)
    side, (count, sides) = Side(), head.group("count", "sides")
    if count or sides:
        side.words["count"] = int(count or 1)
    return side


def of_pool(piece: Piece, side: Side) -> bool:
    """Take up a clause that says dice; False where it is none."""
    kind = piece.lastgroup or ""
    if kind == "change":
        side.words["changes"] = (*side.words.get("changes", ()), _whole(piece, "change"))
        side.pieces["change"] = piece
    elif kind == "path":
        side.put("path", word_of(piece["path"]), piece)
    elif kind == "assist":
        side.put("assist", int(piece["helped"] or 1), piece)
    elif kind in {"weakness", "state"}:
        side.put(word_of(piece[kind]), kind, piece)
    elif kind in {"ritual", "ironwill"}:
        side.put(kind, True, piece)
    else:
        return False
    return True


def pool_of(head: Piece, side: Side, kind: str) -> Pool:
    """The pool of one side."""
    words = side.words
    if "shifted" in words:
        raise without(side.pieces["shifted"], "shifted says the DC of an Afflicted Shifter: it stands behind vs.")
    path = words.get("path")
    if words.get("ironwill") and path == t.HUMAN:
        path = None  # Iron Will is a Human's
    return built(
        head,
        lambda: _shared(
            kind,
            words.get("count"),
            path,
            side.several("weakness"),
            "manifested" in words,
            "ritual" in words,
            "ironwill" in words,
            words.get("changes", ()),
            words.get("assist", 0),
        ),
        side,
    )


@lru_cache(maxsize=1024)
def _shared(*said: Any) -> Pool:
    """Pools are immutable: commands may share them."""
    return Pool(*said)


EITHER_SIDE = frozenset({"fullmoon", "tag", "dc", "speaker", "recipient", "wanting"})


def of_any(piece: Piece, common: Side) -> None:
    """Take up a clause that may stand on either side of `vs`."""
    kind = piece.lastgroup or ""
    if kind == "fullmoon":
        common.put(kind, True, piece)
    elif kind == "tag":
        common.put(kind, piece["tag"].lower(), piece)
    elif kind == "dc":
        common.put(kind, _whole(piece, "dc"), piece)
    elif kind in {"speaker", "recipient"}:
        common.put(kind, piece[kind], piece)
    else:
        wants = "a number" if piece["wanting"][0] in "dD" else "a Path or a name"
        raise without(piece, f"{piece['wanting']} wants {wants} behind it.", meant=False)


def only(common: Side, verb: str, *allowed: str) -> None:
    """Object to words that mean nothing with `verb`."""
    for key, piece in common.pieces.items():
        if key not in allowed:
            name = written(piece)
            what = f"sc {verb} is judged on the Success Range" if key == "dc" else f"sc {verb} does not use it"
            raise without(piece, f"{name} means nothing here: {what}.")
