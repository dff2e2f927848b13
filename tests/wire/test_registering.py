"""Servers that know no CAP, lie about it, stall or let nobody in: the bot comes in, or comes back."""

from __future__ import annotations

import asyncio
import logging

import pytest

from ircdice.wire.connection import Timeouts

from .bots import config, network, running
from .plays import QUICK, SAY, play
from .scripted import JOINED, Scripted, scripted


async def test_no_cap() -> None:
    """IRC-03: a server without CAP is no obstacle; CAP LS 302 goes out first."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        assert server.got[0] == "CAP LS 302"
        assert [line.split()[0] for line in server.got] == ["CAP", "PASS", "NICK", "USER"]
        server.says(b":s 421 * CAP :Unknown command\r\n", b":s 001 FUDice :hi\r\n", JOINED, SAY + b"x\r\n")
        await server.gets("^PRIVMSG #x :al: x$")
        assert not [line for line in server.got if line == "CAP END"]

    await play(script, password="secret")


@pytest.mark.parametrize(
    ("said", "then"),
    [
        (b":s CAP * LS * :a b\r\n:s CAP * LS :account-tag\r\n", "CAP REQ :account-tag"),
        (b":s CAP * LS :\r\n", "CAP END"),
        (b":s CAP * LS :nothing=we,want\r\n", "CAP END"),
        (b":s CAP * LS\r\n", "CAP END"),
    ],
)
async def test_cap_lists(said: bytes, then: str) -> None:
    """IRC-03: split lists are read whole; nothing wanted ends the negotiation."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(said)
        assert await server.gets("^CAP") == then

    await play(script)


async def test_cap_refused_and_lied_about() -> None:
    """IRC-03: NAK is done without; an ACK for what was not asked gives nothing, the account least of all."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :server-time message-tags\r\n")
        await server.gets("^CAP REQ :message-tags server-time$")
        server.says(b":s CAP * NAK :message-tags server-time\r\n")
        await server.gets("^CAP REQ :message-tags$")
        server.says(b":s CAP * NAK :message-tags\r\n:s CAP * NAK :server-time\r\n:s CAP * ACK :account-tag\r\n")
        await server.gets("^CAP END$")
        server.says(b":s 001 FUDice :hi\r\n", JOINED, b"@account=boss " + SAY + b"x\r\n")
        await server.gets("al: x$")

    bot = await play(script)
    assert [message.account for message in bot.heard] == [None]


async def test_cap_that_is_never_settled_is_ended() -> None:
    """IRC-03: no ACK comes; the bot ends the negotiation itself."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :account-tag\r\n")
        await server.gets("^CAP END$")

    await play(script, timeouts=QUICK)


async def test_account_tag() -> None:
    """IRC-14: the account of `account-tag` is handed on, and makes a storyteller where the channel names it."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :account-tag\r\n")
        await server.gets("REQ")
        server.says(b":s CAP * ACK :account-tag \r\n", b":s 001 FUDice :hi\r\n", JOINED)
        server.says(
            b"@account=Boss " + SAY + b"1\r\n", SAY + b"2\r\n", b"@account=other :boss!u@h PRIVMSG #x :say 3\r\n"
        )
        await server.gets(": 3$")

    hearer = await play(script, settings={"storytellers": ("boss",)})
    assert [(m.account, m.storyteller) for m in hearer.heard] == [("Boss", True), (None, False), ("other", False)]


async def test_silent_server_is_given_up() -> None:
    """IRC-03, IRC-06: registration does not hang on a server that says nothing; the bot tries again."""

    async def silent(server: Scripted) -> None:
        await server.gets("^USER ")

    async def speaks(server: Scripted) -> None:
        await server.lets_in()

    await play(silent, speaks, timeouts=QUICK)


async def test_keepalive() -> None:
    """IRC-06: after silence a PONG is asked for; without one the connection is given up and made anew."""

    async def stalls(server: Scripted) -> None:
        await server.lets_in()
        await server.gets("^PING :")
        server.says(b":s PONG s :ircdice\r\n")
        await server.gets("^PING :")

    async def speaks(server: Scripted) -> None:
        await server.lets_in()

    await play(stalls, speaks, timeouts=QUICK)


async def test_isupport_is_forgotten_with_the_connection() -> None:
    """IRC-09: what one server said of itself is nothing to the next connection."""

    async def first(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":s 005 FUDice CASEMAPPING=ascii :are\r\n", SAY + b"1\r\n")
        await server.gets(": 1$")
        await server.hangs_up()

    async def second(server: Scripted) -> None:
        await server.lets_in()
        server.says(SAY + b"2\r\n")
        await server.gets(": 2$")

    bot = await play(first, second)
    assert [message.casemapping for message in bot.heard] == ["ascii", "rfc1459"]


async def test_nicks_run_out() -> None:
    """IRC-07: when every nick is refused the bot gives the connection up, and tries again."""

    async def refuses(server: Scripted) -> None:
        while "FUDice29" not in (await server.gets("^NICK")):
            server.says(b":s 433 * x :taken\r\n")
        server.says(b":s 433 * x :taken\r\n")

    async def speaks(server: Scripted) -> None:
        await server.lets_in()

    await play(refuses, speaks)


async def test_playback_is_no_command() -> None:
    """IRC-11: an old `server-time` is played back history, by the server's own clock."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b"@time=2020-01-01T00:00:10.000Z :s 001 FUDice :hi\r\n", JOINED)
        server.says(b"@time=2020-01-01T00:00:09.000Z " + SAY + b"old\r\n", b"@batch=1 " + SAY + b"batch\r\n")
        server.says(b"@time=2020-01-01T00:00:11.000Z " + SAY + b"new\r\n")
        assert await server.gets("PRIVMSG") == "PRIVMSG #x :al: new"

    await play(script)


async def test_secrets_stand_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-05: not even at DEBUG, where the `irc` package prints PASS."""
    caplog.set_level(logging.DEBUG)

    async def script(server: Scripted) -> None:
        await server.lets_in()
        assert "PASS hunter2" in server.got

    await play(script, password="hunter2")
    assert "PASS ***" in caplog.text
    assert "hunter2" not in caplog.text


async def test_leaves_within_bounds() -> None:
    """IRC-25: at most so many seconds for what is queued, then QUIT, ahead of what is left."""

    busy, farewell = asyncio.Event(), asyncio.Event()

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(*(SAY + str(number).encode() + b"\r\n" for number in range(20)))  # past 20 they share lines
        await server.gets("al: 2$")
        busy.set()
        await server.gets("^QUIT :the dice rest$")
        assert 4 <= len([line for line in server.got if line.startswith("PRIVMSG")]) < 20
        farewell.set()
        await server.hangs_up()

    async with scripted(script) as (port, _):
        async with running(config(network(port, "#x", flood_interval=0.3)), timeouts=Timeouts(leave=1.0)):
            await asyncio.wait_for(busy.wait(), 60)
        await asyncio.wait_for(farewell.wait(), 60)
