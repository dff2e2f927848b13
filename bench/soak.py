"""`python -m bench soak --minutes 30`: three networks, five commands a second, servers restarted ten times."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.timing import table
from tests.wire import servers
from tests.wire.soaks import WINDOW, Soak, Soaked

PAUSE = 0.6  # seconds between two commands on one of three networks: five a second in all


def report(found: Soaked) -> None:
    """Of memory the middle of each fifth: one moment says little."""
    fifth = max(1, len(found.memory) // 5)
    sizes = [median(found.memory[at : at + fifth]) for at in range(0, fifth * 5, fifth)]
    rows = [
        ("commands said", f"{found.asked}"),
        ("restarts of servers", f"{found.restarts}"),
        ("lines recorded", f"{found.recorded}"),
        ("lost: recorded and not known to be out", f"{found.lost}"),
        ("read by the players", f"{len(found.told)}"),
        ("read twice", f"{sum(times > 1 for times in found.told.values())}"),
        ("memory in each fifth of the time, MB", ", ".join(f"{size:.1f}" for size in sizes)),
        ("open files after a quarter, at the end", f"{found.files[len(found.files) // 4]}, {found.files[-1]}"),
        ("exit code", f"{found.code}"),
    ]
    table(f"Soak: the bot in a process of its own, rolls kept for {WINDOW:.0f} s", ("what", "figure"), rows)


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
