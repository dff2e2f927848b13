"""How long a command waits for the record (LED-05): from when it was said, and not from when its turn came."""

import asyncio

import pytest
from playing import CHANNEL, Table

from ircdice.bot import Message
from ircdice.bot.message import heard_at
from ircdice.bot.patience import in_time
from ircdice.dice import RecordingDice, SystemDice
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import MemoryLedger

WAIT = 0.2  # s


class Away(MemoryLedger):
    """A ledger that is out of reach until it is `back`."""

    out_of_reach = WAIT

    async def append(self, draft):
        while self.out_of_reach is not None:
            await asyncio.sleep(0.01)
        return await super().append(draft)

    def back(self):
        self.out_of_reach = None


async def waited(ledger, heard):
    """How long something that never comes is waited for, heard so many seconds ago."""
    clock = asyncio.get_running_loop().time
    start = clock()
    heard_at.set(start - heard)
    with pytest.raises(LedgerUnavailable):
        await in_time(ledger, asyncio.Event().wait)
    return clock() - start


@pytest.mark.parametrize(("heard", "rest"), [(0.0, WAIT), (0.15, WAIT - 0.15), (60.0, 0.0)])
async def test_led_05_what_was_waited_in_line_counts(heard, rest):
    """LED-05: only the rest of the time is waited for the record itself."""
    assert rest - 0.01 <= await waited(Away(lambda: 0), heard) < rest + 0.15


async def test_led_05_who_stood_in_line_for_another_reason_is_not_refused():
    """LED-05, IRC-22: where the record is in reach it is no matter how long ago it was said."""
    ledger = Away(lambda: 0)
    ledger.back()
    heard_at.set(asyncio.get_running_loop().time() - 60)
    assert await in_time(ledger, lambda: asyncio.sleep(2 * WAIT, "done")) == "done"


def answers(table, *texts, heard=0.0):
    """What the bot says to these, which one person says at once."""

    async def scene():
        table.dice = RecordingDice(SystemDice())
        heard_at.set(asyncio.get_running_loop().time() - heard)
        return await asyncio.gather(*(table.bot.answer(Message("net", CHANNEL, "alice", text)) for text in texts))

    return asyncio.run(scene())


def test_led_05_several_at_once_are_told_at_once():
    """LED-05: each waits its time beside the others, the next number is the same, and what is rolled is rolled then."""
    table = Table(twice_seconds=0)
    table.ledger = Away(lambda: table.now, key=b"\x11" * 32)
    table.restart()
    told = answers(table, "roll 1d10 h0", "roll 2d10 h0", "roll 3d10 h0", heard=WAIT)
    assert [str(answer.error) for answer in told] == ["the record is out of reach."] * 3
    assert table.records == []
    table.ledger.back()
    assert table.say("alice", "roll 1d10 h0", (7,)).record.seq == 1


def test_led_05_what_needs_no_record_is_answered():
    """LED-05: whoever asks for help while the record is away gets it, however long ago they asked."""
    table = Table()
    table.ledger = Away(lambda: table.now, key=b"\x11" * 32)
    table.restart()
    (answer,) = answers(table, "!help roll", heard=60.0)
    assert answer.error is None
