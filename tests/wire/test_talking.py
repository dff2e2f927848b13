"""Hearing and answering, on real servers with a real client."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest

from ircdice.bot.message import Message, Reply
from ircdice.config import Limits

from .bots import Echo, Log
from .client import Person
from .servers import Server
from .tables import on_both, table


@on_both
async def test_answers_in_the_channel_and_in_private(server: Server) -> None:
    """IRC-20: replies go where the command came from; side words come as NOTICE."""
    async with table(server) as seats:
        alice, bot, nick = seats.alice, seats.bot, seats.alice.nick
        alice.say(seats.room, "talk", "say one", "psst two")
        await alice.sees(f":{bot}!\\S+ PRIVMSG {seats.room} :{nick}: one$")
        await alice.sees(f":{bot}!\\S+ NOTICE {nick} :two$")
        alice.say(bot, "say three", "psst four")
        await alice.sees(f":{bot}!\\S+ PRIVMSG {nick} :{nick}: three$")
        await alice.sees(f":{bot}!\\S+ PRIVMSG {nick} :four$")


async def test_irc_03_a_label_comes_back(inspircd: Server, caplog: pytest.LogCaptureFixture) -> None:
    """IRC-03: the echo of a reply names the line that it echoes."""
    with Log() as log:
        caplog.set_level(logging.DEBUG, "ircdice.wire")
        async with table(inspircd) as seats:
            seats.alice.say(seats.room, "say one", "say two")
            for label, text in enumerate(("one", "two"), 1):
                await log.says(rf"in: '@\S*label={label}\S* :{seats.bot}!\S+ PRIVMSG {seats.room} :alice\d+: {text}'")


@on_both
async def test_notice_where_the_channel_wants_it(server: Server) -> None:
    """IRC-20, IRC-21: `notice = yes` answers by NOTICE, `no_highlight = yes` breaks the nick."""
    async with table(server, settings={"notice": True, "no_highlight": True}) as seats:
        seats.alice.say(seats.room, "say quietly")
        await seats.alice.sees(f":{seats.bot}!\\S+ NOTICE {seats.room} :a\u200blice[0-9]+: quietly$")


@pytest.mark.parametrize(("fixture", "answered"), [("inspircd", True), ("inspircd_ascii", False)])
async def test_casemapping(request: pytest.FixtureRequest, fixture: str, answered: bool) -> None:
    """IRC-09: nicks and channels are compared as the server compares them."""
    server: Server = request.getfixturevalue(fixture)
    async with table(server, suffix="[x]") as seats:
        folded = seats.room.replace("[", "{").replace("]", "}")
        seats.alice.say(folded, "say folded")
        seats.alice.say(seats.room.upper(), "say loud")
        await seats.alice.sees(": loud$")
        assert any(line.endswith(": folded") for line in seats.alice.seen) is answered
    assert {message.channel for message in seats.hearer.heard} == {seats.room}
    assert {message.casemapping for message in seats.hearer.heard} == {"rfc1459" if answered else "ascii"}


async def test_user_limit(ngircd_unlimited: Server) -> None:
    """IRC-15: some commands at once, then one private word, then silence; talk is neither counted nor warned of."""
    async with (
        table(ngircd_unlimited, limits=Limits(user_burst=3, user_interval=60.0), flood_burst=9) as seats,
        Person("bobby") as bob,
    ):
        alice, room = seats.alice, seats.room
        await bob.connect(ngircd_unlimited.port, room)
        alice.say(room, *["talk"] * 4, "say 0", "say 1", "say 2", *["talk"] * 4)
        await alice.sees(": 2$")
        await alice.sees_not("too many commands")
        alice.say(room, "say 3", "say 4")
        await alice.sees(f"NOTICE {alice.nick} :Not rolled: too many commands")
        bob.say(room, "say bob")
        await alice.sees(": bob$")
    said = [line for line in alice.seen if f"PRIVMSG {room} :{alice.nick}:" in line]
    assert [line.split()[-1] for line in said] == [str(number) for number in range(3)]
    assert sum("too many commands" in line for line in alice.seen) == 1


async def test_channel_limit(ngircd_unlimited: Server) -> None:
    """IRC-15: when a channel has had its share each who asks for more is told once, and whoever talks is not."""
    limits = Limits(channel_burst=2, channel_interval=60.0)
    async with (
        table(ngircd_unlimited, limits=limits, flood_burst=9) as seats,
        Person("chan1") as bob,
        Person("chan2") as carol,
    ):
        people = (seats.alice, bob, carol)
        await asyncio.gather(*(person.connect(ngircd_unlimited.port, seats.room) for person in (bob, carol)))
        seats.alice.say(seats.room, "say 1", "say 2")
        await carol.sees(": 2$")
        carol.say(seats.room, "what a day")
        for person in (seats.alice, bob):
            person.say(seats.room, "say 3", "say 4")
            await person.sees(f"NOTICE {person.nick} :Not rolled: too many commands")
        for person in people:
            person.send("WHOIS " + person.nick)
            await person.sees(" 318 ")
    told = {person.nick: sum("too many commands" in line for line in person.seen) for person in people}
    assert told == {seats.alice.nick: 1, "chan1": 1, "chan2": 0}
    assert seats.texts() == ["say 1", "say 2"]


@on_both
async def test_injection(server: Server) -> None:
    """IRC-21: nothing that a person says becomes a second line of the bot's, or a CTCP, or a control character."""
    async with table(server, flood_burst=20) as seats:
        texts = ("say \x10rQUIT :1", "say a\x10nQUIT :2", "psst \x10rQUIT :3", "say \x01VERSION\x01", "say \x02bold")
        seats.alice.say(seats.room, *texts, "say still here")
        await seats.alice.sees(": still here$")
        lines = [line for line in seats.alice.seen if f":{seats.bot}!" in line]
        assert not any(re.search("[\x00-\x1f]| QUIT :", line.partition("JOIN")[0]) for line in lines)


