"""Recorded rolls a second, alone and in bursts, on SQLite and PostgreSQL; 8 processes on one PostgreSQL; look-ups.

`python -m bench ledger`; databases are made in TMPDIR. `LEDGER=FILE` names a ledger that `bench.many_records` has made,
whose look-ups are timed; without it one of 100,000 records is.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench import many_records
from bench.many_records import START, person, place, roll
from bench.timing import percentile, table
from ircdice.dice import UNSTAMPED, SystemDice
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import ProvenLedger, open_ledger, open_to_read
from tests.ledger.postgres import Postgres

AT_ONCE = (1, 10, 100, 1_000)
IN_ALL = {1: 2_000, 10: 10_000, 100: 20_000, 1_000: 30_000}
STRETCHES = 30  # of which the best tells what the machine can where others work on it too
PROCESSES, SECONDS, PLACES = 8, 4.0, 10
LOOK_UPS = 1_000


def milliseconds() -> int:
    """Now."""
    return time.time_ns() // 1_000_000


class Rolls:
    """Appends rolls of one process and takes their times; the dice are not the ledger's."""

    def __init__(self, ledger: ProvenLedger) -> None:
        self.ledger = ledger
        self.dice = SystemDice()
        self.taken: list[float] = []

    async def one(self, who: int = 0) -> None:
        """A roll, recorded."""
        draft = roll(who, 0, UNSTAMPED, self.dice.roll(5, 10))
        start = time.perf_counter()
        await self.ledger.append(draft)
        self.taken.append((time.perf_counter() - start) * 1_000)

    async def burst(self, at_once: int) -> None:
        """So many at once."""
        await asyncio.gather(*(self.one(who) for who in range(at_once)))


async def rate(paths: Paths) -> list[tuple[str, ...]]:
    """Rows of the table for one database."""
    ledger, rows = await open_ledger(paths, milliseconds), []
    rolls = Rolls(ledger)
    for at_once in AT_ONCE:
        await rolls.burst(at_once)
        rolls.taken.clear()
        busy = time.process_time()
        rates = [await stretch(rolls, at_once) for _ in range(STRETCHES)]
        processor = (time.process_time() - busy) / len(rolls.taken) * 1e6
        whole = STRETCHES / sum(1 / each for each in rates)
        waits = [f"{percentile(rolls.taken, share):.2f}" for share in (0.5, 0.99)]
        rows.append((f"{at_once} at once", f"{whole:,.0f}", f"{max(rates):,.0f}", *waits, f"{processor:.0f}"))
    await ledger.close()
    return rows


async def stretch(rolls: Rolls, at_once: int) -> float:
    """Rolls a second, over a part of them all."""
    bursts, start = IN_ALL[at_once] // STRETCHES // at_once, time.perf_counter()
    for _ in range(bursts):
        await rolls.burst(at_once)
    return bursts * at_once / (time.perf_counter() - start)


def report(kind: str, paths: Paths) -> None:
    """Print one database's table."""
    heads = ("rolls", "a second", "at best", "median ms", "99% ms", "processor µs each")
    table(f"Recorded rolls, {kind}", heads, asyncio.run(rate(paths)))


async def share(paths: Paths) -> None:
    """One of several processes: each of its channels rolls again as soon as its last roll is recorded."""
    ledger = await open_ledger(paths, milliseconds)
    rolls, end = Rolls(ledger), time.monotonic() + SECONDS

    async def play(who: int) -> None:
        while time.monotonic() < end:
            await rolls.one(who)

    await asyncio.gather(*map(play, range(PLACES)))
    await ledger.close()
    print(len(rolls.taken), percentile(rolls.taken, 0.5), percentile(rolls.taken, 0.99))


async def numbers(paths: Paths) -> tuple[int, int]:
    """How many records there are, and the number of the last."""
    ledger = open_to_read(paths)
    count = sum((await ledger.read(lambda store: store.counts())).values())
    last, _ = await ledger.read(lambda store: store.last())
    await ledger.close()
    return count, last


