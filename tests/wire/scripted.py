"""A server of the tests' own, for what no real one does on request: it says what it is told to, byte by byte if so."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from .bots import News

HELLO = b":s 001 FUDice :hi\r\n:s 422 FUDice :no MOTD\r\n"
JOINED = b":FUDice!u@h JOIN #x\r\n"

Script = Callable[["Scripted"], Awaitable[None]]


class Scripted(News):
    """The server's side of one connection.

    It answers the PINGs that confirm messages unless `confirms` is false, and reads nothing while `reads` is cleared.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__()
        self._reader, self._writer = reader, writer
        self._lines: deque[str] = deque()  # read, and not yet looked at
        self.over = False
        self.got: list[str] = []  # up to the last line that was waited for
        self.confirms = True
        self.reads = asyncio.Event()
        self.reads.set()

    async def read(self) -> None:
        """Read what the bot sends until it goes or says QUIT."""
        with suppress(ConnectionError):
            while raw := await self._reader.readline():
                line = raw.decode()
                assert line.endswith("\r\n"), line
                self._lines.append(line[:-2])
                if self.confirms and line.startswith("PING :ircdice-"):
                    self.says(f":s PONG s {line[5:]}".encode())
                self.happened()
                if line.startswith("QUIT"):
                    break
                await self.reads.wait()
        self.over = True
        self.happened()

    def says(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._writer.write(piece)

    async def drains(self) -> None:
        """Wait until the bot has taken most of what was said."""
        await self._writer.drain()

    def unread(self) -> int:
        """How many bytes of what was said the bot has not taken."""
        return self._writer.transport.get_write_buffer_size()

    async def gets(self, pattern: str) -> str:
        """The next line from the bot that matches."""
        while True:
            await self.until(lambda: bool(self._lines) or self.over)
            if not self._lines:
                raise AssertionError(f"never got {pattern!r}, but {self.got}")
            self.got.append(self._lines.popleft())
            if re.search(pattern, self.got[-1]):
                return self.got[-1]

    async def lets_in(self) -> None:
        """Through the login and into #x."""
        await self.gets("^USER ")
        self.says(b":s CAP * LS :\r\n", HELLO, JOINED)
        await self.gets("^JOIN ")

    async def hangs_up(self) -> None:
        self._writer.close()


@asynccontextmanager
async def scripted(*scripts: Script, path: Path | None = None) -> AsyncIterator[tuple[int, asyncio.Future[None]]]:
    """A server that runs one script for each connection, the last one again and again; its port and its end.

    With `path` it listens on a UNIX socket, of which the kernel holds little.

    What a script raises is the future's exception; the end of the last script is its result.
    """
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    waiting = list(scripts)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        script = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        server = Scripted(reader, writer)
        reading = asyncio.create_task(server.read())
        try:
            await script(server)
            if script is scripts[-1] and not done.done():
                done.set_result(None)
        except BaseException as error:
            if not done.done():
                done.set_exception(error if isinstance(error, Exception) else RuntimeError("the script was cut short"))
        finally:
            server.reads.set()
            await reading
            writer.close()

    if path is not None:
        listening = await asyncio.start_unix_server(serve, path)
    else:
        listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listening:
        yield 0 if path else listening.sockets[0].getsockname()[1], done
