"""Link: one connection as it lives: its socket, session, outbox and patience put together. Knows no bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import time

from ircdice.config import NetworkConfig
from ircdice.settings import Settings
from ircdice.wire.connection import Connection
from ircdice.wire.effects import Effect, Hopeless, Send, Welcome
from ircdice.wire.joins import Rejoins
from ircdice.wire.keepalive import Keepalive, Patience, Step
from ircdice.wire.line import Line
from ircdice.wire.outbox import Outbox
from ircdice.wire.session import Session


class Link:
    """From connecting to the end, whose reason `lost` holds. What is not its own goes to `on_effect`."""

    def __init__(
        self,
        config: NetworkConfig,
        settings: Settings,
        rejoins: Rejoins,
        patience: Patience,
        on_effect: Callable[[Effect], None],
        on_sent: Callable[[], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._config, self._patience, self._on_effect, self._on_sent = config, patience, on_effect, on_sent
        self.session = Session(config, settings, rejoins, time())
        self.outbox = Outbox(config.flood_burst, config.flood_interval)
        self.lost: asyncio.Future[str] = self._loop.create_future()
        self._connection = Connection(self._receive, self._end)
        self._keepalive = Keepalive(patience, self._loop.time())
        self._timers: set[asyncio.TimerHandle] = set()
        self._next_pump: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Connect. What fails is raised as OSError, which TLS's errors and TimeoutError are too."""
        async with asyncio.timeout(self._patience.connect):
            await self._connection.open(self._config)
        self._keepalive = Keepalive(self._patience, self._loop.time())
        self._tick()

    @property
    def standing(self) -> bool:
        """Whether the server let us in and has not gone."""
        return self.session.welcomed and not self.lost.done()

    def put(self, lane: str, line: str) -> None:
        """Queue a line for a place, and send what may be sent."""
        self.outbox.put(lane, line)
        self._pump()

    def offer(self, lane: str, line: str) -> None:
        """As `put`, for a line that is left out where too much waits."""
        if self.outbox.offer(lane, line):
            self._pump()

    def urgent(self, line: str) -> None:
        """Send a line ahead of all others."""
        self.outbox.urgent(line)
        self._pump()

    def close(self, reason: str) -> None:
        """End the connection."""
        self._connection.disconnect(reason)

    def _receive(self, line: Line) -> None:
        now = self._loop.time()
        self._keepalive.heard(now)
        for effect in self.session.receive(line, now):
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(line, urgent, later):
                if later:
                    self._after(later, lambda: self.put("", line))
                elif not self.session.welcomed:
                    self._connection.send_raw(line)  # the login has no queue, and servers do not count it
                elif urgent:
                    self.urgent(line)
                else:
                    self.put("", line)
            case Hopeless(reason):
                self.close(reason)
            case _:
                if isinstance(effect, Welcome):
                    self._keepalive.welcome()
                self._on_effect(effect)

    def _tick(self) -> None:
        match self._keepalive.step(self._loop.time()):
            case Step.GIVE_UP:
                self.close("no word from the server")
                return
            case Step.PING:
                self.urgent("PING :ircdice")
            case Step.END_CAP:
                for line in self.session.caps.finish():
                    self.urgent(line)
        self._after(self._patience.tick, self._tick)

    def _pump(self) -> None:
        now, before = self._loop.time(), len(self.outbox)
        while (line := self.outbox.next(now)) is not None:
            self._connection.send_raw(line)
        if len(self.outbox) < before:
            self._on_sent()
        wait = self.outbox.wait(now)
        if wait is not None and self._next_pump is None:
            self._next_pump = self._after(wait, self._pump_again)

    def _pump_again(self) -> None:
        self._next_pump = None
        self._pump()

    def _after(self, seconds: float, action: Callable[[], None]) -> asyncio.TimerHandle | None:
        if self.lost.done():
            return None

        def due() -> None:
            self._timers.discard(handle)
            action()

        handle = self._loop.call_later(seconds, due)
        self._timers.add(handle)
        return handle

    def _end(self, reason: str) -> None:
        for timer in self._timers:
            timer.cancel()
        if not self.lost.done():
            self.lost.set_result(self.session.error or reason)
