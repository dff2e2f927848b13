"""`scene`, and `log scene`: the rolls of a scene, ready to paste (DSK-08)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import grammars
from grammars import Command, Refused, line
from grammars.log import LogOfScene
from grammars.scenes import Scene, SceneEnd, WhichScene
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.ledger.record import AMENDING, Record
from ircdice.table.desk import folded, last_scene_number, open_scene, scene_key

DRAWN = frozenset({"draw", "init"})  # kinds of record that also store tables, decks and orders
SHOWN = AMENDING | {"roll", "answer", "lapse", "reveal"} | DRAWN  # kinds shown in the log of a scene
MOST_LINES = 40  # for one scene, in private
MOST_RECORDS = 1_000


async def opening(context: Context[Scene]) -> Answer:
    """`scene NAME`: open a scene for the following rolls, and end the current one."""
    place, nick = context.require_channel(), context.message.nick
    if folded(context.node.name) in ("open", "start", "stop", "close", "off"):
        raise RuleError("a scene is opened by !scene NAME, and ended by !scene end.")
    context.require_storyteller("open a scene")
    names.check_free(context, context.node.name)
    scene = replace(context.node, number=last_scene_number(context.desk, place) + 1)
    line = f"{nick}: scene {scene.number}, {scene.name}, opens"
    if before := open_scene(context.desk, place):
        line += f"; scene {before.number}, {before.name}, is over"
    return await context.remember(scene_key(place), "scene", scene, line)


async def end(context: Context[SceneEnd]) -> Answer:
    """`scene end`: end the current scene."""
    place, nick = context.require_channel(), context.message.nick
    context.require_storyteller("end a scene")
    if (scene := open_scene(context.desk, place)) is None:
        raise RuleError("no scene is open here: !scene NAME opens one.")
    line = f"{nick}: scene {scene.number}, {scene.name}, is over; !log scene gives what was rolled"
    return await context.remember(scene_key(place), "scene", SceneEnd(scene.number), line)


async def question(context: Context[WhichScene]) -> Answer:
    """`scene`: show the current scene."""
    scene = open_scene(context.desk, context.require_channel())
    text = f"scene {scene.number}, {scene.name}, is open." if scene else "no scene is open here."
    return context.answer(text)


async def log(context: Context[LogOfScene]) -> Answer:
    """`log scene [NAME] [md|bbcode]`: send the rolls of a scene to the speaker in private."""
    node, network, place = context.node, context.message.network, context.require_channel()
    channel = context.message.channel or ""
    scene = named(await context.ledger.scenes(network, place), node.name, node.number)
    if scene is None:
        which = node.name or (f"number {node.number}" if node.number else "at all")
        raise RuleError(f"there was no scene {line.shown(which)} here.")
    lines = lines_of(await context.ledger.of_scene(network, place, str(scene.number), MOST_RECORDS))
    sent = pasted(title(scene, channel), lines[:MOST_LINES], node.form)
    if not lines:
        sent = [f"nothing was rolled in scene {scene.number}, {scene.name}."]
    if (more := len(lines) - MOST_LINES) > 0:
        page = context.settings.base_url and f", or the page {context.settings.base_url}"
        all_of_it = f"ircdice log --scene {scene.number} --channel {network}/{channel}"
        sent.append(f"and {more} more: the operator has them all with {all_of_it}{page}.")
    return context.answer_privately(*sent)


def of_game(context: Context[Command]) -> tuple[Draft, ...]:
    """The record of a scene that begins or ends with a game's command, such as an encounter."""
    place, node = context.message.place, context.node
    scene, change = context.desk.get(scene_key(place)), ""
    if node.opens:
        change = str(Scene(node.opens, last_scene_number(context.desk, place) + 1))
    elif node.closes and scene and isinstance(scene.node, Scene) and scene.record.draft.ref:
        change = str(SceneEnd(scene.node.number))  # its record refers to the command that opened it
    if not change or context.message.channel is None:
        return ()
    return (context.draft("scene", change, "", key=scene_key(place)),)


def opened(record: Record) -> Scene | None:
    """The scene that a record opened, if any."""
    try:
        node = grammars.parse(record.draft.text, record.draft.terms.system, True)
    except Refused:
        return None
    return node if isinstance(node, Scene) else None


def named(records: Iterable[Record], name: str | None, number: int | None) -> Scene | None:
    """The latest scene with that name or number, among `scene` records, newest first; by default the latest."""
    for scene in filter(None, map(opened, records)):
        if number in (None, scene.number) and folded(name or scene.name) == folded(scene.name):
            return scene
    return None


def is_of_dice(record: Record, kinds: Collection[str]) -> bool:
    """Whether a record of one of those kinds rolled, drew or revealed something (DSK-15)."""
    draft = record.draft
    return draft.kind in kinds and (draft.kind not in DRAWN or bool(draft.draws))


def shown(records: Sequence[Record]) -> list[Record]:
    """The rolls of a scene, in the order of play, without secret or discarded ones."""
    discarded = {record.draft.ref for record in records if record.draft.kind == "discard"}
    rolls = (record for record in records if record.draft.line and is_of_dice(record, SHOWN))
    return [record for record in rolls if not {record.seq, record.draft.ref} & discarded]


def lines_of(records: Sequence[Record]) -> list[str]:
    """The rolls of a scene, as posted."""
    return [record.posted for record in shown(records)]


def title(scene: Scene, channel: str) -> str:
    """`Harbour (#fu_dice, scene 3)`."""
    return f"{scene.name} ({channel}, scene {scene.number})"


def pasted(title: str, lines: Sequence[str], form: str) -> list[str]:
    """The lines as plain text, Markdown (`md`) or BBCode (`bbcode`), with their own markup escaped."""
    if form == "md":
        return [f"## {title}", *(f"- ``{line}``" if "`" in line else f"- `{line}`" for line in lines)]
    if form == "bbcode":
        return [f"[b]{title}[/b]", "[code]", *(line.replace("[/", "[ /") for line in lines), "[/code]"]
    return [title, *lines]
