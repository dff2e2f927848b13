"""The demo's IRC server: the `irc` package's own, made fit to talk to. Knows no bot."""

from __future__ import annotations

import logging
import socket
import struct
import threading
from typing import Any

from irc.server import IRCClient, IRCError, IRCServer
from jaraco.stream.buffer import LenientDecodingLineBuffer

log = logging.getLogger(__name__)
_SEND_TIMEOUT = struct.pack("ll", 5, 0)  # a client that reads nothing must not stop the others


class _Outbound:
    """Takes the place of the package's queue, which is looked at ten times a second, or all the time."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def append(self, line: str) -> None:
        try:
            self._client.write(line)
        except OSError:
            self._client.request.close()  # its own thread sees that, and takes its leave


class Client(IRCClient):  # type: ignore[misc]  # the package has no types
    """One client: its thread waits for lines, and is woken by nothing else.

    The package's own loop asks whether the socket may be written to, which it always may: a whole core for nothing.
    """

    server: DemoServer
    handle_dump = None  # prints the server's insides to standard output, for anyone who asks

    def handle(self) -> None:
        """Serve the client until it goes."""
        self.send_queue = _Outbound(self)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SEND_TIMEOUT)
        self.buffer = LenientDecodingLineBuffer()  # the package's strict one lets a Latin-1 line end the connection
        try:
            while data := self._received():
                self.buffer.feed(data)
                for line in self.buffer:
                    self._handle_line(line)
        except self.Disconnect:
            pass
        self.request.close()

    def _received(self) -> bytes:
        try:
            return bytes(self.request.recv(4096))
        except OSError:
            return b""

    def _handle_line(self, line: str) -> None:
        """One line at a time in the whole server: the package's threads share their sets without a lock."""
        with self.server.lock:
            try:
                super()._handle_line(line)
            except self.Disconnect:
                raise
            except Exception:
                log.exception("the demo's server could not handle a line")

    def _send(self, msg: str) -> None:
        try:
            self.write(msg)
        except OSError as error:
            raise self.Disconnect from error

    def write(self, line: str) -> None:
        """Send one line now."""
        self.request.sendall(line.replace("\r", " ").encode(errors="replace") + b"\r\n")

    def handle_ping(self, params: str) -> str:
        """Give the token back; the package's answer leaves it out."""
        return f":{self.server.servername} PONG {self.server.servername} :{params.removeprefix(':')}"

    def handle_nick(self, params: str) -> Any:
        """Accept `NICK :name` too."""
        return super().handle_nick(params.removeprefix(":"))

    def handle_join(self, params: str) -> Any:
        """Refuse what would be a channel of no name, and accept `JOIN :#name`."""
        self._must_be_registered()
        return super().handle_join(params.removeprefix(":"))

    def handle_quit(self, params: str) -> None:
        """Say so to the others and close, which the package leaves to the client."""
        super().handle_quit(params)
        raise self.Disconnect

    def finish(self) -> None:
        """Take the client off the lists."""
        with self.server.lock:
            super().finish()

    def _must_be_registered(self) -> None:
        if self.nick is None or self.user is None:
            raise IRCError.from_name("notregistered", ":You have not registered")


class DemoServer(IRCServer):  # type: ignore[misc]  # the package has no types
    """The server on a free port of loopback, in threads that end with the process."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        super().__init__(("127.0.0.1", 0), Client)

    @property
    def port(self) -> int:
        """Where any IRC client may join."""
        return int(self.server_address[1])

    def start(self) -> None:
        """Serve, beside whatever else the process does."""
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Accept nobody any more."""
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client's thread broke down: a line in the log, not on the person's screen."""
        log.exception("the demo's server lost %s: %r", client_address, request)
