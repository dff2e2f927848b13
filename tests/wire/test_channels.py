"""Doors that are shut, nicks that fall free, networks that fail beside one another: on real servers."""

from __future__ import annotations

import asyncio
import socket

import pytest

from ircdice.config import Config

from .bots import Log, config, network, running
from .client import Person
from .scripted import HELLO, JOINED, Scripted, scripted
from .servers import Server, free_port
from .tables import on_both


@pytest.mark.parametrize(
    ("mode", "numeric"), [("+i", "473"), ("+l 1", "471"), ("+b *!*@*", "474"), ("+k sesame", "475")]
)
@on_both
async def test_a_channel_that_is_shut(server: Server, mode: str, numeric: str) -> None:
    """IRC-08: each refusal is told in the log, and costs the other channels nothing."""
    room, nick = f"#shut{numeric}", f"Shut{numeric}"
    async with await Person(f"owner{numeric}").connect(server.port, room) as owner:
        owner.send(f"MODE {room} {mode}")
        await owner.sees(f"MODE {room} ")
        with Log() as log:
            async with running(config(network(server.port, room, f"#open{numeric}", nick=nick, name=server.kind))):
                await log.says(f"{server.kind} {room} refused {numeric}")
                await log.says(f"{server.kind} #open{numeric} joined")


async def test_a_channel_that_sends_on(inspircd: Server) -> None:
    """IRC-08: InspIRCd's mode L takes whom a full channel has no room for to another one; the log says so."""
    async with await Person("sends").connect(inspircd.port, "#full", "#beside") as owner:
        owner.send("MODE #full +lL 1 #beside")
        await owner.sees("MODE #full ")
        with Log() as log:
            async with running(config(network(inspircd.port, "#full", nick="SentOn", name=inspircd.kind))):
                await log.says(f"{inspircd.kind} #full forwarded to #beside: ")
                await log.says(f"{inspircd.kind} #beside joined")


@pytest.mark.parametrize(
    ("named", "accepts", "comes"), [(True, False, True), (False, True, True), (False, False, False)]
)
@on_both
async def test_an_invitation(server: Server, named: bool, accepts: bool, comes: bool) -> None:
    """IRC-08: it is followed to a channel of the config, and to any other only where the config says so."""
    number = f"{named:d}{accepts:d}"
    room, nick = f"#asked{number}", f"Asked{number}"
    async with await Person(f"host{number}").connect(server.port, room) as host:
        host.send(f"MODE {room} +i")
        await host.sees(f"MODE {room} ")
        rooms = (f"#other{number}", *((room,) if named else ()))
        made = network(server.port, *rooms, nick=nick, accept_invites=accepts, name=server.kind)
        with Log() as log:
            async with running(config(made)):
                await log.says(f"{server.kind} #other{number} joined")
                host.send(f"INVITE {nick} {room}")
                await log.says(f"{server.kind} {room} invited by {host.nick}: {'accepted' if comes else 'declined'}")
                if comes:
                    await host.sees(f":{nick}!\\S+ JOIN")


@on_both
async def test_a_nick_that_falls_free(server: Server) -> None:
    """IRC-07: whoever sits on the nick leaves a channel that both are in, and the bot has it at once."""
    sitter = await Person("Freed").connect(server.port, "#free")
    made = config(network(server.port, "#free", nick="Freed", alternate_nicks=("Spare",)))
    async with await Person("looker").connect(server.port, "#free") as looker, running(made):
        await looker.sees(":Spare!\\S+ JOIN")
        sitter.send("QUIT :bye")
        await looker.sees(":Spare!\\S+ NICK :?Freed$")
    await sitter.__aexit__()


async def test_a_fault_on_one_network_does_not_touch_another(ngircd_unlimited: Server) -> None:
    """IRC-01: one cannot be reached, one hangs up, one talks nonsense; the fourth answers."""

    async def hangs_up(server: Scripted) -> None:
        await server.hangs_up()

    async def nonsense(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b"\xff\xfe\0\r\n" * 20, b":s 001\r\n", b":s 005 x CHANTYPES CASEMAPPING= PREFIX=( :\r\n" * 20)
        await server.until(lambda: server.over)

    async with scripted(hangs_up) as (first, _), scripted(nonsense) as (second, _):
        ports = {"gone": free_port(), "shut": first, "mad": second, "well": ngircd_unlimited.port}
        made: Config = config(*(network(port, "#well", nick="Well", name=name) for name, port in ports.items()))
        async with await Person("watcher").connect(ngircd_unlimited.port, "#well") as alice, running(made):
            await alice.sees(":Well!\\S+ JOIN")
            alice.say("#well", "say all is well")
            await alice.sees(": all is well$")


@pytest.mark.parametrize("host", ["::1", "127.0.0.1", "localhost"])
async def test_ipv6_and_ipv4(host: str) -> None:
    """IRC-01: by either, and by a name whichever answers."""
    come = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (await reader.readline()).split()[:1] != [b"USER"]:
            pass
        writer.write(b":s CAP * LS :\r\n" + HELLO + JOINED)
        await reader.readuntil(b"JOIN #x\r\n")
        come.set()
        writer.close()

    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    async with await asyncio.start_server(serve, "::1" if host == "::1" else "127.0.0.1", 0, family=family) as server:
        port = server.sockets[0].getsockname()[1]
        async with running(config(network(port, "#x", host=host))):
            await asyncio.wait_for(come.wait(), 60)
