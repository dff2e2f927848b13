"""`ircdice ledger …`: check, export, import and back up the record of rolls; rotate keys; redact."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from ircdice.casemapping import MAPPINGS, fold
from ircdice.cli.archives import paths_of, snapshot_of
from ircdice.cli.config import CONFIG_FILE
from ircdice.cli.ledger_check import check
from ircdice.errors import ConfigError

if TYPE_CHECKING:
    from ircdice.ledger.paths import Paths
    from ircdice.ledger.service import ProvenLedger

NO = 1
_FOLDER = click.Path(path_type=Path, file_okay=False)
T = TypeVar("T")


@click.group()
def ledger() -> None:
    """Check, export and back up the record of rolls."""


ledger.add_command(check)


@ledger.command("export")
@CONFIG_FILE
@click.option("--private", is_flag=True, help="Include private rolls.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), default="-")
def export_(config: Path | None, private: bool, file: Path) -> None:
    """Write the whole ledger as JSON lines that anybody can check (docs/verification.md)."""
    from ircdice.cli.config import path_of
    from ircdice.cli.ledger_export import written
    from ircdice.ledger.archive import export, known_keys

    paths = paths_of(config)
    with snapshot_of(paths) as store, written(file, paths, path_of(config), private=private) as lines:
        key = known_keys(paths, store)[0][0]
        for line in export(store, key, private=private):
            lines.write(f"{line}\n")


@ledger.command("import")
@CONFIG_FILE
@click.argument("file", type=click.File("r", encoding="utf-8"))
def import_(config: Path | None, file: TextIO) -> None:
    """Read an export into an empty ledger, and check and count it."""
    from ircdice.ledger.archive import import_into

    done = import_into(paths_of(config), file)
    hidden = f", {done.withheld} of them withheld" if done.withheld else ""
    count = f"{done.records} records of {done.key.name}{hidden}"
    click.echo(f"{count}, {done.checkpoints} checkpoints, signed by {done.key}, root {done.root.hex()}")


@ledger.command()
@CONFIG_FILE
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def stats(config: Path | None, as_json: bool) -> None:
    """Count the records."""
    with snapshot_of(paths_of(config)) as store:
        counts, (last, ts) = store.counts(), store.last()
        checkpoint, epochs = store.last_checkpoint(), store.epochs()
    published = sum(epoch.seed is not None for epoch in epochs)
    if as_json:
        kinds_of = [{"network": n, "channel": c, "kind": k, "records": count} for (n, c, k), count in counts.items()]
        told: dict[str, object] = {
            "records": last,
            "time": ts or None,
            "signed": checkpoint.size if checkpoint else None,
        }
        told |= {"epochs": len(epochs), "published": published, "kinds": kinds_of}
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    by_place: dict[str, Counter[str]] = {}
    for (network, channel, kind), count in counts.items():
        by_place.setdefault(_place(network, channel), Counter())[kind] += count
    for place, kinds in by_place.items():
        click.echo(f"{place}: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")
    signed = f"signed up to {checkpoint.size}" if checkpoint else "not signed"
    click.echo(f"{last} records{_since(ts)}, {signed}; {len(epochs)} epochs, {published} of them published")


def _since(ts: int) -> str:
    with suppress(ValueError, OverflowError):  # a time that was altered
        return f", the last of {datetime.fromtimestamp(ts / 1000, UTC):%Y-%m-%d %H:%M} UTC" if ts else ""
    return ""


@ledger.command()
@CONFIG_FILE
def reveal(config: Path | None) -> None:
    """End the epoch and publish its seed. Stop the bot first."""

    async def revealed(ledger: ProvenLedger) -> tuple[list[int], list[int]]:
        return await ledger.publish_all()

    published, withheld = _with_ledger(config, revealed)
    click.echo(f"published: {', '.join(map(str, published)) or 'none'}")
    if withheld:
        click.echo(f"not published, as a contest of theirs still waits: {', '.join(map(str, withheld))}")


@ledger.command()
@CONFIG_FILE
@click.argument("folder", type=_FOLDER)
def backup(config: Path | None, folder: Path) -> None:
    """Copy everything that another machine would need into FOLDER, while the bot runs."""
    from ircdice.cli.config import loaded, path_of
    from ircdice.ledger.backup import back_up

    back_up(paths_of(config), path_of(config), folder)
    click.echo(f"{folder} holds the ledger, its keys, seeds and checkpoints, and the config: keep it secret")
    for file in loaded(config).elsewhere:
        click.echo(f"not in it, although the config names it: {file}")


@ledger.command()
@click.argument("backup", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("folder", type=_FOLDER, default=Path())
def restore(backup: Path, folder: Path) -> None:
    """Restore a BACKUP into FOLDER (default: the current one), and begin a new epoch, so that no dice come twice."""
    from ircdice.ledger.backup import CONFIG, put_back

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

    async def size(ledger: ProvenLedger) -> int:
        return (await ledger.read(lambda store: store.last()))[0]

    count = _with_ledger(target, size)
    click.echo(f"restored {_records(count)}; start with: ircdice run -c {target}")


@ledger.command()
@CONFIG_FILE
@click.option(
    "--rotate", type=click.Choice(["tag", "signing"]), help="Replace this key. Stop every bot on the ledger first."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def keys(config: Path | None, rotate: str | None, as_json: bool) -> None:
    """Show the keys of the ledger, or replace one."""
    if rotate and as_json:
        raise click.UsageError("--json shows the keys, --rotate makes one.")
    if rotate == "tag":
        click.echo(f"tags have a new key from record {_with_ledger(config, _rotated_tag)} on")
    elif rotate == "signing":
        click.echo(f"checkpoints are signed by {_with_ledger(config, _rotated_signing)} from now on")
    else:
        _show_keys(paths_of(config), as_json=as_json)


def _show_keys(paths: Paths, *, as_json: bool) -> None:
    from ircdice.ledger.archive import known_keys

    with snapshot_of(paths) as store:
        signing, tags = known_keys(paths, store)
    if as_json:
        earlier = [str(key) for key in signing[:-1]]
        tags_from = [first for first, _ in tags.ranges] if tags else []
        click.echo(json.dumps({"signing": str(signing[-1]), "earlier": earlier, "tags_from": tags_from}))
        return
    for key in signing[:-1]:
        click.echo(f"signed before by {key}")
    click.echo(f"signed by {signing[-1]}")
    if tags:
        click.echo(f"tags have a key of their own from record {', '.join(str(first) for first, _ in tags.ranges)} on")


async def _rotated_tag(ledger: ProvenLedger) -> int:
    return await ledger.rotate_tag_key()


async def _rotated_signing(ledger: ProvenLedger) -> str:
    return str(await ledger.rotate_signing_key())


@ledger.command()
@CONFIG_FILE
@click.option("--network", help="Only on this network; by default on all.")
@click.option("--who", required=True, help="The services account, or ~ and the nick if there is none.")
@click.option("--dry-run", is_flag=True, help="Only count the records.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def redact(config: Path | None, who: str, network: str | None, dry_run: bool, yes: bool) -> None:
    """Remove the content of a person's records for good; that they existed stays proved. Stop the bot first."""
    if not who.strip():
        raise click.UsageError("--who is a services account, or ~ and a nick.")
    names = {fold(who, casemapping) for casemapping in MAPPINGS}
    with snapshot_of(paths_of(config)) as store:
        counts = store.count_of(names, network)
    for place, count in _by_place(counts).items():
        click.echo(f"{place}: {_records(count)} of {who}")
    if not counts:
        account = "" if who.startswith("~") else f"; someone without a services account is ~{who}"
        click.echo(f"there are no records of {who}{account}")
        sys.exit(NO)
    if dry_run:
        return
    if not (yes or _agreed(sum(counts.values()))):
        sys.exit(NO)

    async def redacted(ledger: ProvenLedger) -> int:
        return await ledger.redact(names, network)

    count = _with_ledger(config, redacted)
    click.echo(f"removed the content of {_records(count)} of {who}; every root is as before")


def _agreed(count: int) -> bool:
    """Ask on the terminal; UsageError if there is none."""
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask on: try --dry-run first, then --yes.")
    return click.confirm(f"Remove the content of {_records(count)} for good? It cannot be undone.", err=True)


def _by_place(counts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """The counts by place as a person names it: private talk is one place."""
    places: Counter[str] = Counter()
    for (network, channel), count in counts.items():
        places[_place(network, channel)] += count
    return dict(places)


def _place(network: str, channel: str) -> str:
    return "in private" if channel.startswith("@") else f"{network}/{channel}".strip("/") or "the ledger itself"


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def _with_ledger(config: Path | None, work: Callable[[ProvenLedger], Awaitable[T]]) -> T:
    """`work` on the ledger as its only process."""
    from ircdice.clock import milliseconds
    from ircdice.ledger.service import open_ledger

    async def worked() -> T:
        ledger = await open_ledger(paths_of(config), milliseconds)
        try:
            return await work(ledger)
        finally:
            await ledger.close()

    return asyncio.run(worked())
