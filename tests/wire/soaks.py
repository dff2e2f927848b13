"""The bot on several networks for a long time, whose servers come and go. For the suite and for the bench."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from ircdice.bot import Bot
from ircdice.bot.message import Message, Reply
from ircdice.config import Config
from ircdice.wire.fleet import Fleet
from ircdice.wire.intake import Hearer

from .bots import UNLIMITED, config, network, whole
from .client import Person
from .servers import Server

_KEPT = 50  # lines that a player looks back on


class Counted:
    """A bot, and the records that it gave replies for."""

    def __init__(self, bot: Hearer) -> None:
        self._bot, self.recorded = bot, set[int]()
        self.wants, self.due = bot.wants, bot.due

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        replies = await self._bot.hear(message)
        self.recorded.update(reply.seq for reply in replies if reply.seq is not None)
        return replies


@dataclass
class Soaked:
    """What came of it: records, those known to be out, MB and open files as time went by."""

    recorded: set[int] = field(default_factory=set)
    told: list[int] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    restarts: int = 0
    asked: int = 0


@dataclass
class Soak:
    """`seconds` long, `restarts` of the servers in turn, `pause` between two commands on one network."""

    servers: Sequence[Server]
    seconds: float
    restarts: int
    pause: float
    found: Soaked = field(default_factory=Soaked)

    async def run(self, folder: Path) -> Soaked:
        """Play; the ledger is kept in `folder`."""
        nets = [
            network(server.port, "#soak", nick="Soak", name=f"n{at}", flood_interval=0.5)
            for at, server in enumerate(self.servers)
        ]
        made = config(*nets, limits=UNLIMITED)
        async with whole(made, folder) as bot:
            await self._played(made, bot)
        return self.found

    async def _played(self, made: Config, bot: Bot) -> None:
        def told(reply: Reply) -> None:
            bot.delivered(reply)
            self.found.told.append(reply.seq or 0)

        counted = Counted(bot)
        fleet = Fleet(made, counted, delivered=told)
        running = asyncio.create_task(fleet.run())
        helpers = [asyncio.create_task(self._play(server)) for server in self.servers]
        helpers.append(asyncio.create_task(self._measure()))
        await self._restart()
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        self.found.recorded = counted.recorded
        await self._settled()
        await fleet.leave()
        await running

    async def _restart(self) -> None:
        """Each server in turn, at even intervals, and time at the end for what they kept back."""
        began = monotonic()
        for number in range(self.restarts):
            await asyncio.sleep(max(0.0, began + (number + 1) * self.seconds / (self.restarts + 1) - monotonic()))
            server = self.servers[number % len(self.servers)]
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
            self.found.restarts += 1
        await asyncio.sleep(max(0.0, began + self.seconds - monotonic()))

    async def _play(self, server: Server) -> None:
        """A player, who comes back as soon as the server does."""
        while True:
            with suppress(OSError, AssertionError):
                async with await Person("player").connect(server.port, "#soak") as player:
                    reading = asyncio.create_task(_read(player))
                    try:
                        while not reading.done():
                            self.found.asked += 1
                            player.say("#soak", f"roll 5d10 h2 dc3 # {self.found.asked}")
                            await asyncio.sleep(self.pause)
                    finally:
                        reading.cancel()
            await asyncio.sleep(0.05)

    async def _measure(self) -> None:
        while True:
            await asyncio.sleep(self.seconds / 20)
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            self.found.memory.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
            self.found.files.append(len([*Path("/proc/self/fd").iterdir()]))

    async def _settled(self) -> None:
        """Wait until all is out, as long as a network may need to come back."""
        with suppress(TimeoutError):
            async with asyncio.timeout(60):
                while not self.found.recorded <= set(self.found.told):
                    await asyncio.sleep(0.1)


async def _read(player: Person) -> None:
    while True:
        await player._read()
        del player.seen[:-_KEPT]
