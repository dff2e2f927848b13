"""`stir` and `fair`: a channel's own words in its dice, and what the dice are committed to (LED-15)."""

from __future__ import annotations

from grammars.line import COMMENT_BYTES, cut
from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.reply import UNOFFICIAL


async def stir(turn: Turn) -> Answer:
    """`stir WORDS`: a record of its own, posted with its speaker."""
    message = turn.message
    if message.channel is None:
        raise RuleError("stir is said in the channel whose dice it is for, where all can see it.")
    await turn.chance.ready(message.network, message.place)
    stamp, started = turn.chance.stirred(message.network, message.place, turn.now)
    # With the time of the start the same words never bring back dice that an older copy of the ledger has seen.
    words = f"{cut(turn.node.words, COMMENT_BYTES - 12)} {started}"
    line = f'{message.nick}: stirred "{words}"; generation {stamp.generation} of epoch {stamp.epoch}'
    line = line if turn.official else f"{line}; {UNOFFICIAL}"
    record = await turn._replace(text=f"stir {words}").record("stir", line, stamp=stamp)
    return Answer((turn.post(record),), "note", record=record)


async def fair(turn: Turn) -> Answer:
    """`fair`: commitment, latest checkpoint, and where to check."""
    return Answer((turn.say(turn.chance.statement()),), "note")
