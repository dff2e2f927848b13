"""The guarded connection by itself: neither a handler's fault nor a broken line gets through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from ircdice.wire.channels import Rejoins
from ircdice.wire.connection import Connection, Event
from ircdice.wire.outgoing import Entry, Outbox
from ircdice.wire.protocol import Line, Support

from .bots import config, network
from .plays import QUICK
from .scripted import Scripted, scripted


def connection(port: int, on_event: Callable[[Event], None] = lambda _event: None, tls: bool = False) -> Connection:
    """A connection to #x, not yet open."""
    made = network(port, "#x", tls=tls)
    return Connection(made, config(made), Rejoins(), Outbox(on_event, Support()), QUICK, on_event)


async def test_a_fault_in_a_handler_costs_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-10: no exception in a handler ends the connection; it stands in the log with its traceback."""
    heard: list[str] = []

    def handler(event: Event) -> None:
        if isinstance(event, Line):
            heard.append(event.command)
            if event.command == "BAD":
                raise ZeroDivisionError

    connection(1, handler).process_data(b"BAD\r\nGOOD\r\n")
    assert heard == ["BAD", "GOOD"]
    assert "ZeroDivisionError" in caplog.text


async def test_a_line_that_would_be_two_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-21: the last door, whatever came through the others; what cannot be encoded ends nothing either."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        assert await server.gets("") == "PING :caf?"

    async with scripted(script) as (port, done):
        link = connection(port)
        await link.open()
        for line in ("PRIVMSG #x :a\r\nQUIT", "PRIVMSG #x :a\nQUIT", "NICK a\rQUIT", "NICK a\0"):
            link.write(line)
        link.write("PING :caf\udce9")
        await asyncio.wait_for(done, 60)
        link.close("over")
        link.close("again")
        link.write("PING :late")
    assert link.lost.result().startswith("over")
    assert caplog.text.count("refused to send") == 4


async def test_connecting_may_be_ended() -> None:
    """IRC-25: a bot that leaves waits for no handshake, and tells no other reason than that."""

    async def script(server: Scripted) -> None:
        await server.gets("^NEVER")

    async with scripted(script) as (port, _):
        link = connection(port, tls=True)
        opening = asyncio.create_task(link.open())
        await asyncio.sleep(0)
        link.close("leaving")
        await asyncio.wait_for(opening, 60)
        assert link.lost.result() == "leaving"


async def test_a_fault_does_not_end_the_watch_for_a_dead_server() -> None:
    """IRC-06: what fails as the server is asked for a word costs that question, and the connection is still watched."""

    def fails(event: Event) -> None:
        if isinstance(event, Entry) and event.line.startswith("PING"):
            raise ZeroDivisionError

    async with scripted(Scripted.lets_in) as (port, _):
        link = connection(port, fails)
        await link.open()
        assert await asyncio.wait_for(link.lost, 60) == "no answer from the server"
