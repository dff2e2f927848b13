"""A file → a whole `Config`, or every fault in it at once."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from ircdice.config import consistency, files, ini, secret
from ircdice.config.building import HOUSE, built
from ircdice.config.faults import Faults, nearest
from ircdice.config.model import Config
from ircdice.config.schema import schema
from ircdice.config.sections import Block, understand
from ircdice.errors import ConfigError
from ircdice.settings import HouseRules

_NAME = "config.ini"
SYSTEM_FOLDER = Path("/etc/ircdice")


def default_path() -> Path | None:
    """The config that is used when none is named: here, else the user's, else the system's."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or "")
    if not user.is_absolute():
        user = Path("~/.config").expanduser()
    places = (Path(), user / "ircdice", SYSTEM_FOLDER)
    return next((place / _NAME for place in places if (place / _NAME).is_file()), None)


def load(path: Path, systems: Collection[str], environ: Mapping[str, str], *, trying: bool = False) -> Config:
    """The config in `path`. Games are checked against `systems`, secrets may come from `environ`.

    `trying`: what a start would make is tried, and it is a fault where it can't be made.
    """
    faults = Faults(path)
    text = _text(path)
    keys = schema(path.parent, systems)
    blocks = understand(ini.read(text, faults), keys, faults)
    open_files = [path] if any(secret.held(block, keys) for block in blocks) else []
    for block in blocks:
        open_files += secret.from_files(block, keys, path.parent, faults)
    strays = secret.from_environment(blocks, keys, environ, faults)
    consistency.check(blocks, faults)
    if trying:
        _try(blocks, faults)
    faults.raise_any()
    open_files += [file for block in blocks for file in _keys(block)]
    warnings = [
        f"{file}: holds a secret and may be read by anyone" for file in open_files if files.open_to_others(file)
    ]
    warnings += [f"{name} in the environment names no secret of this config" for name in strays]
    warnings += [f"{path}:{line}: {sentence}" for line, sentence in consistency.warnings(blocks)]
    certificates = [file for block in blocks if (file := block.given.get("tls_cert"))]
    elsewhere = tuple(sorted({*open_files, *certificates} - {path}))
    return replace(built(blocks, path.parent, tuple(warnings)), elsewhere=elsewhere)


def house_rules(values: Mapping[str, str]) -> HouseRules:
    """House rules from keys and values as a channel's section would hold them."""
    keys = {key.name: key for key in schema(Path(), ())["channel"] if key.name in HOUSE}
    faults, given = [], {}
    for name, value in values.items():
        try:
            if name not in keys:
                raise ValueError(f"no such house rule; {nearest(name, keys)}")
            given[name] = keys[name].parse(value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise ConfigError(tuple(faults))
    return HouseRules(**given)


def _text(path: Path) -> str:
    try:
        text = files.content(path).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError((f"{path}:{line}: is not UTF-8",)) from None
    except ValueError as error:
        raise ConfigError((str(error),)) from None


def _try(blocks: Collection[Block], faults: Faults) -> None:
    for block in blocks:
        if data := block.given.get("data"):
            try:
                files.try_to_make(data)
            except ValueError as error:
                faults.add(block.lines["data"], str(error), section=block.title, key="data")


def _keys(block: Block) -> list[Path]:
    """Files of private keys (IRC-05)."""
    given, key = block.given, block.given.get("sasl_key")
    return [file for file in (given.get("tls_key") or given.get("tls_cert"), key and key.file) if file]
