"""The config of a command, options and exit codes of several commands, and `ircdice config check` and `init`."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import click

from ircdice.clock import HOUR
from ircdice.config import Config, NetworkConfig, default_path, load
from ircdice.errors import ConfigError
from ircdice.ledger.paths import Paths
from ircdice.wire.network import TrialResult, attempt

DONE, NO, BAD_INPUT, CANNOT_SAY, TRY_AGAIN, INTERRUPTED = 0, 1, 2, 3, 75, 130  # exit codes


def _given(context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    """`-c` after the sub-command, or else before it, from the context of the main command."""
    if context.parent is None:
        context.obj = path
    before: Path | None = context.find_root().obj
    return path or before


_KIND = click.Path(path_type=Path)
CONFIG_FILE = click.option("-c", "--config", type=_KIND, callback=_given, help="The config file.")
CONFIG_FILE_BEFORE = click.option(
    "-c", "--config", type=_KIND, callback=_given, expose_value=False, help="The config file, for every command."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")


def path_of(path: Path | None) -> Path:
    """The config file; ConfigError if there is none."""
    path = path or default_path()
    if path is None:
        raise ConfigError("no config found: give one with -c, or write one with ircdice config init")
    return path


def loaded(path: Path | None, *, trying: bool = False) -> Config:
    """Load the config; ConfigError with every fault. `trying` as in `load`."""
    return load(path_of(path), os.environ, trying=trying)


def ledger_paths(config: Config) -> Paths:
    """The paths of a config's ledger."""
    bot = config.bot
    return Paths(
        data=bot.data,
        url=bot.ledger,
        origin=bot.origin,
        suggested=f"{config.networks[0].host or config.networks[0].name}/ircdice",
        name=bot.name,
        signing_key=bot.signing_key,
        epoch=int(bot.epoch_hours * HOUR),
        wait=bot.ledger_wait,
    )


def json_line(values: Mapping[str, object]) -> str:
    """One line of JSON; lone surrogates, which no output can encode, are escaped."""
    text = json.dumps(values, ensure_ascii=False)
    return json.dumps(values) if any("\ud800" <= character <= "\udfff" for character in text) else text


def print_json(values: Mapping[str, object]) -> None:
    """Print one JSON object on standard output."""
    click.echo(json_line(values))


@click.group()
def config() -> None:
    """Check a config file, or write one."""


@config.command()
@CONFIG_FILE
@click.option("--connect", is_flag=True, help="Also log in to each network, join nothing, and leave.")
@AS_JSON
def check(config: Path | None, connect: bool, as_json: bool) -> int:
    """List every error in a config, and where the bot would connect.

    An error names its file, line, section and key.
    """
    try:
        read = loaded(config, trying=True)
    except ConfigError as error:
        if not as_json:
            raise
        print_json({"faults": [asdict(fault) for fault in error.faults], "warnings": [], "networks": []})
        return BAD_INPUT
    results = asyncio.run(_attempts(read)) if connect else {}
    if as_json:
        networks = [_as_object(network, results.get(network.name)) for network in read.networks]
        print_json({"faults": [], "warnings": [asdict(warning) for warning in read.warnings], "networks": networks})
    else:
        _print(read, results)
    return NO if any(result.faults for result in results.values()) else DONE


async def _attempts(config: Config) -> dict[str, TrialResult]:
    results = await asyncio.gather(*(attempt(network, config) for network in config.networks))
    return {network.name: result for network, result in zip(config.networks, results, strict=True)}


def _print(config: Config, results: Mapping[str, TrialResult]) -> None:
    for warning in config.warnings:
        click.echo(f"ircdice: warning: {warning}", err=True)
    for network in config.networks:
        joins = ", ".join(join.name for join in network.channels) or "no channel"
        click.echo(f"{network.name}: {network.address}, {'TLS' if network.tls else 'no TLS'}: {joins}")
    for name, result in results.items():
        for line in result.good:
            click.echo(f"{name}: {line}")
        for line in result.faults:
            click.echo(f"ircdice: {name}: {line}", err=True)


def _as_object(network: NetworkConfig, result: TrialResult | None) -> dict[str, object]:
    channels = [join.name for join in network.channels]
    values: dict[str, object] = {"name": network.name, "address": network.address, "tls": network.tls}
    tried = {} if result is None else {"events": result.good, "faults": result.faults}
    return {**values, "channels": channels, **tried}


@config.command()
@click.argument("path", type=click.Path(path_type=Path), default=Path("config.ini"))
def init(path: Path) -> None:
    """Write a commented config that only you can read.

    It never overwrites one. The default PATH is config.ini.
    """
    text = files("ircdice").joinpath("config.example.ini").read_text("utf-8")
    path.touch(0o600, exist_ok=False)
    path.write_text(text, encoding="utf-8")
    click.echo(f"{path} is written; set a host and a channel, then: ircdice run -c {path}")
