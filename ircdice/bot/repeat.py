"""`Nx COMMAND`: several rolls of one command, each a record with its own id (GEN-17)."""

from __future__ import annotations

from dataclasses import replace

from grammars.repeat import Repeated, command_in
from ircdice import dispatcher
from ircdice.bot import follow_ups, rolls
from ircdice.bot.context import Answer, Context
from ircdice.bot.message import Reply
from ircdice.errors import Refused, RuleError, StaleError


async def repeat(context: Context[Repeated]) -> Answer:
    """Roll `count` times, as if the command had been typed as often."""
    node, count = context.node.command, context.node.count
    if not dispatcher.rolls(node) or not dispatcher.throws(node):
        raise RuleError(f'"{node}" is no roll of its own: only those are repeated.')
    made: list[Answer] = []
    while len(made) < count:
        try:
            once = await context.instead(command_in(context.text), more=len(made) < count - 1)
            made.append(await follow_ups.handled(rolls.throw, once))
        except (Refused, StaleError) as refusal:
            if not made:
                raise
            why = str(refusal) or "something that it moves was changed meanwhile."
            return _together(made, context.whisper(f"Rolled {len(made)} of {count}: {why}"))
    return _together(made)


def _together(made: list[Answer], *rest: Reply) -> Answer:
    """One answer: the lines of all rolls first, then what is said in private."""
    posted = [reply for answer in made for reply in answer.replies if reply.seq is not None]
    told = [reply for answer in made for reply in answer.replies if reply.seq is None]
    joined = [replace(reply, joins=True) for reply in posted[:-1]]
    return made[0]._replace(replies=(*joined, *posted[-1:], *told, *rest), rolls=tuple(made))
