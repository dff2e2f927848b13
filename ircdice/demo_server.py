"""The demo's IRC server: what a client and the bot need on loopback, in the loop of the demo."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from ircdice.casemapping import fold
from ircdice.wire.protocol import Frames, Line, parse

_NAME = "demo.server"
_NICK = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]{0,29}")
_CHANNEL = re.compile(r"#[^ ,\x00-\x1f]{1,60}")
_SUPPORTED = "CASEMAPPING=rfc1459 CHANTYPES=# PREFIX=(o)@ NICKLEN=30"
_MOST_UNSENT = 1_000_000  # bytes; a client that reads nothing is disconnected


@dataclass(eq=False)
class _Client:
    """One connection."""

    writer: asyncio.StreamWriter
    nick: str = ""
    user: str = ""
    welcomed: bool = False
    channels: set[str] = field(default_factory=set)  # folded

    @property
    def mask(self) -> str:
        return f"{self.nick}!{self.user}@localhost"

    def send(self, text: str) -> None:
        if self.writer.transport.get_write_buffer_size() > _MOST_UNSENT:
            self.writer.transport.abort()
        self.writer.write(re.sub("[\r\n\0]", " ", text).encode(errors="replace") + b"\r\n")

    def reply(self, numeric: str, text: str) -> None:
        self.send(f":{_NAME} {numeric} {self.nick or '*'} {text}")


class DemoServer:
    """Nicks, channels and their operators, on a free port of loopback."""

    port: int

    def __init__(self) -> None:
        self._clients: dict[str, _Client] = {}  # by folded nick
        self._operators: set[str] = set()  # masks, in every channel

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
        for channel in client.channels if client.mask not in self._operators else ():
            self._send_to(self._members(channel), f":{_NAME} MODE {channel} +o {client.nick}")
        self._operators.add(client.mask)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client, frames = _Client(writer), Frames()
        try:
            while data := await reader.read(4096):
                for line in filter(None, map(parse, frames.feed(data))):
                    if line.command == "QUIT":
                        return
                    self._receive(client, line)
        except OSError:
            pass
        finally:
            self._remove(client)
            with suppress(OSError):
                writer.close()

    def _receive(self, client: _Client, line: Line) -> None:
        match line.command:
            case "CAP" if line.param(0).upper() in ("LS", "LIST"):
                client.send(f":{_NAME} CAP * {line.param(0).upper()} :")
            case "NICK":
                self._rename(client, line.param(0))
            case "USER":
                client.user = re.sub("[^A-Za-z0-9]", "", line.param(0)) or "user"
            case "PING":
                client.send(f":{_NAME} PONG {_NAME} :{line.param(-1)}")
            case _ if client.welcomed:
                self._command(client, line)
        if client.nick and client.user and not client.welcomed:
            client.welcomed = True
            client.reply("001", f":Welcome to the demo, {client.nick}")
            client.reply("005", f"{_SUPPORTED} :are supported by this server")
            client.reply("422", ":There is no message of the day")

    def _command(self, client: _Client, line: Line) -> None:
        target = line.param(0)
        match line.command:
            case "PRIVMSG" | "NOTICE" if target and line.param(1):
                self._speak(client, line.command, target, line.param(1))
            case "JOIN":
                for name in target.split(","):
                    self._join(client, name)
            case "PART" if fold(target) in client.channels:
                self._send_to(self._members(target), f":{client.mask} PART {target}")
                client.channels.discard(fold(target))
            case "NAMES":
                self._names(client, target)
            case "MODE" if fold(target) in client.channels and not line.param(1):
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
        names = " ".join(("@" if one.mask in self._operators else "") + one.nick for one in self._members(channel))
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
        return [one for one in self._clients.values() if fold(channel) in one.channels]

    def _neighbours(self, client: _Client) -> list[_Client]:
        return [one for one in self._clients.values() if one.channels & client.channels and one is not client]

    def _remove(self, client: _Client) -> None:
        if self._clients.get(fold(client.nick)) is client:
            del self._clients[fold(client.nick)]
        self._send_to(self._neighbours(client), f":{client.mask} QUIT :gone")

    def _send_to(self, clients: Iterable[_Client], text: str) -> None:
        for client in clients:
            client.send(text)
