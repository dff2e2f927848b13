"""Random lines, and servers that lie, stall and break off: the bot stays, or comes back, and answers."""

from __future__ import annotations

import asyncio
import gc
import logging
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.config import NetworkConfig
from ircdice.wire.channels import Rejoins
from ircdice.wire.protocol import parse
from ircdice.wire.session import Session

from .bots import config
from .noise import Noise
from .plays import QUICK, SAY, play
from .scripted import HELLO, JOINED, Scripted

LINES = 10_000
PATIENT = replace(QUICK, silent=3, register=6)
ALIVE = b":s 001 FUDice :hi\r\n:FUDice!u@h JOIN #x\r\n:zz!u@closing PRIVMSG #x :say still here\r\n"


async def test_ten_thousand_random_lines(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-10: the bot stays connected and answers, no line is our error, and the memory stays flat.

    `python -m bench noise` does it with a million.
    """
    caplog.set_level(logging.ERROR)
    sizes: list[int] = []

    async def script(server: Scripted) -> None:
        await server.lets_in()
        noise = Noise(760_353)
        for _ in range(4):
            for _ in range(LINES // 40):
                server.says(*noise.lines(10))
                await asyncio.sleep(0)
            server.says(ALIVE)
            await server.gets("zz: still here$")
            server.got.clear()
            gc.collect()  # what nobody holds is no growth, whenever Python would come to it
            sizes.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        await play(script, flood_burst=1_000_000, ignore=("nobody",))
    finally:
        tracemalloc.stop()
    assert not [record.getMessage() for record in caplog.records]
    assert sizes[3] - sizes[1] < 200_000, sizes


@given(st.lists(st.one_of(st.binary(max_size=60), st.sampled_from([*Noise(1).lines(200)])), max_size=20))
def test_no_line_is_our_fault(raw: list[bytes]) -> None:
    """IRC-10: whatever a session is given, it raises nothing, before the welcome or after it."""
    net = NetworkConfig("n", "h")
    for welcome in (b"", b":s 001 FUDice :hi"):
        session = Session(net, config(net), Rejoins(), 0.0)
        for octets in (welcome, *raw):
            line = parse(octets.decode("latin-1").strip("\r\n"))
            if line is not None:
                for _ in session.receive(line, 1.0):
                    pass


MEANT = (1, 432, 433, 436, 437, 464, 465)  # these end the registration, or begin it
NUMERICS = b"".join(b":s %03d\r\n" % number for number in range(1000) if number not in MEANT)


async def test_numerics_without_arguments() -> None:
    """IRC-10: each number there is, bare, before the welcome and after it."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(NUMERICS, b":s CAP * LS :\r\n", HELLO, JOINED)
        await server.gets("^JOIN ")
        server.says(NUMERICS, b":s 001\r\n", SAY + b"on\r\n")
        await server.gets("al: on$")

    await play(script)


LISTS = {
    "endless": b":s CAP * LS * :" + b"a" * 20 + b" message-tags\r\n",
    "of the longest": b":s CAP * LS * :" + b"x " * 200 + b"\r\n",
    "of nothing": b":s CAP * LS *\r\n",
    "of values": b":s CAP * LS * :sasl=" + b"A," * 150 + b"\r\n",
}


@pytest.mark.parametrize("kind", LISTS)
async def test_endless_lists(kind: str) -> None:
    """IRC-03: a list of capabilities that never ends keeps nobody out, and is not kept."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        for _ in range(300):
            server.says(LISTS[kind] * 10)
            await asyncio.sleep(0)
        await server.gets("^CAP END$")
        server.says(HELLO, JOINED, SAY + b"on\r\n")
        await server.gets("al: on$")

    await play(script, timeouts=PATIENT)


@pytest.mark.parametrize(
    "lie",
    [
        b":s CAP * LS :message-tags server-time\r\n:s CAP * ACK :sasl echo-message account-tag\r\n",
        b":s CAP * ACK :\r\n:s CAP * NAK :\r\n:s CAP * LS :\r\n",
        b":s CAP * NAK :sasl=x =\r\n:s CAP\r\n:s CAP *\r\n:s CAP * LS\r\n",
        b":s CAP * LIST :what nobody asked\r\n:s CAP * END\r\n:s CAP * LS :-message-tags ~=server-time\r\n",
        b":s CAP * NEW :message-tags\r\n:s CAP * DEL :message-tags\r\n:s CAP * LS :\r\n",
        b":s CAP * LS :message-tags\r\n:s CAP * DEL :message-tags\r\n:s CAP * ACK :message-tags\r\n",
    ],
)
async def test_lies_of_capabilities(lie: bytes) -> None:
    """IRC-03, IRC-10: whatever is said of them, the bot comes in and answers; CAP after 001 changes nothing of that."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(lie)
        await server.gets("^CAP END$")
        server.says(HELLO, JOINED, lie, b":s CAP * LS * :a\r\n", SAY + b"on\r\n")
        await server.gets("al: on$")

    await play(script, timeouts=PATIENT)


STEPS = (  # what the bot says, and the server's answer
    ("before a word", "", b""),
    ("after CAP LS", "^CAP LS", b""),
    ("after NICK", "^NICK", b""),
    ("after USER", "^USER", b":s CAP * LS :message-tags\r\n"),
    ("after the request", "^CAP REQ", b":s CAP * ACK :message-tags\r\n"),
    ("after CAP END", "^CAP END", HELLO),
    ("after JOIN", "^JOIN", JOINED),
)
ENDINGS = {"ERROR": b"ERROR :Closing Link: go away\r\n", "close": b"", "half a line": b":s 001 FUD", "stall": None}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("moment", [step[0] for step in STEPS])
async def test_an_end_at_each_moment(moment: str, ending: str) -> None:
    """IRC-06, IRC-10: ERROR, a closed or a silent connection at any moment of registration: the bot comes back."""

    async def ends(server: Scripted) -> None:
        for step, pattern, answer in STEPS:
            await server.gets(pattern) if pattern else None
            if step == moment:
                break
            server.says(answer)
        last = ENDINGS[ending]
        if last is not None:
            server.says(last)
            await server.hangs_up()

    async def stands(server: Scripted) -> None:
        await server.lets_in()
        server.says(SAY + b"on\r\n")
        await server.gets("al: on$")

    await play(ends, stands, timeouts=QUICK, reconnect_first=0.02)
