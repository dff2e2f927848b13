"""Connection: sockets and TLS; the `irc` package's connection with its line processing guarded (IRC-02, IRC-10)."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import socket
import ssl
from collections.abc import Callable
from functools import partial

from irc.client_aio import AioConnection, AioReactor, IrcProtocol

from ircdice.config import NetworkConfig
from ircdice.wire.line import Frames, Line, masked, parse

log = logging.getLogger(__name__)
_HANDSHAKE = 10.0  # seconds: less than connecting may take, so that the log can name the handshake
_BREAKS_LINE = re.compile("[\r\n\0]")
_ERRNO = re.compile(r"\[Errno (-?[0-9]+)\] ")


class PinError(OSError):
    """The server's certificate is none of those in `tls_fingerprint`."""


def context(config: NetworkConfig) -> ssl.SSLContext:
    """Name and chain are checked; with `tls_fingerprint`, `check_pin` does that instead."""
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    if config.tls_fingerprint:
        made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    elif config.tls_ca is not None:
        made.load_verify_locations(cafile=config.tls_ca)
    if config.tls_cert is not None:
        made.load_cert_chain(config.tls_cert, config.tls_key, password="")  # else OpenSSL would ask on the terminal
    return made


def fingerprint(certificate: bytes) -> str:
    """SHA-256 of a certificate in DER, in lower-case hexadecimal."""
    return hashlib.sha256(certificate).hexdigest()


def check_pin(pins: tuple[str, ...], certificate: bytes | None) -> None:
    """Raise `PinError` if there are pins and `certificate` is none of them."""
    if pins and (certificate is None or fingerprint(certificate) not in pins):
        shown = fingerprint(certificate) if certificate else "none"
        raise PinError(f"TLS refused: the certificate is not among tls_fingerprint, it is {shown}")


def reason(error: BaseException) -> str:
    """Why a connection ended, in one line for a person."""
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {(error.reason or str(error)).replace('_', ' ').lower()}"
    return _ERRNO.sub("", " ".join(str(error).split())) or type(error).__name__


def connect_failure(error: BaseException, config: NetworkConfig) -> str:
    """Why connecting failed and what to do, in one line for a person."""
    where = str(config.socket) if config.socket else f"{config.host} port {config.port}"
    no_tls = f"{where} is probably a port without TLS: port 6697 usually has it, or set tls = no"
    found = _ERRNO.search(str(error))
    match error:
        case ssl.SSLCertVerificationError():
            words = error.verify_message.rstrip(".")
            return f"TLS handshake failed: {words}; to trust this certificate set tls_ca or tls_fingerprint"
        case ssl.SSLError():
            return f"TLS handshake failed: {(error.reason or str(error)).replace('_', ' ').lower()}; {no_tls}"
        case TimeoutError():
            return f"no answer from {where} in time: check host and port"
        case ConnectionAbortedError() if config.tls:  # asyncio's word for a handshake that took too long
            return f"no TLS handshake within {_HANDSHAKE:.0f} seconds: {no_tls}"
        case socket.gaierror():
            return f"the host {config.host} is not found: check host"
        case OSError() if "Connect call failed" in str(error) and found:  # one address failed, or each of several
            return f"{where}: {os.strerror(int(found[1])).lower()}: check host and port, and whether the server runs"
        case ConnectionRefusedError() | FileNotFoundError():
            return f"{where}: {(error.strerror or str(error)).lower()}: check whether the server runs"
    return reason(error)


async def _through_proxy(config: NetworkConfig) -> socket.socket:
    """A connection through a SOCKS5 proxy, which also looks up the host's name (IRC-27)."""
    from python_socks import ProxyError
    from python_socks.async_.asyncio import Proxy

    assert config.proxy is not None
    try:
        return await Proxy.from_url(config.proxy, rdns=True).connect(config.host, config.port)
    except ProxyError as error:
        raise OSError(f"the proxy refused: {error}") from None
    except OSError as error:
        raise OSError(f"the proxy cannot be reached: {reason(error)}") from None


