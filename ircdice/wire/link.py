"""Link: one connection from connecting to its end: socket, session, outbox and timers together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import time

from ircdice.config import NetworkConfig
from ircdice.dice import entropy
from ircdice.settings import Settings
from ircdice.wire.channels import Rejoins
from ircdice.wire.connection import Connection
from ircdice.wire.effects import Effect, Hopeless, Send, Wake, Welcome
from ircdice.wire.line import Line
from ircdice.wire.outbox import Outbox, OutboxEntry
from ircdice.wire.session import Session
from ircdice.wire.timeouts import FOR_GOOD, Action, Keepalive, Timeouts

_NONCE = 18  # bytes, for SCRAM
_MOST_TIMERS = 2000  # a server can cause only so many
_MOST_PROTOCOL = 2000  # waiting lines: JOIN, WHO, …


class Link:
    """One connection. `lost` will hold the reason of its end.

    Effects that others must carry out go to `on_effect`, each line that the session has taken to `on_line`, each
    that was sent to `on_sent`.
    """

    def __init__(
        self,
        config: NetworkConfig,
        settings: Settings,
        rejoins: Rejoins,
        timeouts: Timeouts,
        on_effect: Callable[[Effect], None],
        on_line: Callable[[Line], None] = lambda _line: None,
        on_sent: Callable[[OutboxEntry], None] = lambda _entry: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._config, self._timeouts = config, timeouts
        self._on_effect, self._on_line, self._on_sent = on_effect, on_line, on_sent
        self.session = Session(config, settings, rejoins, time(), entropy(_NONCE).hex())
        self.outbox = Outbox(config.flood_burst, config.flood_interval)
        self.lost: asyncio.Future[str] = self._loop.create_future()
        self._connection = Connection(self._receive, self._end)
        self._keepalive = Keepalive(timeouts, self._loop.time())
        self._heard = False  # whether the server has sent a line
        self._timers: set[asyncio.TimerHandle] = set()
        self._next_pump: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Connect. Failures are OSError, which includes TLS errors and TimeoutError."""
        async with asyncio.timeout(self._timeouts.connect):
            await self._connection.open(self._config)
        self._keepalive = Keepalive(self._timeouts, self._loop.time())
        self._follow(self.session.open())
        self._tick()

    @property
    def ready(self) -> bool:
        """Whether the server has accepted us and is still connected."""
        return self.session.welcomed and not self.lost.done()

    def put(self, line: str) -> None:
        """Queue a line of the protocol; one too many is left out (IRC-28)."""
        if self.outbox.room("", most=_MOST_PROTOCOL, in_lane=_MOST_PROTOCOL):
            self.outbox.put("", OutboxEntry(line))
        self.pump()

    def offer(self, lane: str, entry: OutboxEntry) -> None:
        """Queue a line, or leave it out if too much waits."""
        self.outbox.offer(lane, entry)
        self.pump()

    def urgent(self, line: str) -> None:
        """Send a line ahead of all others."""
        self.outbox.urgent(line)
        self.pump()

    def change(self, config: NetworkConfig, settings: Settings) -> None:
        """Use another config from now on (IRC-25)."""
        self.outbox.bucket.burst, self.outbox.bucket.interval = config.flood_burst, config.flood_interval
        self._follow(self.session.change(config, settings))
        self.pump()

    def pump(self) -> None:
        """Send what may be sent; to be called after something was put in the outbox."""
        now = self._loop.time()
        while (entry := self.outbox.next(now)) is not None:
            self._connection.send_raw(entry.line)
            self._on_sent(entry)
        wait = self.outbox.wait(now)
        if wait is not None and self._next_pump is None:
            self._next_pump = self.after(wait, self._pump_again)

    def close(self, reason: str) -> None:
        """End the connection."""
        self._connection.disconnect(reason)

    def after(self, seconds: float, action: Callable[[], None]) -> asyncio.TimerHandle | None:
        """Do something later, unless the connection has ended by then."""
        if self.lost.done() or len(self._timers) >= _MOST_TIMERS:
            return None

        def due() -> None:
            self._timers.discard(handle)
            action()

        handle = self._loop.call_later(seconds, due)
        self._timers.add(handle)
        return handle

    def _receive(self, line: Line) -> None:
        now = self._loop.time()
        self._heard = True
        self._keepalive.heard(now)
        self._follow(self.session.receive(line, now))
        self._on_line(line)

    def _follow(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(line, urgent, later):
                if later:
                    self.after(later, lambda: self.put(line))
                elif not self.session.welcomed:
                    self._connection.send_raw(line)  # the login is not limited by servers
                elif urgent:
                    self.urgent(line)
                else:
                    self.put(line)
            case Wake(seconds, what):
                self.after(seconds, lambda: self._follow(self.session.woken(what)))
            case Hopeless(reason, final):
                self.close(f"{FOR_GOOD}: {reason}" if final else reason)
            case _:
                if isinstance(effect, Welcome):
                    self._keepalive.welcome()
                self._on_effect(effect)

    def _tick(self) -> None:
        self.after(self._timeouts.tick, self._tick)  # first: whatever fails below, the watch goes on
        match self._keepalive.step(self._loop.time()):
            case Action.GIVE_UP:
                self.close("no answer from the server")
            case Action.PING:
                self.urgent("PING :ircdice")
            case Action.END_CAP:
                self._follow(self.session.hurry())

    def _pump_again(self) -> None:
        self._next_pump = None
        self.pump()

    def _end(self, reason: str) -> None:
        for timer in self._timers:
            timer.cancel()
        if not self.lost.done():
            hint = f"; if port {self._config.port} takes only TLS, set tls = yes" if self._unheard() else ""
            self.lost.set_result(self.session.error or reason + hint)

    def _unheard(self) -> bool:
        """Whether a server without TLS ended the connection before it sent a single line."""
        return not (self._heard or self._config.tls or self._config.socket)
