"""`stir` and `fair`: a channel's own words in its dice, and what the dice are committed to (LED-15)."""

from __future__ import annotations

from dataclasses import replace

from grammars.ledger import Fair, Stir
from grammars.line import COMMENT_BYTES, cut
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.reply import marked


async def stir(context: Context[Stir]) -> Answer:
    """`stir WORDS`: a record of its own, posted with its speaker."""
    message = context.message
    if message.channel is None:
        raise RuleError("stir is said in the channel whose dice it is for, where all can see it.")
    await context.services.randomness.ready(message.network, message.place)
    stamp, started = context.services.randomness.stirred(message.network, message.place, context.now)
    # With the time of the start the same words never bring back dice that an older copy of the ledger has seen.
    words = f"{cut(context.node.words, COMMENT_BYTES - 12)} {started}"
    line = f'{message.nick}: stirred "{words}"; generation {stamp.generation} of epoch {stamp.epoch}'
    record = await replace(context, text=f"stir {words}").record("stir", marked(line, context.official), stamp=stamp)
    return Answer((context.post(record),), "note", record=record)


async def fair(context: Context[Fair]) -> Answer:
    """`fair`: commitment, latest checkpoint, and where to check."""
    link = f" at {context.settings.docs_url}" if context.settings.docs_url else ""
    return Answer((context.say(f"{context.services.randomness.statement()}{link}"),), "note")
