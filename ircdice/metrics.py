"""Metrics and their Prometheus endpoint (IRC-26)."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from ircdice.config import Listen
from ircdice.errors import ConfigError, reason

log = logging.getLogger(__name__)
_LONGEST_REQUEST = 8192  # bytes
_TIMEOUT = 5.0  # seconds for a client to send its request and read the answer
_GAUGES = {  # of each network
    "connected": "1 while the server has accepted the bot.",
    "channels": "Channels that the bot is in.",
    "lines_waiting": "Lines that are not known to be delivered.",
    "commands_waiting": "Commands that wait for their turn.",
}
_LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Metrics:
    """Counters and gauges of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def counter(name: str, text: str) -> Counter:
            return Counter(f"ircdice_{name}", text, ["network"], registry=self.registry)

        self._gauges = {
            name: Gauge(f"ircdice_{name}", text, ["network"], registry=self.registry) for name, text in _GAUGES.items()
        }
        self.connections = counter("connections", "Connections that were begun.")
        self.received = counter("lines_received", "Lines from the server.")
        self.sent = counter("lines_sent", "Messages to the server.")
        self.commands = counter("commands", "Lines given to the bot as possible commands.")
        self.answers = counter("answers", "Commands that were answered.")
        self.dropped = counter("dropped_warnings", "People warned that they sent too many commands.")
        self.delivered = counter("replies_delivered", "Replies known to be delivered.")
        self.games = Gauge("ircdice_games_loaded", "Games that the bot plays.", registry=self.registry)
        self._latency = Histogram(
            "ircdice_ledger_append_seconds", "Time to record a roll.", buckets=_LATENCIES, registry=self.registry
        )
        self._failures = Counter("ircdice_ledger_failures", "Rolls that could not be recorded.", registry=self.registry)
        self.ledger_away: Callable[[], bool] = lambda: False
        self._connected: dict[str, Callable[[], float]] = {}  # by network
        ProcessCollector(registry=self.registry)

    def follow(self, network: str, **figures: Callable[[], float]) -> None:
        """Read a network's gauges, by name, from these functions."""
        for name, figure in figures.items():
            self._gauges[name].labels(network).set_function(figure)
        self._connected[network] = figures["connected"]

    def forget(self, network: str) -> None:
        """Remove a network that is no longer in the config."""
        self._connected.pop(network, None)
        for gauge in self._gauges.values():
            gauge.remove(network)

    def appended(self, seconds: float, ok: bool) -> None:
        """Count a record that was written, or could not be."""
        self._latency.observe(seconds)
        if not ok:
            self._failures.inc()

    def health(self) -> tuple[bool, str]:
        """Whether the bot can play, with details: it needs the ledger and a connected network."""
        links = {name: connected() for name, connected in self._connected.items()}
        away = self.ledger_away()
        lines = [f"ledger: {'out of reach' if away else 'ok'}"]
        lines += [f"network {name}: {'connected' if up else 'not connected'}" for name, up in links.items()]
        return any(links.values()) and not away, "\n".join(lines) + "\n"

    def answer(self, request: bytes) -> bytes:
        """The HTTP response to a request."""
        _, path, *_ = [*request.partition(b"\r\n")[0].decode("latin-1").split(" "), "", ""]
        status, kind, body = HTTPStatus.OK, "text/plain; charset=utf-8", b""
        if path == "/metrics":
            kind, body = CONTENT_TYPE_LATEST, generate_latest(self.registry)
        elif path == "/healthz":
            healthy, text = self.health()
            status, body = (HTTPStatus.OK if healthy else HTTPStatus.SERVICE_UNAVAILABLE), text.encode()
        else:
            status = HTTPStatus.NOT_FOUND
        head = f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        return f"{head}Connection: close\r\n\r\n".encode() + body


@asynccontextmanager
async def served(metrics: Metrics, listen: Listen | None) -> AsyncIterator[None]:
    """Serve `/metrics` and `/healthz` at `listen`, if set. ConfigError if it cannot listen there."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_TIMEOUT):
                writer.write(metrics.answer(await reader.readuntil(b"\r\n\r\n")))
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            log.debug("a request for metrics failed: %s", error)
        finally:
            writer.close()

    if listen is None:
        yield
        return
    try:
        if listen.socket is None:
            server = await asyncio.start_server(serve, listen.host, listen.port, limit=_LONGEST_REQUEST)
        else:
            if listen.socket.is_socket():
                listen.socket.unlink()  # left by an earlier run
            server = await asyncio.start_unix_server(serve, listen.socket, limit=_LONGEST_REQUEST)
    except OSError as error:
        number = error.errno or 0  # negative from a resolver
        why = os.strerror(number).lower() if number > 0 else reason(error)  # asyncio words `strerror` at length
        raise ConfigError(f"[metrics] listen: {listen}: {why}") from None
    async with server:
        yield
