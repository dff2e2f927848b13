"""The file of an export: whole under its name or not there at all, and in the place of nothing that is the ledger's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ircdice.errors import ExportError
from ircdice.ledger.keeping import Keeping

_OPEN, _SECRET = 0o666, 0o600


@contextmanager
def written(target: Path, keeping: Keeping, config: Path, *, private: bool) -> Iterator[TextIO]:
    """Where to write; `-` is standard output. One with private rolls is its owner's alone. ExportError, OSError."""
    if target == Path("-"):
        yield sys.stdout
    elif target.exists() and not target.is_file():  # a device, a pipe
        with target.open("w", encoding="utf-8") as lines:
            yield lines
    else:
        _spare(target.resolve(), keeping, config)
        with _beside(target.resolve(), _SECRET if private else _OPEN) as lines:
            yield lines


def _spare(target: Path, keeping: Keeping, config: Path) -> None:
    files = [config, keeping.tag_keys.file, keeping.signing_file, keeping.checkpoints.file, *keeping.database_files]
    own = {file.resolve() for file in files}
    if target in own or keeping.seeds.folder.resolve() in target.parents:
        raise ExportError(f"{target} is the bot's own: an export is written to a file of its own.")


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
