"""`ircdice ledger check`: its report, and what to do about each kind of damage (LED-16)."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ircdice.cli.archives import CONFIG_FILE, archive_of, progress

if TYPE_CHECKING:
    from ircdice.ledger.check import Report
    from ircdice.ledger.examining import Damage
    from ircdice.ledger.judging import Judge

NO, INTERRUPTED = 1, 130
_RESTORE = "stop the bot and put a backup back: ircdice ledger restore BACKUP FOLDER"
_ACCEPT = "or go on without what is lost, and say so in the next checkpoint: ircdice run --accept-loss"
_WAYS_OUT: dict[Damage, str] = {
    "damaged": f"the database itself is broken: {_RESTORE}",
    "missing": f"look for the newest copy of the data folder; {_RESTORE}; {_ACCEPT}",
    "cut off": f"look for the newest copy of the data folder; {_RESTORE}; {_ACCEPT}",
    "altered": f"find out who can write to the database and the data folder; {_RESTORE}; {_ACCEPT}",
    "reordered": f"find out who can write to the database and the data folder; {_RESTORE}; {_ACCEPT}",
    "forked": "two histories were signed with one key: keep an export of each, tell the players, "
    f"and replace the key: ircdice ledger keys --rotate signing; {_RESTORE}",
}


@click.command()
@CONFIG_FILE
def check(config: Path | None) -> None:
    """Verify every record: signatures, dice and verdicts. The exit code is 1 if anything is wrong."""
    with archive_of(config) as archive, progress(archive.size(), "records") as told, _broken_off(told) as heard:
        report = archive.check(judge, heard)
    _say(report)
    if not report.whole:
        sys.exit(INTERRUPTED)
    sys.exit(0 if report.sound else NO)


def judge() -> Judge:
    """What judges records again; imported by each of the processes that share a check."""
    from ircdice.replay import Replay

    logging.getLogger("ircdice.table").addHandler(logging.NullHandler())  # the report tells what cannot be judged
    return Replay().fault


@contextmanager
def _broken_off(told: Callable[[int], None]) -> Iterator[Callable[[int], None]]:
    """Whoever interrupts hears what was found so far; whoever does so twice waits for nothing."""
    asked: list[int] = []

    def interrupted(number: int, _frame: object) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, before)

    def heard(done: int) -> None:
        told(done)
        if asked:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


def _say(report: Report) -> None:
    for finding in report.findings:
        click.echo(str(finding))
    for note in report.notes:
        click.echo(f"note: {note}")
    for way_out in dict.fromkeys(_WAYS_OUT[finding.damage] for finding in report.findings):
        click.echo(f"what to do: {way_out}")
    proved = f"{report.proved} throws proved by their seeds, {report.unproved} whose seed is not published"
    hidden = f", {report.withheld} records withheld" if report.withheld else ""
    first = next((finding.seq for finding in report.findings if finding.seq), None)
    broken = "broken" if first is None else f"broken, the first bad record is {first}"
    verdict = "sound" if report.sound else broken
    verdict = verdict if report.whole else f"broken off there, so far {verdict}"
    click.echo(f"{report.records} records, {report.checkpoints} checkpoints, {proved}{hidden}: {verdict}")
