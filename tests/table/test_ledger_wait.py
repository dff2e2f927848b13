"""How long a command waits for the record (LED-05): from when it was said, and not from when its turn came."""

import asyncio

from playing import CHANNEL, Table

from ircdice.bot import Message
from ircdice.dice import RecordingDice, SystemDice
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import NOTHING_SEEN, MemoryLedger

WAIT = 0.2  # s


class Away(MemoryLedger):
    """A ledger that is out of reach until it is `back`."""

    out_of_reach = WAIT

    async def append_all(self, drafts, seen=NOTHING_SEEN):
        while self.out_of_reach is not None:
            await asyncio.sleep(0.01)
        return await super().append_all(drafts, seen)

    def back(self):
        self.out_of_reach = None


def test_led_05_who_queued_for_another_reason_is_not_refused():
    """LED-05, IRC-22: if the ledger is in reach, it does not matter how long ago the line was typed."""
    table = Table(twice_seconds=0)
    (answer,) = answers(table, "roll 1d10 h0", heard=60.0)
    assert answer.error is None


def answers(table, *texts, heard=0.0):
    """What the bot says to these, which one person says at once."""

    async def scene():
        table.dice = RecordingDice(SystemDice())
        at = asyncio.get_running_loop().time() - heard
        messages = [Message("net", CHANNEL, "alice", text, heard_at=at) for text in texts]
        return await asyncio.gather(*map(table.bot.answer, messages))

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


class Unread(MemoryLedger):
    """A ledger that is out of reach when a channel is first needed."""

    async def of_channel(self, network, channel, since=0):
        raise LedgerUnavailable


def test_led_05_what_is_probably_talk_is_not_answered():
    """LED-05, GEN-10: a word that only what just happened makes a command is talk where that cannot be read."""
    table = Table(twice_seconds=0)
    table.ledger = Unread(lambda: table.now, key=b"\x11" * 32)
    table.restart()
    talk, roll = answers(table, "wp", "roll 1d10 h0")
    assert talk.replies == ()
    assert str(roll.error) == "the record is out of reach."


def test_led_05_what_needs_no_record_is_answered():
    """LED-05: whoever asks for help while the record is away gets it, however long ago they asked."""
    table = Table()
    table.ledger = Away(lambda: table.now, key=b"\x11" * 32)
    table.restart()
    (answer,) = answers(table, "!help roll", heard=60.0)
    assert answer.error is None
