"""Secrets that do not stand in the config itself, but in files or in the environment (IRC-05)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ircdice.config import files
from ircdice.config.faults import Faults
from ircdice.config.ini import Option
from ircdice.config.model import Join
from ircdice.config.schema import Key, Schema
from ircdice.config.sections import Block, take

_PREFIX = "IRCDICE_"


def variable(title: str, key: str) -> str:
    """The environment's name for a key: upper case, signs as `_`."""
    return _PREFIX + re.sub(r"[^A-Za-z0-9]", "_", f"{title} {key}").upper()


def from_files(block: Block, keys: Schema, folder: Path, faults: Faults) -> list[Path]:
    """Read each `KEY_file` of a section; gives the files read."""
    read = []
    for option in block.files:
        key = _key(keys[block.kind], option.key.removesuffix("_file"))
        if key.name in block.lines:
            faults.add(option.line, f"stands beside {key.name}; one of them", section=block.title, key=option.key)
            continue
        try:
            file = files.path(folder)(option.value)
            take(block, key, Option(option.key, files.secret(file), option.line), faults)
            read.append(file)
        except ValueError as error:
            faults.add(option.line, str(error), section=block.title, key=option.key)
    return read


def from_environment(blocks: Iterable[Block], keys: Schema, environ: Mapping[str, str], faults: Faults) -> list[str]:
    """Take what the environment holds, which goes before the file; gives the names that stand for nothing."""
    taken: dict[str, Block] = {}
    for block in blocks:
        for key in (key for key in keys[block.kind] if key.secret):
            name = variable(block.title, key.name)
            if not environ.get(name):
                continue
            other = taken.setdefault(name, block)
            if other is not block:  # or one network would be told the other's password
                faults.add(0, f"stands for [{other.title}] and [{block.title}] alike", key=name)
            take(block, key, Option(name, environ[name], 0), faults)
    return sorted(name for name in environ if name.startswith(_PREFIX) and name not in taken)


def held(block: Block, keys: Schema) -> bool:
    """Whether the file itself holds a secret of this section. To be asked before the others are taken in."""
    return any(_secret(block.given.get(key.name)) for key in keys[block.kind] if key.secret)


def _secret(value: object) -> bool:
    if isinstance(value, tuple):
        return any(isinstance(item, Join) and item.key for item in value)
    return bool(value) and not str(value).startswith(
        "sqlite:"
    )  # a file's name is no secret, a server's URL may hold one


def _key(keys: Iterable[Key], name: str) -> Key:
    return next(key for key in keys if key.name == name)
