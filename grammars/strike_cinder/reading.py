"""From the clauses of a Strike & Cinder roll to its node, and the objections to those that cannot stand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from grammars.spelling import nearest
from grammars.strike_cinder import tables as t
from grammars.strike_cinder.nodes import Assist, ImpossibleError, Mind, Pool, Resist, Roll, Target, check_resisting
from grammars.tokens import NICK, Clauses, Misread, Piece, misread

_END = r"(?![a-z0-9])"
PATH = r"human|arcanist|cursed|possessed|half[\s-]*blood|(?:natural[\s-]*|afflicted[\s-]*)?shifter|undying|spirit"
NAME = rf"(?:{NICK})(?<![.])"
TAG = "|".join(t.TAGS)
_DICE = r"(?:\s*(?P<count>[0-9]+)(?![0-9.]))?(?:\s*d\s*(?P<sides>[0-9]+))?"
_HEAD = rf"sc{_END}\s*(?P<verb>{{}})(?![a-z]){_DICE}"
_CLAUSE = (
    r"(?P<change>[-+]\s*[0-9]+(?:\s*d\s*6(?![0-9]))?)(?!\s*d\s*[0-9]|[0-9.])"
    rf"|(?P<path>{PATH}){_END}"
    rf"|(?P<assist>assist(?:\s*(?P<helped>[0-9]+)(?:d6)?)?){_END}"
    r"|(?P<dc>(?:dc|diff(?:iculty)?)\s*[:=]?\s*[-+]?[0-9]+)(?![0-9.])"
    rf"|(?P<fullmoon>full[\s-]*moon){_END}"
    rf"|(?P<weakness>silver|sky[\s-]*iron|salt|(?:true[\s-]*)?sunlight){_END}"
    rf"|(?P<state>shifted|manifested){_END}"
    rf"|(?P<ritual>ritual){_END}"
    rf"|(?P<ironwill>iron[\s-]*will){_END}"
    rf"|(?P<tag>{TAG}){_END}"
    rf"|vs\.?\s*(?:@(?P<against>{NICK})|(?P<target>{PATH}){_END}|(?P<will>iron[\s-]*will){_END}"
    r"|(?P<lone>[0-9]+(?:\s*d\s*[0-9]+)?)(?![a-z0-9.])"
    rf"|(?P<name>(?!(?:dc|diff(?:iculty)?)[\s:=]*[-+]?[0-9])(?=[^0-9.@-]){NAME}))"
    rf"|(?P<wanting>dc|diff(?:iculty)?|vs\.?){_END}"
)
_SPEAKER = rf"|as\s+@?(?P<speaker>{NAME})(?!\S)"
_RECIPIENT = rf"|for\s+@?(?P<recipient>{NAME})(?=[.!?]*\s*(?:$|\#))"
_SEPARATOR = re.compile(r"[\s-]+")
_NUMBER = re.compile(r"([-+]?)\s*([0-9]+)")
_PLAIN = {"halfblood": "half-blood", "truesunlight": "sunlight"}


def word_of(typed: str) -> str:
    """A word as the tables have it: `half blood`, `Sky Iron` and `True Sunlight` are read alike."""
    close = _SEPARATOR.sub("", typed).lower()
    if close.endswith("shifter") and close != t.ANY_SHIFTER:
        return f"{close.removesuffix('shifter')} shifter"
    return _PLAIN.get(close, close)


@dataclass(slots=True)
class _Side:
    """The words of one side while it is read, each with the piece that it stood in."""

    words: dict[str, Any] = field(default_factory=dict)
    pieces: dict[str, Piece] = field(default_factory=dict)

    def put(self, key: str, value: Any, piece: Piece) -> None:
        """Note one word; an objection where it stands here already."""
        if key in self.pieces:
            written = piece[0].strip()
            raise _without(piece, f"{written}: {_NAMES.get(key, key)} stands here already.")
        self.pieces[key], self.words[key] = piece, value

    def several(self, key: str) -> tuple[str, ...]:
        """The words noted that are of one kind, in the order of writing."""
        return tuple([word for word, kind in self.words.items() if kind == key])


_NAMES = {"assist": "assistance, which does not stack with itself,", "count": "a number of dice", "path": "a Path"}
Built = TypeVar("Built")


def _without(piece: Piece, sentence: str, *, instead: str = "", meant: bool = True) -> Misread:
    """An objection to a whole clause, and the line without it, or with `instead` in its place."""
    text, start, end = piece.string, piece.start(), piece.end()
    blank = " " if instead else ""
    mended = f"{text[:start]}{blank}{instead}{text[end:]}"
    written = start + len(piece[0]) - len(piece[0].lstrip())
    return Misread(text, written, sentence, instead=mended, meant=meant)


def _built(head: Piece, side: _Side, build: Callable[[], Built]) -> Built:
    """What `build` makes, or its objection at the word that is to blame."""
    try:
        return build()
    except ImpossibleError as fault:
        sentence, instead = str(fault), fault.instead
        if fault.word == "count" and head["count"] and "count" not in side.pieces:
            group = "count" if instead else 0
            if group == "count":
                raise misread(head, "count", sentence, instead, meant=True) from None
            text = head.string
            mended = text[: head.start("count")] + text[head.end() :]
            raise Misread(text, head.start("count"), sentence, instead=mended, meant=True) from None
        piece = side.pieces.get(fault.word)
        if piece is None:
            at, text = head.end(), head.string
            raise Misread(text, at, sentence, instead=None, meant=fault.instead is not None) from None
        raise _at(piece, sentence, instead) from None


def _at(piece: Piece, sentence: str, instead: str | None) -> Misread:
    """The objection to a clause; of a contest's or a target's, `vs` stays where something else is to stand."""
    group = piece.lastgroup
    if instead and group in {"target", "lone", "will"}:
        return misread(piece, group, sentence, instead, meant=True)
    return _without(piece, sentence, instead=instead or "")


def _whole(piece: Piece, group: str) -> int:
    number = _NUMBER.search(piece[group])
    return int(number[1] + number[2]) if number else 0


def _sides_are_six(head: Piece) -> None:
    if head["sides"] not in (None, "6"):
        sentence = f"Strike & Cinder is rolled with d6, you wrote {head['count'] or ''}d{head['sides']}."
        raise misread(head, "sides", sentence, "6", meant=True)


def _head(head: Piece) -> _Side:
    """The side that the head begins: its number of dice, one for a bare `d6`."""
    _sides_are_six(head)
    side = _Side()
    if head["count"] or head["sides"]:
        side.words["count"] = int(head["count"] or 1)
    return side


def _of_pool(piece: Piece, side: _Side) -> bool:
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


def _pool(head: Piece, side: _Side, kind: str) -> Pool:
    """The pool of one side."""
    words = side.words
    if "shifted" in words:
        raise _without(side.pieces["shifted"], "shifted says the DC of an Afflicted Shifter: it stands behind vs.")
    path = words.get("path")
    if words.get("ironwill") and path == t.HUMAN:
        path = None  # Iron Will is a Human's
    return _built(
        head,
        side,
        lambda: Pool(
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
    )


def _of_any(piece: Piece, common: _Side) -> bool:
    """Take up a clause that may stand on either side of `vs`; False where it is none."""
    kind = piece.lastgroup or ""
    if kind == "fullmoon":
        common.put(kind, True, piece)
    elif kind == "tag":
        common.put(kind, piece["tag"].lower(), piece)
    elif kind == "dc":
        common.put(kind, _whole(piece, "dc"), piece)
    elif kind in {"speaker", "recipient"}:
        common.put(kind, piece[kind], piece)
    elif kind == "wanting":
        wants = "a number" if piece["wanting"][0] in "dD" else "a Path or a name"
        raise _without(piece, f"{piece['wanting']} wants {wants} behind it.", meant=False)
    else:
        return False
    return True


def _only(common: _Side, verb: str, *allowed: str) -> None:
    """Object to words that mean nothing with `verb`."""
    for key, piece in common.pieces.items():
        if key not in allowed:
            name = piece[0].strip()
            what = f"sc {verb} is judged on the Success Range" if key == "dc" else f"sc {verb} does not use it"
            raise _without(piece, f"{name} means nothing here: {what}.")


def _rolled(pieces: list[Piece]) -> Roll | Assist | Mind | Resist:
    head, *behind = pieces
    verb = " ".join(head["verb"].lower().split())
    acting, common = _head(head), _Side()
    versus: Piece | None = None
    other = _Side()
    for piece in behind:
        if _of_any(piece, common):
            continue
        if _of_pool(piece, acting if versus is None else other):
            continue
        if versus is not None:
            raise _without(piece, "vs stands here already.")
        versus = piece
    if verb in t.POOLS:
        return _plain(head, verb, acting, versus, other, common)
    if verb == "mind":
        return _mind(head, acting, versus, other, common)
    if versus is not None:
        raise _without(versus, f"vs means nothing here: sc {verb} is judged on the Success Range.")
    moon, tag = "fullmoon" in common.words, common.words.get("tag")
    if verb == "resist":
        _only(common, verb, "fullmoon", "tag")
        pool = _resistance(head, acting)
        return _built(head, acting, lambda: Resist(pool, moon, tag))
    _only(common, "assist", "fullmoon", "tag", "recipient")
    pool = _pool(head, acting, verb.removeprefix("assist").strip())
    return _built(head, acting, lambda: Assist(pool, common.words.get("recipient"), moon, tag))


def _plain(head: Piece, kind: str, acting: _Side, versus: Piece | None, other: _Side, common: _Side) -> Roll:
    """`sc strike` and `sc cinder`."""
    pool = _pool(head, acting, kind)
    target = None if versus is None else _target(versus, other)
    words = common.words
    blame = _Side({}, {**acting.pieces, **common.pieces, **other.pieces})
    return _built(
        head,
        blame,
        lambda: Roll(pool, target, words.get("dc"), "fullmoon" in words, words.get("tag"), words.get("speaker")),
    )


def _target(versus: Piece, other: _Side) -> Target:
    """Whom a roll is to hit (SC-08, SC-24)."""
    kind = versus.lastgroup
    if kind == "lone":  # GEN-05
        number = re.match(r"[0-9]+", versus["lone"])
        dc = f"dc{number[0] if number else 1}"
        sentence = (
            f'"{versus[0].strip()}" could be a difficulty, {dc}, or a pool, which only sc mind is rolled against?'
        )
        raise _without(versus, sentence, instead=dc)
    if kind == "against":  # SC-22
        sentence = "only sc mind is opposed by a roll: say the target's Path, as vs human, or its name without @."
        raise _without(versus, sentence)
    if kind == "will":
        raise _without(versus, "ironwill resists sc mind and nothing else.")
    for word, piece in other.pieces.items():
        if other.words.get(word) not in ("weakness", "state"):
            sentence = f"{piece[0].strip()} behind vs would be the target's, who rolls nothing: put it before vs."
            text, at = piece.string, versus.start()
            moved = text[:at] + f" {piece[0].strip()}" + text[at : piece.start()] + text[piece.end() :]
            raise Misread(text, piece.end() - len(piece[0].lstrip()), sentence, instead=moved, meant=True)
    path = word_of(versus["target"]) if kind == "target" else None
    return Target(path, versus["name"] if path is None else None, other.several("weakness"), other.several("state"))


def _mind(head: Piece, acting: _Side, versus: Piece | None, other: _Side, common: _Side) -> Mind:
    """`sc mind`: alone, against dice, a Human, or `@nick` (SC-16, SC-17)."""
    _only(common, "mind", "fullmoon", "tag")
    pool = _pool(head, acting, t.CINDER)
    moon, tag = "fullmoon" in common.words, common.words.get("tag")
    if versus is None:
        return _built(head, acting, lambda: Mind(pool, fullmoon=moon, tag=tag))
    kind = versus.lastgroup
    if kind == "against":
        for piece in other.pieces.values():
            raise _without(piece, f"@{versus['against']} says that with sc resist: put yours before vs.")
        return _built(head, acting, lambda: Mind(pool, against=versus["against"], fullmoon=moon, tag=tag))
    if kind == "name":
        path = nearest(versus["name"].lower(), t.PATHS)
        sentence = f"{versus['name']} is no Path: against a mind say the target's Cinder dice, a Path, or @nick."
        raise _without(versus, sentence, instead=f"vs {path}" if path else "", meant=False)
    if kind == "target" and word_of(versus["target"]) == t.HUMAN and not other.pieces:
        return _built(head, acting, lambda: Mind(pool, human=True, fullmoon=moon, tag=tag))
    resisting = _resisting(head, versus, other)
    return _built(head, acting, lambda: Mind(pool, resisting, fullmoon=moon, tag=tag))


def _resisting(head: Piece, versus: Piece, other: _Side) -> Pool:
    """The other side's dice in a contest of one line."""
    kind = versus.lastgroup
    if kind == "lone":
        count, _, sides = re.sub(r"\s", "", versus["lone"].lower()).partition("d")
        if sides not in ("", "6"):
            raise misread(
                versus, "lone", f"Strike & Cinder is rolled with d6, you wrote d{sides}.", f"{count}d6", meant=True
            )
        other.put("count", int(count), versus)
    elif kind == "will":
        other.put("ironwill", True, versus)
    else:
        other.put("path", word_of(versus["target"]), versus)
    return _resistance(head, other)


def _resistance(head: Piece, side: _Side) -> Pool:
    """The dice of one who resists: a Human has none but Iron Will (SC-17)."""
    words = side.words
    if words.get("path") == t.HUMAN and not {"ironwill", "ritual", "count"} & set(words):
        sentence = "a Human has no Cinder to resist with, but for ironwill: 5d6."
        raise _at(side.pieces["path"], sentence, "ironwill")
    pool = _pool(head, side, t.CINDER)
    _built(head, side, lambda: check_resisting(pool))
    return pool


ROLLS = (
    Clauses(_HEAD.format("strike|cinder"), _CLAUSE + _SPEAKER, _rolled),
    Clauses(_HEAD.format("mind|resist"), _CLAUSE, _rolled),
    Clauses(_HEAD.format(r"assist\s*(?:strike|cinder)"), _CLAUSE + _RECIPIENT, _rolled),
)
