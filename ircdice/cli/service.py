"""`run`, `demo` and `config`: the parts put together. What is slow to import is imported where it is needed."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ircdice import __version__
from ircdice.casemapping import DEFAULT, fold
from ircdice.cli.configured import loaded
from ircdice.config import Current
from ircdice.errors import ConfigError, LedgerUnavailable

if TYPE_CHECKING:
    from ircdice.bot import Bot
    from ircdice.bot.operations import Operations
    from ircdice.config import Config
    from ircdice.wire.trial import TrialResult

log = logging.getLogger(__name__)
TRY_AGAIN = os.EX_TEMPFAIL  # 75: a supervisor tries again
_ENDING = {signal.SIGTERM: 0, signal.SIGINT: 130}  # and the exit code of each


def run(path: Path | None, *, accept_loss: bool = False) -> int:
    """`run -c FILE`; TRY_AGAIN if the database is out of reach or another process has the ledger."""
    for number in _ENDING:
        signal.signal(number, _end)  # until the loop has its own: IRC-25
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    config = loaded(path)
    _logs(config)
    for warning in config.warnings:
        log.warning("%s", warning)
    log.info("ircdice %s starts", __version__)
    try:
        return asyncio.run(_run(path, config, accept_loss=accept_loss))
    except LedgerUnavailable as not_yet:
        click.echo(f"ircdice: {not_yet}", err=True)
        return TRY_AGAIN


def _end(number: int, _frame: object) -> None:
    """At once, where a thread would be waited for that may wait ten minutes for a migration's lock.

    The ledger is left as by a crash, which it survives at any moment (LED-06).
    """
    told = signal.Signals(number)
    log.info("%s: it ends before it has begun", told.name)
    os._exit(_ENDING[told])


async def _run(path: Path | None, config: Config, *, accept_loss: bool) -> int:
    from ircdice.cli.kept import kept, ready_bot
    from ircdice.dispatcher import systems
    from ircdice.metrics import Metrics
    from ircdice.run import Hooks
    from ircdice.run import run as stay

    settings = Current(config)

    def reload() -> Config:
        again = loaded(path)
        _logs(again)
        settings.take(again)
        return again

    async with kept(config, accept_loss=accept_loss) as ledger:
        bot = await ready_bot(ledger, settings)
        metrics = Metrics()
        metrics.games.set(len(systems()))
        metrics.ledger_away, ledger.watch = lambda: ledger.away, metrics.appended
        owed = await bot.owed([network.name for network in config.networks])

        def operated(operations: Operations) -> None:
            bot.operations = operations

        hooks = Hooks(reload, bot.delivered, owed, metrics=metrics, operated=operated, ledger=ledger.condition)
        return await stay(config, bot, hooks)


def _logs(config: Config) -> None:
    from ircdice import log as logs

    logs.configure(config.bot.log_level, config.bot.log_format, config.bot.log_file)


def demo(keep: Path | None) -> int:
    """`demo`."""
    from ircdice.bot.message import ChannelModes
    from ircdice.cli.kept import kept, ledger_paths, ready_bot
    from ircdice.clock import milliseconds
    from ircdice.demo import demo as play
    from ircdice.ledger.reader import browse
    from ircdice.table.page import page_path

    @asynccontextmanager
    async def playing(config: Config) -> AsyncIterator[Bot]:
        async with kept(config) as ledger:
            bot = await ready_bot(ledger, config)
            await bot.due(lambda _network, name: ChannelModes(fold(name, DEFAULT), False))  # its page is public
            yield bot

    @contextmanager
    def page(config: Config) -> Iterator[str]:
        try:
            from ircdice.web.app import running
        except ImportError:
            yield "the page needs the extra: pip install 'ircdice[web]'"
            return
        with running(config, browse(ledger_paths(config), milliseconds)) as address:
            yield f"the page shows it: {address}{page_path(*config.joining()[0])}"

    return play(playing, page=page, keep=keep)


def check(path: Path | None, *, connect: bool = False) -> int:
    """`config check`; with `connect` what only a server can say too."""
    config = loaded(path, trying=True)
    for warning in config.warnings:
        click.echo(f"ircdice: warning: {warning}", err=True)
    for network in config.networks:
        joins = ", ".join(join.name for join in network.channels)
        click.echo(f"{network.name}: {network.address}, {'TLS' if network.tls else 'no TLS'}: {joins}")
    return _tried(config) if connect else 0


def _tried(config: Config) -> int:
    """Go to each network, all at once; 1 where one of them does not take the bot as it is."""
    from ircdice.wire.trial import attempt

    async def all_of_them() -> list[TrialResult]:
        return await asyncio.gather(*(attempt(network, config) for network in config.networks))

    results = asyncio.run(all_of_them())
    for network, result in zip(config.networks, results, strict=True):
        for line in result.good:
            click.echo(f"{network.name}: {line}")
        for line in result.faults:
            click.echo(f"ircdice: {network.name}: {line}", err=True)
    return int(any(result.faults for result in results))


def init(path: Path) -> int:
    """`config init`: never over a file that is there."""
    from importlib.resources import files

    text = files("ircdice").joinpath("config.example.ini").read_text("utf-8")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as wrong:
        raise ConfigError((f"{path}: {(wrong.strerror or 'cannot be written').lower()}",)) from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    click.echo(f"{path} is written; set a host and a channel, then: ircdice run -c {path}")
    return 0
