"""Coming, staying and leaving, on real servers with a real client."""

from __future__ import annotations

import asyncio
import signal
import ssl
import sys
from pathlib import Path

import pytest

from ircdice.config import Join
from ircdice.wire.connection import Timeouts

from .bots import Echo, Log, authority, config, network, running
from .client import Person
from .servers import Server, certificates
from .tables import on_both, table


@on_both
async def test_verified_tls(server: Server) -> None:
    """IRC-02: with the right authority the bot comes in by TLS."""
    async with table(server, **authority(server.ca), port=server.tls_port) as seats:
        seats.alice.say(seats.room, "say by TLS")
        await seats.alice.sees(": by TLS$")


@on_both
async def test_unknown_authority_is_refused_and_tried_again(server: Server) -> None:
    """IRC-02: a handshake that fails names its reason, is tried again, and never falls back to the clear."""
    name = f"tls-{server.kind}"
    made = network(server.tls_port, "#tls", nick="DiceTls", name=name, tls=True)
    with Log() as log:
        async with await Person(f"tls{server.kind}").connect(server.port, "#tls") as alice, running(config(made)):
            await log.says(f"{name} disconnected TLS handshake failed: .*certificate", times=2)
            await alice.sees_not(":DiceTls!")


async def test_wrong_name_is_refused(tmp_path: Path) -> None:
    """IRC-02: a certificate of the right authority for another name is refused, and nothing is sent."""
    certificates(tmp_path, "DNS:elsewhere.test")
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    received = b""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal received
        received += await reader.read(100)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=own) as listening:
        made = network(listening.sockets[0].getsockname()[1], **authority(tmp_path / "ca.pem"))
        with Log() as log:
            async with running(config(made)):
                await log.says("TLS handshake failed: Hostname mismatch", times=2)
    assert received == b""


async def test_plain_is_said_in_the_log(ngircd_unlimited: Server) -> None:
    """IRC-02: `tls = no` is said out loud."""
    with Log() as log:
        async with running(config(network(ngircd_unlimited.port))):
            await log.says("tls = no")


@on_both
async def test_keyed_channel(server: Server) -> None:
    """IRC-08: a channel is joined with its key, and a refusal, 475 for a wrong one, is told in the log."""
    room, nick = "#keyed", f"Key{server.kind}"
    async with await Person(f"owner{server.kind}").connect(server.port, room) as alice:
        alice.send(f"MODE {room} +k sesame")
        await alice.sees(f"MODE {room} .*k")
        with Log() as log:
            async with running(config(network(server.port, Join(room, "wrong"), nick=f"W{nick}", name=server.kind))):
                await log.says(f"{server.kind} {room} refused 475")
        async with running(config(network(server.port, Join(room, "sesame"), nick=nick))):
            await alice.sees(f":{nick}!\\S+ JOIN")
    assert not any("wrong" in line or "sesame" in line for line in log.lines)


@on_both
async def test_taken_nick(server: Server) -> None:
    """IRC-07: alternates when the nick is taken, then the nick with an underscore."""
    made = network(server.port, "#nicks", nick="Taken", alternate_nicks=("Other",))
    async with await Person("Taken").connect(server.port, "#nicks") as first, running(config(made)):
        await first.sees(":Other!\\S+ JOIN")
        async with running(config(made)):
            await first.sees(":Taken_!\\S+ JOIN")


@on_both
async def test_comes_back_after_a_kick(server: Server) -> None:
    """IRC-08: rejoin after KICK."""
    async with table(server, alice_first=True) as seats:
        seats.alice.send(f"KICK {seats.room} {seats.bot} :out")
        await seats.alice.sees(f"KICK {seats.room} {seats.bot}")
        await seats.bot_came()
        seats.alice.say(seats.room, "say again")
        await seats.alice.sees(": again$")


async def test_server_restart(ngircd_alone: Server) -> None:
    """IRC-06: the bot comes back when the server does, and answers again."""
    async with running(config(network(ngircd_alone.port, "#again", nick="Again"))):
        async with await Person("alice").connect(ngircd_alone.port, "#again") as alice:
            alice.rewind()
            await alice.sees(":Again!\\S+ JOIN|353 .*Again")
        await asyncio.to_thread(ngircd_alone.stop)
        await asyncio.to_thread(ngircd_alone.start)
        async with await Person("alice").connect(ngircd_alone.port, "#again") as alice:
            alice.rewind()
            await alice.sees(":Again!\\S+ JOIN|353 .*Again")
            alice.say("#again", "say back")
            await alice.sees(": back$")


async def test_password(ngircd_password: Server) -> None:
    """IRC-01: PASS goes out where it is configured."""
    async with running(config(network(ngircd_password.port, "#pass", password="open"))):
        alice = Person("alice")
        async with await alice.connect(ngircd_password.port, "#pass", password="open"):
            alice.rewind()
            await alice.sees(":FUDice!\\S+ JOIN|353 .*FUDice")


@on_both
async def test_leaves_with_quit(server: Server) -> None:
    """IRC-25: what is queued is sent, then QUIT with a reason that others see."""
    async with await Person(f"quit{server.kind}").connect(server.port, "#quit") as alice:
        made = network(server.port, "#quit", nick="Quits", flood_interval=0.2)
        async with running(config(made), hearer := Echo(), timeouts=Timeouts(leave=30.0, closing=30.0)):
            await alice.sees(":Quits!\\S+ JOIN")
            alice.say("#quit", *(f"say {number}" for number in range(8)))
            await hearer.hears(8)
        await alice.sees(": 7$")
        assert "the dice rest" in await alice.sees(":Quits!\\S+ QUIT ")


@pytest.mark.parametrize("number", ["SIGTERM", "SIGINT"])
async def test_signals_end_it_with_0(ngircd_unlimited: Server, number: str) -> None:
    """IRC-25: SIGTERM and SIGINT leave cleanly with exit code 0; SIGHUP ends nothing."""
    nick = number.title()
    program = (
        f"import asyncio, sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
        "from ircdice.run import run; from wire.bots import Echo, config, network\n"
        f"sys.exit(asyncio.run(run(config(network({ngircd_unlimited.port}, '#{nick}', nick='{nick}')), Echo())))"
    )
    async with await Person(f"x{nick}").connect(ngircd_unlimited.port, f"#{nick}") as alice:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
        await alice.sees(f":{nick}!\\S+ JOIN")
        process.send_signal(signal.SIGHUP)
        alice.say(f"#{nick}", "say hup")
        await alice.sees(": hup$")
        process.send_signal(signal.Signals[number])
        assert "the dice rest" in await alice.sees(f":{nick}!\\S+ QUIT ")
        assert await asyncio.wait_for(process.wait(), 60) == 0


FLOODED = """
import asyncio, os, signal, sys
sys.path.insert(0, {tests!r})
from ircdice.run import run
from wire.bots import Echo, config, network

class Flooded(Echo):
    async def due(self, modes):
        for _ in range(10_000):  # as threads of the ledger do while the loop is busy
            asyncio.get_running_loop().call_soon_threadsafe(str)
        os.kill(os.getpid(), signal.SIGTERM)
        return ()

sys.exit(asyncio.run(run(config(network({port}, "#flooded", nick="Flooded")), Flooded())))
"""


async def test_a_signal_during_a_flood_is_not_lost(ngircd_unlimited: Server) -> None:
    """IRC-25: the bot leaves, though its loop was woken ten thousand times when the signal came."""
    program = FLOODED.format(tests=str(Path(__file__).parents[1]), port=ngircd_unlimited.port)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    try:
        assert await asyncio.wait_for(process.wait(), 60) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
