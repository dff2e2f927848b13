"""The bot on several networks for a long time, whose servers come and go. For the suite and for the bench."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.faults.bots import NETWORK, BotProcess, posted
from tests.faults.kept import reader, records

from .client import Person
from .servers import Server

CHANNEL = "#soak"
# A roll is kept in memory as long as Willpower may be spent on it or a contest waits: a minute here, or it would grow.
WINDOW = 60.0  # s
_NETWORK = """
[network n{at}]
host = 127.0.0.1
port = {port}
tls = no
nick = Soak
channels = {channel}
flood_interval = 0.5
reconnect_first = 0.2
"""
_CHANNEL = "\n[channel {network}/{channel}]\nwp_minutes = 1\ncontest_minutes = 1\n"
_SETTLE = 120.0  # s that a network may need to come back
MEASURED = 60


@dataclass
class Soaked:
    """What came of it; memory in MB and open files, by kind, are the bot's alone."""

    recorded: int = 0
    lost: int = 0  # recorded and not known to be out
    told: Counter[str] = field(default_factory=Counter)  # how often each id was read, by players who come and go
    memory: list[float] = field(default_factory=list)  # MEASURED times, evenly
    files: list[Counter[str]] = field(default_factory=list)  # at rest: before the first restart, and behind all
    restarts: int = 0
    asked: int = 0
    code: int | None = None  # with which the bot ended


@dataclass
class Soak:
    """`seconds` long, `restarts` of the servers in turn, `pause` between two commands on one network."""

    servers: Sequence[Server]
    seconds: float
    restarts: int
    pause: float
    found: Soaked = field(default_factory=Soaked)

    async def run(self, folder: Path) -> Soaked:
        """Play; the bot is a process of its own, its ledger in `folder`."""
        with self._bot(folder) as bot:
            bot.start()
            await self._rest(bot)
            players = [asyncio.create_task(self._play(server)) for server in self.servers]
            players.append(asyncio.create_task(self._measure(bot)))
            await self._restart()
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            await self._settled(bot)
            await self._rest(bot)
            self.found.code = await asyncio.to_thread(bot.stop)
            kept = await records(f"sqlite:///{bot.database}")
            self.found.recorded = sum(bool(record.draft.line) for record in kept)
            self.found.lost = await self._owed(bot)
        return self.found

    def _bot(self, folder: Path) -> BotProcess:
        names = [NETWORK, *(f"n{at}" for at in range(1, len(self.servers)))]
        others = "".join(
            _NETWORK.format(at=at, port=server.port, channel=CHANNEL) for at, server in enumerate(self.servers[1:], 1)
        )
        windows = "".join(_CHANNEL.format(network=name, channel=CHANNEL) for name in names)
        return BotProcess(folder, self.servers[0].port, (CHANNEL,), nick="Soak", burst=4, more=others + windows)

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
                async with await Person("player").connect(server.port, CHANNEL) as player:
                    reading = asyncio.create_task(self._read(player))
                    try:
                        while not reading.done():
                            self.found.asked += 1
                            player.say(CHANNEL, f"roll 5d10 h2 dc3 # {self.found.asked}")
                            await asyncio.sleep(self.pause)
                    finally:
                        reading.cancel()
            await asyncio.sleep(0.05)

    async def _read(self, player: Person) -> None:
        while True:
            await player._read()
            for line in player.seen:
                self.found.told.update(id_ for _, id_ in posted(line))
            player.seen.clear()

    async def _measure(self, bot: BotProcess) -> None:
        while True:
            await asyncio.sleep(self.seconds / MEASURED)
            pages = int((_of(bot) / "statm").read_text().split()[1])
            self.found.memory.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)

    async def _rest(self, bot: BotProcess) -> None:
        """Wait until the bot answers on every network, and look at what it has open."""
        async with asyncio.timeout(_SETTLE):
            await asyncio.gather(*(_answered(server) for server in self.servers))
        await self._settled(bot)
        self.found.files.append(_open_files(_of(bot)))

    async def _settled(self, bot: BotProcess) -> None:
        """Wait until all is known to be out."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE):
                while await self._owed(bot):
                    await asyncio.sleep(1)

    async def _owed(self, bot: BotProcess) -> int:
        """How many recorded lines are not known to be out."""
        names = [NETWORK, *(f"n{at}" for at in range(1, len(self.servers)))]
        ledger = await reader(f"sqlite:///{bot.database}")
        try:
            return len(await ledger.undelivered(names))
        finally:
            await ledger.close()


async def _answered(server: Server) -> None:
    """Somebody comes in and asks until there is an answer."""
    async with await Person("asker").connect(server.port, CHANNEL) as asker:
        while True:
            asker.say(CHANNEL, "roll 1d6")
            with suppress(AssertionError):
                await asker.sees(r"asker: ", within=2)
                return
            await asyncio.sleep(0.1)


def _of(bot: BotProcess) -> Path:
    assert bot.process is not None
    return Path(f"/proc/{bot.process.pid}")


def _open_files(process: Path) -> Counter[str]:
    """How many there are of each kind: `socket`, `pipe`, `anon_inode`, or a file's name."""
    kinds: Counter[str] = Counter()
    for handle in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            target = handle.readlink()
            kinds[target.name if target.is_absolute() else str(target).partition(":")[0]] += 1
    return kinds
