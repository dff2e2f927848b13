"""The demo's players: real IRC clients, which show what they read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from ircdice.wire.protocol import Frames, Line, parse, scrub

TIMEOUT = 30.0  # seconds
# Sent to the bot in private after each line, because a line may get no answer; the demo's bot sends it back.
MARK = "demo mark "
_BREAKS = re.compile("[\r\n\0]")


class NoAnswerError(Exception):
    """The other side did not answer in time."""


class NickRefusedError(Exception):
    """The nick is in use, or no nick."""


class Player:
    """A client in the channel. What it reads goes to `show`; only the first player shows the channel."""

    def __init__(self, nick: str, channel: str, bot: str, show: Callable[[str], None], *, first: bool) -> None:
        self.nick, self._channel, self._bot, self._show, self._first = nick, channel, bot, show, first
        self._present: set[str] = set()
        self._confirmed: set[str] = set()  # tokens that came back
        self._tokens = 0
        self._news = asyncio.Condition()
        self._refused = ""  # why the server refuses the nick
        self.answers = 0  # lines from the bot
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter
        self._reading: asyncio.Task[None]

    async def enter(self, port: int) -> None:
        """Connect and join. NickRefusedError if the server does not take the nick."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        self._reading = asyncio.create_task(self._read())
        self._send(f"NICK {self.nick}", f"USER {self.nick} 0 * :{self.nick}", f"JOIN {self._channel}")
        await self._until(lambda: self.nick in self._present or bool(self._refused))
        if self._refused:
            self.leave()
            raise NickRefusedError(self._refused)

    async def meet(self) -> None:
        """Wait until the bot is in the channel."""
        await self._until(lambda: self._bot in self._present)

    async def say(self, text: str, target: str | None = None) -> None:
        """Say a line, in the channel by default, and wait until the bot has answered it or left it alone."""
        self._send(f"PRIVMSG {target or self._channel} :{text}")
        await self._confirm(lambda token: f"PRIVMSG {self._bot} :{MARK}{token}")

    async def catch_up(self) -> None:
        """Wait until everything has arrived that the server has sent."""
        await self._confirm(lambda token: f"PING :{token}")

    def leave(self) -> None:
        """Disconnect."""
        self._send("QUIT :bye")
        self._reading.cancel()
        self._writer.close()

    async def _confirm(self, line: Callable[[str], str]) -> None:
        self._tokens += 1
        token = str(self._tokens)
        self._send(line(token))
        await self._until(lambda: token in self._confirmed)

    def _send(self, *lines: str) -> None:
        for line in lines:
            self._writer.write(_BREAKS.sub(" ", line).encode(errors="surrogateescape") + b"\r\n")

    async def _until(self, reached: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(TIMEOUT), self._news:
                await self._news.wait_for(lambda: reached() or self._reading.done())
        except TimeoutError:
            raise NoAnswerError from None
        if not reached():
            raise NoAnswerError

    async def _read(self) -> None:
        frames = Frames()
        try:
            while data := await self._reader.read(4096):
                for line in filter(None, map(parse, frames.feed(data))):
                    self._receive(line)
                async with self._news:
                    self._news.notify_all()
        finally:
            async with self._news:
                self._news.notify_all()

    def _receive(self, line: Line) -> None:
        marked = line.nick == self._bot and line.param(-1).startswith(MARK)
        if line.command == "PONG" or marked:
            self._confirmed.add(line.param(-1).removeprefix(MARK))
        elif line.command == "PING":
            self._send(f"PONG :{line.param(-1)}")
        elif line.command == "JOIN":
            self._present.add(line.nick)
        elif line.command in ("432", "433"):
            self._refused = f"{line.param(1)}: {line.param(-1)}"
        elif line.command == "353":
            self._present |= {name.lstrip("@") for name in line.param(-1).split()}
        if not marked and (shown := self._shown(line)):
            self.answers += line.nick == self._bot
            self._show(scrub(shown))

    def _shown(self, line: Line) -> str | None:
        """How a client shows a line; None for what it does not show."""
        text, private = line.param(1), line.param(0) == self.nick
        to = "" if self._first else f" (to {self.nick})"
        match line.command:
            case "PRIVMSG" if private:
                return f"*{line.nick}*{to} {text}"
            case "NOTICE" if private:
                return f"-{line.nick}-{to} {text}"
            case _ if not self._first or line.nick == self.nick:
                return None
            case "PRIVMSG" if text.startswith("\x01ACTION "):
                return f"* {line.nick} {text[8:]}"
            case "PRIVMSG":
                return f"<{line.nick}> {text}"
            case "NOTICE":
                return f"-{line.nick}- {text}"
            case "JOIN" | "QUIT" | "PART" if line.nick != self._bot:
                return f"* {line.nick} {'joins' if line.command == 'JOIN' else 'leaves'}"
        return None
