"""The file of an export: complete or absent, and never one of the bot's own files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ircdice.errors import ExportError
from ircdice.ledger.paths import Paths

_OPEN, _SECRET = 0o666, 0o600


@contextmanager
def written(target: Path, paths: Paths, config: Path, *, private: bool) -> Iterator[TextIO]:
    """Where to write; `-` is standard output. One with private rolls is its owner's alone. ExportError, OSError."""
    if target == Path("-"):
        yield sys.stdout
    elif target.exists() and not target.is_file():  # a device, a pipe
        with target.open("w", encoding="utf-8") as lines:
            yield lines
    else:
        _refuse_own(target.resolve(), paths, config)
        with _beside(target.resolve(), _SECRET if private else _OPEN) as lines:
            yield lines


def _refuse_own(target: Path, paths: Paths, config: Path) -> None:
    files = [config, paths.tag_keys.file, paths.signing_file, paths.checkpoints.file]
    if (database := paths.database_file) is not None:
        files += [database, *(database.with_name(f"{database.name}{ending}") for ending in ("-wal", "-shm"))]
    if target in {file.resolve() for file in files} or paths.seeds.folder.resolve() in target.parents:
        raise ExportError(f"{target} is the bot's own: write the export to another file.")


@contextmanager
def _beside(target: Path, mode: int) -> Iterator[TextIO]:
    """A new file that takes the name once it is whole."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.touch(mode, exist_ok=False)
        with beside.open("w", encoding="utf-8") as lines:
            yield lines
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
