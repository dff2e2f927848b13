"""Secrets on real servers: told in private, with the rights of the channel that is named, and logged nowhere."""

from __future__ import annotations

import logging
import re

import pytest

from ircdice.bot import Bot, Randomness
from ircdice.bot.message import Message, Reply
from ircdice.clock import milliseconds
from ircdice.dice import SystemDice
from ircdice.ledger import MemoryLedger
from ircdice.settings import ChannelSettings

from .bots import Echo
from .client import Person
from .servers import Server
from .tables import on_both, table

NUMBER = re.compile(r"(?<![0-9][.])\b777\b")  # in an id, a time or a duration it is there by chance


class Real(Echo, Randomness):
    """The bot itself, in channels where Fayrewood is played."""

    def __init__(self) -> None:
        super().__init__()
        self.bot = Bot(MemoryLedger(milliseconds), self, self, milliseconds)

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        return ChannelSettings(official=True, system="fayrewood")

    def begin(self, _network: str, _place: str) -> SystemDice:
        return SystemDice()

    def commands_in(self, message: Message) -> bool:
        return self.bot.commands_in(message)

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        return await self.bot.hear(message)


@on_both
async def test_dsk_07_a_secret_from_end_to_end(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """DSK-07, FW-10, IRC-14: an operator says it in private, in whatever case; a player cannot, in no place else."""
    caplog.set_level(logging.DEBUG)
    settings = {"ops_are_storytellers": True}
    async with (
        table(server, alice_first=True, hearer=Real(), settings=settings, flood_burst=20) as seats,
        Person("pl") as bob,
    ):
        alice, room, bot = seats.alice, seats.room, seats.bot
        await bob.connect(server.port, room)
        bob.say(bot, f"difficulty 777 for pl in {room}")
        await bob.sees(f"Only a storyteller of {room} may set")
        alice.say(bot, "difficulty 777 for pl in #elsewhere")
        await alice.sees("ou and I are not both in #elsewhere\\.")
        alice.say(bot, f"difficulty 777 for PL in {room.upper()}")
        answer = await alice.sees(f":{bot}!\\S+ (PRIVMSG|NOTICE) {alice.nick} :a secret difficulty waits for PL")
        alice.say(bot, f"secret toss d4 in {room}")
        await bob.sees(f":{bot}!\\S+ PRIVMSG {room} :{alice.nick}: the storyteller rolls in secret; id ")
        await alice.sees(f":{bot}!\\S+ (PRIVMSG|NOTICE) {alice.nick} :for you alone, #.: {alice.nick}: Total ")
        bob.say(room, "toss d4")
        await bob.sees(f":{bot}!\\S+ PRIVMSG {room} :pl: Fail; ([1-4]) from \\1; difficulty secret; d4; id ")
        await alice.sees(f":{bot}!\\S+ NOTICE {alice.nick} :for you alone, #.: pl: Fail, . vs 777")
        bob.say(room, "!blind toss d4")
        await bob.sees(f":{bot}!\\S+ PRIVMSG {room} :pl: rolls blind, for the storyteller; d4; id ")
        await alice.sees(f":{bot}!\\S+ NOTICE {alice.nick} :for you alone, #.: pl: Total ")
        assert not [line for line in bob.seen if NUMBER.search(line) or "alone" in line]
        alice.say(room, f"reveal #{answer.rpartition(' ')[2].partition('-')[0]}")
        await bob.sees(f":{bot}!\\S+ PRIVMSG {room} :{alice.nick}: #. is revealed, difficulty 777 for PL; pl: Fail, ")
    messages = [record.getMessage() for record in caplog.records]
    logged = "\n".join(filter(NUMBER.search, messages))
    assert "is revealed" in logged
    assert not [line for line in logged.splitlines() if "is revealed" not in line]


@on_both
async def test_gen_06_a_nick_that_nobody_bears(server: Server) -> None:
    """GEN-06: a contest with nobody waits, and who opened it is told; a nick that came, or changed, is known."""
    async with table(server, alice_first=True, hearer=Real(), flood_burst=20) as seats, Person("eva") as eva:
        alice, room = seats.alice, seats.room

        async def opens(nick: str, *, absent: bool) -> None:
            alice.say(room, f"toss d8 vs @{nick}")
            waits = await alice.sees(f"PRIVMSG {room} :{alice.nick} vs {nick}: .* id ")
            ref = waits.rpartition(" ")[2].partition("-")[0]
            if absent:
                await alice.sees(f'NOTICE {alice.nick} :nobody called {nick} is in {room} now: .*"withdraw #{ref}"')
            alice.say(room, f"withdraw #{ref}")
            await alice.sees(f"PRIVMSG {room} :{alice.nick} vs {nick}: withdrawn")

        await opens("EVA", absent=True)
        await eva.connect(server.port, room)
        await opens("EVA", absent=False)
        await opens("eav", absent=True)
        eva.send("NICK evan")
        await alice.sees(":eva!\\S+ NICK :?evan")
        await opens("evan", absent=False)
        await opens("eva", absent=True)
        eva.send(f"PART {room}")
        await alice.sees(f":evan!\\S+ PART :?{room}")
        await opens("evan", absent=True)
        told = [line for line in alice.seen if "nobody called" in line]
        assert len(told) == 4
