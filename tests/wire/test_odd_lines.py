"""Lines that no real server sends on request: none of them breaks anything."""

from __future__ import annotations

import asyncio
import logging

import pytest

from .plays import SAY, play
from .scripted import Scripted

ODD = [
    b"\r\n",
    b"   \r\n",
    b":\r\n",
    b":s\r\n",
    b"@\r\n",
    b"@a=b\r\n",
    b"@time=nonsense;account :al!u@h PRIVMSG #x\r\n",
    b":al!u@h PRIVMSG #x\r\n",
    b":al!u@h PRIVMSG\r\n",
    b"PRIVMSG #x :say nobody\r\n",
    b":al!u@h NOTICE #x\r\n",
    b":al!u@h QUIT\r\n",
    b":al!u@h NICK\r\n",
    b":al!u@h JOIN\r\n",
    b":FUDice!u@h JOIN\r\n",
    b":al!u@h KICK #x\r\n",
    b":al!u@h PART\r\n",
    b":al!u@h MODE #x\r\n",
    b":al!u@h MODE #x +ooo\r\n",
    b":al!u@h MODE #x +\xff\xfe\r\n",
    b":s 005\r\n",
    b":s 005 FUDice CHANLIMIT=# PREFIX= NICKLEN=x LINELEN=-5 = - -= TARGMAX :are\r\n",
    b":s 353 FUDice = #x\r\n",
    b":s 353\r\n",
    b":s 433\r\n",
    b":s 475\r\n",
    b":s 470\r\n",
    b":s 396\r\n",
    b":s 001\r\n",
    b":s CAP\r\n",
    b":s CAP * ACK\r\n",
    b":s CAP * NEW :\r\n",
    b":s CAP * LS * :a\r\n",
    b"ERROR\r\n",
    b"ERROR :a warning only\r\n",
    b"PING\r\n",
    b":al!u@h WHATEVER a b c\r\n",
    b":s 999 FUDice :no such numeric\r\n",
    b":caf\xe9!u@h PRIVMSG #x :talk \xe9\r\n",
    b"x" * 100_000 + b"\r\n",
    b"@" + b"a=b;" * 2_000 + b"c :al!u@h PRIVMSG #x :talk\r\n",
    b":al!u@h PRIVMSG #x :\x01\r\n",
    b":al!u@h PRIVMSG FUDice :\x01PING\r\n",
    bytes(range(256)) + b"\r\n",
    *(bytes((byte,)) + b"\r\n" for byte in range(256)),
    *(b":al!u@h PRIVMSG #x :" + bytes((byte,)) + b"\r\n" for byte in range(256)),
]


@pytest.mark.parametrize("piecewise", [False, True], ids=["whole", "byte by byte"])
async def test_odd_lines_break_nothing(piecewise: bool, caplog: pytest.LogCaptureFixture) -> None:
    """IRC-10: whatever comes, the connection stands, nothing is raised, and the next command is answered."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        for odd in ODD:
            server.says(*(bytes((byte,)) for byte in odd)) if piecewise and len(odd) < 1000 else server.says(odd)
        server.says(SAY + b"still here\r\n")
        await server.gets("^PRIVMSG #x :al: still here$")
        assert not [line for line in server.got if line.startswith(("QUIT", "NICK x"))]

    await play(script)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_lines_in_single_bytes() -> None:
    """IRC-10: half lines, and half characters, are waited for."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        for byte in SAY + "wörter\r\n".encode():
            server.says(bytes((byte,)))
            await asyncio.sleep(0)
        await server.gets("^PRIVMSG #x :al: wörter$")

    await play(script)


@pytest.mark.parametrize("text", [b"a\rQUIT :pwned", b"a\0b", b"\x01say x", b"a\x01b", b"\x10r\x10n\x100QUIT"])
async def test_control_characters_make_no_second_line(text: bytes) -> None:
    """IRC-21: CR, NUL and CTCP's signs from anyone's text are refused both ways."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        start = len(server.got)
        server.says(SAY + text + b"\r\n", SAY + b"end\r\n")
        await server.gets("end$")
        lines = server.got[start:]
        assert all(line.startswith("PRIVMSG #x :al: ") and line.isprintable() for line in lines), lines

    await play(script)


@pytest.mark.parametrize("field", [b"a\rQUIT!u@h", b"a\0!u@h", b"a,#x!u@h", b":a!u@h"])
async def test_nicks_that_would_break_a_line(field: bytes) -> None:
    """IRC-21: what a server gives for a nick, too, becomes no second line and no second target."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        start = len(server.got)
        server.says(b":" + field + b" PRIVMSG FUDice :say x\r\n", b":" + field + b" PRIVMSG #x :psst x\r\n")
        server.says(b":" + field + b" PRIVMSG FUDice :\x01VERSION\x01\r\n", SAY + b"end\r\n")
        await server.gets("end$")
        assert server.got[start:] == ["PRIVMSG #x :al: end"]

    await play(script)


async def test_ping_without_an_argument() -> None:
    """IRC-10: PING is answered, with its token or without one."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(b"PING\r\n", b"PING :a b\r\n", b":s PING\r\n")
        assert [await server.gets("^PONG") for _ in range(3)] == ["PONG :ircdice", "PONG :a b", "PONG :s"]

    await play(script)


async def test_pong_goes_ahead_of_all() -> None:
    """IRC-22: what waits for its turn does not keep a PONG waiting."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(*(SAY + str(number).encode() + b"\r\n" for number in range(10)))
        await server.gets("al: 2$")
        server.says(b"PING :now\r\n")
        await server.gets("^PONG :now$")
        assert "PRIVMSG #x :al: 9" not in server.got
        await server.hangs_up()

    await play(script, flood_burst=4, flood_interval=0.3)
