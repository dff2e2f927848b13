"""`run`, `demo` and `config`: the parts put together. What is heavy is imported where it is wanted."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ircdice import __version__, dispatcher
from ircdice.bot import Bot, Hinting, OwnChance
from ircdice.config import Current, default_path, load
from ircdice.dice import DiceSource, SystemDice
from ircdice.errors import ConfigError
from ircdice.evaluation import milliseconds
from ircdice.ledger import MemoryLedger
from ircdice.settings import Settings

if TYPE_CHECKING:
    from ircdice.config import Config

log = logging.getLogger(__name__)
_HEAD_START = 0.5  # seconds that connecting has before the games are loaded: both want the interpreter


class SystemChance(OwnChance):
    """The system's dice for every command (the ledger's own stream comes with the ledger)."""

    def __init__(self) -> None:
        self._dice = SystemDice()

    def begin(self, _network: str, _place: str) -> DiceSource:
        """As `Chance` has it."""
        return self._dice


def new_bot(settings: Settings) -> Bot:
    """A bot as it plays on IRC, its ledger in memory."""
    return Bot(MemoryLedger(milliseconds), SystemChance(), settings, milliseconds, Hinting())


def run(path: Path | None) -> int:
    """`run -c FILE`."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until the loop has its own: IRC-25
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    from ircdice.run import Hooks
    from ircdice.run import run as stay

    config = _loaded(path)
    _logs(config)
    for warning in config.warnings:
        log.warning("%s", warning)
    log.info("ircdice %s starts", __version__)
    settings = Current(config)
    bot = new_bot(settings)

    def reload() -> Config:
        again = _loaded(path)
        _logs(again)
        settings.take(again)
        return again

    async def resumed() -> int:
        await bot.resume()
        preparing = asyncio.ensure_future(_prepared())
        code = await stay(config, bot, Hooks(reload=reload))
        preparing.cancel()
        return code

    return asyncio.run(resumed())


def _logs(config: Config) -> None:
    from ircdice import log as logs

    logs.configure(config.bot.log_level, config.bot.log_format, config.bot.log_file)


async def _prepared() -> None:
    await asyncio.sleep(_HEAD_START)
    await asyncio.to_thread(dispatcher.prepare)


def demo(keep: Path | None) -> int:
    """`demo`."""
    from ircdice.demo import demo as play

    return play(new_bot, keep=keep)


def check(path: Path | None) -> int:
    """`config check`."""
    config = _loaded(path)
    for warning in config.warnings:
        click.echo(f"ircdice: warning: {warning}", err=True)
    for network in config.networks:
        joins = ", ".join(join.name for join in network.channels)
        click.echo(f"{network.name}: {network.host} port {network.port}, {'TLS' if network.tls else 'no TLS'}: {joins}")
    return 0


def init(path: Path) -> int:
    """`config init`: never over a file that is there."""
    text = files("ircdice").joinpath("config.example.ini").read_text("utf-8")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as wrong:
        raise ConfigError((f"{path}: {(wrong.strerror or 'cannot be written').lower()}",)) from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    click.echo(f"{path} is written; set a host and a channel, then: ircdice run -c {path}")
    return 0


def _loaded(path: Path | None) -> Config:
    found = path or default_path()
    if found is None:
        raise ConfigError(("no config found: give one with -c, or write one with ircdice config init",))
    return load(found, dispatcher.system_names(), os.environ)
