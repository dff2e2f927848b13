"""Every field that anybody can fill, filled with what breaks lines, commands other bots, or misleads readers."""

from __future__ import annotations

import asyncio
import logging
import re
import string
from pathlib import Path

import pytest

from ircdice.log import Formatter
from ircdice.wire.network import Networks
from ircdice.wire.protocol import scrub

from .bots import UNLIMITED, config, network, whole
from .scripted import Scripted, scripted

HOSTILE = (
    *(
        "\rQUIT :pwned",
        "\nQUIT :pwned",
        "\x00",
        "\x01VERSION\x01",
        "\x10rQUIT :1",
        "\x10nQUIT :2",
        "\x02bold",
        "\x034,5x",
    ),
    *("\u202eevil", "\u2066evil", "\u200f", "\u2028QUIT :3", "\x85QUIT :4", "\x7f", "!quit", "otherbot: quit", ";drop"),
    "\x1b[2J",
)
# Where a field stands in a line: the bot's own words, its neighbours' names, and what it never asked for.
LINES = {
    "comment": ":al!u@h PRIVMSG #x :roll 5d10 h2 dc3 # {}",
    "comment alone": ":al!u@h PRIVMSG #x :roll 5d10 {}",
    "text": ":al!u@h PRIVMSG #x :roll {}",
    "private": ":al!u@h PRIVMSG FUDice :roll 1d10 # {}",
    "called": ":al!u@h PRIVMSG #x :FUDice: rol {}",
    "nick": ":a{}l!u@h PRIVMSG #x :roll 1d10 h0",
    "whole nick": ":{}!u@h PRIVMSG FUDice :roll 1d10 h0",
    "nick in a channel": ":{}!u@h PRIVMSG #x :roll 1d10 h0",
    "user": ":al!{}@h PRIVMSG #x :roll 1d10 h0",
    "account": "@account={} :al!u@h PRIVMSG #x :roll 1d10 h0",
    "opponent": ":al!u@h PRIVMSG #x :roll 1d10 h0 vs @{}",
    "relay": ":discord!u@bridge PRIVMSG #x :<{}> roll 1d10 h0",
    "help": ":al!u@h PRIVMSG #x :help {}",
    "ctcp": ":al!u@h PRIVMSG FUDice :\x01PING {}\x01",
    "topic": ":al!u@h TOPIC #x :{}",
    "quit": ":bo!u@h QUIT :{}",
    "part": ":bo!u@h PART #x :{}",
    "kick": ":bo!u@h KICK #x al :{}",
    "kicked": ":bo!u@h KICK #{} FUDice :{}",
    "error": "ERROR :{}",
    "refusal": ":s 474 FUDice #{} :{}",
    "forward": ":s 470 FUDice #x #{} :{}",
    "new nick": ":bo!u@h NICK :{}",
    "ping": "PING :{}",
    "invite": ":al!u@h INVITE FUDice :{}",
    "numeric": ":s 433 * {} :{}",
}
OURS = re.compile(r"(PRIVMSG|NOTICE) [^ :,\x00-\x20][^ ,]* :(?P<text>.*)|PONG :.*|PING :ircdice-[0-9]+|JOIN #[^ ,]+")


class Kept(logging.Handler):
    """The log, as both of its forms have it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += [Formatter(as_json=as_json).format(record) for as_json in (False, True)]


@pytest.mark.parametrize("field", LINES)
async def test_nothing_of_theirs_is_ours(field: str, tmp_path: Path) -> None:
    """IRC-21, IRC-26: no line of theirs on the wire, no reply that another bot obeys, nothing that breaks the log."""
    kept = Kept()
    logger = logging.getLogger("ircdice")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(kept)

    async def script(server: Scripted) -> None:
        await server.lets_in()
        start = len(server.got)
        for hostile in HOSTILE:
            server.says(LINES[field].format(hostile, hostile).encode() + b"\r\n")
        server.says(b":zz!u@h PRIVMSG #x :odds 1d10 h0\r\n")
        await server.gets("PRIVMSG #x :(zz: |odds)")
        server.says(b":al!u@h PRIVMSG FUDice :odds 1d10 h0\r\n")
        await server.gets("PRIVMSG al :odds")
        said.extend(server.got[start:])

    said: list[str] = []
    try:
        async with scripted(script) as (port, done):
            made = config(network(port, "#x", flood_burst=1000, relays=("*!*@bridge",)), limits=UNLIMITED)
            async with whole(made, tmp_path) as bot:
                fleet = Networks(made, bot)
                task = asyncio.create_task(fleet.run())
                await asyncio.wait_for(done, 60)
                await fleet.leave()
                await asyncio.wait_for(task, 60)
    finally:
        logger.removeHandler(kept)
    for line in said:
        ours = OURS.fullmatch(line)
        assert ours, line
        text = ours["text"]
        if text is not None and not text.startswith("\x01"):
            assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text), line
            assert text[:1] not in set(string.punctuation) - set("\"'("), line
    assert kept.lines
    assert not [line for line in kept.lines if not line.isprintable()], (
        "a log line is one line, and shows what it holds"
    )


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_last_door(hostile: str) -> None:
    """IRC-21: whatever comes to be said, what reaches the wire is one line without controls or marks of direction."""
    text = scrub(f"a{hostile}b")
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]", text)
