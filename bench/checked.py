"""`python -m bench checked [COUNT]`: how long `ircdice ledger check` takes for a ledger that a bot has played.

The ledger stands in TMPDIR, or in the folder that `PLAYED` names, where it is made once and found again, or was made by
`bench.repeated`. The real bot has played it (`bench.played`), 40 channels of it, and its epochs of six hours have ended
but for the last.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from bench.played import EPOCH, played
from bench.timing import table
from ircdice.cli.checking import judge
from ircdice.ledger.archive import Archive
from ircdice.ledger.keeping import Keeping

COUNT = 100_000  # records


def checked(keeping: Keeping, processes: int) -> tuple[str, ...]:
    """A row of the table."""
    archive = Archive(keeping)
    start, busy = time.perf_counter(), cpu()
    report = archive.check(judge, processes=processes)
    seconds, worked = time.perf_counter() - start, cpu() - busy
    archive.close()
    if not report.sound:
        print(*report.findings[:3], sep="\n")
    return (
        f"{processes} processes",
        f"{report.records / seconds:,.0f}",
        f"{worked / report.records * 1e6:.0f}",
        f"{report.proved}",
        "sound" if report.sound else "BROKEN",
    )


def cpu() -> float:
    """Seconds of the processor so far, of all processes."""
    return sum(getrusage(which).ru_utime + getrusage(which).ru_stime for which in (RUSAGE_SELF, RUSAGE_CHILDREN))


def main() -> None:
    """Make it, check it."""
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        data = Path(os.environ.get("PLAYED", folder))
        keeping = Keeping(data, "sqlite:///ledger.db", epoch=EPOCH, wait=60)
        if not (data / "ledger.db").exists():
            asyncio.run(played(keeping, count))
        rows = [checked(keeping, processes) for processes in (1, 2)]
    table("Ledger check", ("by", "records a second", "processor µs each", "proved", "verdict"), rows)


if __name__ == "__main__":
    main()
