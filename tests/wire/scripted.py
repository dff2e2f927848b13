"""A server of the tests' own, for what no real one does on request: it says what it is told to, byte by byte if so."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

HELLO = b":s 001 FUDice :hi\r\n:s 422 FUDice :no MOTD\r\n"
JOINED = b":FUDice!u@h JOIN #x\r\n"

Script = Callable[["Scripted"], Awaitable[None]]


class Scripted:
    """The server's side of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.got: list[str] = []

    def says(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._writer.write(piece)

    async def flushed(self) -> None:
        """Wait until the bot has taken all that was said."""
        while self._writer.transport.get_write_buffer_size():
            await asyncio.sleep(0.005)

    async def drains(self) -> None:
        """Wait until the bot has taken most of what was said, and take in what it says meanwhile."""
        await self._writer.drain()
        while self._reader._buffer.count(b"\n"):  # type: ignore[attr-defined]  # nothing public tells
            await self._reader.readline()

    async def gets(self, pattern: str, *, within: float = 20) -> str:
        """The next line from the bot that matches."""
        async with asyncio.timeout(within):
            while raw := await self._reader.readline():
                line = raw.decode()
                assert line.endswith("\r\n"), line
                self.got.append(line[:-2])
                if re.search(pattern, line[:-2]):
                    return line[:-2]
        raise AssertionError(f"never got {pattern!r}, but {self.got}")

    async def lets_in(self) -> None:
        """Through the login and into #x."""
        await self.gets("^USER ")
        self.says(b":s CAP * LS :\r\n", HELLO, JOINED)
        await self.gets("^JOIN ")

    async def hangs_up(self) -> None:
        self._writer.close()


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[tuple[int, asyncio.Future[None]]]:
    """A server that runs one script for each connection, the last one again and again; its port and its end.

    What a script raises is the future's exception; the end of the last script is its result.
    """
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    waiting = list(scripts)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        script = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        try:
            await script(Scripted(reader, writer))
            if script is scripts[-1] and not done.done():
                done.set_result(None)
        except BaseException as error:
            if not done.done():
                done.set_exception(error if isinstance(error, Exception) else RuntimeError("the script was cut short"))
        finally:
            with suppress(Exception):
                while (raw := await reader.readline()) and not raw.startswith(b"QUIT"):
                    pass  # until the bot goes
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], done
