"""Who plays whom (DSK-01)."""

from __future__ import annotations

from grammars.characters import Characters, Play
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.table import characters as table

MOST_PLAYERS = 50  # in one channel


async def play(context: Context[Play]) -> Answer:
    """`play [NAME|off]`: whom the speaker plays here from now on, or until now."""
    node, message = context.node, context.message
    now = table.playing(context.desk, message.place, message.who)
    if node.name is None and not node.off:
        return Answer((context.say(f"{message.nick} plays {now or 'nobody'} here."),), "note")
    if node.off and now is None:
        raise RuleError("you play nobody here.")
    if node.name is not None:
        names.check_free(context, node.name)
        if now is None and len(table.players(context.desk, message.place)) >= MOST_PLAYERS:
            raise RuleError(f"{MOST_PLAYERS} people play here already: one of them may say !play off.")
    line = f"{message.nick}: no longer {now}" if node.off else f"{message.nick}: plays {node.name}"
    record = await context.keep_at(table.play_key(message.place, message.who), "character", node, line)
    return Answer((context.post(record),), "note", context.settings.system, record=record)


async def characters(context: Context[Characters]) -> Answer:
    """`characters`: who plays whom here."""
    played = table.players(context.desk, context.message.place)
    listed = ", ".join(f"{name} ({who.removeprefix('~')})" for who, name in played.items())
    return Answer((context.say(f"played here: {listed}" if listed else "nobody plays a character here."),), "note")
