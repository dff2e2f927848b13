"""The IRC server of the demo, on loopback: one channel, for clients on sockets and in this process."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field

from ircdice.casemapping import fold
from ircdice.wire.protocol import Frames, Line, parse

CHANNEL = "#FU_Dice"
_SERVER = "demo.server"
_NICK = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]{0,29}")
_SUPPORTED = "CASEMAPPING=rfc1459 CHANTYPES=# PREFIX=(o)@ NICKLEN=30"


@dataclass(eq=False)
class Client:
    """One client, which the server sends each line by `send`."""

    send: Callable[[str], None]
    nick: str = ""  # without one it may do nothing
    joined: bool = False
    operator: bool = False
    pong: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def mask(self) -> str:
        """The source of the client's own lines."""
        return f"{self.nick}!player@localhost"

    def reply(self, numeric: str, text: str) -> None:
        """Send a numeric reply."""
        self.send(f":{_SERVER} {numeric} {self.nick or '*'} {text}")


class DemoServer:
    """Nicks, a channel and its operators."""

    def __init__(self) -> None:
        self.clients: dict[str, Client] = {}  # by folded nick

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[int]:
        """Accept connections on a free port of loopback within the block; yields the port."""
        with closing(await asyncio.start_server(self._serve, "127.0.0.1", 0)) as server:  # its clients may stay
            yield int(server.sockets[0].getsockname()[1])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = Client(lambda line: writer.write(line.encode(errors="replace") + b"\r\n"))
        frames = Frames()
        try:
            while data := await reader.read(4096):
                for line in filter(None, map(parse, frames.feed(data))):
                    self.receive(client, line)
                    if line.command == "QUIT":
                        client.send("ERROR :bye")  # so that the bot knows that its last lines have arrived
                        writer.close()
        except OSError:
            pass
        except asyncio.CancelledError:  # the demo is over; Python 3.11.7 reports a cancelled handler as an error
            return
        if client.nick:
            del self.clients[fold(client.nick)]
        if client.joined:
            self._tell_channel(f":{client.mask} QUIT :gone")
        writer.close()

    async def ping(self, client: Client) -> None:
        """Wait until a client has read everything that was sent to it, and everything it had sent has arrived."""
        client.pong.clear()
        client.send(f"PING {_SERVER}")
        await client.pong.wait()

    def promote(self, client: Client) -> None:
        """Make a client operator of the channel."""
        if not client.operator:
            client.operator = True
            self._tell_channel(f":{_SERVER} MODE {CHANNEL} +o {client.nick}")

    def receive(self, client: Client, line: Line) -> None:
        """Carry out a line from a client."""
        match line.command:
            case "CAP" if line.param(0) == "LS":
                client.send(f":{_SERVER} CAP * LS :")
            case "NICK":
                self._rename(client, line.param(0))
            case "PING":
                client.send(f":{_SERVER} PONG {_SERVER} :{line.param(-1)}")
            case "PONG":
                client.pong.set()
            case command if client.nick:
                self._command(client, command, line.param(0), line.param(1))

    def _rename(self, client: Client, nick: str) -> None:
        if not _NICK.fullmatch(nick):
            client.reply("432", f"{nick} :Erroneous nickname")
            return
        if self.clients.get(fold(nick), client) is not client:
            client.reply("433", f"{nick} :Nickname is already in use")
            return
        before, line = self.clients.pop(fold(client.nick), None), f":{client.mask} NICK :{nick}"
        self.clients[fold(nick)], client.nick = client, nick
        if not before:
            client.reply("001", f":Welcome to the demo, {nick}")
            client.reply("005", f"{_SUPPORTED} :are supported by this server")
            client.reply("422", ":There is no message of the day")
        elif client.joined:
            self._tell_channel(line)
        else:
            client.send(line)

    def _command(self, client: Client, command: str, target: str, text: str) -> None:
        there = fold(target) == fold(CHANNEL)
        match command:
            case "PRIVMSG" | "NOTICE" if text and there and client.joined:
                self._tell_channel(f":{client.mask} {command} {CHANNEL} :{text}", but=client)
            case "PRIVMSG" | "NOTICE" if text and fold(target) in self.clients:
                self.clients[fold(target)].send(f":{client.mask} {command} {target} :{text}")
            case "PRIVMSG" | "NOTICE" if text:
                client.reply("401", f"{target} :No such nick or channel")
            case "JOIN":
                for name in target.split(","):
                    self._join(client, name)
            case "NAMES" if there:
                self._names(client)
            case "PART" if there and client.joined:
                self._tell_channel(f":{client.mask} PART {CHANNEL}")
                client.joined = False
            case "MODE" if there and not text:
                client.reply("324", f"{CHANNEL} +nt")

    def _join(self, client: Client, name: str) -> None:
        if fold(name) != fold(CHANNEL):
            client.reply("403", f"{name or '*'} :No such channel")
        elif not client.joined:
            client.joined = True
            self._tell_channel(f":{client.mask} JOIN {CHANNEL}")
            self._names(client)

    def _names(self, client: Client) -> None:
        names = " ".join(("@" if one.operator else "") + one.nick for one in self.clients.values() if one.joined)
        client.reply("353", f"= {CHANNEL} :{names}")
        client.reply("366", f"{CHANNEL} :End of NAMES")

    def _tell_channel(self, text: str, but: Client | None = None) -> None:
        for client in self.clients.values():
            if client.joined and client is not but:
                client.send(text)
