"""kill -9 of the bot at random moments of bursts, on one ledger: for the suite and for the bench."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from ircdice.dice import SystemDice

from . import kept
from .bots import BotProcess
from .kept import Found
from .players import begun, crowd, rolled, until

CHANNELS = ("#kill1", "#kill2", "#kill3")


@dataclass(frozen=True)
class Killed:
    """What was found; `check` is the last word of `ledger check`, `log` the bot's own."""

    found: Found
    check: str
    log: str


async def killed(port: int, folder: Path, kills: int) -> Killed:
    """Kill the bot so often; AssertionError where a roll is lost, there twice, not posted, or a counter left out."""
    with BotProcess(folder / "bot", port, CHANNELS, nick="Killed") as bot:
        async with crowd(bot) as people:
            for _ in range(kills):
                await begun(people, bot)
                people.burst(5, CHANNELS)
                if SystemDice().roll(1, 4)[0] > 1:  # else before anything is answered, or nearly
                    await until(people.answered, "somebody is answered")
                await asyncio.sleep(SystemDice().roll(1, 300)[0] / 1_000)
                bot.kill()
            await begun(people, bot)
            for channel in CHANNELS:
                await rolled(people, channel, "roll 2d10 # last")
            assert bot.stop() == 0
            found = await kept.settled(f"sqlite:///{bot.database}", people)
        code, said = bot.command("ledger", "check")
        assert code == 0, said
        return Killed(found, said.splitlines()[-1].rpartition(": ")[2], bot.log)
