"""The config of a command: the file that `-c` names, or the one where configs are."""

from __future__ import annotations

import os
from pathlib import Path

import click

from grammars import catalogue
from ircdice.config import Config, default_path, load
from ircdice.errors import ConfigError


def _given(context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    """`-c` after the sub-command, or else before it, where the context of the whole command keeps it."""
    if context.parent is None:
        context.obj = path
    before: Path | None = context.find_root().obj
    return path or before


_KIND = click.Path(path_type=Path)
CONFIG_FILE = click.option("-c", "--config", type=_KIND, callback=_given, help="The config file.")
CONFIG_FILE_BEFORE = click.option(
    "-c", "--config", type=_KIND, callback=_given, expose_value=False, help="The config file, for every command."
)


def path_of(path: Path | None) -> Path:
    """The file; ConfigError if there is none."""
    found = path or default_path()
    if found is None:
        raise ConfigError("no config found: give one with -c, or write one with ircdice config init")
    return found


def loaded(path: Path | None, *, trying: bool = False) -> Config:
    """The config in it; ConfigError with every fault. `trying` is as `load` has it."""
    return load(path_of(path), catalogue.system_names(), os.environ, trying=trying)
