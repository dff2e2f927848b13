"""Connection: the `irc` package's asyncio connection, with its line processing guarded. The one place with sockets."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable

from irc.client_aio import AioConnection, AioReactor, IrcProtocol

from ircdice.config import NetworkConfig
from ircdice.wire.cap import OPENING
from ircdice.wire.frames import Frames
from ircdice.wire.line import Line, parse
from ircdice.wire.tls import context

log = logging.getLogger(__name__)
_BREAKS_LINE = re.compile("[\r\n\0]")
_SECRET = re.compile(r"(PASS|AUTHENTICATE|OPER \S+|JOIN \S+(?= )|PRIVMSG \S*Serv(?:@\S+)?(?= )) ?.*", re.I | re.DOTALL)


class Protocol(IrcProtocol):  # type: ignore[misc]  # the package has no types
    """Hands on the reason of a connection's end, which the package leaves out."""

    connection: Connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket stands; lines may come before `connect` returns, and want answers."""
        self.connection.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self.connection.lost(str(exc) if exc else "connection closed by the server")


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

    async def open(self, config: NetworkConfig) -> None:
        """Connect, and begin to register. The handshake of TLS is part of it: without it not a byte is sent."""

        async def factory(protocol: Protocol, address: tuple[str, int]) -> tuple[asyncio.Transport, Protocol]:
            transport, _ = await asyncio.get_running_loop().create_connection(
                lambda: protocol,
                *address,
                ssl=context(config.tls_ca) if config.tls else None,
                local_addr=(config.bind, 0) if config.bind else None,
                happy_eyeballs_delay=0.25,  # IPv6 and IPv4, whichever answers (IRC-01)
            )
            self.send_raw(OPENING)  # IRC-03: before the package sends PASS, NICK and USER
            return transport, protocol

        await self.connect(
            config.host,
            config.port,
            config.nick,
            password=config.password,
            username=config.username,
            ircname=config.realname,
            connect_factory=factory,
        )

    def process_data(self, new_data: bytes) -> None:
        """Take what came in, line by line; a bad line costs nothing but itself (IRC-10)."""
        self.buffer.feed(new_data)
        for text in self.buffer:
            log.debug("in: %r", text)
            self._process_line(text)

    def _process_line(self, text: str) -> None:
        try:
            line = parse(text)
            if line is not None:
                self._on_line(line)
        except Exception:
            log.exception("a line could not be handled: %r", text)

    def send_raw(self, string: str) -> None:
        """Send one line; one that would be several is refused (IRC-21)."""
        if _BREAKS_LINE.search(string):
            log.error("refused to send a line with control characters: %r", masked(string))
        elif isinstance(self.transport, asyncio.Transport) and not self.transport.is_closing():
            log.debug("out: %r", masked(string))
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


def masked(line: str) -> str:
    """`line` fit for a log: passwords and keys taken out (IRC-05)."""
    return _SECRET.sub(r"\1 ***", line) if _SECRET.match(line) else line
