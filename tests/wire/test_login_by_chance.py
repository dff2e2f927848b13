"""Servers by chance: whatever one says while the bot comes in, nothing breaks, and no secret goes where it must not."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ircdice.config import Join
from ircdice.wire.protocol import Close, Effect, Send, Wake, parse

from .plays import QUICK, play
from .scripted import Scripted
from .transcript import session

NAMES = ("sasl", "sasl=PLAIN", "sasl=SCRAM-SHA-256,PLAIN", "batch", "account-tag", "sts=port=9", "sts=duration=5", "x")
COMMANDS = ("LS *", "LS", "LS * *", "ACK", "NAK", "NEW", "DEL", "LIST", "")
NUMERICS = tuple(str(number) for number in range(900, 909))
OTHERS = (
    *("001", "005", "376", "422", "433", "437", "470", "471", "473", "475", "303", "730", "731", "734", "354", "401"),
    *("421", "451", "JOIN", "PART", "KICK", "QUIT", "NICK", "MODE", "INVITE", "ACCOUNT", "NOTICE", "PING", "ERROR"),
)
WORDS = (
    "*",
    "FUDice",
    "FUDice_",
    "NickServ",
    "#x",
    "152",
    "MONITOR",
    "WHOX",
    "CASEMAPPING=ascii",
    "+r",
    "",
    ":a b",
    "0",
)
SOURCES = ("", ":s ", ":FUDice!u@h ", ":NickServ!s@s ", ":al!u@h ")

caps = st.builds(
    lambda verb, names: f"CAP * {verb} :{' '.join(names)}", st.sampled_from(COMMANDS), st.lists(st.sampled_from(NAMES))
)
challenges = st.one_of(
    st.sampled_from(("AUTHENTICATE +", "AUTHENTICATE", "AUTHENTICATE " + "A" * 400, "AUTHENTICATE !")),
    st.binary(max_size=60).map(lambda raw: f"AUTHENTICATE {base64.b64encode(raw).decode()}"),
)
others = st.builds(
    lambda source, command, words: f"{source}{command} {' '.join(words)}",
    st.sampled_from(SOURCES),
    st.sampled_from((*NUMERICS, *OTHERS)),
    st.lists(st.sampled_from(WORDS), max_size=5),
)
wakes = st.one_of(st.integers(0, 5).map("T {}".format), st.just("hurry"))  # the number of a pending one
CONFIGS = (
    {"sasl": ("plain",), "sasl_password": "hunter2", "password": "hunter3"},
    {"sasl": ("auto",), "sasl_password": "hunter2", "password": "hunter3", "sasl_required": False},
    {"sasl": ("scram-sha-256", "plain"), "sasl_password": "hunter2", "nickserv_password": "hunter4"},
)


@given(st.lists(st.one_of(caps, challenges, others, wakes), max_size=40), st.sampled_from(CONFIGS), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_server(lines: list[str], values: dict[str, object], tls: bool) -> None:
    """IRC-03, IRC-04, IRC-02: no line breaks the session; in the clear no PLAIN, and after STS nothing at all.

    What is sent is always one line, and the bot never answers without bounds.
    """
    one = session(tls=tls, channels=(Join("#x"),), **values)
    effects = list(one.login.open())
    for text in lines:
        parsed = parse(text)
        if text == "hurry":
            effects += one.woken(one.login.hurry)
        elif text.startswith("T "):
            pending = [effect for effect in effects if isinstance(effect, Wake)]
            if pending:
                effects += one.woken(pending[int(text[2:]) % len(pending)].action)
        elif parsed is not None:
            effects += one.receive(parsed, 0.0)
    sent = [effect.line for effect in effects if isinstance(effect, Send)]
    assert not any(sign in line for line in sent for sign in "\r\n\0")
    assert len(sent) < 10 * (len(lines) + 1)
    if not tls:
        assert base64.b64encode(b"FUDice\0FUDice\0hunter2").decode() not in " ".join(sent)
        assert "AUTHENTICATE PLAIN" not in sent
        assert_silent_after_sts(effects)
    assert sum(line == "CAP END" for line in sent) < 2
    assert sum(line.startswith("PASS") for line in sent) < 2


def assert_silent_after_sts(effects: list[Effect]) -> None:
    """Once TLS is asked for, nothing follows."""
    asked = [number for number, effect in enumerate(effects) if isinstance(effect, Close) and effect.tls_port]
    at = asked[0] if asked else len(effects)
    assert not [effect.line for effect in effects[at:] if isinstance(effect, Send)]


def test_hopeless_is_the_end() -> None:
    """IRC-04: after the bot has given up no word of the login follows."""
    one = session(tls=True, sasl=("plain",), sasl_password="x")
    lines = ["CAP * LS :", "CAP * LS :sasl", "CAP * NEW :sasl", "CAP * ACK :sasl", "AUTHENTICATE +"]
    effects = [effect for text in lines for effect in one.receive(parse(text) or pytest.fail("no line"), 0.0)]
    at = next(number for number, effect in enumerate(effects) if isinstance(effect, Close))
    assert not [effect for effect in effects[at:] if isinstance(effect, Send)]


MOMENTS = {  # what the server says, and what the bot then sends
    "": "^CAP LS 302",
    "CAP * LS :sasl batch": "^CAP REQ ",
    "CAP * ACK :batch sasl": "^AUTHENTICATE PLAIN",
    "AUTHENTICATE +": "^AUTHENTICATE ",
    ":s 903 * :ok": "^CAP END",
    ":s 001 FUDice :hi": "^JOIN ",
}


@pytest.mark.parametrize("moment", range(len(MOMENTS)))
@pytest.mark.parametrize("farewell", [b"ERROR :Closing link\r\n", b""])
async def test_the_end_at_each_moment(moment: int, farewell: bytes) -> None:
    """IRC-03, IRC-06: an ERROR, or the line cut, at any moment of registration: the bot comes again, and comes in."""

    async def cuts(server: Scripted) -> None:
        for line, answer in list(MOMENTS.items())[: moment + 1]:
            server.says(line.encode() + b"\r\n")
            await server.gets(answer)
        server.says(farewell)
        await server.hangs_up()

    async def speaks(server: Scripted) -> None:
        for line, answer in MOMENTS.items():
            server.says(line.encode() + b"\r\n")
            await server.gets(answer)

    values = {"sasl": ("plain",), "sasl_password": "x", "sasl_plain_without_tls": True}
    await play(cuts, speaks, timeouts=QUICK, **values)
