"""`python -m bench scram`: every line of a login by SCRAM-SHA-256, as it passes between the bot and a real InspIRCd.

Its services are the tests' own, as Debian's Atheme knows no SCRAM. The account is thrown away: nothing is masked, and
what is said in base64 is shown in the clear below.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

from tests.faults.bots import BotProcess
from tests.wire import services
from tests.wire.scram_services import scram_services

CHANNEL, PASSWORD = "#dice", "pencil"  # of the example in RFC 7677
ACCOUNT = f"sasl = scram-sha-256\nsasl_username = dice\nsasl_password = {PASSWORD}\n"
_MANY = re.compile(r" (00[2-5]|2[0-9]{2}|42[0-9]) ")  # what a server says of itself
_SAID = re.compile(r"AUTHENTICATE :?([A-Za-z0-9+/]{8,}=*)$")
_PATIENCE = 30.0  # s


class Wire:
    """Passes lines on, and prints them with their times; `done` once the bot is in its channel."""

    def __init__(self, port: int) -> None:
        self._port, self._began = port, 0.0
        self.done = asyncio.Event()

    async def take(self, bot_reader: asyncio.StreamReader, bot_writer: asyncio.StreamWriter) -> None:
        """One connection of the bot's, and one to the server for it."""
        self._began = perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._pass(bot_reader, writer, "->"), self._pass(reader, bot_writer, "<-"))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        while raw := await reader.readline():
            self._show(way, raw.decode(errors="replace").rstrip())
            writer.write(raw)
        writer.close()

    def _show(self, way: str, line: str) -> None:
        if not _MANY.search(line):
            print(f"{perf_counter() - self._began:8.3f} {way} {line}")
        if said := _SAID.search(line):
            print(f"{'':12}{clear(said[1])}")
        if f" 366 FUDice {CHANNEL} " in line:
            self.done.set()


def clear(text: str) -> str:
    """What a text in base64 says."""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return "?"


@asynccontextmanager
async def between(port: int) -> AsyncIterator[tuple[Wire, int]]:
    """A wire to that port, and the port at which it is reached."""
    wire = Wire(port)
    listening = await asyncio.start_server(wire.take, "127.0.0.1", 0)
    async with listening:
        yield wire, listening.sockets[0].getsockname()[1]


async def shown(network: services.Network) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with scram_services(network.link_port, PASSWORD), between(network.server.port) as (wire, port):
            with BotProcess(Path(folder), port, (CHANNEL,), more=ACCOUNT) as bot:
                bot.start()
                async with asyncio.timeout(_PATIENCE):
                    await wire.done.wait()
                await asyncio.to_thread(bot.stop)


def main() -> None:
    network = services.launch(atheme=False)
    try:
        asyncio.run(shown(network))
    finally:
        network.remove()
