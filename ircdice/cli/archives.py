"""The ledger that a command of the command line is about, and what a terminal is told meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ircdice.ledger.archive import Archive
    from ircdice.ledger.keeping import Keeping

CONFIG_FILE = click.option("-c", "--config", type=click.Path(path_type=Path), help="The config file.")


def keeping_of(config: Path | None) -> Keeping:
    """Where it is kept."""
    from ircdice.cli.configured import loaded
    from ircdice.cli.kept import keeping

    return keeping(loaded(config))


@contextmanager
def archive_of(config: Path | None) -> Iterator[Archive]:
    """The ledger, to be looked at."""
    from ircdice.ledger.archive import Archive

    archive = Archive(keeping_of(config))
    try:
        yield archive
    finally:
        archive.close()


@contextmanager
def progress(length: int, what: str) -> Iterator[Callable[[int], None]]:
    """Tells a terminal how far a long work is; nothing else is told."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    if not length:
        yield lambda done: click.echo(f"\r{done} {what}", err=True, nl=False)
        click.echo("", err=True)
        return
    with click.progressbar(length=length, label=what, file=sys.stderr) as bar:
        yield lambda done: bar.update(done - bar.pos)
