"""`ircdice ledger …`: check, export, import and back up the record of rolls; rotate keys; redact."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TextIO, TypeVar

import click
from sqlalchemy.exc import DatabaseError

from ircdice.casemapping import MAPPINGS, fold
from ircdice.cli.config import AS_JSON, CONFIG_FILE, DONE, INTERRUPTED, NO, ledger_paths, loaded, path_of, print_json
from ircdice.clock import milliseconds, utc
from ircdice.errors import ConfigError, ExportError, LedgerDamaged
from ircdice.game import counted
from ircdice.ledger.archive import CONFIG, back_up, export, import_into, known_keys, put_back
from ircdice.ledger.check import Check, Damage, Finding, Report
from ircdice.ledger.engine import described, engines, readable, shown
from ircdice.ledger.paths import Paths
from ircdice.ledger.schema import expect_current
from ircdice.ledger.service import ProvenLedger, open_ledger
from ircdice.ledger.store import Store
from ircdice.replay import Replay

_FOLDER = click.Path(path_type=Path, file_okay=False)
T = TypeVar("T")


@click.group()
def ledger() -> None:
    """Check, export and back up the record of rolls."""


@ledger.command("export")
@CONFIG_FILE
@click.option("--private", is_flag=True, help="Include private rolls.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), default="-")
def export_(config: Path | None, private: bool, file: Path) -> None:
    """Write the whole ledger as JSON lines that anybody can check.

    See docs/verification.md.
    """
    paths = paths_of(config)
    with snapshot_of(paths) as store, _output(file, paths, path_of(config), private=private) as output:
        for line in export(store, known_keys(paths, store)[0][0], private=private):
            output.write(f"{line}\n")


@contextmanager
def _output(file: Path, paths: Paths, config: Path, *, private: bool) -> Iterator[TextIO]:
    """Open the target of an export: `-`, a device, or a file, written completely or not at all; never the bot's own.

    If it has private rolls, only its owner may read it.
    """
    if file == Path("-"):
        yield sys.stdout
        return
    if file.exists() and not file.is_file():  # a device, a pipe
        with file.open("w", encoding="utf-8") as output:
            yield output
        return
    target = file.resolve()
    own = [config, paths.tag_keys.file, paths.signing_file, paths.checkpoints.file, paths.seeds.folder]
    if (database := paths.database_file) is not None:
        own += [database.with_name(f"{database.name}{ending}") for ending in ("", "-wal", "-shm")]
    if not {own_file.resolve() for own_file in own}.isdisjoint({target, *target.parents}):
        raise ExportError(f"{target} is the bot's own: write the export to another file.")
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.touch(0o600 if private else 0o666, exist_ok=False)
        with temporary.open("w", encoding="utf-8") as output:
            yield output
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@ledger.command("import")
@CONFIG_FILE
@click.argument("file", type=click.File("r", encoding="utf-8"))
def import_(config: Path | None, file: TextIO) -> None:
    """Read an export into an empty ledger, and check and count it."""
    done, key, root = import_into(paths_of(config), file)
    hidden = f", {done.withheld} of them withheld" if done.withheld else ""
    count = f"{done.records} records of {key.name}{hidden}"
    click.echo(f"{count}, {done.checkpoints} checkpoints, signed by {key}, root {root.hex()}")


@ledger.command()
@CONFIG_FILE
@AS_JSON
def stats(config: Path | None, as_json: bool) -> None:
    """Count the records."""
    with snapshot_of(paths_of(config)) as store:
        counts, (last, ts) = store.counts(), store.last()
        checkpoint, epochs = store.last_checkpoint(), store.epochs()
    signed = checkpoint.size if checkpoint else None
    published = sum(epoch.seed is not None for epoch in epochs)
    if as_json:
        kinds = [{"network": n, "channel": c, "kind": k, "records": count} for (n, c, k), count in counts.items()]
        totals = {"records": last, "time": ts or None, "signed": signed, "epochs": len(epochs)}
        print_json({**totals, "published": published, "kinds": kinds})
        return
    by_place: dict[str, Counter[str]] = {}
    for (network, channel, kind), count in counts.items():
        by_place.setdefault(_place(network, channel), Counter())[kind] += count
    for place, of_kind in by_place.items():
        click.echo(f"{place}: {', '.join(f'{count} {kind}' for kind, count in of_kind.items())}")
    state = f"signed up to {signed}" if signed is not None else "not signed"
    click.echo(f"{last} records{_since(ts)}, {state}; {len(epochs)} epochs, {published} of them published")


def _since(ts: int) -> str:
    with suppress(ValueError, OverflowError, OSError):  # an altered time can be past the year 9999
        return f", the last of {utc(ts):%Y-%m-%d %H:%M} UTC" if ts else ""
    return ""


@ledger.command()
@CONFIG_FILE
def reveal(config: Path | None) -> None:
    """End the epoch and publish its seed. Stop the bot first."""
    published, withheld = _with_ledger(config, ProvenLedger.publish_all)
    click.echo(f"published: {', '.join(map(str, published)) or 'none'}")
    if withheld:
        click.echo(f"not published, because a contest still waits for its answer: {', '.join(map(str, withheld))}")


@ledger.command("backup")
@CONFIG_FILE
@click.argument("folder", type=_FOLDER)
def backup_(config: Path | None, folder: Path) -> None:
    """Copy all that another machine needs into FOLDER.

    The bot may be running.
    """
    back_up(paths_of(config), path_of(config), folder)
    click.echo(f"{folder} holds the ledger, its keys, seeds and checkpoints, and the config: keep it secret")
    for file in loaded(config).elsewhere:
        click.echo(f"not in it, although the config names it: {file}")


@ledger.command()
@click.argument("backup", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("folder", type=_FOLDER, default=Path())
def restore(backup: Path, folder: Path) -> None:
    """Restore a BACKUP into FOLDER, by default the current one.

    A new epoch begins, so that no dice come twice.
    """
    target = folder / CONFIG
    if target.exists():
        raise ConfigError(f"{target} already exists: a backup is restored where there is no ledger.")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(backup / CONFIG, target)
    try:
        put_back(backup, paths_of(target))
    except BaseException:
        target.unlink()
        raise
    count, _ = _with_ledger(target, lambda ledger: ledger.read(lambda store: store.last()))
    click.echo(f"restored {counted(count, 'record')}; start with: ircdice run -c {target}")


@ledger.command("keys")
@CONFIG_FILE
@click.option(
    "--rotate", type=click.Choice(["tag", "signing"]), help="Replace this key. Stop every bot on the ledger first."
)
@AS_JSON
def keys_(config: Path | None, rotate: str | None, as_json: bool) -> None:
    """Show the keys of the ledger, or replace one."""
    if rotate and as_json:
        raise click.UsageError("--json shows the keys, --rotate replaces one: use one of them.")
    if rotate == "tag":
        click.echo(f"tags have a new key from record {_with_ledger(config, ProvenLedger.rotate_tag_key)} on")
    elif rotate == "signing":
        click.echo(f"checkpoints are signed by {_with_ledger(config, ProvenLedger.rotate_signing_key)} from now on")
    else:
        _show_keys(paths_of(config), as_json=as_json)


def _show_keys(paths: Paths, *, as_json: bool) -> None:
    with snapshot_of(paths) as store:
        (*earlier, signing), tags = known_keys(paths, store)
    tags_from = [first for first, _ in tags.ranges] if tags else []
    if as_json:
        print_json({"signing": str(signing), "earlier": [*map(str, earlier)], "tags_from": tags_from})
        return
    for key in earlier:
        click.echo(f"signed before by {key}")
    click.echo(f"signed by {signing}")
    if tags_from:
        click.echo(f"tags have a key of their own from record {', '.join(map(str, tags_from))} on")


@ledger.command()
@CONFIG_FILE
@click.option("--network", help="Only on this network; by default on all.")
@click.option("--who", required=True, help="The services account, or ~ and the nick if there is none.")
@click.option("--dry-run", is_flag=True, help="Only count the records.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def redact(config: Path | None, who: str, network: str | None, dry_run: bool, yes: bool) -> int:
    """Remove the content of a person's records for good.

    That they existed stays proved. Stop the bot first.
    """
    if not who.strip():
        raise click.UsageError("--who is a services account, or ~ and a nick.")
    names = {fold(who, casemapping) for casemapping in MAPPINGS}
    with snapshot_of(paths_of(config)) as store:
        counts = store.counts(names, network)
    places: Counter[str] = Counter()
    for (place_network, channel, _), count in counts.items():
        places[_place(place_network, channel)] += count
    for place, count in places.items():
        click.echo(f"{place}: {counted(count, 'record')} of {who}")
    if not counts:
        account = "" if who.startswith("~") else f"; someone without a services account is ~{who}"
        click.echo(f"there are no records of {who}{account}")
        return NO
    click.echo(
        "what they changed in a channel will be as it was before: a deck has the cards that they drew, "
        "and a secret difficulty that they used waits again"
    )
    if dry_run:
        return DONE
    total = counted(sum(counts.values()), "record")
    if not yes and not (sys.stdin is not None and sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask on: try --dry-run first, then --yes.")
    if not yes and not click.confirm(f"Remove the content of {total} for good? It cannot be undone.", err=True):
        return NO
    _with_ledger(config, lambda ledger: ledger.redact(names, network))
    click.echo(f"removed the content of {total} of {who}; every root is as before")
    return DONE


def _place(network: str, channel: str) -> str:
    return "in private" if channel.startswith("@") else f"{network}/{channel}".strip("/") or "the ledger itself"


def _with_ledger(config: Path | None, work: Callable[[ProvenLedger], Awaitable[T]]) -> T:
    """Run `work` on the ledger as its only process."""

    async def worked() -> T:
        opened = await open_ledger(paths_of(config), milliseconds)
        try:
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(worked())


def paths_of(config: Path | None) -> Paths:
    """The paths of the current config's ledger."""
    return ledger_paths(loaded(config))