class Protocol(IrcProtocol):  # type: ignore[misc]  # the package has no types
    """Passes on why a connection ended, which the package leaves out."""

    connection: Connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is open; lines may come before `open` returns."""
        self.connection.made(transport)

    def pause_writing(self) -> None:
        """The server does not read: read no more from it either, so that its PINGs fill no memory (IRC-28)."""
        self.connection.read(go_on=False)

    def resume_writing(self) -> None:
        """The server reads again."""
        self.connection.read(go_on=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        self.connection.lost(reason(exc) if exc else "connection closed by the server")


class Connection(AioConnection):  # type: ignore[misc]  # the package has no types
    """One connection. Each line goes to `on_line`; no exception there ends the connection."""

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
        """Connect, shake hands and check the certificate; before that nothing is sent and no line is read."""
        self._config = config
        loop = asyncio.get_running_loop()
        made = partial(self.protocol_class, self, loop)
        tls = context(config) if config.tls else None
        handshake = _HANDSHAKE if config.tls else None
        name = config.host if config.tls else None
        if config.socket is not None:
            path = str(config.socket)
            await loop.create_unix_connection(
                made, path, ssl=tls, server_hostname=name, ssl_handshake_timeout=handshake
            )
        elif config.proxy is not None:
            through = await _through_proxy(config)
            await loop.create_connection(
                made, sock=through, ssl=tls, server_hostname=name, ssl_handshake_timeout=handshake
            )
        else:
            await loop.create_connection(
                made,
                config.host,
                config.port,
                ssl=tls,
                ssl_handshake_timeout=handshake,
                local_addr=(config.bind, 0) if config.bind else None,
                happy_eyeballs_delay=0.25,  # IPv6 and IPv4, whichever answers (IRC-01)
            )
        if self._refused is not None:
            raise self._refused
        self.connected = True

    def made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is open; read lines from now on, unless the certificate is the wrong one."""
        self.transport = transport
        secured = transport.get_extra_info("ssl_object")
        try:
            check_pin(self._config.tls_fingerprint if secured else (), secured and secured.getpeercert(True))
        except PinError as refused:
            self._refused = refused
            transport.close()

    def read(self, *, go_on: bool) -> None:
        """Stop reading, or go on."""
        if isinstance(self.transport, asyncio.Transport) and not self.transport.is_closing():
            (self.transport.resume_reading if go_on else self.transport.pause_reading)()

    def process_data(self, new_data: bytes) -> None:
        """Read what came in, line by line; a bad line costs only itself (IRC-10)."""
        if self._refused is not None:
            return
        self.buffer.feed(new_data)
        for text in self.buffer:
            self._log("in: %r", text)
            self._process_line(text)

    def _log(self, how: str, text: str) -> None:
        if log.isEnabledFor(logging.DEBUG):
            log.debug(how, masked(text))

    def _process_line(self, text: str) -> None:
        try:
            line = parse(text)
            if line is not None:
                self._on_line(line)
        except Exception:
            log.exception("a line could not be handled: %r", masked(text))

    def send_raw(self, string: str) -> None:
        """Send one line; refuse one that contains line breaks (IRC-21)."""
        if _BREAKS_LINE.search(string):
            log.error("refused to send a line with control characters: %r", masked(string))
        elif isinstance(self.transport, asyncio.Transport) and not self.transport.is_closing():
            self._log("out: %r", string)
            self.transport.write(string.encode(errors="replace") + b"\r\n")

    def disconnect(self, message: str = "") -> None:
        """Close the socket; QUIT, if any, was sent before."""
        if self.transport is not None:
            self.transport.close()
        self.lost(message)

    def lost(self, reason: str) -> None:
        """The connection is over; reported once."""
        if not self._over:
            self._over, self.connected = True, False
            self._on_lost(reason)
