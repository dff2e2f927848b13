"""Run: the bot on its networks until it is told to stop (IRC-25). Knows signals, and no rules."""

from __future__ import annotations

import asyncio
import logging
import signal

from ircdice.config import Config
from ircdice.wire.fleet import Fleet
from ircdice.wire.intake import Hearer

log = logging.getLogger(__name__)


async def run(config: Config, bot: Hearer) -> int:
    """Connect all networks and stay; SIGTERM and SIGINT end it cleanly. The exit code is returned."""
    fleet = Fleet(config, bot)
    loop = asyncio.get_running_loop()
    leaving: set[asyncio.Task[None]] = set()

    def stop(name: str) -> None:
        log.info("%s: leaving", name)
        leaving.add(asyncio.ensure_future(fleet.leave()))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number.name)
    loop.add_signal_handler(signal.SIGHUP, log.warning, "SIGHUP: the config is read at the start only; restart the bot")
    await fleet.run()
    await asyncio.gather(*leaving)
    return 0
