"""Connection: the `irc` package's asyncio connection, with its line processing guarded. The one place with sockets."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Callable

from ircdice.config import NetworkConfig
from ircdice.wire.frames import Frames
from ircdice.wire.line import Line, parse
from ircdice.wire.package import AioConnection, AioReactor, IrcProtocol
from ircdice.wire.secrecy import masked
from ircdice.wire.tls import PinError, check_pin, context, reason

log = logging.getLogger(__name__)
_HANDSHAKE = 20.0  # seconds: less than connecting may take, so that the log says what it was that took too long
_BREAKS_LINE = re.compile("[\r\n\0]")
_AT_ONCE = getattr(socket, "TCP_QUICKACK", None)  # where the system has it


class Protocol(IrcProtocol):  # type: ignore[misc]  # the package has no types
    """Hands on the reason of a connection's end, which the package leaves out."""

    connection: Connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket stands; lines may come before `open` returns, and want answers."""
        self.connection.made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self.connection.lost(reason(exc) if exc else "connection closed by the server")


class Connection(AioConnection):  # type: ignore[misc]  # the package has no types
    """One connection. Each line goes to `on_line`; no exception on the way ends it."""

    protocol_class = Protocol
    buffer_class = Frames
    transport: asyncio.BaseTransport | None = None

    def __init__(self, on_line: Callable[[Line], None], on_lost: Callable[[str], None]) -> None:
        super().__init__(AioReactor(loop=asyncio.get_running_loop()))
        self.buffer = self.buffer_class()
        self._on_line, self._on_lost = on_line, on_lost
        self._over = False
        self._config: NetworkConfig
        self._refused: PinError | None = None

    async def open(self, config: NetworkConfig) -> None:
        """Connect. The handshake of TLS, and the look at the certificate, are part of it: before them not a byte is
        sent, and not a line is heard.
        """
        self._config = config
        loop = asyncio.get_running_loop()
        await loop.create_connection(
            lambda: self.protocol_class(self, loop),
            config.host,
            config.port,
            ssl=context(config) if config.tls else None,
            ssl_handshake_timeout=_HANDSHAKE if config.tls else None,
            local_addr=(config.bind, 0) if config.bind else None,
            happy_eyeballs_delay=0.25,  # IPv6 and IPv4, whichever answers (IRC-01)
        )
        if self._refused is not None:
            raise self._refused
        self.connected = True

    def made(self, transport: asyncio.BaseTransport) -> None:
        """The socket stands; lines may come from now on, unless the certificate is not the one."""
        self.transport = transport
        secured = transport.get_extra_info("ssl_object")
        try:
            check_pin(self._config.tls_fingerprint if secured else (), secured and secured.getpeercert(True))
        except PinError as refused:
            self._refused = refused
            transport.close()

    def process_data(self, new_data: bytes) -> None:
        """Take what came in, line by line; a bad line costs nothing but itself (IRC-10)."""
        if self._refused is not None:
            return
        self.buffer.feed(new_data)
        for text in self.buffer:
            self._log("in: %r", text)
            self._process_line(text)

    def _log(self, how: str, text: str) -> None:
        if log.isEnabledFor(logging.DEBUG):  # to look for what is to be masked takes longer than to send
            log.debug(how, masked(text))

    def _process_line(self, text: str) -> None:
        try:
            line = parse(text)
            if line is not None:
                self._on_line(line)
                if line.command == "PONG":
                    self._acknowledge()
        except Exception:
            log.exception("a line could not be handled: %r", masked(text))

    def _acknowledge(self) -> None:
        """Nothing is said to a PONG, and until it is acknowledged, 40 ms later, many a server says nothing more."""
        if _AT_ONCE is not None and self.transport is not None:
            used = self.transport.get_extra_info("socket")
            used.setsockopt(socket.IPPROTO_TCP, _AT_ONCE, 1)

    def send_raw(self, string: str) -> None:
        """Send one line; one that would be several is refused (IRC-21)."""
        if _BREAKS_LINE.search(string):
            log.error("refused to send a line with control characters: %r", masked(string))
        elif isinstance(self.transport, asyncio.Transport) and not self.transport.is_closing():
            self._log("out: %r", string)
            self.transport.write(string.encode(errors="replace") + b"\r\n")

    def disconnect(self, message: str = "") -> None:
        """Close the socket; the farewell, if any, has been sent before."""
        if self.transport is not None:
            self.transport.close()
        self.lost(message)

    def lost(self, reason: str) -> None:
        """The connection is over, for whatever reason; told once."""
        if not self._over:
            self._over, self.connected = True, False
            self._on_lost(reason)
