"""Repeated rolls: `Nx COMMAND` (GEN-17) and `again` (DSK-13)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command, CommandSyntaxError
from grammars.again import Again, changed
from grammars.errors import ImpossibleError
from grammars.repeat import Repeated, command_in
from ircdice import dispatcher
from ircdice.bot.context import Answer, Context
from ircdice.bot.follow_ups import latest_own
from ircdice.bot.message import Reply
from ircdice.bot.refusals import not_here_sentence
from ircdice.bot.rolls import throw
from ircdice.errors import Refused, RuleError, StaleError
from ircdice.table.rolls import reading_of, side_of


async def repeat(context: Context[Repeated]) -> Answer:
    """Roll `count` times, as if the command had been typed that often."""
    node, count = context.node.command, context.node.count
    if not dispatcher.throws_alone(node):
        raise RuleError(f'"{node}" is no roll of its own: only those are repeated.')
    answers: list[Answer] = []
    while len(answers) < count:
        try:
            once = await context.instead(command_in(context.text), Command, more=len(answers) < count - 1)
            answers.append(await throw(once))
        except (Refused, StaleError) as refusal:
            if not answers:
                raise
            why = str(refusal) or "something that it moves was changed meanwhile."
            return _together(answers, context.whisper(f"Rolled {len(answers)} of {count}: {why}"))
    return _together(answers)


def _together(answers: list[Answer], *rest: Reply) -> Answer:
    """One answer, with the lines of all rolls first, then the private ones."""
    posted = [reply for answer in answers for reply in answer.replies if reply.seq is not None]
    private = [reply for answer in answers for reply in answer.replies if reply.seq is None]
    joined = [replace(reply, joins=True) for reply in posted[:-1]]
    return answers[0]._replace(replies=(*joined, *posted[-1:], *private, *rest), rolls=tuple(answers))


async def again(context: Context[Again]) -> Answer:
    """The speaker's last roll in this channel with changed clauses; its record has the whole command."""
    context.require_channel()
    chain = latest_own(context, "repeat", "repeated: type another command")
    if chain.node.answer or side_of(chain, context.person) == "other":
        raise RuleError(f"your latest roll, {chain.id}, was in a contest: type another command.")
    reading = context.reading
    try:
        text = changed(reading_of(chain.root), context.node.changes, reading.comment, reading.speaks_as)
        once = await context.instead(text, Command)
    except ImpossibleError as error:
        raise RuleError(str(error)) from None
    except CommandSyntaxError as error:
        raise replace(error, text=context.text, column=1 + context.text.find(context.node.changes)) from None
    game = dispatcher.game_name(once.node)
    if once.node.answer or not dispatcher.throws(once.node):
        raise RuleError(f'"{text}" is no roll of your own: type the whole command.')
    if game and context.settings.systems and game not in context.settings.systems:
        raise RuleError(not_here_sentence((game,), context.settings))
    return await throw(once)
