"""`ircdice ledger …`: the record of rolls looked at, carried out and in, kept safe. Each command imports its own."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from ircdice.casemapping import MAPPINGS, fold
from ircdice.cli.archives import CONFIG_FILE, archive_of, keeping_of, progress
from ircdice.cli.checking import check
from ircdice.errors import ConfigError

if TYPE_CHECKING:
    from ircdice.ledger.keys import TagKeys
    from ircdice.ledger.notary import Notary

NO = 1
_FOLDER = click.Path(path_type=Path, file_okay=False)
T = TypeVar("T")


@click.group()
def ledger() -> None:
    """The record of rolls: checked, exported, backed up."""


ledger.add_command(check)


@ledger.command("export")
@CONFIG_FILE
@click.option("--private", is_flag=True, help="Private rolls too.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), default="-")
def export_(config: Path | None, private: bool, file: Path) -> None:
    """Write all of it as JSON lines that anybody can check: docs/verification.md."""
    from ircdice.cli.configured import path_of
    from ircdice.cli.exporting import written

    with (
        archive_of(config) as archive,
        progress(archive.size(), "records") as told,
        written(file, archive.keeping, path_of(config), private=private) as lines,
    ):
        for count, line in enumerate(archive.export(private=private)):
            lines.write(f"{line}\n")
            if count % 1_000 == 0:
                told(count)


@ledger.command("import")
@CONFIG_FILE
@click.argument("file", type=click.File("r", encoding="utf-8"))
def import_(config: Path | None, file: TextIO) -> None:
    """Read an export into an empty ledger; it must arrive at the roots that were signed."""
    from ircdice.ledger.store.whole import imported

    kept = keeping_of(config)
    with kept.filling(), progress(0, "records") as told:
        done = imported(kept.database, file, told)
    hidden = f", {done.withheld} of them withheld" if done.withheld else ""
    click.echo(f"{done.records} records of {done.origin}{hidden}, {done.checkpoints} checkpoints, signed by {done.key}")


@ledger.command()
@CONFIG_FILE
def stats(config: Path | None) -> None:
    """Count what is there."""
    with archive_of(config) as archive, archive.page() as page:
        counts, (last, ts, _) = page.counts(), page.last()
        checkpoint, epochs = page.last_checkpoint(), page.epochs()
    by_place: dict[str, Counter[str]] = {}
    for (network, channel, kind), count in counts.items():
        by_place.setdefault(_place(network, channel), Counter())[kind] += count
    for place, kinds in by_place.items():
        click.echo(f"{place}: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")
    signed = f"signed up to {checkpoint.size}" if checkpoint else "not signed"
    published = sum(epoch.seed is not None for epoch in epochs)
    click.echo(f"{last} records{_since(ts)}, {signed}; {len(epochs)} epochs, {published} of them published")


def _since(ts: int) -> str:
    with suppress(ValueError, TypeError, OverflowError):  # of a time that no record can have nothing is said
        return f", the last of {datetime.fromtimestamp(ts / 1000, UTC):%Y-%m-%d %H:%M} UTC" if ts else ""
    return ""


@ledger.command()
@CONFIG_FILE
def reveal(config: Path | None) -> None:
    """End the epoch of this process and publish its seeds, the bot being stopped."""

    async def revealed(notary: Notary) -> tuple[list[int], list[int]]:
        return await notary.publish_all()

    published, kept_back = _with_notary(config, revealed)
    click.echo(f"published: {', '.join(map(str, published)) or 'none'}")
    if kept_back:
        click.echo(f"kept back, for a contest of theirs is still covered: {', '.join(map(str, kept_back))}")


@ledger.command()
@CONFIG_FILE
@click.argument("folder", type=_FOLDER)
def backup(config: Path | None, folder: Path) -> None:
    """Put all that a dead machine would need into FOLDER, while the bot plays on."""
    from ircdice.cli.configured import loaded, path_of
    from ircdice.ledger.backup import back_up

    back_up(keeping_of(config), path_of(config), folder)
    click.echo(f"{folder} holds the ledger, its keys, seeds and checkpoints, and the config: keep it to yourself")
    for file in loaded(config).elsewhere:
        click.echo(f"not in it, though the config names it: {file}")


@ledger.command()
@click.argument("backup", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("folder", type=_FOLDER, default=Path())
def restore(backup: Path, folder: Path) -> None:
    """Put a BACKUP back into FOLDER (default: here), and begin a new epoch: no dice come twice."""
    from ircdice.ledger.backup import CONFIG, config_put_back, put_back

    target = folder / CONFIG
    if target.exists():
        raise ConfigError((f"{target} is there already: a backup is put back where nothing is.",))
    with config_put_back(backup, target):
        put_back(backup, keeping_of(target))

    async def size(notary: Notary) -> int:
        return await notary.read(lambda page: page.last()[0])

    count = _with_notary(target, size)
    click.echo(f"{count} records are back; start with: ircdice run -c {target}")


@ledger.command()
@CONFIG_FILE
@click.option("--rotate", type=click.Choice(["tag", "signing"]), help="Another key from now on, the bot being stopped.")
def keys(config: Path | None, rotate: str | None) -> None:
    """Show by which keys the ledger is signed, or take another one."""
    if rotate == "tag":
        click.echo(f"tags have another key from record {_with_notary(config, _rotated_tag)} on")
    elif rotate == "signing":
        click.echo(f"checkpoints are signed by {_with_notary(config, _rotated_signing)} from now on")
    else:
        with archive_of(config) as archive:
            known, tags = archive.signing_keys(), archive.tag_keys()
        for key in known.retired:
            click.echo(f"signed before by {key}")
        click.echo(f"signed by {known.current.verifying}")
        click.echo(f"tags have a key of their own from each of these records on: {_listed(tags)}")


def _listed(tags: TagKeys) -> str:
    return ", ".join(str(first) for first, _ in tags.ranges)


async def _rotated_tag(notary: Notary) -> int:
    return await notary.rotate_tag_key()


async def _rotated_signing(notary: Notary) -> str:
    return str(await notary.rotate_signing_key())


@ledger.command()
@CONFIG_FILE
@click.option("--network", help="On this network only; by default on all of them.")
@click.option("--who", required=True, help="The services account; ~ and the nick if there is none.")
@click.option("--dry-run", is_flag=True, help="Only say how many records there are, and where.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def redact(config: Path | None, who: str, network: str | None, dry_run: bool, yes: bool) -> None:
    """Remove the content of a person's records for good, but keep their leaves. Stop the bot first."""
    if not who.strip():
        raise click.UsageError("--who is a services account, or ~ and a nick.")
    names = {fold(who, casemapping) for casemapping in MAPPINGS}
    with archive_of(config) as archive, archive.page() as page:
        counts = page.count_of(names, network)
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

    async def redacted(notary: Notary) -> int:
        return await notary.redact(names, network)

    count = _with_notary(config, redacted)
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


def _with_notary(config: Path | None, work: Callable[[Notary], Awaitable[T]]) -> T:
    """`work` on the ledger as its one process."""
    from ircdice.evaluation import milliseconds
    from ircdice.ledger.notary import open_notary

    async def worked() -> T:
        notary = await open_notary(keeping_of(config), milliseconds)
        try:
            return await work(notary)
        finally:
            await notary.close()

    return asyncio.run(worked())
