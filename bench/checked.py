"""`python -m bench checked [COUNT]`: how long `ledger check` and look-ups take for a ledger that a bot has played.

The ledger is in TMPDIR, or in the folder that `PLAYED` names, where it is made once and found again. The real bot has
played it (`bench.played`), 40 channels of it, and its epochs of six hours have ended but for the last.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from bench.ledger import LOOK_UPS, asked
from bench.played import EPOCH, played
from bench.timing import table
from ircdice.cli.ledger import snapshot_of
from ircdice.dice import SystemDice
from ircdice.ledger.archive import known_keys
from ircdice.ledger.check import Check
from ircdice.ledger.paste import Paste
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import open_to_read
from ircdice.ledger.verify import Asker, verify_all
from ircdice.replay import Replay

COUNT = 100_000  # records


def checked(paths: Paths) -> tuple[str, ...]:
    """The row of the table."""
    start, busy = time.perf_counter(), time.process_time()
    filed = paths.checkpoints.notes()
    with snapshot_of(paths) as store:
        keys, tags = known_keys(paths, store)
        check = Check(store, keys, filed=filed, tags=tags, judge=Replay().fault)
        for _ in check.run():
            pass
        report = check.report()
    seconds, worked = time.perf_counter() - start, time.process_time() - busy
    print(*report.findings[:3], sep="\n")
    return (
        f"{report.records / seconds:,.0f}",
        f"{worked / report.records * 1e6:.0f}",
        f"{getrusage(RUSAGE_SELF).ru_maxrss // 1024} MB",
        f"{report.proved}",
        "sound" if report.sound else "BROKEN",
    )


async def look_ups(paths: Paths) -> list[tuple[str, ...]]:
    """Rows of a table: rolls taken at random, verified and looked up."""
    ledger, dice = open_to_read(paths, paths.tag_keys.load()), SystemDice()
    last, _ = await ledger.read(lambda store: store.last())
    some = await ledger.read(lambda store: store.get(*{dice.roll(1, last)[0] for _ in range(LOOK_UPS)}))
    rolls = itertools.cycle([record for record in some if record.draft.kind == "roll" and not record.draft.private])

    async def verify() -> object:
        roll = next(rolls)
        return await verify_all(Paste(f"{roll.draft.line}; id {roll.id}"), ledger, Asker(everywhere=True))

    async def log() -> object:
        draft = next(rolls).draft
        return await ledger.latest(10, network=draft.network, channel=draft.channel, who=draft.who)

    rows = [("verify a line", *await asked(verify)), ("the latest ten of a nick", *await asked(log))]
    await ledger.close()
    return rows


def main() -> None:
    """Make it, check it."""
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        data = Path(os.environ.get("PLAYED", folder))
        paths = Paths(data, "sqlite:///ledger.db", epoch=EPOCH, wait=60)
        if not (data / "ledger.db").exists():
            asyncio.run(played(paths, count))
        row = checked(paths)
        found = asyncio.run(look_ups(paths))
    table("Ledger check", ("records a second", "processor µs each", "memory", "proved", "verdict"), [row])
    table("Look-ups, ms", ("question", "median", "99%", "asked"), found)


if __name__ == "__main__":
    main()
