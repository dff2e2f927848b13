"""A bot that has just come into its channels, while what a roll needs is still being loaded."""

import pytest

from ircdice.bot import Message
from ircdice.cli.coming import Coming
from ircdice.cli.configured import loaded
from ircdice.cli.kept import kept, ready_bot
from ircdice.errors import LedgerUnavailable

from .bots import BotProcess
from .players import begun, crowd, rolled

CHANNEL = "#soon"


@pytest.fixture
def bot(tmp_path):
    return BotProcess(tmp_path / "bot", 1, (CHANNEL,))


async def test_the_first_line_behind_the_join_is_answered(ngircd_unlimited, tmp_path):
    """IRC-15: a command that is said before the games are loaded waits for them, and is not lost."""
    with BotProcess(tmp_path / "bot", ngircd_unlimited.port, (CHANNEL,), "Soon") as bot:
        async with crowd(bot, nicks=("ann",)) as people:
            await begun(people, bot)
            line, _ = await rolled(people, CHANNEL, "roll 5d10 h2 dc3")
            assert line.startswith("ann: ")


async def test_gen_06_a_contest_of_an_earlier_run_lapses_though_nobody_speaks(bot):
    """GEN-06, GEN-09: what the ledger still has open is at hand once the bot is there."""
    config = loaded(bot.config)
    async with kept(config) as notary:
        first = await ready_bot(notary, config)
        opened = await first.answer(Message("net", CHANNEL, "ann", "roll 6d10 h2 vs @bob"))
        assert opened.record
    async with kept(config) as notary:
        coming = Coming(notary, config)
        notary.clock.reach(notary.clock() + 16 * 60_000)
        told = await coming.due()
    assert any(reply.text.startswith("ann vs bob: lapsed, not answered;") for reply in told), told


async def test_led_06_what_an_earlier_run_did_not_say_is_owed(bot):
    """LED-06: a line that was recorded and is not known to be out is posted after the next join."""
    config = loaded(bot.config)
    async with kept(config) as notary:
        assert await Coming(notary, config).owed(["net"]) == []
        first = await ready_bot(notary, config)
        rolls = [await first.answer(Message("net", CHANNEL, "ann", f"roll {n}d10 h2")) for n in (5, 6)]
        first.delivered(rolls[0].replies[0])
    async with kept(config) as notary:
        owed = await Coming(notary, config).owed(["net"])
    assert [reply for reply, _ in owed] == [rolls[1].replies[0]]


async def test_led_05_what_is_open_is_looked_up_when_the_ledger_is_there_again(bot, monkeypatch, caplog):
    """LED-05, GEN-06: until then nothing falls due, and that is a word in the log and no traceback each second."""
    config = loaded(bot.config)
    async with kept(config) as notary:
        coming = Coming(notary, config)

        async def places(_since):
            raise LedgerUnavailable

        with monkeypatch.context() as away:
            away.setattr(notary, "places", places)
            assert await coming.due() == ()
        assert [record.exc_info for record in caplog.records if "out of reach" in record.message] == [None]
        assert await coming.due() == ()
        assert coming._resumed
