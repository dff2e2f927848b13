"""`scene`, and `log scene`: the rolls of a scene, ready to paste (DSK-08)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command
from grammars.log import LogOfScene
from grammars.scenes import Scene, SceneEnd, WhichScene
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.table import scenes
from ircdice.table.desk import folded, last_scene_number, open_scene, scene_key

MOST_LINES = 40  # for one scene, in private
MOST_RECORDS = 1_000


async def opening(context: Context[Scene]) -> Answer:
    """`scene NAME`: open a scene for the following rolls, and end the current one."""
    place = context.require_channel()
    context.require_storyteller("open a scene")
    if folded(context.node.name) in ("open", "start", "stop", "close", "off"):
        raise RuleError("a scene is opened by !scene NAME, and ended by !scene end.")
    names.check_free(context, context.node.name)
    scene = replace(context.node, number=last_scene_number(context.desk, place) + 1)
    line = f"{context.message.nick}: scene {scene.number}, {scene.name}, opens"
    return await context.remember(scene_key(place), "scene", scene, line)


async def end(context: Context[SceneEnd]) -> Answer:
    """`scene end`: end the current scene."""
    place = context.require_channel()
    context.require_storyteller("end a scene")
    if (scene := open_scene(context.desk, place)) is None:
        raise RuleError("no scene is open here: !scene NAME opens one.")
    line = f"{context.message.nick}: scene {scene.number}, {scene.name}, is over; log scene gives what was rolled"
    return await context.remember(scene_key(place), "scene", SceneEnd(scene.number), line)


async def question(context: Context[WhichScene]) -> Answer:
    """`scene`: show the current scene."""
    scene = open_scene(context.desk, context.require_channel())
    text = f"scene {scene.number}, {scene.name}, is open." if scene else "no scene is open here."
    return Answer((context.say(text),), "check")


async def log(context: Context[LogOfScene]) -> Answer:
    """`log scene [NAME] [md|bbcode]`: send the rolls of a scene to the speaker in private."""
    node, message, place = context.node, context.message, context.require_channel()
    records = await context.ledger.scenes(message.network, place)
    scene = scenes.named(records, node.name, node.number)
    if scene is None:
        which = node.name or (f"number {node.number}" if node.number else "at all")
        raise RuleError(f"there was no scene {which} here.")
    lines = scenes.told(await context.ledger.of_scene(message.network, place, str(scene.number), MOST_RECORDS))
    shown = scenes.pasted(f"{scene.name} ({message.channel}, scene {scene.number})", lines[:MOST_LINES], node.form)
    if not lines:
        shown = [f"nothing was rolled in scene {scene.number}, {scene.name}."]
    if (more := len(lines) - MOST_LINES) > 0:
        page = context.settings.base_url and f", or the page {context.settings.base_url}"
        all_of_it = f"ircdice log --scene {scene.number} --channel {message.network}/{message.channel}"
        shown.append(f"and {more} more: the operator has them all with {all_of_it}{page}.")
    return Answer(tuple([context.whisper(line) for line in shown]), "check")


def of_game(context: Context[Command]) -> tuple[Draft, ...]:
    """The record of a scene that begins or ends with a game's command, such as an encounter."""
    desk, place, node = context.desk, context.message.place, context.node
    if not (node.opens or node.closes) or context.message.channel is None:
        return ()
    key = scene_key(place)
    change: Scene | SceneEnd | None = None
    if node.opens:
        change = Scene(node.opens, last_scene_number(desk, place) + 1)
    elif (scene := desk.get(key)) and isinstance(scene.node, Scene) and scene.record.draft.ref:
        change = SceneEnd(scene.node.number)  # its record refers to the command that opened it
    return (context.draft("scene", str(change), "", key=key),) if change else ()