def together(folder: Path, url: str) -> None:
    """Eight processes on one PostgreSQL."""
    command = [sys.executable, "-m", "bench.ledger", url, str(folder)]
    running = [subprocess.Popen([*command, f"bot{n}"], stdout=subprocess.PIPE, text=True) for n in range(PROCESSES)]
    said = [process.communicate()[0].split() for process in running]
    each = [int(words[0]) for words in said]
    count, last = asyncio.run(numbers(Paths(folder, url)))
    rows = [("all", f"{sum(each) / SECONDS:,.0f}", "", ""), ("of the slowest", f"{min(each) / SECONDS:,.0f}", "", "")]
    rows += [("a roll, median process", "", *(f"{percentile([float(w[k]) for w in said], 0.5):.1f}" for k in (1, 2)))]
    title = f"{PROCESSES} processes of {PLACES} channels on one PostgreSQL: {count} records, the last is number {last}"
    table(title, ("rolls", "a second", "median ms", "99% ms"), rows)


async def look_ups(file: Path) -> list[tuple[str, ...]]:
    """What questions to a large ledger take."""
    start = time.perf_counter()
    ledger = open_to_read(Paths(file.parent, f"sqlite:///{file}"))
    last, _ = await ledger.read(lambda store: store.last())
    opened = time.perf_counter() - start
    dice = SystemDice()

    def some(most: int) -> int:
        return dice.roll(1, most)[0]

    async def window() -> object:
        now = START + some(last) * 20_000
        return await ledger.of_who(person(some(1_000)), now - 600_000, now)

    async def latest() -> object:
        who = some(1_000)
        network, channel = place((who * 7 + 1) % many_records.CHANNELS)
        return await ledger.latest(10, network=network, channel=channel, who=person(who))

    questions: dict[str, Callable[[], Awaitable[object]]] = {
        "by number": lambda: ledger.get(some(last)),
        "latest ten of a nick in a channel": latest,
        "latest ten of a person": lambda: ledger.latest(10, who=person(some(1_000))),
        "what a person rolled in 10 minutes": window,
        "what follows a roll": lambda: ledger.about(some(last)),
        "a channel's table": lambda: ledger.of_channel(*place(some(200) - 1)),
        "places of a day": lambda: ledger.places(START + (last - 4_320) * 20_000),
        "not delivered": lambda: ledger.undelivered(["none"]),
    }
    rows = [(f"open ({last} records)", f"{opened * 1_000:.1f}", "", "")]
    for name, ask in questions.items():
        rows.append((name, *await asked(ask)))
    await ledger.close()
    return rows


async def asked(ask: Callable[[], Awaitable[object]]) -> tuple[str, ...]:
    """Median and 99% of a question in ms, asked one after the other."""
    taken = []
    for _ in range(LOOK_UPS):
        start = time.perf_counter()
        await ask()
        taken.append((time.perf_counter() - start) * 1_000)
        if sum(taken) > 5_000:
            break
    return f"{percentile(taken, 0.5):.2f}", f"{percentile(taken, 0.99):.2f}", str(len(taken))


def main() -> None:
    """All tables, on databases of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report("SQLite", Paths(folder / "sqlite", "sqlite:///ledger.db"))
        server = Postgres.launch()
        try:
            report("PostgreSQL on a socket", Paths(folder / "postgresql", server.database()))
            together(folder / "together", server.database())
        finally:
            server.remove()
        file = Path(os.environ.get("LEDGER", folder / "many.db")).resolve()
        if not file.exists():
            many_records.make(100_000, file)
        heads = ("question", "median ms", "99% ms", "asked")
        table("Look-ups, from the event loop and back", heads, asyncio.run(look_ups(file)))


if __name__ == "__main__":
    url, shared, name = sys.argv[1:]
    asyncio.run(share(Paths(Path(shared) / name, url, name=name, signing_key=Path(shared) / "signing.key")))
