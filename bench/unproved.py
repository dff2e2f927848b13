"""The bot as it plays on IRC, but its records in a queue and its dice the system's: a round trip without any ledger.

Issue 3 asked for a round trip of such a bot, before there was one that proves what it posts.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from grammars import catalogue
from ircdice.bot import Allowance, Bot, Hinting, OwnChance
from ircdice.clock import Clock
from ircdice.config import Current, load
from ircdice.dice import DiceSource, SystemDice
from ircdice.dispatcher import prepare
from ircdice.ledger import MemoryLedger
from ircdice.run import Hooks, run


class _Chance(OwnChance):
    """The system's dice for every place."""

    def __init__(self) -> None:
        self._dice = SystemDice()

    def begin(self, _network: str, _place: str) -> DiceSource:
        """No counter."""
        return self._dice


def main(path: str) -> None:
    """Play by the config at `path` until the end of the process is asked for."""
    config, clock = load(Path(path), catalogue.system_names(), os.environ), Clock()
    prepare()
    bot = Bot(MemoryLedger(clock), _Chance(), Current(config), clock, Hinting(), Allowance())
    sys.exit(asyncio.run(run(config, bot, Hooks(delivered=bot.delivered))))


if __name__ == "__main__":
    main(sys.argv[1])
