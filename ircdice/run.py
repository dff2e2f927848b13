"""Run: the bot on its networks until it is told to stop (IRC-25). Knows signals, and no rules."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, fields

from ircdice import systemd
from ircdice.bot.message import Reply
from ircdice.config import BotConfig, Config
from ircdice.errors import ConfigError
from ircdice.metrics import Metrics, served
from ircdice.wire.command_queue import Hearer
from ircdice.wire.network import Networks

log = logging.getLogger(__name__)
# What a network or the log takes from [bot] follows a changed config; all else of it was used at the start.
_FOLLOWS = frozenset(
    ("nick", "alternate_nicks", "prefixes", "username", "realname", "log_level", "log_format", "log_file", "operators")
)


async def _nothing() -> None:
    """Close what needs no closing."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What stands around the bot while it runs.

    `reload` reads the config again and may raise ConfigError; `delivered` is called with each recorded reply that went
    out; `post` are replies that an earlier run recorded and never posted, with their times in ms since 1970; `close` is
    called when all networks have been left.
    """

    reload: Callable[[], Config] | None = None
    delivered: Callable[[Reply], None] = lambda _reply: None
    post: Iterable[tuple[Reply, int]] = ()
    close: Callable[[], Awaitable[None]] = _nothing
    metrics: Metrics = field(default_factory=Metrics)


async def run(config: Config, bot: Hearer, hooks: Hooks | None = None) -> int:
    """Connect all networks and stay; SIGTERM and SIGINT end it cleanly. The exit code is returned."""
    hooks = hooks or Hooks()
    fleet = Networks(config, bot, delivered=hooks.delivered, metrics=hooks.metrics)
    fleet.post(hooks.post)
    errands = _Errands(fleet, config, hooks)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, errands.stop, number.name)
    loop.add_signal_handler(signal.SIGHUP, errands.reload)
    beating = asyncio.create_task(_beat(systemd.watchdog()))
    systemd.notify("READY=1", _status(config))
    try:
        async with _metrics(config, hooks.metrics):
            await fleet.run()
            await errands.done()
    finally:
        beating.cancel()
        await hooks.close()
    return 0


@asynccontextmanager
async def _metrics(config: Config, metrics: Metrics) -> AsyncIterator[None]:
    """Serve the metrics if `[metrics] listen` says so (IRC-26)."""
    listen = config.metrics.listen
    if listen is None:
        yield
        return
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(served(metrics, listen.host, listen.port, listen.socket))
        except OSError as error:
            raise ConfigError((f"[metrics] listen: {listen}: {(error.strerror or str(error)).lower()}",)) from None
        yield


class _Errands:
    """What the signals ask for, one reload after the other."""

    def __init__(self, fleet: Networks, config: Config, hooks: Hooks) -> None:
        self._fleet, self._config, self._hooks = fleet, config, hooks
        self._tasks: set[asyncio.Task[None]] = set()
        self._reloading = asyncio.Lock()

    def stop(self, name: str) -> None:
        log.info("%s: leaving", name)
        systemd.notify("STOPPING=1")
        self._begin(self._fleet.leave())

    def reload(self) -> None:
        self._begin(self._reload())

    async def done(self) -> None:
        await asyncio.gather(*self._tasks)

    def _begin(self, errand: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(errand)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reload(self) -> None:
        """Take up the config as it is now (IRC-25); one that has a fault changes nothing."""
        async with self._reloading:
            if self._hooks.reload is None:
                log.warning("SIGHUP: there is no config to read again")
                return
            systemd.notify(*systemd.reloading())
            try:
                config = self._hooks.reload()
                _warn(self._config, config)
                self._config = config
                await self._fleet.change(config)
                log.info("SIGHUP: the config was read again")
            except ConfigError as error:
                for fault in error.faults:
                    log.error("%s", fault)
                log.error("SIGHUP: the config has faults, the bot goes on with the one that it has")
            except Exception:
                log.exception("SIGHUP: the config could not be taken up")
            systemd.notify("READY=1", _status(self._config))


def _warn(old: Config, new: Config) -> None:
    for warning in new.warnings:
        log.warning("%s", warning)
    for each in fields(BotConfig):
        if each.name not in _FOLLOWS and getattr(old.bot, each.name) != getattr(new.bot, each.name):
            log.warning("[bot] %s: another value holds from the next start on", each.name)
    if old.metrics != new.metrics:
        log.warning("[metrics] listen: another value holds from the next start on")


async def _beat(seconds: float | None) -> None:
    """Tell the supervisor that the loop still turns; a bot that hangs is started anew."""
    while seconds is not None:
        systemd.notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def _status(config: Config) -> str:
    return f"STATUS=networks: {', '.join(network.name for network in config.networks)}"
