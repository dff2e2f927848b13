"""Records as rows, and back. Knows no connection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import sqlalchemy as sa

from ircdice.ledger import packing, terms
from ircdice.ledger.entry import Entry
from ircdice.ledger.record import Record
from ircdice.ledger.store.migrations import SETTING
from ircdice.ledger.store.schema import RECORDS

# The setting that was in force when a record was made is the place's last one before it (LED-02).
_SETTING_THEN = (
    f"(SELECT s.text FROM records AS s WHERE s.{SETTING} AND s.network = records.network"
    " AND s.channel = records.channel AND s.seq <= records.seq ORDER BY s.seq DESC LIMIT 1)"
)
_IN_FORCE = sa.literal_column(_SETTING_THEN, sa.Text).label("setting")
_C = RECORDS.c
_READ = (
    *(_C.seq, _C.ts, _C.kind, _C.ref, _C.epoch, _C.counter, _C.generation, _C.network, _C.channel, _C.nick, _C.who),
    *(_C.text, _C.draws, _C.line, _C.blind, _C.rules, _C.tag, _C.leaf, _C.sealed_text, _C.sealed_salt, _IN_FORCE),
)
SELECT = sa.select(*_READ)
# Without the setting, for whoever goes through all of them and carries it along.
NAMES = tuple(column.name for column in _READ[:-1])
# What SELECT asks, for the driver.
ASKED = f"SELECT {', '.join(NAMES)}, {_SETTING_THEN} FROM records"
_SEALED = ("sealed_text", "sealed_salt")  # which alone may be nothing
_KINDS = tuple((column.type.python_type, column.name in _SEALED) for column in _READ[:-1])
_FITTING = frozenset(product(*((kind, type(None)) if nullable else (kind,) for kind, nullable in _KINDS)))
_DRAWS, _BLIND = NAMES.index("draws"), NAMES.index("blind")


def row_of(record: Record, request: bytes | None) -> tuple[Any, ...]:
    """What is inserted for a record, in the order of its columns; `request` is the key of the append that writes it."""
    draft, stamp = record.draft, record.draft.stamp
    sealed = (draft.sealed.text, draft.sealed.salt) if draft.sealed else (None, None)
    return (
        *(record.seq, record.ts, draft.kind, draft.ref, stamp.epoch, stamp.counter, stamp.generation),
        *(draft.network, draft.channel, draft.nick, draft.who, draft.text, packing.pack(draft.draws), draft.line),
        *(record.blind, record.rules, record.tag, record.leaf, request, *sealed),
    )


@lru_cache
def between(dialect: str, others: int = 0) -> str:
    """What is asked for the rows between two numbers, without those of so many `others`, which are channels."""
    mark = "?" if dialect == "sqlite" else "%s"
    apart = f" AND channel NOT IN ({', '.join([mark] * others)})" if others else ""
    return f"SELECT {', '.join(NAMES)} FROM records WHERE seq > {mark} AND seq <= {mark}{apart} ORDER BY seq"


def record_of(row: Sequence[Any]) -> Record:
    """The record of a row of `SELECT`, as `kept` has it."""
    *columns, setting = row
    return Entry(*(*whole(columns), terms.read(setting))).record


def whole(row: Sequence[Any]) -> Sequence[Any]:
    """A row of `between`, whatever stands there: for one that no record can be made of, one whose leaf is not its."""
    return row if tuple(map(type, row)) in _FITTING and packing.is_packed(row[_DRAWS]) else _stand_in(row)


def _stand_in(row: Sequence[Any]) -> Sequence[Any]:
    """Without what does not fit, as SQLite holds any value in any column, nor its dice and its blind."""
    kept = [
        value if isinstance(value, kind) else None if nullable else kind()
        for value, (kind, nullable) in zip(row, _KINDS, strict=True)
    ]
    kept[_DRAWS] = kept[_BLIND] = b""
    return kept
