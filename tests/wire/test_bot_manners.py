"""What a well-behaved bot does on a server that knows more than IRC once did (IRC-27)."""

from __future__ import annotations

import asyncio
import logging

import pytest

from ircdice.wire.outgoing import JOINED_PAST

from .bots import config, network, running
from .plays import play as run_against
from .scripted import JOINED, Scripted, scripted
from .transcript import HELLO, play


@pytest.mark.parametrize(("said", "mode"), [("BOT=B", "B"), ("BOT=b", "b"), ("BOT", ""), ("BOT=B*", ""), ("X", "")])
def test_irc_27_bot_mode(said: str, mode: str) -> None:
    """IRC-27: set after the login, where the server has it, by the letter that it names."""
    told = f"C: MODE FUDice +{mode}" if mode else ""
    play(f"""{HELLO}
        S: CAP * LS :
        C: CAP END
        S: :s 001 FUDice :hi
        S: :s 005 FUDice {said} :are supported
        S: :s 376 FUDice :end
        {told}""")


@pytest.mark.parametrize("kind", ["FAIL", "WARN", "NOTE"])
async def test_irc_27_standard_replies_are_logged(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """IRC-27: FAIL, WARN and NOTE at `warning`, with all that they say."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(f":s {kind} JOIN ACCOUNT_REQUIRED #y :Log in first\r\nPING :on\r\n".encode())
        await server.gets("^PONG :on")

    await run_against(script)
    (record,) = [record for record in caplog.records if record.getMessage() == kind]
    assert (record.levelno, vars(record)["detail"]) == (logging.WARNING, "JOIN ACCOUNT_REQUIRED #y Log in first")


async def said(count: int, *, tags: bool = True, msgid: str = "id-7", word: str = "say") -> list[str]:
    """The lines of the bot after so many commands that bear ids, over a server with or without message-tags."""
    lines: list[str] = []

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :message-tags\r\n" if tags else b":s CAP * LS :\r\n")
        if tags:
            await server.gets("CAP REQ")
            server.says(b":s CAP * ACK :message-tags\r\n")
        server.says(b":s 001 FUDice :hi\r\n:s 422 FUDice :no MOTD\r\n", JOINED)
        await server.gets("^JOIN ")
        for number in range(count):
            server.says(f"@msgid={msgid} :al!u@h PRIVMSG #x :{word} {number}\r\n".encode())
        await server.gets(f"{count - 1}$")
        lines.extend(line for line in server.got if "PRIVMSG" in line or "NOTICE" in line)

    pace: dict[str, object] = {"flood_burst": 6, "flood_interval": 0.1}
    async with scripted(script) as (port, done), running(config(network(port, "#x", **pace))):
        await asyncio.wait_for(done, 60)
    return lines


async def test_irc_27_an_answer_names_the_line_that_it_answers() -> None:
    """IRC-27: `+draft/reply` where the command had a msgid; never where the server knows no tags."""
    assert await said(1) == ["@+draft/reply=id-7 PRIVMSG #x :al: 0"]
    assert await said(1, tags=False) == ["PRIVMSG #x :al: 0"]


async def test_irc_27_only_what_answers_one_line_names_it() -> None:
    """IRC-27: not in private for a line of the channel, not what several share, and no id that would break the tag."""
    assert await said(1, word="psst") == ["NOTICE al :0"]
    assert await said(1, msgid="a\\\\b") == ["PRIVMSG #x :al: 0"]
    shared = [line for line in await said(3 * JOINED_PAST) if " | " in line]
    assert shared
    assert not any("@" in line for line in shared)
