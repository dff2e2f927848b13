"""One line of an export, read, or what is wrong with it in words (LED-07). Knows nothing of the lines around it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast, get_args

from ircdice.dice import Stamp
from ircdice.errors import ExportError, NoteError
from ircdice.ledger.notes import VerifyingKey, debase64
from ircdice.ledger.proofs import EpochProof
from ircdice.ledger.record import Draft, Record, RecordKind, Sealed, Withheld

Item = Mapping[str, Any]
_NUMBERS = ("seq", "ts", "ref", "epoch", "counter", "generation")
_FORM: dict[str, type] = {  # what a record holds that is shown: nothing else would be bound by its leaf
    "type": str,
    **dict.fromkeys(_NUMBERS, int),
    **dict.fromkeys(("kind", "network", "channel", "nick", "who", "text", "line", "rules", "tag"), str),
    **dict.fromkeys(("sealed", "blind", "leaf"), str),
    "draws": list,
}
_OPENED = _FORM | {"salt": str, "opened": str}  # beside what was sealed
_WITHHELD: dict[str, type] = {"type": str, "seq": int, "leaf": str, "withheld": str}  # all of one that is not shown
_OTHERS: dict[str, dict[str, type]] = {  # what the other lines must hold; they may hold more
    "log": {"format": str, "origin": str, "key": str},
    "checkpoint": {"note": str},
    "epoch": {"epoch": int, "commitment": str, "mixes": list},
}
_IN_WORDS = {int: "whole number", str: "text", list: "list"}
_MOST_SHOWN = 40  # characters of what is wrong
_LEAF, _KEY = 32, 32  # bytes


class _FormError(ExportError):
    """A line that is not of its form."""

    def __init__(self, why: str) -> None:
        super().__init__(f"is not of its form: {why}.")


def parsed(line: str) -> Item:
    """What a line holds, with the keys that its type must have; ExportError, what is wrong with it, where it has not.

    The sentence goes on from the number of the line.
    """
    try:
        item = json.loads(line, object_pairs_hook=_once_each)
    except json.JSONDecodeError as error:
        raise _FormError(f"it is no JSON from its character {error.colno} on") from error
    except (ValueError, RecursionError) as error:  # of thousands of digits, or of brackets
        raise _FormError("it is no JSON that anybody has written") from error
    if not isinstance(item, dict):
        raise _FormError("it is no object in braces")
    _hold(item, {"type": str})
    _hold(item, _OTHERS.get(item["type"], {}))
    return item


def key_of(item: Item) -> VerifyingKey:
    """The key that signed first, of the line of the log."""
    try:
        public = debase64(item["key"])
    except NoteError:
        public = b""
    if len(public) != _KEY:
        raise _FormError(f"key, {_shown(item['key'])}, is no key of 32 bytes in base 64")
    return VerifyingKey(item["origin"], public)


def record_of(item: Item, before: int) -> Record:
    """A record as its line has it; one that is withheld is as old as the one `before` it (ms since 1970)."""
    if "withheld" in item:
        _holds_just(item, _WITHHELD)
        if item["withheld"] not in get_args(Withheld):
            raise _FormError(f"{_shown(item['withheld'])} is no reason to withhold a record")
        return Record.withheld(item["seq"], before, _bytes(item, "leaf", _LEAF), cast(Withheld, item["withheld"]))
    _holds_just(item, _OPENED if item.get("sealed") else _FORM)
    draft = Draft(
        _kind(item["kind"]),
        *(item["network"], item["channel"], item["nick"], item["who"], item["text"]),
        _draws(item["draws"]),
        item["line"],
        item["ref"],
        stamp=Stamp(item["epoch"], item["counter"], item["generation"]),
        sealed=Sealed(item["opened"], _bytes(item, "salt")) if "opened" in item else None,
    )
    mine, blind = _bytes(item, "leaf", _LEAF), _bytes(item, "blind")
    return Record(item["seq"], item["ts"], draft, item["tag"], blind, item["rules"], mine)


def epoch_of(item: Item) -> EpochProof:
    """An epoch, whose seed may not be published yet."""
    if "seed" not in item:
        raise _FormError("it lacks seed")
    seed = None if item["seed"] is None else _bytes(item, "seed")
    return EpochProof(item["epoch"], _bytes(item, "commitment"), seed)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose every key stands there once: of two, other readers believe the other."""
    item = dict(pairs)
    if len(item) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _FormError(f"twice there: {', '.join(sorted({key for key in keys if keys.count(key) > 1}))}")
    return item


def _holds_just(item: Item, form: Mapping[str, type]) -> None:
    """Refuse other keys than a record's, and a value of another kind: `true` is no 1, `"1"` none either."""
    if more := sorted(item.keys() - form.keys()):
        raise _FormError(f"it holds what no leaf binds: {', '.join(more)}")
    _hold(item, form)
    for key in _NUMBERS:
        if not 0 <= item.get(key, 0) < 2**63:
            raise _FormError(f"{key}, {_shown(item[key])}, is no number that a record has")


def _hold(item: Item, form: Mapping[str, type]) -> None:
    if missing := [key for key in form if key not in item]:
        raise _FormError(f"it lacks {', '.join(missing)}")
    for key, kind in form.items():
        if type(item[key]) is not kind:
            raise _FormError(f"{key}, {_shown(item[key])}, is no {_IN_WORDS[kind]}")


def _draws(draws: Iterable[Any]) -> tuple[tuple[int, int], ...]:
    for draw in draws:
        if type(draw) is not list or [type(number) for number in draw] != [int, int]:
            raise _FormError(f"draws, {_shown(draw)} in it, are no pairs of sides and face")
    return tuple((sides, face) for sides, face in draws)


def _kind(kind: str) -> RecordKind:
    """A kind that this version knows; those of a later one it could not keep as what they are."""
    if kind not in get_args(RecordKind) or kind == "withheld":
        raise _FormError(f"{_shown(kind)} is no kind of record here")
    return cast(RecordKind, kind)


def _bytes(item: Item, key: str, length: int | None = None) -> bytes:
    try:
        found = bytes.fromhex(item[key])
    except (ValueError, TypeError):
        raise _FormError(f"{key}, {_shown(item[key])}, is no hexadecimal number") from None
    if found.hex() != item[key]:  # other readers compare what is written
        raise _FormError(f"{key}, {_shown(item[key])}, is no hexadecimal number as an export has it")
    if length not in (None, len(found)):
        raise _FormError(f"{key}, {_shown(item[key])}, has not {length} bytes")
    return found


def _shown(value: object) -> str:
    """As it stands there, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
