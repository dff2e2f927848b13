"""What makes the dice provable, as far as a channel has a part in it: `stir` and `fair` (LED-15)."""

from __future__ import annotations

from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.reply import UNOFFICIAL


async def stir(turn: Turn) -> Answer:
    """`stir WORDS`: a record of its own, posted with its speaker."""
    message = turn.message
    if message.channel is None:
        raise RuleError("stir is said in the channel whose dice it is for, where all can see it.")
    await turn.chance.ready(message.network, message.place)
    stamp = turn.chance.stirred(message.network, message.place, turn.now)
    line = f'{message.nick}: stirred "{turn.node.words}"; generation {stamp.generation} of epoch {stamp.epoch}'
    line = line if turn.official else f"{line}; {UNOFFICIAL}"
    record = await turn.record("stir", line, stamp=stamp)
    return Answer((turn.post(record),), "note", record=record)


async def fair(turn: Turn) -> Answer:
    """`fair`: commitment, latest checkpoint, and where to check."""
    return Answer((turn.say(turn.chance.statement()),), "note")
