"""`ircdice config check` and `config init`."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import click

from ircdice.cli.config import CONFIG_FILE, loaded
from ircdice.config import Config, NetworkConfig
from ircdice.errors import ConfigError
from ircdice.wire.network import TrialResult, attempt

NO, BAD_INPUT = 1, 2


@click.group()
def config() -> None:
    """Check a config file, or write one."""


@config.command()
@CONFIG_FILE
@click.option("--connect", is_flag=True, help="Also log in to each network, join nothing, and leave.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(config: Path | None, connect: bool, as_json: bool) -> int:
    """List every error in a config, with file, line, section and key, and show where the bot would connect."""
    try:
        read = loaded(config, trying=True)
    except ConfigError as error:
        if not as_json:
            raise
        _print_json({"faults": [asdict(fault) for fault in error.faults], "warnings": [], "networks": []})
        return BAD_INPUT
    results = asyncio.run(_attempts(read)) if connect else {}
    if as_json:
        networks = [_as_object(network, results.get(network.name)) for network in read.networks]
        _print_json({"faults": [], "warnings": [asdict(each) for each in read.warnings], "networks": networks})
    else:
        _print(read, results)
    return NO if any(result.faults for result in results.values()) else 0


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


def _print_json(values: Mapping[str, object]) -> None:
    click.echo(json.dumps(values, ensure_ascii=False))


@config.command()
@click.argument("path", type=click.Path(path_type=Path), default=Path("config.ini"))
def init(path: Path) -> int:
    """Write a commented config that only you can read; never overwrite one. The default PATH is config.ini."""
    text = files("ircdice").joinpath("config.example.ini").read_text("utf-8")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigError(f"{path}: {(error.strerror or 'cannot be written').lower()}") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    click.echo(f"{path} is written; set a host and a channel, then: ircdice run -c {path}")
    return 0


COMMANDS = {"config": config}
