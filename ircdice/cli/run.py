"""`ircdice run`, `health` and `web`: run the bot, check it, and serve the page of its ledger."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import click

from ircdice import __version__
from ircdice import log as logs
from ircdice.bot import Allowance, Bot, Hinting
from ircdice.bot.context import Operations
from ircdice.cli.config import CANNOT_SAY, CONFIG_FILE, DONE, INTERRUPTED, NO, TRY_AGAIN, ledger_paths, loaded, path_of
from ircdice.clock import Clock
from ircdice.config import Config, Current, Listen, load_for_page
from ircdice.dispatcher import systems
from ircdice.errors import LedgerUnavailable, Refused
from ircdice.ledger.service import ProvenLedger, open_ledger
from ircdice.metrics import Metrics
from ircdice.run import Hooks
from ircdice.run import run as run_networks
from ircdice.settings import Settings

log = logging.getLogger(__name__)
_CODES = {signal.SIGTERM: DONE, signal.SIGINT: INTERRUPTED}
_MAINTAIN_EVERY = 5.0  # seconds
_TIMEOUT = 10.0  # seconds


@click.command()
@CONFIG_FILE
@click.option(
    "--accept-loss", is_flag=True, help="Continue with a ledger that has lost records; the next checkpoint says so."
)
def run(config: Path | None, accept_loss: bool) -> int:
    """Run the bot on the networks of its config until it is stopped."""
    for number in _CODES:
        signal.signal(number, _exit)  # until the event loop installs its own (IRC-25)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    settings = loaded(config)
    _configure_log(settings)
    for warning in settings.warnings:
        log.warning("%s", warning)
    log.info("ircdice %s starts", __version__)
    try:
        return asyncio.run(_run(config, settings, accept_loss=accept_loss))
    except LedgerUnavailable as unavailable:  # the database is out of reach, or another process has the ledger
        click.echo(f"ircdice: {unavailable}", err=True)
        return TRY_AGAIN


def _exit(number: int, _frame: object) -> None:
    """Exit at once: a thread may wait ten minutes for a migration's lock. The ledger survives this (LED-06)."""
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
        metrics.ledger_away, ledger.watch = lambda: ledger.out_of_reach is not None, metrics.appended
        owed = await bot.owed([network.name for network in config.networks])

        def operated(operations: Operations) -> None:
            bot.services.operations = operations

        hooks = Hooks(reload, bot.delivered, owed, metrics=metrics, operated=operated, ledger=ledger.condition)
        return await run_networks(config, bot, hooks)


def _configure_log(config: Config) -> None:
    logs.configure(config.bot.log_level, config.bot.log_format, config.bot.log_file)


@asynccontextmanager
async def open_for_bot(config: Config, *, accept_loss: bool = False) -> AsyncIterator[ProvenLedger]:
    """Open and maintain the ledger within the block; raises the errors of `open_ledger`."""
    clock = Clock()
    ledger = await open_ledger(ledger_paths(config), clock, accept_loss=accept_loss)
    maintenance = asyncio.create_task(_maintain(ledger))
    try:
        clock.reach(await ledger.read(lambda store: store.last()[1]))
        yield ledger
    finally:
        maintenance.cancel()
        with suppress(asyncio.CancelledError):
            await maintenance
        await ledger.close()


async def ready_bot(ledger: ProvenLedger, settings: Settings) -> Bot:
    """The bot for IRC, with the open contests and secrets of its ledger."""
    bot = Bot(ledger, ledger, settings, ledger.clock, Hinting(), Allowance())
    await bot.resume()
    return bot


async def _maintain(ledger: ProvenLedger) -> None:
    """Make checkpoints and new epochs when due."""
    available = True
    while True:
        await asyncio.sleep(_MAINTAIN_EVERY)
        try:
            await ledger.tend()
            available = True
        except LedgerUnavailable:
            if available:
                log.warning("no checkpoint is made while the ledger is out of reach")
            available = False
        except Exception:
            log.exception("the ledger could not be maintained")


@click.command()
@CONFIG_FILE
def health(config: Path | None) -> int:
    """Ask the running bot by its [metrics] endpoint whether it can play."""
    listen = loaded(config).metrics.listen
    if listen is None:
        click.echo("ircdice: [metrics] listen is off, so the bot cannot be asked", err=True)
        return CANNOT_SAY
    try:
        status, text = asyncio.run(_ask(listen))
    except (OSError, EOFError):
        click.echo(f"ircdice: nothing answers at {listen}", err=True)
        return NO
    click.echo(text, nl=False)
    return DONE if status == "200" else NO


async def _ask(listen: Listen) -> tuple[str, str]:
    """The status and the text of `/healthz` (IRC-26)."""
    async with asyncio.timeout(_TIMEOUT):
        if listen.socket is not None:
            reader, writer = await asyncio.open_unix_connection(listen.socket)
        else:
            reader, writer = await asyncio.open_connection(listen.host, listen.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        text = (await reader.read()).decode()
        writer.close()
    return head.decode().split(" ")[1], text


@click.command()
@CONFIG_FILE
def web(config: Path | None) -> None:
    """Serve the web page: verify, odds, logs and proofs. It only reads the ledger."""
    try:
        from ircdice.web.app import serve
    except ImportError:
        raise Refused("the web page needs an extra package: pip install 'ircdice[web]'.") from None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn stops, and then raises the signal again
    settings = load_for_page(path_of(config), os.environ)
    logs.configure(settings.bot.log_level, settings.bot.log_format)
    serve(settings, ledger_paths(settings))