@contextmanager
def snapshot_of(paths: Paths) -> Iterator[Store]:
    """A snapshot of the ledger, even while a bot writes. LedgerUnavailable if it is missing or unreadable."""
    paths.expect_database()
    what = f"the ledger at {shown(paths.database)} cannot be read"
    with closing(engines(paths.database)) as database, readable(what), database.snapshot() as connection:
        expect_current(connection)
        yield Store(connection)


# Check the ledger, with advice for each kind of damage (LED-16).

MOST = 20  # findings, and notes, in the report
_RESTORE = "stop the bot and put a backup back: ircdice ledger restore BACKUP FOLDER"
_ACCEPT = "or go on without what is lost at the end, and say so in the next checkpoint: ircdice run --accept-loss"
_LOOK = f"look for the newest copy of the data folder; {_RESTORE}; {_ACCEPT}"
_FIND_OUT = f"find out who can write to the database and the data folder; {_RESTORE}; {_ACCEPT}"
_WAYS_OUT: dict[Damage, str] = {
    "damaged": f"the database itself is broken: {_RESTORE}",
    "missing": _LOOK,
    "cut off": _LOOK,
    "altered": _FIND_OUT,
    "reordered": _FIND_OUT,
    "forked": "two histories were signed with one key: keep an export of each, tell the players, "
    f"and replace the key: ircdice ledger keys --rotate signing; {_RESTORE}",
}


