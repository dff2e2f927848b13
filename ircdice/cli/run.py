"""`ircdice run`: the bot of a config."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from pathlib import Path

import click

from ircdice import __version__
from ircdice import log as logs
from ircdice.bot.context import Operations
from ircdice.cli.config import CONFIG_FILE, loaded
from ircdice.cli.ledgers import open_for_bot, ready_bot
from ircdice.config import Config, Current
from ircdice.dispatcher import systems
from ircdice.errors import LedgerUnavailable
from ircdice.metrics import Metrics
from ircdice.run import Hooks
from ircdice.run import run as stay

log = logging.getLogger(__name__)
TRY_AGAIN = os.EX_TEMPFAIL  # 75: the database is out of reach, or another process has the ledger
_CODES = {signal.SIGTERM: 0, signal.SIGINT: 130}


@click.command()
@CONFIG_FILE
@click.option(
    "--accept-loss", is_flag=True, help="Continue with a ledger that has lost records; the next checkpoint says so."
)
def run(config: Path | None, accept_loss: bool) -> int:
    """Run the bot on the networks of its config until it is stopped."""
    for number in _CODES:
        signal.signal(number, _exit)  # until the loop has its own (IRC-25)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    settings = loaded(config)
    _configure_log(settings)
    for warning in settings.warnings:
        log.warning("%s", warning)
    log.info("ircdice %s starts", __version__)
    try:
        return asyncio.run(_run(config, settings, accept_loss=accept_loss))
    except LedgerUnavailable as unavailable:
        click.echo(f"ircdice: {unavailable}", err=True)
        return TRY_AGAIN


COMMANDS = {"run": run}


def _exit(number: int, _frame: object) -> None:
    """Exit at once: a thread may wait ten minutes for a migration's lock, and the ledger survives it (LED-06)."""
    log.info("%s: stopped before the start was complete", signal.Signals(number).name)
    os._exit(_CODES[signal.Signals(number)])


async def _run(path: Path | None, config: Config, *, accept_loss: bool) -> int:
    settings = Current(config)

    def reload() -> Config:
        again = loaded(path)
        _configure_log(again)
        settings.take(again)
        return again

    async with open_for_bot(config, accept_loss=accept_loss) as ledger:
        bot = await ready_bot(ledger, settings)
        metrics = Metrics()
        metrics.games.set(len(systems()))
        metrics.ledger_away, ledger.watch = lambda: ledger.away, metrics.appended
        owed = await bot.owed([network.name for network in config.networks])

        def operated(operations: Operations) -> None:
            bot.services.operations = operations

        hooks = Hooks(reload, bot.delivered, owed, metrics=metrics, operated=operated, ledger=ledger.condition)
        return await stay(config, bot, hooks)


def _configure_log(config: Config) -> None:
    logs.configure(config.bot.log_level, config.bot.log_format, config.bot.log_file)
