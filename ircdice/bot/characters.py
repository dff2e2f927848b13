"""Who plays whom (DSK-01)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grammars import Command
from grammars.characters import Character, Characters, Npc, Play
from grammars.trackers import Track
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.bot.trackers import change
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.table import characters as table

KIND: Final = "character"  # of record


async def play(context: Context[Play]) -> Answer:
    """`play [NAME|off]`: play a character here, or stop; a storyteller can do it for other players."""
    node, message, desk, who = context.node, context.message, context.desk, context.actor.owner
    if who == message.place:
        raise RuleError(f"{context.actor.name} is a character of this channel, and plays nobody.", keeps_case=True)
    nick = message.nick if who == message.who else context.actor.player
    now, key = table.playing(desk, message.place, who), table.play_key(message.place, who)
    if context.for_another and (node.off or node.name):
        context.require_storyteller("say whom somebody else plays")
    if node.off:
        if now is None:
            raise RuleError(f"{nick} plays nobody here.", keeps_case=True)
        return await context.remember(key, KIND, node, f"{nick}: no longer {now.name}")
    if node.name is None:
        return context.answer(f"{nick} plays {now.name if now else 'nobody'} here.", kind="note")
    names.check_free(context, node.name, who)
    context.require_room(key)
    following = []
    if desk.get(created := table.character_key(who, node.name)) is None:
        context.require_room(created)
        following = [context.draft(KIND, str(Character(node.name)), "", key=created)]
    return await context.remember(key, KIND, node, f"{nick}: plays {node.name}", *following)


async def npc(context: Context[Npc]) -> Answer:
    """`npc NAME`: create a character of the channel, for whom its storytellers roll."""
    context.require_storyteller("make a character of the channel's own")
    name, message = context.node.name, context.message
    key = table.character_key(message.place, name)
    if context.desk.get(key):
        raise RuleError(f"{name} is a character of this channel already.", keeps_case=True)
    names.check_free(context, name)
    context.require_room(key)
    return await context.remember(key, KIND, context.node, f"{message.nick}: {name} is a character of this channel")


async def character(context: Context[Character]) -> Answer:
    """`character NAME [rename NEW | retire]`, by its player or a storyteller."""
    node, message = context.node, context.message
    found = context.find(node.name)
    if found is None:
        raise RuleError(f"nobody here is called {node.name}: !characters lists them.")
    if not node.removes:
        return context.answer(f"{found.name} is {found.whose(message.place)}.", kind="note")
    context.require_own("rename or retire", found)
    await context.place.fetch(found.owner)
    key, changed = table.character_key(found.owner, found.name), replace(node, name=found.name)
    if node.new is None:
        line = f"{message.nick}: {found.name} is retired"
        return await context.remember(key, KIND, changed, line, *_tracked(context, found, None))
    names.check_free(context, node.new)
    if (new := table.character_key(found.owner, node.new)) != key and context.desk.get(new):
        raise RuleError(f"{found.player} has a character called {node.new} already.", keeps_case=True)
    own = Npc(node.new) if found.owner == message.place else Character(node.new)
    line = f"{message.nick}: {found.name} is called {node.new} from now on"
    if new == key:  # in other letters
        return await context.remember(key, KIND, own, line)
    moved = _tracked(context, found, replace(found, name=node.new))
    return await context.remember(key, KIND, changed, line, context.draft(KIND, str(own), "", key=new), *moved)


async def characters(context: Context[Characters]) -> Answer:
    """`characters`: who plays whom here."""
    place = context.message.place
    played = table.played(context.desk, place)
    listed = [one.name if one.owner == place else f"{one.name} ({one.player})" for one in played]
    return context.answer(f"played here: {', '.join(listed)}" if listed else "nobody is played here.", kind="note")


def _tracked(context: Context[Command], old: table.Character, new: table.Character | None) -> list[Draft]:
    """Move a character's trackers to a new name, or remove them."""
    drafts: list[Draft] = []
    for each in [*table.trackers(context.desk, old), *table.trackers(context.desk, old, hidden=True)]:
        off = Track(each.name, hidden=each.hidden, before=each.level)
        drafts.append(change(context, old, off))
        if new is not None:
            drafts.append(change(context, new, replace(off, level=each.level, before=None)))
    return drafts
