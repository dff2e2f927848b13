"""`python -m bench soak --minutes 30`: three networks, five commands a second, servers restarted ten times."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench.timing import table
from tests.wire import servers
from tests.wire.soaks import Soak, Soaked

PAUSE = 0.6  # seconds between two commands on one of three networks: five a second in all


def report(found: Soaked) -> None:
    quarter = len(found.memory) // 4
    lost = found.recorded - set(found.told)
    rows = [
        ("commands said", f"{found.asked}"),
        ("restarts of servers", f"{found.restarts}"),
        ("rolls recorded", f"{len(found.recorded)}"),
        ("rolls known to be out", f"{len(set(found.told))}"),
        ("lost", f"{len(lost)}"),
        ("told twice", f"{len(found.told) - len(set(found.told))}"),
        ("memory after a quarter, at the end", f"{found.memory[quarter]:.1f}, {found.memory[-1]:.1f} MB"),
        ("open files after a quarter, at the end", f"{found.files[quarter]}, {found.files[-1]}"),
    ]
    table("Soak: bot and players in one process", ("what", "figure"), rows)


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
