"""Services that know SCRAM-SHA-256, which Debian's Atheme does not: linked to a real InspIRCd, with one account.

The server's side of RFC 5802 in the standard library's words, so that ours is not proved against itself.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from .bots import News

ITERATIONS = 4096
SALT = bytes(range(16))


@dataclass
class Exchange:
    """The server's side of one login."""

    password: str
    lie: bool = False  # a signature of somebody who does not know the password
    said: list[str] = field(default_factory=list)

    def answer(self, message: str) -> str | None:
        """What to say to the client's next message; None is a refusal, nothing is consent."""
        self.said.append(message)
        match len(self.said):
            case 1:
                nonce = message.rpartition("r=")[2] + "server"
                self.said.append(f"r={nonce},s={base64.b64encode(SALT).decode()},i={ITERATIONS}")
            case 3 if self._proved():
                signature = hmac.digest(self._key(b"Server Key"), self._all().encode(), "sha256")
                shown = bytes(32) if self.lie else signature
                self.said.append("v=" + base64.b64encode(shown).decode())
            case 5 if message == "":
                return ""
            case _:
                return None
        return self.said[-1]

    def _key(self, use: bytes) -> bytes:
        salted = hashlib.pbkdf2_hmac("sha256", self.password.encode(), SALT, ITERATIONS)
        return hmac.digest(salted, use, "sha256")

    def _all(self) -> str:
        return ",".join((self.said[0].removeprefix("n,,"), self.said[1], self.said[2].rpartition(",p=")[0]))

    def _proved(self) -> bool:
        stored = hashlib.sha256(self._key(b"Client Key")).digest()
        signature = hmac.digest(stored, self._all().encode(), "sha256")
        proof = base64.b64decode(self.said[2].rpartition(",p=")[2])
        key = bytes(a ^ b for a, b in zip(proof, signature, strict=True))
        return hmac.compare_digest(hashlib.sha256(key).digest(), stored)


class Services(News):
    """One link to a server."""

    def __init__(self, writer: asyncio.StreamWriter, account: str, password: str, *, lie: bool) -> None:
        super().__init__()
        self._writer, self._account, self._password, self._lie = writer, account, password, lie
        self._logins: dict[str, Exchange] = {}
        self.outcomes: list[str] = []

    async def came_to(self, outcomes: int) -> None:
        """Wait for so many logins to be over, in whatever way."""
        await self.until(lambda: len(self.outcomes) >= outcomes)

    def greet(self) -> None:
        self._say("CAPAB START 1202", "CAPAB CAPABILITIES :PROTOCOL=1202", "CAPAB END")
        self._say("SERVER services.test linked 0 00A :services")

    def hear(self, line: str) -> None:
        words = line.split(" ")
        if words[0] == "SERVER":
            self._say(":00A BURST", ":00A UID 00AAAAAAC 1 SaslServ s s SaslServ 0.0.0.0 1 +ioI :SaslServ")
            self._say(":00A ENDBURST", ":00A METADATA * saslmechlist :SCRAM-SHA-256")
        elif words[1:2] == ["PING"]:
            self._say(f":00A PONG 00A {words[2]}")
        elif words[1:2] == ["ENCAP"] and words[3] == "SASL":
            self._sasl(words[0][1:], words[4], words[6], words[7])

    def _sasl(self, server: str, client: str, kind: str, text: str) -> None:
        if kind == "S":
            self._logins[client] = Exchange(self._password, self._lie)
            self._reply(server, client, "C", "+")
        elif kind == "D" or text == "*":
            self.outcomes.append("broken off")
            self.happened()
            self._reply(server, client, "D", "A")
        elif client in self._logins:
            answer = self._logins[client].answer("" if text == "+" else base64.b64decode(text).decode())
            if answer:
                self._reply(server, client, "C", base64.b64encode(answer.encode()).decode())
                return
            if answer == "":
                self._say(f":00A METADATA {client} accountname :{self._account}")
            self.outcomes.append("in" if answer == "" else "refused")
            self.happened()
            self._reply(server, client, "D", "S" if answer == "" else "F")

    def _reply(self, server: str, client: str, kind: str, text: str) -> None:
        self._say(f":00A ENCAP {server} SASL 00AAAAAAC {client} {kind} {text}")

    def _say(self, *lines: str) -> None:
        self._writer.write("".join(line + "\r\n" for line in lines).encode())


@asynccontextmanager
async def scram_services(link_port: int, password: str, *, lie: bool = False) -> AsyncIterator[Services]:
    """Services with the account `dice`, linked while the block lasts."""
    reader, writer = await asyncio.open_connection("127.0.0.1", link_port)
    made, linked = Services(writer, "dice", password, lie=lie), asyncio.Event()

    async def listen() -> None:
        while raw := await reader.readline():
            line = raw.decode().rstrip()
            made.hear(line)
            if line.endswith(" ENDBURST"):
                linked.set()

    made.greet()
    task = asyncio.create_task(listen())
    try:
        await asyncio.wait_for(linked.wait(), 60)
        yield made
    finally:
        task.cancel()
        writer.close()