@on_both
async def test_ctcp(server: Server) -> None:
    """IRC-11: VERSION, PING and TIME are answered by NOTICE; neither ACTION nor NOTICE is ever a command."""
    async with table(server) as seats:
        alice, nick = seats.alice, seats.alice.nick
        alice.say(seats.bot, "\x01VERSION\x01", "\x01PING 12\x10r3\x01", "\x01TIME\x01", "\x01ACTION say no\x01")
        await alice.sees(f"NOTICE {nick} :\x01VERSION ircdice [0-9.]+\x01$")
        await alice.sees(f"NOTICE {nick} :\x01PING 12r3\x01$")
        await alice.sees(f"NOTICE {nick} :\x01TIME \\S+Z\x01$")
        alice.send(f"NOTICE {seats.room} :say no", f"NOTICE {seats.bot} :say no")
        alice.say(seats.room, "\x01ACTION say no\x01", "say yes")
        await alice.sees(": yes$")
    assert seats.texts() == ["say yes"]


@on_both
async def test_a_defect_in_the_bot_costs_one_answer(server: Server) -> None:
    """IRC-10: no exception in a handler ends the connection."""
    async with table(server) as seats:
        seats.alice.say(seats.room, "crash", "say on")
        await seats.alice.sees(": on$")


@on_both
async def test_bytes_of_every_kind(server: Server) -> None:
    """IRC-10: Latin-1, half a character and every byte value reach the bot as text, CTCP's left out."""
    async with table(server) as seats:
        head = f"PRIVMSG {seats.room} :".encode()
        seats.alice.send(head + b"hm caf\xe9", head + b"hm half \xe2\x82")
        seats.alice.send(head + b"hm " + bytes(set(range(1, 256)) - {10, 13}))
        seats.alice.say(seats.room, "say whole")
        await seats.alice.sees(": whole$")
    every = "".join(map(chr, sorted(set(range(2, 256)) - {10, 13})))
    assert seats.texts() == ["hm café", "hm half â\x82", f"hm {every}", "say whole"]


class Long(Echo):
    """Has much to say."""

    def commands_in(self, message: Message) -> bool:
        return True

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        return (Reply(message.network, message.channel or message.nick, "x: " + "wörter über wörter " * 60),)


@on_both
async def test_long_reply_is_split(server: Server) -> None:
    """IRC-20: no line passes the server's limit with the prefix in front; the cut is at a space, in four lines."""
    async with table(server, hearer=Long()) as seats:
        seats.alice.say(seats.room, "go")
        pieces = [await seats.alice.sees(f":{seats.bot}!\\S+ PRIVMSG {seats.room} :") for _ in range(3)]
        await seats.alice.sees_not(f":{seats.bot}!\\S+ PRIVMSG")
    assert all(450 < len(piece.encode()) <= 510 for piece in pieces[:-1])
    assert all(set(piece.split(" :", 1)[1].split()) <= {"x:", "wörter", "über"} for piece in pieces)


@on_both
async def test_operator_is_storyteller_where_the_channel_says_so(server: Server) -> None:
    """IRC-14: rank counts by config, and a rank that was taken counts no more."""
    async with table(server, alice_first=True, settings={"ops_are_storytellers": True}) as seats, Person("rank") as bob:
        alice, room = seats.alice, seats.room
        await bob.connect(server.port, room)
        alice.say(room, "say op")
        await bob.sees(": op$")
        for sign, text in (("", "not op"), ("+", "now op"), ("-", "no more")):
            if sign:
                alice.send(f"MODE {room} {sign}o rank")
                await bob.sees(f"MODE {room} \\{sign}o")
            bob.say(room, f"say {text}")
            await alice.sees(f"PRIVMSG {room} :rank: {text}$")
    heard = {message.text: message.storyteller for message in seats.hearer.heard}
    assert heard == {"say op": True, "say not op": False, "say now op": True, "say no more": False}
