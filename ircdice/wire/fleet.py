"""Fleet: all networks at once, and the replies taken to each (IRC-01). Knows no signals and no rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from time import time

from ircdice.bot.message import Message, Reply
from ircdice.config import Config, NetworkConfig
from ircdice.dice import entropy
from ircdice.metrics import Registry
from ircdice.wire.counters import NetworkMetrics
from ircdice.wire.intake import Hearer
from ircdice.wire.keepalive import Patience
from ircdice.wire.mouth import Delivered
from ircdice.wire.network import Behind, Network

log = logging.getLogger(__name__)
_DUE_EVERY = 1.0  # seconds


def system_chance() -> float:
    """A number from 0 up to 1, for the jitter of reconnecting."""
    return int.from_bytes(entropy(6)) / 2**48


class Fleet:
    """The networks of a config with one bot behind them; `delivered` is told of each recorded reply that is out."""

    def __init__(
        self,
        config: Config,
        bot: Hearer,
        *,
        delivered: Delivered = lambda _reply: None,
        chance: Callable[[], float] = system_chance,
        patience: Patience | None = None,
        metrics: Registry | None = None,
    ) -> None:
        waits = self._patience = patience or Patience()
        self._config, self._bot = config, bot
        self._behind = Behind(bot, self._deliver, delivered, chance, waits, NetworkMetrics(metrics or Registry()))
        self._leaving = asyncio.Event()
        self._networks = {network.name: self._made(network) for network in config.networks}
        self._runs: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run until all networks have been left."""
        clock = asyncio.create_task(self._tell_due())
        for network in self._networks.values():
            self._start(network)
        try:
            while self._runs:
                done, _ = await asyncio.wait(self._runs, return_when=asyncio.FIRST_COMPLETED)
                self._runs -= done
                for task in done:
                    task.result()
        finally:
            self._leaving.set()
            await asyncio.wait([clock], timeout=self._patience.leave)  # it may be in the middle of a record
            clock.cancel()

    async def leave(self) -> None:
        """Leave every network cleanly; `run` ends then."""
        self._leaving.set()  # nothing falls due any more: it could not be told
        await asyncio.gather(*(network.leave() for network in self._networks.values()))

    async def change(self, config: Config) -> None:
        """Go on by another config (IRC-25): what did not change is left alone, and no connection is lost for it.

        A bot that leaves begins no network any more: nobody would leave that.
        """
        if self._leaving.is_set():
            return
        wanted = {network.name: network for network in config.networks}
        self._config = config
        staying = [network for name, network in self._networks.items() if name in wanted]
        going = [network for name, network in self._networks.items() if name not in wanted]
        coming = [self._made(network) for name, network in wanted.items() if name not in self._networks]
        self._networks = {network.name: network for network in (*staying, *coming)}
        for network in coming:
            self._start(network)
        changed = (network.change(wanted[network.name], config, config.limits) for network in staying)
        await asyncio.gather(*changed, *(network.leave() for network in going))

    def post(self, replies: Iterable[tuple[Reply, int]]) -> None:
        """Say after the next join what an earlier run recorded and did not say; each with its time in ms since 1970."""
        now = time()
        for reply, recorded in replies:
            self._deliver(reply, None, age=max(now - recorded / 1000, 0.0))

    def _made(self, network: NetworkConfig) -> Network:
        return Network(network, self._config, self._config.limits, self._behind)

    def _start(self, network: Network) -> None:
        self._runs.add(asyncio.create_task(network.run()))

    def _deliver(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        network = self._networks.get(reply.network)
        if network is None:
            log.error("a reply for a network that is not there: %s", reply.network)
        else:
            network.say(reply, heard, age)

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