@ledger.command("check")
@CONFIG_FILE
@AS_JSON
def check_(config: Path | None, as_json: bool) -> int:
    """Verify every record: signatures, dice and verdicts. Exit with 1 if anything is wrong, and say what to do."""
    logging.getLogger("ircdice.table").addHandler(logging.NullHandler())  # the report names what cannot be judged
    report = _checked(paths_of(config))
    if as_json:
        findings = [
            asdict(finding) | {"seq": finding.seq or None, "todo": _WAYS_OUT[finding.damage]}
            for finding in report.findings
        ]
        print_json(asdict(report) | {"sound": report.sound, "findings": findings})
    else:
        _print(report)
    return NO if not report.sound else DONE if report.complete else INTERRUPTED


def _checked(paths: Paths) -> Report:
    """The report of a check, complete or interrupted."""
    filed = [*paths.checkpoints.notes()]  # before the snapshot
    with snapshot_of(paths) as store:
        try:
            keys, tags = known_keys(paths, store)
            has_file = bool(tags and (filed or store.epochs(paths.name)))
            check = Check(
                store, keys, filed=filed if has_file else None, tags=tags, judge=Replay(keyless=tags is None).fault
            )
        except (DatabaseError, LedgerDamaged) as error:
            damage = Finding(0, "damaged", f"the database cannot be read: {described(error)}")
            return Report(0, 0, 0, 0, 0, (damage,), (), complete=False)
        hidden = not sys.stderr.isatty()
        bar = click.progressbar(length=check.last, label="records", file=sys.stderr, hidden=hidden)
        with suppress(KeyboardInterrupt), bar:
            for done in check.run():
                bar.update(done - bar.pos)
        report = check.report()
    notes = [*report.notes]
    if not tags:
        notes.append(f"the ledger was imported: checkpoints are checked by its own key {keys[0]}, tags not at all")
    elif not has_file:
        notes.append("no bot of this config has run on this ledger: it has no checkpoint file to compare with")
    return replace(report, notes=tuple(notes))


def _print(report: Report) -> None:
    for lines in ([str(finding) for finding in report.findings], [f"note: {note}" for note in report.notes]):
        more = [f"… and {len(lines) - MOST} more"] if len(lines) > MOST else []
        click.echo("".join(f"{line}\n" for line in [*lines[:MOST], *more]), nl=False)
    for way_out in dict.fromkeys(_WAYS_OUT[finding.damage] for finding in report.findings):
        click.echo(f"what to do: {way_out}")
    dice = f"{report.proved} throws proved by their seeds, {report.unproved} await theirs"
    hidden = f", {report.withheld} records withheld" if report.withheld else ""
    first = next((finding.seq for finding in report.findings if finding.seq), None)
    broken = "broken" if first is None else f"broken, the first bad record is {first}"
    verdict = ("" if report.complete else "not complete, so far ") + ("sound" if report.sound else broken)
    click.echo(f"{report.records} records, {report.checkpoints} checkpoints, {dice}{hidden}: {verdict}")
