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

from ircdice.cli.config import loaded
from ircdice.config import Config, NetworkConfig
from ircdice.errors import ConfigError
from ircdice.wire.network import TrialResult, attempt

NO, BAD_INPUT = 1, 2


def check(path: Path | None, *, connect: bool, as_json: bool) -> int:
    """`config check`. With `connect` the bot also logs in to each network; 1 if one does not accept it."""
    try:
        config = loaded(path, trying=True)
    except ConfigError as error:
        if not as_json:
            raise
        _print_json({"faults": [asdict(fault) for fault in error.faults], "warnings": [], "networks": []})
        return BAD_INPUT
    results = asyncio.run(_attempts(config)) if connect else {}
    if as_json:
        networks = [_as_object(network, results.get(network.name)) for network in config.networks]
        _print_json({"faults": [], "warnings": [asdict(each) for each in config.warnings], "networks": networks})
    else:
        _print(config, results)
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


def init(path: Path) -> int:
    """`config init`: never overwrite a file."""
    text = files("ircdice").joinpath("config.example.ini").read_text("utf-8")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigError(f"{path}: {(error.strerror or 'cannot be written').lower()}") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    click.echo(f"{path} is written; set a host and a channel, then: ircdice run -c {path}")
    return 0
