"""What is sealed is kept in every ledger, works after any time, and stands in no log whatever goes wrong."""

import asyncio
import contextlib
import logging

import sqlalchemy as sa

from ircdice.bot import Bot, Message, OwnChance
from ircdice.dice import ScriptedDice
from ircdice.durations import DAY
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import Sealed
from ircdice.settings import ChannelSettings

from .drafts import opened, roll


class Room(OwnChance):
    """A bot on a ledger, made anew for every line: what it knows of earlier ones it has from there."""

    def __init__(self, ledger, clock):
        self.ledger, self.clock, self.faces = ledger, clock, ()

    def channel(self, _network, _channel, _casemapping=""):
        return ChannelSettings(official=True)

    def begin(self, _network, _place):
        return ScriptedDice(self.faces)

    async def say(self, nick, text, *faces, private=False):
        """The first reply to one line; sam is the storyteller."""
        self.faces = faces
        bot = Bot(self.ledger, self, self, self.clock)
        message = Message("net", None if private else "#fu", nick, text, storyteller=nick == "sam")
        return (await bot.hear(message))[0].text

    async def much_later(self):
        """Three days, and more rolls than a table is told of."""
        await asyncio.gather(*(self.ledger.append(roll()) for _ in range(210)))
        self.clock.now += 3 * DAY


async def test_dsk_07_a_secret_outlasts_the_day(ledger, clock):
    """DSK-07, FW-10, GEN-09: a difficulty waits for days and restarts, and so does its reveal, reroll and all."""
    room = Room(ledger, clock)
    sealed = await room.say("sam", "difficulty 3 for bob in #fu", private=True)
    await room.much_later()
    first = await room.say("bob", "roll 5d10 h2", 9, 8, 3, 1, 2)
    assert first.startswith("bob: Bestial failure, 2 successes; 9 8 3, hunger 1 2; difficulty secret; 5d10 h2; id ")
    await room.say("bob", "wp", 7)
    await room.much_later()
    told = await room.say("sam", f"reveal #{sealed.split()[-1]}")
    assert "; bob: Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; 9 8 7, hunger 1 2" in told


async def test_led_17_a_secret_roll_outlasts_the_day(ledger, clock):
    """LED-17, DSK-07: its faces are nowhere but in what is sealed."""
    room = Room(ledger, clock)
    sealed = await room.say("sam", "secret roll 2d10 h0 in #fu", 9, 4, private=True)
    await room.much_later()
    assert 'sealed "roll 2d10 h0; d10 9 4" salt ' in await room.say("sam", f"reveal #{sealed.split()[-1]}")


async def test_fw_10_no_log_quotes_what_could_not_be_recorded(url, clock, caplog):
    """FW-10, LED-17: a database that refuses a record is complained of without what should have been sealed."""
    caplog.set_level(logging.DEBUG)
    ledger = opened(url, clock, wait=0.3)
    await ledger.append(roll())
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE records RENAME COLUMN sealed_text TO gone"))
    draft = roll(text="difficulty for bob", kind="seal", draws=(), line="", sealed=Sealed("777", b"\x77" * 16))
    with contextlib.suppress(LedgerUnavailable, sa.exc.DBAPIError):
        await ledger.append(draft)
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE records RENAME COLUMN gone TO sealed_text"))
    await asyncio.sleep(0)
    await ledger.close()
    engine.dispose()
    assert "sealed_text" in caplog.text
    assert "777" not in caplog.text
    assert "wwww" not in caplog.text
