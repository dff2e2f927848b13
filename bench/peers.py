"""`python -m bench peers`: ircdice beside a bare asyncio bot, Sopel and Limnoria, on one ngircd.

The others answer a constant line, and keep no record; once more each keeps what it says in SQLite before it says it, as
LED-03 asks of ours. They are installed by the bench into an environment of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from bench.others import BOTS, KEPT, Bot, prepare
from bench.round_trip import compiled, memory
from bench.timing import percentile, table
from tests.wire import servers
from tests.wire.client import Person
from tests.wire.servers import Server

Rows = list[tuple[str, ...]]


async def come(bot: Bot, person: Person, folder: Path, port: int, *, free: bool) -> tuple[int, float]:
    """Start a bot where `person` sits; its process and the seconds until it was there."""
    channel = f"#{bot.name}"
    start = perf_counter()
    process = bot.start(folder, port, [channel], free=free)
    await person.sees(rf"^:{bot.nick}!\S+ JOIN :?{channel}", within=60)
    RUNNING.append(process)
    return process.pid, perf_counter() - start


SPEAKERS = 20
IN_A_BLOCK = 100
ASKED_AT_MOST = 20
RUNNING: list[subprocess.Popen[bytes]] = []


def stop() -> None:
    """End the bots; one that waits for something else first is not waited for."""
    while RUNNING:
        process = RUNNING.pop()
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def asked(person: Person, bot: Bot, nth: int = 0) -> float:
    """Say a roll, wait for the answer: ms."""
    start = perf_counter()
    person.say(f"#{bot.name}", f"roll {nth % 9 + 1}d10 h2 dc3")
    await person.sees(rf"^:{bot.nick}!\S+ PRIVMSG ", within=30)
    taken = (perf_counter() - start) * 1000
    person.seen.clear()
    person.rewind()
    return taken


async def ready(person: Person, bot: Bot) -> None:
    """Say rolls until one is answered: to be in the channel is not to listen yet."""
    for _ in range(ASKED_AT_MOST):
        person.say(f"#{bot.name}", "roll 1d10")
        with suppress(AssertionError):
            await person.sees(rf"^:{bot.nick}!\S+ PRIVMSG ", within=1)
            return
    raise AssertionError(f"{bot.name} answers nothing")


async def by_turns(people: Mapping[Bot, Person], blocks: int, size: int, pause: float) -> Mapping[Bot, list[float]]:
    """Each bot asked `size` times, then the next, `blocks` times over, as the machine's pace changes: ms of each."""
    taken: dict[Bot, list[float]] = {bot: [] for bot in people}
    for _ in range(blocks):
        for bot, person in people.items():
            taken[bot] += [await asked(person, bot, nth) for nth in range(size)]
        await asyncio.sleep(pause)
    return taken


