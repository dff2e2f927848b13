"""IRC-29 from the socket to the answer: the wire knows who had the nick when a contest was opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ircdice.wire.network import Networks

from .bots import config, network, whole
from .scripted import Scripted, scripted

HERE = ":bob!u@h JOIN #x"
TAKEN = "contest #2 is for the user who was bob when it was opened"


@pytest.mark.parametrize(
    ("meanwhile", "answered"),
    [
        ("", True),
        (":bob!u@h QUIT :bye\r\n:mal!m@i NICK bob", False),
        (":bob!u@h QUIT :bye\r\n:bob!u@h JOIN #x", True),
    ],
)
async def test_irc_29_who_takes_the_nick_answers_nothing(tmp_path: Path, meanwhile: str, answered: bool) -> None:
    """IRC-29: by user and host where the server has no accounts; who comes back with the same may answer."""
    speaker = ":bob!u@h" if answered else ":bob!m@i"
    lines: list[str] = []

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(f"{HERE}\r\n:mal!m@i JOIN #x\r\n:al!a@h PRIVMSG #x :roll 5d10 h1 vs @bob\r\n".encode())
        await server.gets("PRIVMSG #x :al vs bob")
        server.says(f"{meanwhile}\r\n{speaker} PRIVMSG #x :!pass\r\n".encode())
        lines.append(await server.gets("al vs bob|[Cc]ontest #2"))

    async with scripted(script) as (port, done):
        made = config(network(port, "#x"))
        async with whole(made, tmp_path) as bot:
            networks = Networks(made, bot)
            task = asyncio.create_task(networks.run())
            await asyncio.wait_for(done, 60)
            await networks.leave()
            await asyncio.wait_for(task, 60)
    assert (TAKEN in lines[0].replace("Contest", "contest")) is not answered
