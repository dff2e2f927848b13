"""History that comes again is never a command."""

from __future__ import annotations

import pytest

from ircdice.wire.protocol import Line, parse
from ircdice.wire.session import Playbacks

from .plays import SAY, play
from .scripted import Scripted

SAID = ":al!u@h PRIVMSG #x :roll"
ZNC = ":***!znc@znc.in PRIVMSG #X"


def heard(*texts: str, now: float = 0.0) -> list[bool]:
    """Which of the PRIVMSG are said now."""
    playbacks = Playbacks(0.0)
    return [not playbacks.is_history(parse(text) or Line(""), str.lower, now) for text in texts]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([SAID], [True]),
        ([f"@batch=1 {SAID}", SAID], [False, True]),
        ([f"@batch {SAID}"], [False]),
        ([f"{ZNC} :Buffer Playback...", SAID, f"{ZNC} :Playback Complete.", SAID], [False, False, True, True]),
        ([f"{ZNC} :Buffer Playback...", SAID.replace("#x", "#y")], [False, True]),
        ([":***!u@h PRIVMSG #x :Buffer Playback...", SAID], [True, True]),
    ],
)
def test_history(lines: list[str], expected: list[bool]) -> None:
    """IRC-11: what comes in a batch of history, nested or not, or from a bouncer's buffer, was said before."""
    assert heard(*lines) == expected


def test_a_playback_without_an_end_mutes_nobody_for_long() -> None:
    """IRC-11: a minute after a bouncer began, what is said counts again."""
    playbacks = Playbacks(0.0)
    begin, said = parse(f"{ZNC} :Buffer Playback...") or Line(""), parse(SAID) or Line("")
    playbacks.is_history(begin, str.lower, 0.0)
    assert [playbacks.is_history(said, str.lower, now) for now in (1.0, 59.0, 60.0)] == [True, True, False]


async def test_only_what_is_said_now_is_answered() -> None:
    """IRC-11: history in batches, old times, playback, bots and the bot's own lines get no answer on the wire."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :server-time message-tags\r\n", b":s CAP * ACK :server-time message-tags\r\n")
        server.says(b"@time=2026-01-01T00:00:00.000Z :s 001 FUDice :hi\r\n:FUDice!u@h JOIN #x\r\n")
        await server.gets("^JOIN ")
        server.says(b"BATCH +1 chathistory #x\r\n", b"@batch=1 " + SAY + b"1\r\n", b"BATCH -1\r\n")
        server.says(b"@time=2025-12-31T23:59:59.000Z " + SAY + b"2\r\n", b"@bot " + SAY + b"3\r\n")
        server.says(b":***!znc@znc.in PRIVMSG #x :Buffer Playback...\r\n", SAY + b"4\r\n")
        server.says(b":***!znc@znc.in PRIVMSG #x :Playback Complete.\r\n", b":FUDice!u@h PRIVMSG #x :say 5\r\n")
        server.says(b"@time=2026-01-01T00:00:01.000Z " + SAY + b"6\r\n")
        assert await server.gets("^PRIVMSG") == "PRIVMSG #x :al: 6"

    await play(script)
