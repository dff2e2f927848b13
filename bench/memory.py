"""`python -m bench memory`: a whole bot without a network plays for hours by its own clock; what it keeps is bounded.

A fifth of a second passes with each command. What grows at first are answers known by heart and the database's pages.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import time

from bench.timing import table
from ircdice.bot import Message
from ircdice.cli.config import ledger_paths, loaded
from ircdice.cli.run import ready_bot
from ircdice.config import Config
from ircdice.ledger.service import open_ledger

CHANNELS = ("#a", "#b", "#c")
CONFIG = (
    "[network net]\nhost = 127.0.0.1\nport = 1\ntls = no\nchannels = {channels}\nwp_minutes = 1\ncontest_minutes = 1\n"
)
A_COMMAND = 200  # ms by the bot's clock
STEPS = 8
ONE = ("roll 5d10 h2 dc3 # {n}",)
MANY = (
    *("roll 5d10 h2 dc3 # {n}", "roll {m}d{m}k1+{n}", "xr 3d6", "toss 3 2 boon", "sc strike 6", "rouse 2", "b8 t4"),
    *("odds roll {m}d10 h2 dc3", "odds {m}d6+{n}", "verify {n}-abcdef", "help", "roll 5d10 hh {n}", "!hello {n}"),
    *("roll {n}d10", "roll 2d6*{n}", "roll 5d10 v {n}"),
)


def anonymous() -> float:
    """MB of this process that are in no file."""
    found = [line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()]
    return next(int(line[1]) for line in found if line[0] == "Anonymous:") / 1024


async def played(config: Config, commands: tuple[str, ...], nicks: Callable[[int], str], times: int) -> list[float]:
    """The memory after each step."""
    ticks, began, sizes = count(), int(time() * 1000), []
    ledger = await open_ledger(ledger_paths(config), lambda: began + next(ticks))
    try:
        bot = await ready_bot(ledger, config)
        for n in range(times):
            ticks = count((n + 1) * A_COMMAND)
            text = commands[n % len(commands)].format(n=n, m=n % 97 + 1)
            answer = await bot.answer(Message("net", CHANNELS[n % 3], nicks(n), text))
            if answer.record:
                ledger.mark_delivered("net", CHANNELS[n % 3], answer.record.seq)
            if (n + 1) % (times // STEPS) == 0:
                sizes.append(anonymous())
    finally:
        await ledger.close()
    return sizes


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench memory")
    options.add_argument("--commands", type=int, default=48_000)
    times = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["memory"] else []).commands
    rows = []
    plays = (
        ("one player's roll", ONE, lambda _n: "kim"),
        ("all kinds, 20 from each nick", MANY, lambda n: f"kim{n // 20}"),
    )
    for name, commands, nicks in plays:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "config.ini"
            path.write_text(CONFIG.format(channels=", ".join(CHANNELS)))
            sizes = asyncio.run(played(loaded(path), commands, nicks, times))
        rows.append((name, *(f"{size:.1f}" for size in sizes)))
    heads = ("commands", *(f"{times * step // STEPS:,}" for step in range(1, STEPS + 1)))
    table("Memory in no file, MB", heads, rows)
