"""The config that a command uses: the one given, or the first in the usual places."""

from __future__ import annotations

import os
from pathlib import Path

from grammars import catalogue
from ircdice.config import Config, default_path, load
from ircdice.errors import ConfigError


def path_of(path: Path | None) -> Path:
    """The file; ConfigError where there is none."""
    found = path or default_path()
    if found is None:
        raise ConfigError(("no config found: give one with -c, or write one with ircdice config init",))
    return found


def loaded(path: Path | None, *, trying: bool = False) -> Config:
    """The config in it; ConfigError with every fault. `trying` is as `load` has it."""
    return load(path_of(path), catalogue.system_names(), os.environ, trying=trying)