async def trips(server: Server, folder: Path, closed: int, slow: int) -> Rows:
    """Start, closed loop, one a second and memory, the limits of all of them off; all are there, asked by turns."""
    people: dict[Bot, Person] = {}
    came: dict[Bot, tuple[int, float, float]] = {}
    for bot in (*BOTS, *KEPT):
        people[bot] = await Person(f"a{bot.name[:7]}").connect(server.port, f"#{bot.name}")
        pid, start = await come(bot, people[bot], folder / "free", server.port, free=True)
        await ready(people[bot], bot)
        await asyncio.sleep(3)
        came[bot] = pid, start, memory(pid)
    await by_turns(people, 1, IN_A_BLOCK, 0)  # warms up
    loops, once = await by_turns(people, closed // IN_A_BLOCK, IN_A_BLOCK, 0), await by_turns(people, slow, 1, 1.0)
    rows: Rows = []
    for bot, (pid, start, before) in came.items():
        figures = [f"{percentile(taken[bot], share):.3f}" for taken in (loops, once) for share in (0.5, 0.99)]
        rows.append((bot.name, f"{start:.2f} s", *figures, f"{before:.1f}", f"{memory(pid):.1f}"))
        await people[bot].__aexit__()
    stop()
    return rows


async def burst(server: Server, bot: Bot, folder: Path, count: int, within: float) -> tuple[str, ...]:
    """`count` rolls at once by twenty people, whom the server lets through at once, the bot as it is shipped."""
    channel = f"#{bot.name}"
    speakers = [Person(f"{bot.name[:6]}{number}") for number in range(SPEAKERS)]
    async with await Person(f"b{bot.name[:7]}").connect(server.port, channel) as person:
        for speaker in speakers:
            await speaker.connect(server.port, channel)
        await come(bot, person, folder / f"shipped-{server.kind}", server.port, free=False)
        await asyncio.sleep(3)
        start = perf_counter()
        for nth in range(count):
            speakers[nth % SPEAKERS].say(channel, f"roll {nth % 9 + 1}d10 h2 dc3")
        answers, lines, end = await answered(person, bot, count, start + within)
        for speaker in speakers:
            await speaker.__aexit__()
        return server.kind, bot.name, f"{answers}", f"{lines}", f"{perf_counter() - start:.1f} s", end


async def answered(person: Person, bot: Bot, count: int, until: float) -> tuple[int, int, str]:
    """Read until so many answers have come: how many, in how many lines, and what was the end."""
    answers = lines = 0
    try:
        while answers < count:
            line = await person.sees(rf"^:{bot.nick}!\S+ (PRIVMSG|QUIT) ", within=until - perf_counter())
            if " QUIT " in line:
                return answers, lines, line.split(" QUIT ")[1][:40]
            answers += line.count(" | ") + 1
            lines += 1
    except AssertionError:
        return answers, lines, "no more came"
    return answers, lines, "all"


async def many(server: Server, bot: Bot, folder: Path, count: int, within: float) -> tuple[str, ...]:
    """`count` channels: seconds until all are joined, and memory then."""
    channels = [f"#{bot.name}{number}" for number in range(count)]
    async with await Person(f"m{bot.name[:7]}").connect(server.port) as person:
        start, joined = perf_counter(), 0
        process = bot.start(folder / "many", server.port, channels, free=False)
        RUNNING.append(process)
        while joined < count and perf_counter() - start < within:
            await asyncio.sleep(0.5)
            person.seen.clear()
            person.rewind()
            person.send("LUSERS")  # LIST ends at a hundred
            await person.sees(" 250 ")
            joined = max((int(line.split()[3]) for line in person.seen if " 254 " in line), default=0)
        took, resident = perf_counter() - start, memory(process.pid)
        stop()
        return bot.name, f"{joined}", f"{took:.1f} s", f"{resident:.1f} MB"


async def measured(chosen: argparse.Namespace, folder: Path) -> None:
    free, shipped = servers.ngircd(flood_limit=False), [servers.ngircd(), servers.inspircd()]
    others = [bot for bot in BOTS if bot.name != "echo"]
    try:
        heads = ("bot", "start to joined", "closed 50%", "99%", "one a second 50%", "99%", "MB at first", "MB then")
        table("Round trips on ngircd, no limits: ms", heads, await trips(free, folder, chosen.closed, chosen.slow))
        if chosen.burst:
            each = [burst(one, bot, folder, chosen.burst, chosen.within) for one in shipped for bot in others]
            heads = ("server", "bot", "answers", "lines", "time", "end")
            table(f"{chosen.burst} at once in one channel, as shipped", heads, await asyncio.gather(*each))
            stop()
        if chosen.channels:
            rows = [await many(free, bot, folder, chosen.channels, chosen.within) for bot in others]
            table("Many channels, as shipped", ("bot", "joined", "time", "memory"), rows)
    finally:
        stop()
        for server in (free, *shipped):
            server.remove()


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench peers")
    for name, default in (("closed", 1000), ("slow", 30), ("burst", 200), ("channels", 500), ("within", 400)):
        options.add_argument(f"--{name}", type=int, default=default)
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["peers"] else [])
    prepare()
    compiled()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(chosen, Path(folder)))
    print(f"load after: {os.getloadavg()[0]:.1f}")
