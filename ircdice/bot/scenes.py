"""`scene`, and `log scene`: what was rolled in one, ready to paste (DSK-08)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command
from grammars.log import LogOfScene
from grammars.scenes import Scene, SceneEnd, WhichScene
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.reply import within
from ircdice.table import scenes

MOST_LINES = 40  # of one scene in private
MOST_RECORDS = 1_000


async def opening(context: Context[Scene]) -> Answer:
    """`scene NAME`: what is rolled from now on belongs to it; one that is open ends."""
    place = _place(context)
    context.require_storyteller("opens a scene")
    names.check_meaningless(context.node.name)
    kept = replace(context.node, number=scenes.last_number(context.desk, place) + 1)
    return await _kept(context, kept, f"scene {kept.number}, {kept.name}, opens")


async def end(context: Context[SceneEnd]) -> Answer:
    """`scene end`: what is rolled from now on belongs to no scene."""
    playing = scenes.playing(context.desk, _place(context))
    context.require_storyteller("ends a scene")
    if playing is None:
        raise RuleError("no scene is open here: !scene NAME opens one.")
    line = f"scene {playing.number}, {playing.name}, is over; log scene gives what was rolled"
    return await _kept(context, SceneEnd(playing.number), line)


async def question(context: Context[WhichScene]) -> Answer:
    """`scene`: which one is open."""
    playing = scenes.playing(context.desk, _place(context))
    text = f"scene {playing.number}, {playing.name}, is open." if playing else "no scene is open here."
    return Answer((context.say(text),), "check")


async def log(context: Context[LogOfScene]) -> Answer:
    """`log scene [NAME] [md|bbcode]`: what was rolled in it, to the speaker alone."""
    node, message, place = context.node, context.message, _place(context)
    records = await context.ledger.scenes(message.network, place)
    found = scenes.named(records, node.name, node.number)
    if found is None:
        which = node.name or (f"number {node.number}" if node.number else "at all")
        raise RuleError(f"there was no scene {which} here.")
    lines = scenes.told(await context.ledger.of_scene(message.network, place, str(found.number), MOST_RECORDS))
    shown = scenes.pasted(f"{found.name} ({message.channel}, scene {found.number})", lines[:MOST_LINES], node.form)
    if not lines:
        shown = [f"nothing was rolled in scene {found.number}, {found.name}."]
    if more := len(lines) - MOST_LINES if len(lines) > MOST_LINES else 0:
        page = context.settings.base_url and f", or the page {context.settings.base_url}"
        shown.append(f"and {more} more: whoever runs me has them all with ircdice log --scene {found.number}{page}.")
    return Answer(tuple([context.whisper(line) for line in shown]), "check")


def _place(context: Context[Command]) -> str:
    if context.message.channel is None:
        raise RuleError("a scene is played in a channel: say it there.")
    return context.message.place


async def _kept(context: Context[Command], kept: Scene | SceneEnd, said: str) -> Answer:
    line = within(f"{context.message.nick}: {said}")
    record = await context.keep_at(scenes.scene_key(context.message.place), "scene", kept, line)
    return Answer((context.post(record),), "note", context.settings.system, record=record)
