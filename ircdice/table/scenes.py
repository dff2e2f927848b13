"""The scene of a channel, as the desk has it (DSK-08)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import grammars
from grammars import Refused
from grammars.scenes import Scene, SceneEnd
from ircdice.ledger.record import AMENDING, Record
from ircdice.table.desk import Desk, folded, key_of


def scene_key(channel: str) -> str:
    """The scene that is played, or was last."""
    return key_of(channel, "scene")


def playing(desk: Desk, channel: str) -> Scene | None:
    """The scene that is open in a channel; its number tells it from others of the name."""
    return desk.node(scene_key(channel), Scene)


def is_of_game(desk: Desk, channel: str) -> bool:
    """Whether the scene that is open began with a command of a game, as an encounter."""
    kept = desk.get(scene_key(channel))
    return kept is not None and kept.record.draft.ref > 0


def last_number(desk: Desk, channel: str) -> int:
    """The number of the scene that was opened last; 0 before the first."""
    last = desk.node(scene_key(channel), Scene) or desk.node(scene_key(channel), SceneEnd)
    return (last.number if last else None) or 0


DRAWN = frozenset({"draw", "init"})  # kinds that also keep what is drawn from
SHOWN = AMENDING | {"roll", "answer", "lapse", "reveal"} | DRAWN  # kinds of records that the log of a scene shows


def named(records: Iterable[Record], name: str | None, number: int | None) -> Scene | None:
    """The latest scene of that name or number among records of kind `scene`, newest first; else the latest."""
    for record in records:
        try:
            node = grammars.parse(record.draft.text, record.draft.terms.system, True)
        except Refused:
            continue
        if isinstance(node, Scene) and number in (None, node.number) and folded(name or node.name) == folded(node.name):
            return node
    return None


def shown(records: Sequence[Record]) -> list[Record]:
    """What was rolled in a scene, in the order of play: no secrets, and nothing discarded."""
    discarded = {record.draft.ref for record in records if record.draft.kind == "discard"}
    return [record for record in records if _is_shown(record) and not {record.seq, record.draft.ref} & discarded]


def _is_shown(record: Record) -> bool:
    """Whether something was rolled, drawn or revealed by it."""
    draft = record.draft
    return draft.kind in SHOWN and bool(draft.line) and (draft.kind not in DRAWN or bool(draft.draws))


def told(records: Sequence[Record]) -> list[str]:
    """What was rolled in a scene, as it was posted."""
    return [f"{record.draft.line}; id {record.id}" for record in shown(records)]


def pasted(title: str, lines: Sequence[str], form: str) -> list[str]:
    """The lines as plain text, as Markdown (`md`) or as BBCode (`bbcode`), in which nothing is markup of their own."""
    if form == "md":
        return [f"## {title}", *(f"- ``{line}``" if "`" in line else f"- `{line}`" for line in lines)]
    if form == "bbcode":
        return [f"[b]{title}[/b]", "[code]", *(line.replace("[/", "[ /") for line in lines), "[/code]"]
    return [title, *lines]
