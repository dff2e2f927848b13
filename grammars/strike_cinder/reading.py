"""From the clauses of a Strike & Cinder roll to its node, and the objections to those that cannot stand."""

from __future__ import annotations

import re
from functools import lru_cache

from grammars.spelling import nearest
from grammars.strike_cinder import tables as t
from grammars.strike_cinder.clauses import (
    CLAUSE,
    EITHER_SIDE,
    HEAD,
    RECIPIENT,
    SPEAKER,
    Side,
    at_piece,
    built,
    head_side,
    of_any,
    of_pool,
    only,
    pool_of,
    without,
    word_of,
)
from grammars.strike_cinder.nodes import Assist, Mind, Resist, Roll, check_resisting
from grammars.strike_cinder.pools import Pool
from grammars.strike_cinder.targets import Target
from grammars.tokens import Clauses, Misread, Piece, misread, written


def _rolled(pieces: list[Piece]) -> Roll | Assist | Mind | Resist:
    head, *behind = pieces
    verb = " ".join(head["verb"].lower().split())
    acting, common = head_side(head), Side()
    versus: Piece | None = None
    other = Side()
    for piece in behind:
        if piece.lastgroup in EITHER_SIDE:
            of_any(piece, common)
            continue
        if of_pool(piece, acting if versus is None else other):
            continue
        if versus is not None:
            raise without(piece, "vs stands here already.")
        versus = piece
    if verb in t.POOLS:
        return _plain(head, verb, acting, versus, other, common)
    if verb == "mind":
        return _mind(head, acting, versus, other, common)
    if versus is not None:
        raise without(versus, f"vs means nothing here: sc {verb} is judged on the Success Range.")
    moon, tag = "fullmoon" in common.words, common.words.get("tag")
    if verb == "resist":
        only(common, verb, "fullmoon", "tag")
        pool = _resistance(head, acting)
        return built(head, lambda: Resist(pool, moon, tag), acting)
    only(common, "assist", "fullmoon", "tag", "recipient")
    pool = pool_of(head, acting, verb.removeprefix("assist").strip())
    return built(head, lambda: Assist(pool, common.words.get("recipient"), moon, tag), acting)


def _plain(head: Piece, kind: str, acting: Side, versus: Piece | None, other: Side, common: Side) -> Roll:
    """`sc strike` and `sc cinder`."""
    pool = pool_of(head, acting, kind)
    target = None if versus is None else _target(versus, other)
    words = common.words
    return built(
        head,
        lambda: Roll(pool, target, words.get("dc"), "fullmoon" in words, words.get("tag"), words.get("speaker")),
        other,
        common,
        acting,
    )


def _target(versus: Piece, other: Side) -> Target:
    """Whom a roll is to hit (SC-08, SC-24)."""
    kind = versus.lastgroup
    if kind == "lone":  # GEN-05
        number = re.match(r"[0-9]+", versus["lone"])
        dc = f"dc{number[0] if number else 1}"
        sentence = f'"{written(versus)}" could be a difficulty, {dc}, or a pool; only sc mind has a pool behind vs.'
        raise without(versus, sentence, instead=dc)
    if kind == "against":  # SC-22
        sentence = "only sc mind is opposed by a roll: say the target's Path, as vs human, or its name without @."
        raise without(versus, sentence)
    if kind == "will":
        raise without(versus, "ironwill resists sc mind and nothing else.")
    for word, piece in other.pieces.items():
        if other.words.get(word) not in ("weakness", "state"):
            sentence = f"{written(piece)} behind vs would be the target's, who rolls nothing: put it before vs."
            text, at = piece.string, versus.start()
            moved = text[:at] + f" {written(piece)}" + text[at : piece.start()] + text[piece.end() :]
            raise Misread(text, piece.end() - len(piece[0].lstrip(" ,")), sentence, instead=moved, meant=True)
    path = word_of(versus["target"]) if kind == "target" else None
    return _shared(path, versus["name"] if path is None else None, other.several("weakness"), other.several("state"))


_shared = lru_cache(maxsize=1024)(Target)  # targets are immutable: commands may share them


def _mind(head: Piece, acting: Side, versus: Piece | None, other: Side, common: Side) -> Mind:
    """`sc mind`: alone, against dice, a Human, or `@nick` (SC-16, SC-17)."""
    only(common, "mind", "fullmoon", "tag")
    pool = pool_of(head, acting, t.CINDER)
    moon, tag = "fullmoon" in common.words, common.words.get("tag")
    if versus is None:
        return built(head, lambda: Mind(pool, fullmoon=moon, tag=tag), acting)
    kind = versus.lastgroup
    if kind == "against":
        for piece in other.pieces.values():
            raise without(piece, f"@{versus['against']} says that with sc resist: put yours before vs.")
        return built(head, lambda: Mind(pool, against=versus["against"], fullmoon=moon, tag=tag), acting)
    if kind == "name":
        path = nearest(versus["name"].lower(), t.PATHS)
        sentence = f"{versus['name']} is no Path: against a mind say the target's Cinder dice, a Path, or @nick."
        raise without(versus, sentence, instead=f"vs {path}" if path else "", meant=False)
    if kind == "target" and word_of(versus["target"]) == t.HUMAN and not other.pieces:
        return built(head, lambda: Mind(pool, human=True, fullmoon=moon, tag=tag), acting)
    resisting = _resisting(head, versus, other)
    return built(head, lambda: Mind(pool, resisting, fullmoon=moon, tag=tag), acting)


def _resisting(head: Piece, versus: Piece, other: Side) -> Pool:
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


def _resistance(head: Piece, side: Side) -> Pool:
    """The dice of one who resists: a Human has none but Iron Will (SC-17)."""
    words = side.words
    if words.get("path") == t.HUMAN and not {"ironwill", "ritual", "count"} & set(words):
        sentence = "a Human has no Cinder to resist with, but for ironwill: 5d6."
        raise at_piece(side.pieces["path"], sentence, "ironwill")
    pool = pool_of(head, side, t.CINDER)
    built(head, lambda: check_resisting(pool), side)
    return pool


ROLLS = (
    Clauses(HEAD.format("strike|cinder"), CLAUSE + SPEAKER, _rolled, commas=True),
    Clauses(HEAD.format("mind|resist"), CLAUSE, _rolled, commas=True),
    Clauses(HEAD.format(r"assist\s*(?:strike|cinder)"), CLAUSE + RECIPIENT, _rolled, commas=True),
)
