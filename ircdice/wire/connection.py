"""Connection: one connection to a server, from socket and TLS to session, flood control and timers (IRC-02, IRC-22)."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic, time

from irc.client_aio import IrcProtocol

from ircdice.config import NetworkConfig
from ircdice.dice import entropy
from ircdice.settings import Settings
from ircdice.wire.channels import Rejoins
from ircdice.wire.outgoing import MANY, Entry, Outbox, Settled, pieces
from ircdice.wire.protocol import FORBIDDEN, PRIVATE, Close, Effect, Frames, Line, Note, Send, Wake, masked, parse
from ircdice.wire.session import Session

log = logging.getLogger(__name__)
_HANDSHAKE = 10.0  # seconds: less than the time to connect, so that the log can name the handshake
_ERRNO = re.compile(r"\[Errno (-?[0-9]+)\] ")
_NONCE = 18  # bytes, for SCRAM
_CONFIRM = 0.1  # seconds after a line until the server is asked to confirm it: lines in a row share one PING
_MOST_PROTOCOL = 2000  # waiting lines: JOIN, WHO, …

Event = Effect | Line | Entry | Settled
"""What a connection reports: effects of its session, lines received and sent, and what became of replies."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the bot waits for a server, in seconds."""

    connect: float = 30.0
    negotiate: float = 20.0  # for capability negotiation; then the bot continues without it
    silent: float = 30.0  # for any line, while registering
    register: float = 120.0  # for the welcome
    ask: float = 60.0  # of silence before a PING is sent
    give_up: float = 60.0  # of silence after that PING
    leave: float = 5.0  # to send what is queued at the end
    closing: float = 2.5  # for the server to close after QUIT, which it may process with a delay
    tick: float = 1.0


class Keepalive:
    """Watches one connection for silence, and calls `hurry` if negotiation takes too long. The time is passed in."""

    def __init__(self, timeouts: Timeouts, now: float, hurry: Callable[[], Iterator[Effect]]) -> None:
        self._timeouts, self._hurry = timeouts, hurry
        self.heard = now  # when the last line arrived: any line shows that the server is alive
        self._began, self._asked, self._ended = now, now - 1, False

    def step(self, now: float, *, welcomed: bool) -> Effect | None:
        """What is due now, if anything; `welcomed` once the server has accepted us."""
        timeouts, silence, waited = self._timeouts, now - self.heard, now - self._began
        if silence >= (timeouts.ask + timeouts.give_up if welcomed else timeouts.silent):
            return Close("no answer from the server")
        if welcomed and silence >= timeouts.ask and self._asked < self.heard:
            self._asked = now
            return Send("PING :ircdice", urgent=True)
        if not welcomed and waited >= timeouts.register:
            return Close("no answer from the server")
        if not welcomed and waited >= timeouts.negotiate and not self._ended:
            self._ended = True
            return Wake(0.0, self._hurry)
        return None


def context(config: NetworkConfig) -> ssl.SSLContext:
    """The TLS context. It verifies name and chain, unless `tls_fingerprint` is set: then `pin_fault` does."""
    tls = ssl.create_default_context()
    tls.minimum_version = ssl.TLSVersion.TLSv1_2
    if config.tls_fingerprint:
        tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    elif config.tls_ca is not None:
        tls.load_verify_locations(cafile=config.tls_ca)
    if config.tls_cert is not None:
        tls.load_cert_chain(config.tls_cert, config.tls_key, password="")  # otherwise OpenSSL prompts
    return tls


def fingerprint(certificate: bytes) -> str:
    """SHA-256 of a certificate in DER, in lower-case hexadecimal."""
    return hashlib.sha256(certificate).hexdigest()


def pin_fault(pins: tuple[str, ...], certificate: bytes | None) -> str:
    """Why `certificate` is refused if pins are set and none matches; otherwise empty."""
    digest = fingerprint(certificate) if certificate else "none"
    accepted = not pins or digest in pins
    return "" if accepted else f"TLS refused: the certificate is not among tls_fingerprint, it is {digest}"


def reason(error: BaseException) -> str:
    """Why a connection ended, in one line for a person."""
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {(error.reason or str(error)).replace('_', ' ').lower()}"
    return _ERRNO.sub("", " ".join(str(error).split())) or type(error).__name__


def connect_failure(error: BaseException, config: NetworkConfig) -> str:
    """Why connecting failed and what to do, in one line for a person."""
    where = config.address
    no_tls = f"{where} is probably a port without TLS: port 6697 usually has it, or set tls = no"
    number = _ERRNO.search(str(error))
    match error:
        case ssl.SSLCertVerificationError():
            words = error.verify_message.rstrip(".")
            return f"TLS handshake failed: {words}; to trust this certificate set tls_ca or tls_fingerprint"
        case ssl.SSLError():
            return f"TLS handshake failed: {(error.reason or str(error)).replace('_', ' ').lower()}; {no_tls}"
        case TimeoutError():
            return f"no answer from {where} in time: check host and port"
        case ConnectionAbortedError() if config.tls:  # asyncio raises this when a handshake times out
            return f"no TLS handshake within {_HANDSHAKE:.0f} seconds: {no_tls}"
        case socket.gaierror():
            return f"the host {config.host} is not found: check host"
        case OSError() if "Connect call failed" in str(error) and number:  # a single address failed, or all of several
            return f"{where}: {os.strerror(int(number[1])).lower()}: check host and port, and whether the server runs"
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


