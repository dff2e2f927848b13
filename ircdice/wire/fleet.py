"""Fleet: all networks at once, and the replies taken to each (IRC-01). Knows no signals and no rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from ircdice.bot.message import Message, Reply
from ircdice.config import Config
from ircdice.dice import entropy
from ircdice.wire.intake import Hearer
from ircdice.wire.keepalive import Patience
from ircdice.wire.network import Network

log = logging.getLogger(__name__)
_DUE_EVERY = 1.0  # seconds


def system_chance() -> float:
    """A number from 0 up to 1, for the jitter of reconnecting."""
    return int.from_bytes(entropy(6)) / 2**48


class Fleet:
    """The networks of a config with one bot behind them."""

    def __init__(
        self,
        config: Config,
        bot: Hearer,
        *,
        chance: Callable[[], float] = system_chance,
        patience: Patience | None = None,
    ) -> None:
        waits = self._patience = patience or Patience()
        self._leaving = asyncio.Event()
        self._bot = bot
        self._networks = {
            network.name: Network(network, config, config.limits, bot, self._deliver, chance, waits)
            for network in config.networks
        }

    async def run(self) -> None:
        """Run until all networks have been left."""
        clock = asyncio.create_task(self._tell_due())
        try:
            await asyncio.gather(*(network.run() for network in self._networks.values()))
        finally:
            self._leaving.set()
            await asyncio.wait([clock], timeout=self._patience.leave)  # it may be in the middle of a record
            clock.cancel()

    async def leave(self) -> None:
        """Leave every network cleanly; `run` ends then."""
        self._leaving.set()  # nothing falls due any more: it could not be told
        await asyncio.gather(*(network.leave() for network in self._networks.values()))

    def _deliver(self, reply: Reply, heard: Message | None) -> None:
        network = self._networks.get(reply.network)
        if network is None:
            log.error("a reply for a network that is not there: %s", reply.network)
        else:
            network.say(reply, heard)

    async def _tell_due(self) -> None:
        while not await self._left(_DUE_EVERY):
            try:
                replies = await self._bot.due()
            except Exception:
                log.exception("what is due could not be found")
                continue
            for reply in replies:
                try:
                    self._deliver(reply, None)
                except Exception:  # one that fails must not take the others with it
                    log.exception("what is due could not be told: record %s", reply.seq)

    async def _left(self, seconds: float) -> bool:
        """Wait so long; True at once where the bot leaves."""
        try:
            async with asyncio.timeout(seconds):
                return await self._leaving.wait()
        except TimeoutError:
            return False
