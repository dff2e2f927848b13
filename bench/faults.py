"""`python -m bench faults --kills 100`: the whole bot killed in the middle of bursts, on one ledger."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench.timing import table
from tests.faults.killing import CHANNELS, Killed, killed
from tests.wire import servers


def report(kills: int, found: Killed) -> None:
    rows = [
        ("kills", f"{kills}"),
        ("lines recorded", f"{found.found.recorded}"),
        ("posted once", f"{found.found.once}"),
        ("posted again, not known to be out", f"{found.found.again}"),
        ("told by their ids, a minute late", f"{found.found.named}"),
        ("posted and not recorded, recorded twice, never posted, counters left out", "0"),
        ("ledger check", found.check),
    ]
    table(f"Faults: kill -9 of the bot, {len(CHANNELS)} channels", ("what", "seen"), rows)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench faults")
    options.add_argument("--kills", type=int, default=100)
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["faults"] else [])
    server = servers.ngircd(flood_limit=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            report(chosen.kills, asyncio.run(killed(server.port, Path(folder), chosen.kills)))
    finally:
        server.remove()
