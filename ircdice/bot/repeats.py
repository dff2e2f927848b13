"""Roll a command several times, `Nx COMMAND` (GEN-17), or the last one once more, `again [CHANGES]` (DSK-13)."""

from __future__ import annotations

from dataclasses import replace

from grammars.errors import CommandSyntaxError, ImpossibleError
from grammars.macros import Again, changed
from grammars.repeat import Repeated, command_in
from ircdice import dispatcher
from ircdice.bot import follow_ups, rolls
from ircdice.bot.context import Answer, Context
from ircdice.bot.message import Reply
from ircdice.errors import Refused, RuleError, StaleError
from ircdice.table.rolls import reading_of


async def repeat(context: Context[Repeated]) -> Answer:
    """Roll `count` times, as if the command had been typed as often."""
    node, count = context.node.command, context.node.count
    if not dispatcher.rolls(node) or not dispatcher.throws(node):
        raise RuleError(f'"{node}" is no roll of its own: only those are repeated.')
    made: list[Answer] = []
    while len(made) < count:
        try:
            once = await context.instead(command_in(context.text), more=len(made) < count - 1)
            made.append(await rolls.throw(once))
        except (Refused, StaleError) as refusal:
            if not made:
                raise
            why = str(refusal) or "something that it moves was changed meanwhile."
            return _together(made, context.whisper(f"Rolled {len(made)} of {count}: {why}"))
    return _together(made)


def _together(made: list[Answer], *rest: Reply) -> Answer:
    """One answer: the lines of all rolls first, then the private ones."""
    posted = [reply for answer in made for reply in answer.replies if reply.seq is not None]
    told = [reply for answer in made for reply in answer.replies if reply.seq is None]
    joined = [replace(reply, joins=True) for reply in posted[:-1]]
    return made[0]._replace(replies=(*joined, *posted[-1:], *told, *rest), rolls=tuple(made))


async def again(context: Context[Again]) -> Answer:
    """The speaker's last roll in this channel with changed clauses; its record has the whole command."""
    if context.message.channel is None:
        raise RuleError("again repeats a roll of a channel, and is said there.")
    chain = rolls.latest_own(context, "repeated: type another command")
    if chain is None:
        raise RuleError("you have no roll here to repeat.")
    if chain.node.opposed or follow_ups.seat(context, chain) == "other":
        raise RuleError(f"your latest roll, {chain.id}, was in a contest: type another command.")
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
    return await rolls.throw(once)
