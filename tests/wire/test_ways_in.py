"""A proxy or a UNIX socket instead of host and port (IRC-27)."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ircdice.wire.network import attempt

from .bots import authority, config, network, running
from .plays import SAY
from .scripted import Scripted, scripted
from .servers import Server, free_port


class Socks:
    """A SOCKS5 proxy that leads everybody to one port, and notes whom it was asked for."""

    def __init__(self, port: int, password: bytes = b"") -> None:
        self.port, self.password = port, password
        self.asked: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, count = struct.unpack("!BB", await reader.readexactly(2))
        await reader.readexactly(count)
        writer.write(b"\x05\x02" if self.password else b"\x05\x00")
        if self.password:
            name = await reader.readexactly((await reader.readexactly(2))[1])
            password = await reader.readexactly((await reader.readexactly(1))[0])
            writer.write(b"\x01\x00" if (name, password) == (b"al", self.password) else b"\x01\x01")
        _, _, _, kind = struct.unpack("!BBBB", await reader.readexactly(4))
        if kind == 3:
            self.asked.append((await reader.readexactly((await reader.readexactly(1))[0])).decode())
        else:
            self.asked.append(socket.inet_ntoa(await reader.readexactly(4)))
        await reader.readexactly(2)
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        await asyncio.gather(self.pass_on(reader, back), self.pass_on(there, writer))

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(4096):
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def socks(port: int, password: bytes = b"") -> AsyncIterator[tuple[int, Socks]]:
    made = Socks(port, password)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], made


async def answers(server: Scripted) -> None:
    await server.lets_in()
    server.says(SAY + b"on\r\n")
    await server.gets("al: on$")


async def test_irc_27_a_socks5_proxy() -> None:
    """IRC-27: the bot comes through the proxy, which is asked for the host by its name."""
    async with scripted(answers) as (port, done), socks(port, b"p%40ss".replace(b"%40", b"@")) as (proxy, asked):
        made = network(6667, "#x", host="irc.invalid", proxy=f"socks5://al:p%40ss@127.0.0.1:{proxy}")
        async with running(config(made)):
            await asyncio.wait_for(done, 60)
    assert asked.asked == ["irc.invalid"]


async def test_irc_27_tls_through_a_proxy(ngircd_unlimited: Server) -> None:
    """IRC-27, IRC-02: the certificate is that of the server, checked through the proxy by the server's name."""
    async with socks(ngircd_unlimited.tls_port) as (proxy, asked):
        through = {"proxy": f"socks5://127.0.0.1:{proxy}"}
        made = config(network(1, **authority(ngircd_unlimited.ca), **through))
        assert (await attempt(made.networks[0], made)).faults == ()
        wrong = config(network(1, **authority(ngircd_unlimited.ca) | {"host": "other.invalid"}, **through))
        assert "TLS handshake failed" in (await attempt(wrong.networks[0], wrong)).faults[0]
    assert asked.asked == ["localhost", "other.invalid"]


@pytest.mark.parametrize("password", ["wrong", ""])
async def test_irc_27_a_proxy_that_is_away_or_refuses(password: str) -> None:
    """IRC-27, IRC-05: the reason names the proxy, and no password."""
    async with socks(1, b"right") as (port, _):
        away = f"socks5://al:{password}@127.0.0.1:{port if password else free_port()}"
        made = config(network(6667, proxy=away))
        (fault,) = (await attempt(made.networks[0], made)).faults
    assert fault.startswith("the proxy refused" if password else "the proxy cannot be reached")
    assert "wrong" not in fault


async def test_irc_27_a_unix_socket(tmp_path: Path) -> None:
    """IRC-27: a server on the same machine, without host and port; what it says of TLS does not apply (STS)."""

    async def script(server: Scripted) -> None:
        server.says(b":s CAP * LS :sts=port=1,duration=9\r\n")
        await answers(server)

    path = tmp_path / "irc.sock"
    async with scripted(script, path=path) as (_, done), running(config(network(1, "#x", host="", socket=path))):
        await done
