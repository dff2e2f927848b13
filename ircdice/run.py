"""Run the bot on its networks until a signal stops it, with or without a supervisor (IRC-25, IRC-26)."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from time import clock_gettime_ns

from ircdice import __version__
from ircdice.bot.context import Operations
from ircdice.bot.message import Reply
from ircdice.config import Config
from ircdice.errors import ConfigError
from ircdice.metrics import Metrics, served
from ircdice.wire.incoming import CommandHandler
from ircdice.wire.network import Networks

log = logging.getLogger(__name__)
CLOCK_MONOTONIC = 1
# Keys of [bot] that a reload applies, through the networks or the log; all others need a restart.
_FOLLOWS = {"nick", "alternate_nicks", "prefixes", "username", "realname", "operators", "docs_url"}
_FOLLOWS |= {"log_level", "log_format", "log_file"}


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks of a running bot.

    `reload` reads the config again and may raise ConfigError; `delivered` is called with each recorded reply that was
    delivered; `post` are replies that an earlier run recorded and never posted, with their times in ms since 1970.
    `operated` receives the operator's functions (DSK-12), `ledger` returns the status of the ledger.
    """

    reload: Callable[[], Config] | None = None
    delivered: Callable[[Reply], None] = lambda _reply: None
    post: Iterable[tuple[Reply, int]] = ()
    metrics: Metrics = field(default_factory=Metrics)
    operated: Callable[[Operations], None] = lambda _operations: None
    ledger: Callable[[], str] = lambda: "no ledger"


async def run(config: Config, bot: CommandHandler, hooks: Hooks | None = None) -> int:
    """Run all networks until SIGTERM or SIGINT ends them cleanly. Returns the exit code."""
    hooks = hooks or Hooks()
    fleet = Networks(config, bot, delivered=hooks.delivered, metrics=hooks.metrics)
    fleet.post(hooks.post)
    async with served(hooks.metrics, config.metrics.listen), asyncio.TaskGroup() as tasks:
        errands = Errands(fleet, config, hooks, tasks)
        hooks.operated(errands)
        for number in (signal.SIGTERM, signal.SIGINT):
            _on_signal(number, partial(errands.stop, number.name))
        _on_signal(signal.SIGHUP, errands.reload)
        beating = tasks.create_task(_beat(watchdog()))
        notify("READY=1", _status(config))
        await fleet.run()
        beating.cancel()
    return 0


def _on_signal(number: signal.Signals, action: Callable[[], object]) -> None:
    """Call `action` in the running loop after a signal.

    asyncio's `add_signal_handler` loses signals in a flood: each is a byte in the loop's own socket, which is
    full after threads have woken a busy loop some hundred times.
    """
    loop = asyncio.get_running_loop()

    def received(_number: int, _frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(action)

    signal.signal(number, received)


class Errands:
    """Carries out signals and operators' requests."""

    def __init__(self, fleet: Networks, config: Config, hooks: Hooks, tasks: asyncio.TaskGroup) -> None:
        self._fleet, self._config, self._hooks, self._tasks = fleet, config, hooks, tasks
        self._changing = asyncio.Lock()
        self._began = asyncio.get_running_loop().time()

    def stop(self, name: str) -> None:
        """Leave all networks because of the signal with that name."""
        log.info("%s: leaving", name)
        notify("STOPPING=1")
        self._tasks.create_task(self._fleet.leave())

    def status(self) -> list[str]:
        """See `Operations`."""
        hours, minutes = divmod(int(asyncio.get_running_loop().time() - self._began) // 60, 60)
        ours = f"ircdice {__version__}, up {hours} h {minutes} min; {self._hooks.ledger()}"
        return [*self._fleet.status(), ours]

    def reload(self) -> str:
        """Reload the config and apply it (IRC-25); a faulty one changes nothing."""
        if self._hooks.reload is None:
            log.warning("there is no config to read again")
            return "there is no config to read again."
        notify(*reloading())
        try:
            config = self._hooks.reload()
            _warn(self._config, config)
        except ConfigError as error:
            for fault in error.faults:
                log.error("%s", fault)
            return self._refused(f"the config has {len(error.faults)} faults, which the log names")
        except Exception:
            log.exception("the config could not be read again")
            return self._refused("the config could not be read, the log says why")
        self._config = config
        self._tasks.create_task(self._change(config))
        return "the config is read again."

    def _refused(self, why: str) -> str:
        log.error("the bot keeps the old config: %s", why)
        notify("READY=1", _status(self._config))
        return f"{why}: nothing is changed."

    async def _change(self, config: Config) -> None:
        """Apply a config to the networks, one reload at a time: a connection may have to end first."""
        async with self._changing:
            try:
                await self._fleet.change(config)
                log.info("the config was read again")
            except Exception:
                log.exception("the config could not be used")
            notify("READY=1", _status(self._config))


def _warn(old: Config, new: Config) -> None:
    for warning in new.warnings:
        log.warning("%s", warning)
    before = asdict(old.bot)
    for name, value in asdict(new.bot).items():
        if name not in _FOLLOWS and value != before[name]:
            log.warning("[bot] %s: the new value is used after a restart", name)
    if old.metrics != new.metrics:
        log.warning("[metrics] listen: the new value is used after a restart")


async def _beat(seconds: float | None) -> None:
    """Tell the supervisor that the loop is alive; it restarts a bot that hangs."""
    while seconds is not None:
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def _status(config: Config) -> str:
    return f"STATUS=networks: {', '.join(network.name for network in config.networks)}"


def notify(*state: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send `READY=1`, `STOPPING=1`, `STATUS=…` to a supervisor by sd_notify; return whether there is one. Never raises.

    The protocol is one datagram to the socket in `NOTIFY_SOCKET`.
    """
    address = environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.connect(address.replace("@", "\0", 1) if address[0] == "@" else address)
            sender.sendall("\n".join(state).encode())
    except OSError as error:
        log.warning("%s could not be sent to the supervisor: %s", state[0], error)
        return False
    return True


def reloading() -> tuple[str, str]:
    """The state of a process that is reloading, until READY."""
    return "RELOADING=1", f"MONOTONIC_USEC={clock_gettime_ns(CLOCK_MONOTONIC) // 1000}"


def watchdog(environ: Mapping[str, str] = os.environ) -> float | None:
    """Seconds between `WATCHDOG=1` messages, half the supervisor's limit; None if it expects none."""
    limit = environ.get("WATCHDOG_USEC", "")
    if not re.fullmatch("[0-9]{1,18}", limit) or int(limit) == 0:
        return None
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # meant for another process
    return int(limit) / 2_000_000
