"""Middleware in front of every page: headers, methods, limits and timeouts (WEB-11, WEB-12)."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from ircdice.web.answers import PageError, fault_page, respond

log = logging.getLogger(__name__)
REQUESTS = RateLimitItemPerMinute(300)  # of one address
IDS = RateLimitItemPerMinute(20)  # LED-23: of one address
WRONG_IDS = RateLimitItemPerMinute(200)  # LED-23: of all
STREAMS = 5  # of one address
SEND_SECONDS = 20.0  # to send one part of an answer
HEAD_SECONDS = 4.0  # to receive the head of a request; checked at this interval
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def address_of(connection: HTTPConnection) -> str:
    """The key of a limit: an IPv4 address or the /64 of an IPv6 address."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class Limits:
    """The limits of each address."""

    def __init__(self) -> None:
        storage = MemoryStorage()
        self._requests, self._ids = FixedWindowRateLimiter(storage), MovingWindowRateLimiter(storage)
        self._streams: Counter[str] = Counter()

    def request(self, address: str) -> None:
        """Count a request. PageError 429 past the limit."""
        if not self._requests.hit(REQUESTS, "request", address):
            raise self._fault(self._requests.get_window_stats(REQUESTS, "request", address).reset_time)

    def ids(self, address: str, count: int) -> None:
        """Count `count` ids (LED-23). PageError 429 past the limit.

        Once all addresses together have asked about too many wrong ids, only the addresses that did so must wait.
        """
        if count > IDS.amount:
            raise PageError(f"Paste at most {IDS.amount} lines at a time.", example="one posted line with its id")
        guessed = (
            not self._ids.test(WRONG_IDS, "wrong") and self._ids.get_window_stats(IDS, "wrong", address)[1] < IDS.amount
        )
        if guessed or not self._ids.hit(IDS, "ids", address, cost=count):
            raise self._fault(self._ids.get_window_stats(IDS, "ids", address).reset_time)

    def wrong(self, address: str, count: int) -> None:
        """Count unknown ids."""
        for _ in range(count):
            self._ids.hit(WRONG_IDS, "wrong")
            self._ids.hit(IDS, "wrong", address)

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """Hold a stream of events open. PageError 429 if the address has too many."""
        if self._streams[address] >= STREAMS:
            raise PageError(f"At most {STREAMS} live pages at a time from one address.", 429)
        self._streams[address] += 1
        try:
            yield
        finally:
            self._streams[address] -= 1
            self._streams += Counter()  # drop zeros

    def _fault(self, until: float) -> PageError:
        return PageError(f"That was asked too often. Ask again in {max(1, round(until - time()))} seconds.", 429)


class _TooSlowError(Exception):
    """The reader does not receive what is sent."""


class Guard:
    """An ASGI middleware around every page."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse invalid requests; pass on the others, with a time limit and the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await send(message)
            except TimeoutError:
                raise _TooSlowError from None

        try:
            self._admit(request)
        except PageError as fault:
            await respond(request, fault_page(fault))(scope, receive, guarded)
            return
        try:
            await self._app(scope, receive, guarded)
        except _TooSlowError:
            log.info("a reader took its answer too slowly and is cut off")

    def _admit(self, request: Request) -> None:
        allowed = ("GET", "HEAD", "POST") if request.url.path in ("/verify", "/verify.json") else ("GET", "HEAD")
        if request.method not in allowed:
            raise PageError("This page is only for reading.", 405)
        if not request.url.path.startswith(("/static/", "/healthz")):
            self._limits.request(address_of(request))


class Protocol(H11Protocol):
    """uvicorn's HTTP/1.1, but a connection is closed if a request does not arrive in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn declares a wider type
        """Wait for a request, with a time limit."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_SECONDS, self._expect_request, self.cycle)

    def _expect_request(self, last: RequestResponseCycle | None) -> None:
        """Close the connection if no request has arrived since the `last` one was answered."""
        if self.transport.is_closing():
            return
        if self.cycle is last and (last is None or last.response_complete):
            self.transport.close()
        else:
            self.loop.call_later(HEAD_SECONDS, self._expect_request, self.cycle)