class Connection(IrcProtocol):  # type: ignore[misc]  # the package has no types
    """One connection. `lost` resolves to the reason of its end; `on_event` receives events for the caller."""

    def __init__(
        self,
        config: NetworkConfig,
        settings: Settings,
        rejoins: Rejoins,
        outbox: Outbox,
        timeouts: Timeouts,
        on_event: Callable[[Event], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        super().__init__(self, self._loop)  # the package passes bytes to `process_data`
        self.config, self._timeouts, self._on_event = config, timeouts, on_event
        self.session = Session(config, settings, rejoins, time(), entropy(_NONCE).hex())
        self.outbox = outbox
        outbox.begin(self.session.support, config.flood_burst, config.flood_interval)
        self.lost: asyncio.Future[str] = self._loop.create_future()
        self._frames = Frames()
        self._keepalive = Keepalive(timeouts, self._loop.time(), self.session.login.hurry)
        self._transport: asyncio.Transport | None = None
        self._heard = False  # whether the server has sent a line
        self.tls_port: int | None = None  # where to continue over TLS, as the server asked
        self.final = False  # whether it ended for a reason that will be the same next time
        self._timers: dict[Callable[[], None], asyncio.TimerHandle] = {}

    async def open(self) -> None:
        """Connect, shake hands and start the login; `close` ends it early.

        Failures are OSError, which includes TLS errors and TimeoutError.
        """
        connecting = asyncio.create_task(self._connect(self.config))
        self.lost.add_done_callback(lambda _lost: connecting.cancel())
        try:
            async with asyncio.timeout(self._timeouts.connect):
                await connecting
        except asyncio.CancelledError:
            if not self.lost.done():
                raise
        if self.lost.done():
            return
        self._keepalive = Keepalive(self._timeouts, self._loop.time(), self.session.login.hurry)
        self._follow(self.session.login.open())
        self._tick()

    async def _connect(self, config: NetworkConfig) -> None:
        tls = context(config) if config.tls else None
        handshake, name = (_HANDSHAKE, config.host) if config.tls else (None, None)
        connect = partial(
            self._loop.create_connection, lambda: self, ssl=tls, server_hostname=name, ssl_handshake_timeout=handshake
        )
        if config.socket is not None:
            await self._loop.create_unix_connection(
                lambda: self, str(config.socket), ssl=tls, server_hostname=name, ssl_handshake_timeout=handshake
            )
        elif config.proxy is not None:
            await connect(sock=await _through_proxy(config))
        else:
            local = (config.bind, 0) if config.bind else None
            # IPv6 and IPv4, whichever answers (IRC-01)
            await connect(config.host, config.port, local_addr=local, happy_eyeballs_delay=0.25)

    @property
    def ready(self) -> bool:
        """Whether the server has accepted us and is still connected."""
        return self.session.login.welcomed and not self.lost.done()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is open and TLS is established. With a wrong certificate, nothing is sent or read."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        secured = transport.get_extra_info("ssl_object")
        fault = pin_fault(self.config.tls_fingerprint, secured.getpeercert(True)) if secured else ""
        if fault:
            self.close(fault)

    def pause_writing(self) -> None:
        """The server has stopped reading: stop reading from it, so that its PINGs do not fill memory (IRC-28)."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """The server reads again."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        self._end(reason(exc) if exc else "connection closed by the server")

    def process_data(self, data: bytes) -> None:
        """Process received bytes line by line; a bad line affects no other (IRC-10)."""
        for text in () if self.lost.done() else self._frames.feed(data):
            if log.isEnabledFor(logging.DEBUG):
                log.debug("in: %r", masked(text))
            try:
                if (line := parse(text)) is None:
                    continue
                self._heard, self._keepalive.heard = True, self._loop.time()
                self._follow(self.session.receive(line, self._keepalive.heard))
                self._on_event(line)
                if line.command != "PRIVMSG" or "echo-message" in self.session.enabled:  # otherwise another user's
                    self._settle(line)
            except Exception:
                log.exception("a line could not be handled: %r", masked(text))

    def write(self, line: str) -> None:
        """Send one line now; refuse one that contains line breaks (IRC-21)."""
        if FORBIDDEN.search(line):
            log.error("refused to send a line with control characters: %r", masked(line))
        elif self._transport is not None and not self._transport.is_closing():
            if log.isEnabledFor(logging.DEBUG):
                log.debug("out: %r", masked(line))
            self._transport.write(line.encode(errors="replace") + b"\r\n")

    def put(self, line: str, *, urgent: bool = False) -> None:
        """Queue a protocol line, an `urgent` one ahead of all others; drop it if the queue is full (IRC-28)."""
        if urgent:
            self.outbox.urgent(line)
        else:
            self.outbox.put(Entry(line), _MOST_PROTOCOL)
        self.pump()

    def say(self, *entries: Entry) -> None:
        """Queue replies, each in as many lines as it needs, or keep those to channels that the bot is not in."""
        roster, support = self.session.roster, self.session.support
        for entry in entries:
            lane = support.lane(entry.target)
            if lane not in roster.joined and not (lane == PRIVATE and self.session.login.welcomed):
                self.outbox.keep([entry])
                continue
            tags = "message-tags" in self.session.enabled
            for piece in pieces(entry, support, nick=roster.me, userhost=roster.userhost, tags=tags):
                self.outbox.put(piece)
        if not entries[-1].joins:
            self.pump()

    def confirm(self) -> None:
        """Send a PING if lines are not confirmed: its PONG confirms all lines before it."""
        if token := self.outbox.ask(self._loop.time()):
            self.put(f"PING :{token}", urgent=True)

    def pump(self) -> None:
        """Send what the rate limit allows. Call this after adding to the outbox."""
        now, enabled = self._loop.time(), self.session.enabled
        echo, labels = "echo-message" in enabled, "labeled-response" in enabled
        while (entry := self.outbox.next(now, echo=echo, labels=labels)) is not None:
            self.write(entry.line)
            if self.outbox.unconfirmed >= MANY:
                self.confirm()
            self._on_event(entry)
        if self.outbox.unconfirmed:
            self.after(_CONFIRM, self.confirm)
        if self.outbox:
            self.after(self.outbox.bucket.wait(now), self.pump)

    def change(self, config: NetworkConfig, settings: Settings) -> None:
        """Switch to another config (IRC-25)."""
        self.outbox.bucket.change(config.flood_burst, config.flood_interval, self._loop.time())
        self._follow(self.session.change(config, settings))
        self.pump()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Call a function later, unless the connection has ended by then or that call is already scheduled."""

        def due() -> None:
            del self._timers[action]
            action()

        if action not in self._timers and not self.lost.done():
            self._timers[action] = self._loop.call_later(seconds, due)

    def close(self, reason: str) -> None:
        """Close the socket, after QUIT if one was sent."""
        if self._transport is not None:
            self._transport.close()
        self._end(reason)

    def _follow(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(line, _, later) if later:
                    self.after(later, partial(self.put, line))
                case Send(line, urgent) if self.session.login.welcomed:
                    self.put(line, urgent=urgent)
                case Send(line):
                    self.write(line)  # servers do not limit the login
                case Wake(seconds, action):
                    self.after(seconds, partial(self._wake, action))
                case Close(reason, final, tls_port):
                    self.tls_port, self.final = tls_port, final
                    self.close(f"refused for good: {reason}" if final else reason)
                case _:
                    self._on_event(effect)

    def _settle(self, line: Line) -> None:
        """Confirm, keep or resend replies, as a line from the server requires."""
        session, lane = self.session, self.session.support.lane(line.param(0))
        self.outbox.receive(line, mine=session.roster.is_me(line.nick))
        match line.command:
            case "PONG":
                self.confirm()
            case "001":
                self._resume(PRIVATE)
            case "JOIN" | "MODE" if lane in session.roster.joined and session.opened_by(line):
                self._resume(lane)
            case "PART" | "KICK" if lane not in session.roster.joined:
                self.outbox.hold(lane)

    def _resume(self, lane: str) -> None:
        if entries := self.outbox.resume(lane, monotonic()):
            self.say(*entries)
            self.confirm()  # at once: a bot that is killed repeatedly would repeat them at each start
            self._on_event(Note("resumed", f"{len(entries)} lines that were not sent before", entries[0].target))

    def _wake(self, action: Callable[[], Iterator[Effect]]) -> None:
        self._follow(self.session.woken(action))

    def _tick(self) -> None:
        self.after(self._timeouts.tick, self._tick)  # first, so that the timer survives any failure below
        self.outbox.overdue(self._loop.time())
        self.confirm()
        if effect := self._keepalive.step(self._loop.time(), welcomed=self.session.login.welcomed):
            self._follow([effect])

    def _end(self, reason: str) -> None:
        """The connection is over. The server's own ERROR is the reason if there was one, else the first reported."""
        for timer in self._timers.values():
            timer.cancel()
        if not self.lost.done():
            unheard = not (self._heard or self.config.tls or self.config.socket)
            hint = f"; if port {self.config.port} takes only TLS, set tls = yes" if unheard else ""
            self.lost.set_result(self.session.error or reason + hint)
