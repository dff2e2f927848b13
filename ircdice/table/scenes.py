"""The log of a scene, from its records (DSK-08)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import grammars
from grammars import Refused
from grammars.scenes import Scene
from ircdice.ledger.record import AMENDING, Record
from ircdice.table.desk import folded

DRAWN = frozenset({"draw", "init"})  # kinds that also store tables, decks and orders
SHOWN = AMENDING | {"roll", "answer", "lapse", "reveal"} | DRAWN  # kinds of record shown in the log of a scene


def named(records: Iterable[Record], name: str | None, number: int | None) -> Scene | None:
    """The latest scene with that name or number, among `scene` records, newest first; by default the latest."""
    for record in records:
        try:
            node = grammars.parse(record.draft.text, record.draft.terms.system, True)
        except Refused:
            continue
        if isinstance(node, Scene) and number in (None, node.number) and folded(name or node.name) == folded(node.name):
            return node
    return None


def shown(records: Sequence[Record]) -> list[Record]:
    """The rolls of a scene, in the order of play, without secret or discarded ones."""
    discarded = {record.draft.ref for record in records if record.draft.kind == "discard"}
    shown = (record for record in records if record.draft.line and is_of_dice(record, SHOWN))
    return [record for record in shown if not {record.seq, record.draft.ref} & discarded]


def is_of_dice(record: Record, kinds: Collection[str]) -> bool:
    """Whether a record of one of those kinds rolled, drew or revealed something (DSK-15)."""
    draft = record.draft
    return draft.kind in kinds and (draft.kind not in DRAWN or bool(draft.draws))


def told(records: Sequence[Record]) -> list[str]:
    """The rolls of a scene, as posted."""
    return [f"{record.draft.line}; id {record.id}" for record in shown(records)]


def pasted(title: str, lines: Sequence[str], form: str) -> list[str]:
    """The lines as plain text, Markdown (`md`) or BBCode (`bbcode`), with their own markup escaped."""
    if form == "md":
        return [f"## {title}", *(f"- ``{line}``" if "`" in line else f"- `{line}`" for line in lines)]
    if form == "bbcode":
        return [f"[b]{title}[/b]", "[code]", *(line.replace("[/", "[ /") for line in lines), "[/code]"]
    return [title, *lines]
