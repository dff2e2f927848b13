"""`python -m bench soak --minutes 30`: three networks, five commands a second, servers restarted ten times."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median

from bench.timing import table
from tests.wire import servers
from tests.wire.soaks import MEASURED, WINDOW, Soak, Soaked

PAUSE = 0.6  # seconds between two commands on one of three networks: five a second in all
SIXTH = MEASURED // 6
NEAR = 5  # measurements


def report(found: Soaked) -> None:
    """Of memory the middle of some measurements: one moment says little."""
    sixths = [found.memory[at - NEAR : at] for at in range(SIXTH, MEASURED + 1, SIXTH)]
    rows = [
        ("commands said", f"{found.asked}"),
        ("restarts of servers", f"{found.restarts}"),
        ("lines recorded", f"{found.recorded}"),
        ("lost: recorded and not known to be out", f"{found.lost}"),
        ("read by the players", f"{len(found.told)}"),
        ("read twice", f"{sum(times > 1 for times in found.told.values())}"),
        ("memory after each sixth of the time, MB", ", ".join(f"{median(near):.1f}" for near in sixths if near)),
        ("open files before the first restart, at the end", ", ".join(f"{kinds.total()}" for kinds in found.files)),
        ("of these, the ledger's", ", ".join(f"{_of_ledger(kinds)}" for kinds in found.files)),
        ("exit code", f"{found.code}"),
    ]
    table(f"Soak: the bot in a process of its own, rolls kept for {WINDOW:.0f} s", ("what", "figure"), rows)


def _of_ledger(kinds: Counter[str]) -> int:
    return sum(count for kind, count in kinds.items() if kind.startswith("ledger.db"))


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench soak")
    options.add_argument("--minutes", type=float, default=2.0)
    options.add_argument("--restarts", type=int, default=10)
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["soak"] else [])
    running = [servers.ngircd(flood_limit=False), servers.ngircd(flood_limit=False), servers.inspircd()]
    try:
        soak = Soak(running, chosen.minutes * 60, chosen.restarts, PAUSE)
        with tempfile.TemporaryDirectory() as folder:
            report(asyncio.run(soak.run(Path(folder))))
    finally:
        for server in running:
            server.remove()
