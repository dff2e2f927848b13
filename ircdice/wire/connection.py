"""Connection: one connection to a server, from the socket and TLS to its session, outbox and timers (IRC-02, IRC-10).

The `irc` package's connection does the reading and writing, with its line processing guarded.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import socket
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from time import time

from irc.client_aio import AioConnection, AioReactor, IrcProtocol

from ircdice.config import NetworkConfig
from ircdice.dice import entropy
from ircdice.settings import Settings
from ircdice.wire.channels import Rejoins
from ircdice.wire.effects import Effect, Hopeless, Send, Wake, Welcome
from ircdice.wire.line import Frames, Line, masked, parse
from ircdice.wire.outbox import Outbox, OutboxEntry
from ircdice.wire.session import Session

log = logging.getLogger(__name__)
FOR_GOOD = "refused for good"  # begins a reason that will be the same next time, until somebody does something
_HANDSHAKE = 10.0  # seconds: less than connecting may take, so that the log can name the handshake
_BREAKS_LINE = re.compile("[\r\n\0]")
_ERRNO = re.compile(r"\[Errno (-?[0-9]+)\] ")
_NONCE = 18  # bytes, for SCRAM
_MOST_TIMERS = 2000  # a server can cause only so many
_MOST_PROTOCOL = 2000  # waiting lines: JOIN, WHO, …


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that the bot waits for a server."""

    connect: float = 30.0
    negotiate: float = 20.0  # for capabilities to be settled; then the bot goes on without them
    silent: float = 30.0  # for any line, while registering
    register: float = 120.0  # for the welcome
    ask: float = 60.0  # of silence, before a PING is sent
    give_up: float = 60.0  # after that PING
    leave: float = 5.0  # to send what is queued at the end
    tick: float = 1.0


class Action(Enum):
    """What to do about a silent server."""

    NOTHING = "nothing"
    END_CAP = "end negotiation"
    PING = "ping"
    GIVE_UP = "give up"


class Keepalive:
    """Watches one connection for silence. The time is passed in."""

    def __init__(self, timeouts: Timeouts, now: float) -> None:
        self._timeouts = timeouts
        self._began = self._heard = now
        self._asked = self._ended = self._welcome = False

    def heard(self, now: float) -> None:
        """A line came: any line shows that the server is alive."""
        self._heard, self._asked = now, False

    def welcome(self) -> None:
        """The server accepted us."""
        self._welcome = True

    def step(self, now: float) -> Action:
        """What to do now."""
        silence = now - self._heard
        return self._registered(silence) if self._welcome else self._registering(silence, now - self._began)

    def _registered(self, silence: float) -> Action:
        if silence >= self._timeouts.ask + self._timeouts.give_up:
            return Action.GIVE_UP
        if silence >= self._timeouts.ask and not self._asked:
            self._asked = True
            return Action.PING
        return Action.NOTHING

    def _registering(self, silence: float, waited: float) -> Action:
        if silence >= self._timeouts.silent or waited >= self._timeouts.register:
            return Action.GIVE_UP
        if waited >= self._timeouts.negotiate and not self._ended:
            self._ended = True
            return Action.END_CAP
        return Action.NOTHING


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
