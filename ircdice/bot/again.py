"""`again [CHANGES]`: a roll once more (DSK-13)."""

from __future__ import annotations

from dataclasses import replace

from grammars.again import Again
from grammars.changes import changed
from grammars.errors import CommandSyntaxError, ImpossibleError
from ircdice import dispatcher
from ircdice.bot import follow_ups, rolls
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.ledger.ids import base32
from ircdice.table.rolls import reading_of


async def again(context: Context[Again]) -> Answer:
    """The speaker's last roll in this channel with changed clauses; its record has the whole command."""
    if context.message.channel is None:
        raise RuleError("again repeats a roll of a channel, and is said there.")
    chain = rolls.latest_own(context, "repeated: type another command")
    if chain is None:
        raise RuleError("you have no roll here to repeat.")
    if chain.node.opposed or follow_ups.seat(context, chain) == "other":
        raise RuleError(f"your latest roll, #{base32(chain.root.seq)}, was in a contest: type another command.")
    reading = context.reading
    try:
        text = changed(reading_of(chain.root), context.node.changes, reading.comment, reading.speaks_as)
        once = await context.instead(text)
    except ImpossibleError as error:
        raise RuleError(str(error)) from None
    except CommandSyntaxError as error:
        raise replace(error, text=context.text, column=1 + context.text.find(context.node.changes)) from None
    game = dispatcher.owner(once.node)
    if once.node.opposed or not dispatcher.throws(once.node):
        raise RuleError(f'"{text}" is no roll of your own: type the whole command.')
    if context.settings.systems and game not in context.settings.systems:
        raise RuleError(f"{game} is not played here.")
    return await follow_ups.handled(rolls.throw, once)
