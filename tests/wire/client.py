"""A person at a real client: a socket of their own, and what they saw."""

from __future__ import annotations

import asyncio
import re

PATIENCE = 60.0  # s, on a machine that has other things to do


class Person:
    """Connects, says lines, and waits for lines that match; what went by is kept in `seen`."""

    def __init__(self, nick: str) -> None:
        self.nick = nick
        self.seen: list[str] = []
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter
        self._at = 0

    async def connect(self, port: int, *channels: str, caps: str = "", password: str = "") -> Person:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        if password:
            self.send(f"PASS {password}")
        if caps:
            self.send("CAP LS 302")
        self.send(f"NICK {self.nick}", f"USER {self.nick} 0 * :{self.nick}")
        if caps:
            self.send(f"CAP REQ :{caps}", "CAP END")
        await self.sees(" 001 ")
        for channel in channels:
            await self.join(channel)
        return self

    async def join(self, channel: str) -> None:
        self.send(f"JOIN {channel}")
        await self.sees(f" 366 {self.nick} {re.escape(channel.split()[0])} ")

    def send(self, *lines: str | bytes) -> None:
        for line in lines:
            self._writer.write((line.encode() if isinstance(line, str) else line) + b"\r\n")

    def say(self, target: str, *texts: str) -> None:
        self.send(*(f"PRIVMSG {target} :{text}" for text in texts))

    def rewind(self) -> None:
        """Look at all that was seen once more."""
        self._at = 0

    async def sees(self, pattern: str, *, within: float = PATIENCE) -> str:
        """The next line, after the last one waited for, that matches."""
        try:
            async with asyncio.timeout(within):
                while True:
                    while self._at < len(self.seen):
                        line = self.seen[self._at]
                        self._at += 1
                        if re.search(pattern, line):
                            return line
                    await self._read()
        except TimeoutError:
            raise AssertionError(f"{self.nick} never saw {pattern!r}, but: {self.seen[-20:]}") from None

    async def sees_not(self, pattern: str) -> None:
        """Nothing that matches came before the answer to a PING, after all that was said so far."""
        start = self._at
        self.send(f"PING :{self.nick}-{start}")
        await self.sees(f"PONG .*{self.nick}-{start}")
        found = [line for line in self.seen[start:] if re.search(pattern, line)]
        assert not found, found

    async def _read(self) -> None:
        raw = await self._reader.readline()
        if not raw:
            raise AssertionError(f"{self.nick} was disconnected: {self.seen[-5:]}")
        line = raw.decode(errors="surrogateescape").rstrip("\r\n")
        self.seen.append(line)
        if line.startswith("PING"):
            self.send("PONG" + line[4:])

    async def __aenter__(self) -> Person:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
