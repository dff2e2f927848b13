"""`python -m bench page`: 200 readers and 100 watchers of the page on a large ledger while the bot plays.

First bytes, the page's memory, and the bot's answers with and without the page; before that, the first byte of each
page with nobody else there. `--folder` keeps the ledger for another run, `--seconds 0` leaves out the crowd. Page, bot
and readers are processes of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from datetime import date
from pathlib import Path
from time import perf_counter

from bench.many_records import roll
from bench.timing import percentile, table
from ircdice.bot import Message
from ircdice.bot.page import PUBLIC
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.config import Config
from ircdice.dice import UNSTAMPED, SystemDice
from ircdice.ledger import Draft
from ircdice.ledger.service import ProvenLedger

PORT = 8047
DICE = SystemDice()
CONFIG = f"""\
[bot]
ledger_wait = 60
[network net0]
host = irc.example.net
channels = #channel0, #channel2, #channel4, #channel6
[channel net0/#channel0]
page = public
official = yes
[web]
listen = 127.0.0.1:{PORT}
"""
READERS, WATCHERS = 200, 100
WARM_UP = 5.0  # s that are not counted
THINKING = 4.0  # s between two pages of a reader
A_COMMAND = 0.1  # s between two commands of the bot's players
IN_ONE = 2_000
PAGES = (
    *("/c/net0/channel0",) * 8,
    *("/c/net0/channel0?before={seq}",) * 3,
    *("/r/{id}",) * 3,
    *("/c/net0/channel0?nick=player{n}", "/c/net0/channel0/stats", "/odds?q={n}d10+h2+dc3", "/", "/fair", "/help/v5"),
)

OTHERS = (  # which few people read at a time
    "/c/net0/channel0?q=nothing&month={month}",
    "/c/net0/channel0?day={today}",
    "/c/net0/channel0/table",
)
TIMES = 30  # that each page is asked for alone


async def filled(ledger: ProvenLedger, count: int) -> None:
    """Append rolls of many people in four channels until there are so many records."""
    last, _ = await ledger.read(lambda store: store.last())
    if not last:
        await ledger.append(Draft("page", "net0", "#channel0", "", "", PUBLIC, (), ""))
    for first in range(last, count, IN_ONE):
        faces = [DICE.roll(5, 10) for _ in range(IN_ONE)]
        drafts = [roll(n % 997, n % 4 * 2, UNSTAMPED, each) for n, each in enumerate(faces, first)]
        await asyncio.gather(*map(ledger.append, drafts))


async def ids(ledger: ProvenLedger) -> list[tuple[int, str]]:
    """Some rolls of the public channel."""
    found = await ledger.latest(2_000, network="net0", channel="#channel0")
    return [(record.seq, record.id) for record in found[::20]]


async def answered(config: Config, ledger: ProvenLedger, seconds: float) -> list[float]:
    """The times of the bot's answers, in s, while it plays for so long."""
    bot = await ready_bot(ledger, config)
    times, end = [], perf_counter() + seconds
    while perf_counter() < end:
        start = perf_counter()
        answer = await bot.answer(Message("net0", "#channel0", f"kim{len(times) % 50}", "roll 5d10 h2 dc3"))
        times.append(perf_counter() - start)
        assert answer.record is not None
        ledger.mark_delivered("net0", "#channel0", answer.record.seq)
        await asyncio.sleep(A_COMMAND)
    return times


async def reader(number: int, known: list[tuple[int, str]], times: list[float], faults: list[str]) -> None:
    """Somebody with an address of their own who reads page after page over one connection."""
    await asyncio.sleep(THINKING * chance())
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    while True:
        seq, roll_id = known[below(len(known))]
        path = PAGES[below(len(PAGES))].format(seq=seq, id=roll_id, n=1 + below(9))
        start = perf_counter()
        try:
            reading, writing = streams = streams or await asyncio.open_connection("127.0.0.1", PORT)
            writing.write(asking(path, number))
            head = await reading.readuntil(b"\r\n\r\n")
            times.append(perf_counter() - start)
            if not head.startswith(b"HTTP/1.1 200"):
                faults.append(f"{head[9:12].decode()} {path}")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            await reading.readexactly(length)
        except (OSError, asyncio.IncompleteReadError):
            streams = None  # idle for too long: a browser opens another
        await asyncio.sleep(THINKING * (0.5 + chance()))


async def alone(known: list[tuple[int, str]]) -> list[tuple[str, str, str]]:
    """Each page, with the least and the median time of its first byte."""
    rows, today = [], date.today()
    reading, writing = await asyncio.open_connection("127.0.0.1", PORT)
    for path in dict.fromkeys((*PAGES, *OTHERS)):
        times = []
        for nth in range(TIMES):
            seq, roll_id = known[nth % len(known)]
            start = perf_counter()
            writing.write(
                asking(path.format(seq=seq, id=roll_id, n=1 + nth % 9, month=f"{today:%Y-%m}", today=today), nth)
            )
            head = await reading.readuntil(b"\r\n\r\n")
            times.append(perf_counter() - start)
            await reading.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
        rows.append((path, f"{1000 * min(times):.1f}", f"{1000 * percentile(times, 0.5):.1f}"))
    writing.close()
    return rows


async def watcher(number: int, events: list[int]) -> None:
    """Somebody who follows the channel live."""
    reading, writing = await asyncio.open_connection("127.0.0.1", PORT)
    writing.write(asking("/c/net0/channel0/events", number))
    while line := await reading.readline():
        events[0] += line.startswith(b"event: roll")


def asking(path: str, number: int) -> bytes:
    """A request, from one address for each number."""
    return (
        f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.{number // 250}.{number % 250 + 1}\r\n\r\n".encode()
    )


async def crowd(known: list[tuple[int, str]], seconds: float) -> dict[str, object]:
    """What 200 readers and 100 watchers meet."""
    times: list[float] = []
    events = [0]
    faults: list[str] = []
    people = [reader(n, known, times, faults) for n in range(READERS)]
    people += [watcher(READERS + n, events) for n in range(WATCHERS)]
    asyncio.get_running_loop().call_later(WARM_UP, times.clear)
    with suppress(TimeoutError):
        async with asyncio.timeout(WARM_UP + seconds):
            await asyncio.gather(*people)
    return {"times": times, "events": events[0], "faults": faults[:10]}


def memory(pid: int) -> float:
    """Resident MB of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = [int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in [str(pid), *children]]
    return sum(pages) * 4096 / 1024**2


def processor(pid: int) -> float:
    """Seconds of a core that a process has taken."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def measured(folder: Path, count: int, seconds: float) -> None:
    """Play without the page, then with it."""
    path = folder / "config.ini"
    path.write_text(CONFIG)
    path.chmod(0o600)
    config = loaded(path)
    async with open_for_bot(config) as ledger:
        await filled(ledger, count)
        known = await ids(ledger)
        before = await answered(config, ledger, seconds) if seconds else []
        page = subprocess.Popen([sys.executable, "-m", "ircdice", "web", "-c", path], stderr=subprocess.DEVNULL)
        try:
            await asyncio.sleep(4)
            table(f"{count:,} records, one reader", ("first byte", "least ms", "p50 ms"), await alone(known))
            if not seconds:
                return
            command = [sys.executable, "-m", "bench.page", "crowd", json.dumps(known), str(seconds)]
            crowd = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            await asyncio.sleep(WARM_UP)
            during = await answered(config, ledger, seconds)
            resident, busy = memory(page.pid), processor(page.pid) / (WARM_UP + seconds)
            met = json.loads((await asyncio.to_thread(crowd.communicate))[0])
        finally:
            page.terminate()
            page.wait()
    rows = [
        ("first byte of a page", *spread(met["times"])),
        ("the bot's answers alone", *spread(before)),
        ("and with the page", *spread(during)),
    ]
    table(f"{count:,} records, {READERS} readers, {WATCHERS} watchers", ("", "p50 ms", "p99 ms", "count"), rows)
    print(f"{met['events']} live lines; faults: {met['faults'] or 'none'}")
    print(f"page: {resident:.0f} MB with its worker, {busy:.0%} of a core")


def spread(times: list[float]) -> tuple[str, str, str]:
    """Median and 99th percentile in ms, and how many they are."""
    return f"{1000 * percentile(times, 0.5):.1f}", f"{1000 * percentile(times, 0.99):.1f}", str(len(times))


def below(most: int) -> int:
    """A random number from 0 to `most` - 1."""
    return DICE.roll(1, most)[0] - 1


def chance() -> float:
    """A random number from 0 to 1."""
    return below(1_000) / 1_000


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench page")
    options.add_argument("--records", type=int, default=1_000_000)
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--folder", type=Path)
    given = options.parse_args(sys.argv[2:])
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        asyncio.run(measured(folder, given.records, given.seconds))


if __name__ == "__main__":
    print(json.dumps(asyncio.run(crowd(json.loads(sys.argv[2]), float(sys.argv[3])))))
