"""`python -m bench round_trip`: round trips on a real ngircd without limits, by turns in one run; starts and memory.

Our bot with its ledger in TMPDIR, and in memory, where a sync costs nothing; next to them a bare asyncio bot that
answers with a constant. Then our bot in 500 channels.
"""

from __future__ import annotations

import asyncio
import compileall
import importlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.timing import percentile, table
from tests.wire import servers
from tests.wire.client import Person

BLOCKS, IN_A_BLOCK = 8, 250
STARTS = 5
CHANNELS = 500
SETTLED = 2.0  # s, until what a start leaves for later is done
IN_MEMORY = "/dev/shm"
QUIET = subprocess.DEVNULL
CONFIG = """
[bot]
nick = {nick}
[network bench]
host = 127.0.0.1
port = {port}
tls = no
channels = {channel}
flood_burst = 100000
flood_interval = 0.001
[limits]
user_burst = 100000
user_interval = 0.001
channel_burst = 100000
channel_interval = 0.001
"""


@dataclass
class Ours:
    """Our bot on a server, in a channel of its own and perhaps `more`, its ledger in `folder`."""

    channel: str
    port: int
    folder: Path
    more: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    async def joined(self, person: Person) -> float:
        """Start it; the seconds until it was in the channel."""
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "config.ini"
        channels = ", ".join([*self.more, self.channel])  # joined in this order
        config.write_text(CONFIG.format(port=self.port, channel=channels, nick=self.channel[1:].title()))
        start = perf_counter()
        self.process = subprocess.Popen([sys.executable, "-m", "ircdice", "run", "-c", str(config)], stderr=QUIET)
        await person.sees(rf"JOIN :?{self.channel}\b", within=60)
        return perf_counter() - start

    @property
    def memory(self) -> float:
        """In MB."""
        assert self.process is not None
        return memory(self.process.pid)

    def stop(self) -> None:
        """End it, if it runs."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()


async def block(person: Person, channel: str) -> list[float]:
    """Say a command, wait for the answer, again: ms for each."""
    taken = []
    for nth in range(IN_A_BLOCK):
        start = perf_counter()
        person.say(channel, f"roll {nth % 20 + 1}d10 h2 dc3")
        await person.sees(f"PRIVMSG {channel} :")
        taken.append((perf_counter() - start) * 1_000)
    person.seen.clear()
    person.rewind()
    return taken


def compiled() -> None:
    """Compile the bot, as an installation does: this environment may keep no bytecode."""
    for package in ("ircdice", "grammars"):
        for folder in importlib.import_module(package).__path__:
            compileall.compile_dir(folder, quiet=2)


def memory(pid: int) -> float:
    """Resident memory in MB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) / 1024


async def starts(person: Person, port: int, folder: Path) -> list[tuple[str, ...]]:
    """Start and stop, with a ledger that is made, with one that is kept, and with the one that the environment names as
    PLAYED: seconds to joined, and MB then."""
    taken: dict[str, list[tuple[float, float]]] = {"a new ledger": [], "its ledger kept": []}
    if "PLAYED" in os.environ:
        taken["the ledger in PLAYED"] = []
    for nth in range(STARTS):
        for name, found in taken.items():
            bot = Ours("#start", port, Path(os.environ["PLAYED"]) if "PLAYED" in name else folder / f"start{nth}")
            try:
                seconds = await bot.joined(person)
                found.append((seconds, bot.memory))
            finally:
                await asyncio.to_thread(bot.stop)
    rows = []
    for name, found in taken.items():
        seconds, sizes = zip(*found, strict=True)
        rows.append((name, f"{min(seconds):.2f}", f"{median(seconds):.2f}", f"{median(sizes):.1f}"))
    return rows


async def loops(person: Person, port: int, disk: Path, memory: Path) -> tuple[dict[str, list[float]], list[float]]:
    """All bots, block by block: ms of each round trip, and our memory before and after."""
    ours = {
        "ircdice": Ours("#disk", port, disk),
        "ircdice, its ledger in memory": Ours("#memory", port, memory),
    }
    echo = subprocess.Popen([sys.executable, "-m", "bench.echo", str(port), "#echo"])
    try:
        await person.sees("JOIN :?#echo")
        for bot in ours.values():
            await bot.joined(person)
        await asyncio.sleep(SETTLED)
        sizes = [ours["ircdice"].memory]
        channels = {name: bot.channel for name, bot in ours.items()} | {"bare asyncio echo": "#echo"}
        taken: dict[str, list[float]] = {name: [] for name in channels}
        for nth in range(BLOCKS + 1):
            for name, channel in channels.items():
                some = await block(person, channel)
                taken[name] += some if nth else []  # the first warms up
        return taken, [*sizes, ours["ircdice"].memory]
    finally:
        echo.terminate()
        echo.wait()
        for bot in ours.values():
            await asyncio.to_thread(bot.stop)


async def many_channels(person: Person, port: int, folder: Path) -> list[tuple[str, ...]]:
    """Start in CHANNELS channels: seconds until all are joined, and MB a moment later."""
    bot = Ours("#many", port, folder, tuple(f"#many{nth}" for nth in range(1, CHANNELS)))
    try:
        seconds = await bot.joined(person)
        await asyncio.sleep(SETTLED)
        return [(f"{CHANNELS} channels", f"{seconds:.2f}", "", f"{bot.memory:.1f}")]
    finally:
        await asyncio.to_thread(bot.stop)


async def measured(port: int, disk: Path, memory: Path) -> None:
    """Starts, then round trips."""
    async with Person("alice") as person:
        await person.connect(port, "#start", "#disk", "#memory", "#echo", "#many")
        rows = [*await starts(person, port, disk), *await many_channels(person, port, disk / "many")]
        taken, sizes = await loops(person, port, disk / "ours", memory / "ours")
    heads = ("process start to joined", "least, s", "median, s", "MB when joined")
    table(f"{STARTS} starts each", heads, rows)
    figures = [
        (name, *(f"{percentile(some, share):.3f}" for share in (0.0, 0.5, 0.99)), f"{len(some)}")
        for name, some in taken.items()
    ]
    table("Round trip on ngircd, closed loop, by turns: ms", ("bot", "least", "median", "99%", "rolls"), figures)
    print(f"\nmemory of ircdice before and after them: {sizes[0]:.1f}, {sizes[1]:.1f} MB")


def main() -> None:
    """Run it on a server of its own."""
    compiled()
    server = servers.ngircd(flood_limit=False)
    try:
        with tempfile.TemporaryDirectory() as disk, tempfile.TemporaryDirectory(dir=IN_MEMORY) as memory:
            asyncio.run(measured(server.port, Path(disk), Path(memory)))
    finally:
        server.remove()
