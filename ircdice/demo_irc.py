"""IRC for the demo, on loopback: a server, and players that are real clients."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from ircdice.casemapping import fold
from ircdice.errors import Refused
from ircdice.wire.protocol import FORBIDDEN, Frames, Line, parse, scrub

CHANNEL, BOT = "#FU_Dice", "FUDice"
# Sent to the bot in private after each line, which may get no answer; the demo's bot echoes it.
MARK = "demo mark "
TIMEOUT = 30.0  # seconds
_SERVER = "demo.server"
_NICK = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]{0,29}")
_CHANNEL = re.compile(r"#[^ ,\x00-\x1f]{1,60}")
_SUPPORTED = "CASEMAPPING=rfc1459 CHANTYPES=# PREFIX=(o)@ NICKLEN=30"


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[Line]:
    frames = Frames()
    while data := await reader.read(4096):
        for line in filter(None, map(parse, frames.feed(data))):
            yield line


@dataclass(eq=False)
class _Client:
    """One client of the server."""

    writer: asyncio.StreamWriter
    nick: str = ""
    has_user: bool = False
    welcomed: bool = False
    operator: bool = False  # of every channel
    channels: set[str] = field(default_factory=set)  # folded

    @property
    def mask(self) -> str:
        return f"{self.nick}!player@localhost"

    def send(self, text: str) -> None:
        self.writer.write(FORBIDDEN.sub(" ", text).encode(errors="replace") + b"\r\n")

    def reply(self, numeric: str, text: str) -> None:
        self.send(f":{_SERVER} {numeric} {self.nick or '*'} {text}")


class DemoServer:
    """Nicks, channels and their operators, on a free port of loopback."""

    port: int

    def __init__(self) -> None:
        self._clients: dict[str, _Client] = {}  # by folded nick

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Accept clients within the block."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = int(server.sockets[0].getsockname()[1])
        async with server:
            yield

    def promote(self, nick: str) -> None:
        """Make a client operator of its channels."""
        client = self._clients[fold(nick)]
        for channel in () if client.operator else client.channels:
            self._send_to(self._members(channel), f":{_SERVER} MODE {channel} +o {client.nick}")
        client.operator = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = _Client(writer)
        try:
            async for line in _lines(reader):
                if line.command == "QUIT":
                    break
                self._receive(client, line)
        except (OSError, asyncio.CancelledError):  # Python 3.11.7 reports a cancelled handler as an error
            pass
        finally:
            if self._clients.get(fold(client.nick)) is client:
                del self._clients[fold(client.nick)]
            self._send_to(self._neighbours(client), f":{client.mask} QUIT :gone")
            with suppress(OSError):
                writer.close()

    def _receive(self, client: _Client, line: Line) -> None:
        match line.command:
            case "CAP" if line.param(0).upper() in ("LS", "LIST"):
                client.send(f":{_SERVER} CAP * {line.param(0).upper()} :")
            case "NICK":
                self._rename(client, line.param(0))
            case "USER":
                client.has_user = True
            case "PING":
                client.send(f":{_SERVER} PONG {_SERVER} :{line.param(-1)}")
            case _ if client.welcomed:
                self._command(client, line.command, line.param(0), line.param(1))
        if client.nick and client.has_user and not client.welcomed:
            client.welcomed = True
            client.reply("001", f":Welcome to the demo, {client.nick}")
            client.reply("005", f"{_SUPPORTED} :are supported by this server")
            client.reply("422", ":There is no message of the day")

    def _command(self, client: _Client, command: str, target: str, text: str) -> None:
        match command:
            case "PRIVMSG" | "NOTICE" if target and text:
                self._speak(client, command, target, text)
            case "JOIN":
                for name in target.split(","):
                    self._join(client, name)
            case "PART" if fold(target) in client.channels:
                self._send_to(self._members(target), f":{client.mask} PART {target}")
                client.channels.discard(fold(target))
            case "NAMES":
                self._names(client, target)
            case "MODE" if fold(target) in client.channels and not text:
                client.reply("324", f"{target} +nt")

    def _rename(self, client: _Client, nick: str) -> None:
        if not _NICK.fullmatch(nick):
            client.reply("432", f"{nick} :Erroneous nickname")
        elif self._clients.get(fold(nick), client) is not client:
            client.reply("433", f"{nick} :Nickname is already in use")
        else:
            if client.welcomed:
                self._send_to({client, *self._neighbours(client)}, f":{client.mask} NICK :{nick}")
            self._clients.pop(fold(client.nick), None)
            client.nick = nick
            self._clients[fold(nick)] = client

    def _join(self, client: _Client, name: str) -> None:
        if not _CHANNEL.fullmatch(name):
            client.reply("403", f"{name or '*'} :No such channel")
        elif fold(name) not in client.channels:
            client.channels.add(fold(name))
            self._send_to(self._members(name), f":{client.mask} JOIN {name}")
            self._names(client, name)

    def _names(self, client: _Client, channel: str) -> None:
        names = " ".join(("@" if member.operator else "") + member.nick for member in self._members(channel))
        client.reply("353", f"= {channel} :{names}")
        client.reply("366", f"{channel} :End of NAMES")

    def _speak(self, client: _Client, command: str, target: str, text: str) -> None:
        if fold(target) in client.channels:
            others = set(self._members(target)) - {client}
        elif fold(target) in self._clients:
            others = {self._clients[fold(target)]}
        else:
            client.reply("401", f"{target} :No such nick or channel")
            return
        self._send_to(others, f":{client.mask} {command} {target} :{text}")

    def _members(self, channel: str) -> list[_Client]:
        return [other for other in self._clients.values() if fold(channel) in other.channels]

    def _neighbours(self, client: _Client) -> list[_Client]:
        return [other for other in self._clients.values() if other.channels & client.channels and other is not client]

    def _send_to(self, clients: Iterable[_Client], text: str) -> None:
        for client in clients:
            client.send(text)


class Player:
    """A client in the channel. It passes what it reads to `show`; only the first player shows the channel."""

    def __init__(self, nick: str, show: Callable[[str], None], *, first: bool) -> None:
        self.nick, self._show, self._first = nick, show, first
        self._seen: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)  # nicks in the channel, and marks
        self._marks = 0
        self._refused = ""  # why the server refused the nick
        self.answers = 0  # lines from the bot
        self._writer: asyncio.StreamWriter
        self._reading: asyncio.Task[None]

    async def enter(self, port: int) -> None:
        """Connect and join. Refused if the server refuses the nick."""
        reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        self._reading = asyncio.create_task(self._read(reader))
        self._send(f"NICK {self.nick}", f"USER {self.nick} 0 * :{self.nick}", f"JOIN {CHANNEL}")
        await self.sees(self.nick)
        if self._refused:
            self.leave()
            raise Refused(self._refused)

    async def sees(self, what: str) -> None:
        """Wait until that nick is in the channel or that mark is echoed. TimeoutError."""
        async with asyncio.timeout(TIMEOUT):
            await self._seen[what].wait()

    async def say(self, text: str, target: str | None = None) -> None:
        """Send a line, to the channel by default, and wait until the bot has answered or ignored it."""
        self._send(f"PRIVMSG {target or CHANNEL} :{text}")
        await self.catch_up()

    async def catch_up(self) -> None:
        """Wait until all answers to earlier lines have arrived."""
        self._marks += 1
        mark = f"{MARK}{self._marks}"
        self._send(f"PRIVMSG {BOT} :{mark}")
        await self.sees(mark)

    def leave(self) -> None:
        """Disconnect."""
        self._send("QUIT :bye")
        self._reading.cancel()
        self._writer.close()

    def _send(self, *lines: str) -> None:
        for line in lines:
            self._writer.write(FORBIDDEN.sub(" ", line).encode(errors="surrogateescape") + b"\r\n")

    async def _read(self, reader: asyncio.StreamReader) -> None:
        async for line in _lines(reader):
            self._receive(line)

    def _receive(self, line: Line) -> None:
        match line.command:
            case "JOIN":
                self._seen[line.nick].set()
            case "353":
                for name in line.param(-1).split():
                    self._seen[name.lstrip("@")].set()
            case "432" | "433":
                self._refused = f"{line.param(1)}: {line.param(-1)}"
                self._seen[self.nick].set()
        if line.nick == BOT and line.param(-1).startswith(MARK):
            self._seen[line.param(-1)].set()
        elif shown := self._shown(line):
            self.answers += line.nick == BOT
            self._show(scrub(shown))

    def _shown(self, line: Line) -> str | None:
        """A line as a client displays it; None if it is not displayed."""
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
            case "JOIN" | "QUIT" | "PART" if line.nick != BOT:
                return f"* {line.nick} {'joins' if line.command == 'JOIN' else 'leaves'}"
        return None
