"""`ircdice ledger check`: its report, and what to do about each kind of damage (LED-16)."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ircdice.cli.archives import paths_of, snapshot_of
from ircdice.cli.config import CONFIG_FILE

if TYPE_CHECKING:
    from ircdice.ledger.check import Check, Damage, Report
    from ircdice.ledger.paths import Paths

NO, INTERRUPTED = 1, 130
MOST = 20  # findings, and notes, that are listed
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
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(config: Path | None, as_json: bool) -> None:
    """Verify every record: signatures, dice and verdicts. Exit with 1 if anything is wrong, and say what to do."""
    logging.getLogger("ircdice.table").addHandler(logging.NullHandler())  # the report names what cannot be judged
    report = _checked(paths_of(config))
    if as_json:
        _say_json(report)
    else:
        _say(report)
    sys.exit(NO if not report.sound else 0 if report.complete else INTERRUPTED)


def _checked(paths: Paths) -> Report:
    """The report of a whole check, or of one that was interrupted."""
    from sqlalchemy.exc import DatabaseError

    from ircdice.ledger.archive import known_keys
    from ircdice.ledger.check import Check, Finding, Report
    from ircdice.ledger.engine import described
    from ircdice.replay import Replay

    filed = list(paths.checkpoints.notes())  # before the snapshot, which then has them all
    with snapshot_of(paths) as store:
        try:
            keys, tags = known_keys(paths, store)
            has_file = bool(tags and (filed or any(epoch.name == paths.name for epoch in store.epochs())))
            check = Check(
                store, keys, filed=filed if has_file else None, tags=tags, judge=Replay(keyless=tags is None).fault
            )
        except DatabaseError as error:
            damage = Finding(0, "damaged", f"the database cannot be read: {described(error)}")
            return Report(0, 0, 0, 0, 0, (damage,), (), complete=False)
        with suppress(KeyboardInterrupt):
            _run(check)
        report = check.report()
    notes = [*report.notes]
    if not tags:
        notes.append(f"the ledger was imported: checkpoints are checked by its own key {keys[0]}, tags not at all")
    elif not has_file:
        notes.append("no bot of this config has run on this ledger: it has no checkpoint file to compare with")
    return replace(report, notes=tuple(notes))


def _run(check: Check) -> None:
    """With a progress bar on a terminal."""
    if not sys.stderr.isatty():
        for _ in check.run():
            pass
        return
    with click.progressbar(length=check.last, label="records", file=sys.stderr) as bar:
        for done in check.run():
            bar.update(done - bar.pos)


def _say_json(report: Report) -> None:
    findings = [
        {"damage": found.damage, "seq": found.seq or None, "why": found.why, "todo": _WAYS_OUT[found.damage]}
        for found in report.findings
    ]
    told: dict[str, object] = {"sound": report.sound, "complete": report.complete, "records": report.records}
    told |= {"checkpoints": report.checkpoints, "proved": report.proved, "unproved": report.unproved}
    told |= {"withheld": report.withheld, "findings": findings, "notes": [*report.notes]}
    click.echo(json.dumps(told, ensure_ascii=False))


def _say(report: Report) -> None:
    _list([str(finding) for finding in report.findings])
    _list([f"note: {note}" for note in report.notes])
    for way_out in dict.fromkeys(_WAYS_OUT[finding.damage] for finding in report.findings):
        click.echo(f"what to do: {way_out}")
    dice = f"{report.proved} throws proved by their seeds, {report.unproved} whose seed is not published"
    hidden = f", {report.withheld} records withheld" if report.withheld else ""
    first = next((finding.seq for finding in report.findings if finding.seq), None)
    broken = "broken" if first is None else f"broken, the first bad record is {first}"
    verdict = ("" if report.complete else "not complete, so far ") + ("sound" if report.sound else broken)
    click.echo(f"{report.records} records, {report.checkpoints} checkpoints, {dice}{hidden}: {verdict}")


def _list(lines: list[str]) -> None:
    for line in lines[:MOST]:
        click.echo(line)
    if len(lines) > MOST:
        click.echo(f"… and {len(lines) - MOST} more")
