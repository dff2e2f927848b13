"""Two bots on one PostgreSQL that change what the same player keeps, at the same time."""

import pytest

from . import kept
from .bots import BotProcess
from .players import begun, crowd, until
from .test_two_bots import WAIT, one_ledger, two

__all__ = ["two"]
pytestmark = pytest.mark.slow
CHANGES = 10  # in each channel


@pytest.mark.timeout(600)
async def test_dsk_02_two_bots_change_one_tracker_at_the_same_time(two, tmp_path):
    """DSK-02, DSK-03: no change is lost, none counts twice, and a roll is drawn once however often it is worked out."""
    url, one, two_ = two
    for bot in (one, two_):  # here nothing is to be refused
        bot.config.write_text(bot.config.read_text().replace(f"ledger_wait = {WAIT}\n", "ledger_wait = 60\n"))
    channels = [channel for bot in (one, two_) for channel in bot.channels]
    async with crowd(one, two_, nicks=("hal",)) as people:
        await begun(people, one)
        await begun(people, two_)
        hal, witness = people.people[1], people.witness

        def said(text):
            return sum(line.count(text) for line in witness.seen)  # answers may share a line

        for channel in channels:
            hal.say(channel, "!play Viktor")
        await until(lambda: said("hal: plays Viktor") == len(channels), "both know Viktor")
        hal.say(channels[0], "!track steps 0", "!track hunger 0")
        await until(lambda: said("Viktor: hunger 0"), "both numbers are kept")
        for channel in channels:
            hal.say(channel, *["!steps +1", "rouse"] * CHANGES)
        await until(lambda: said("Viktor: steps ") == 1 + CHANGES * len(channels), "every step is told")
        await until(lambda: said("; rouse ") == CHANGES * len(channels), "every rouse is told")
        assert [bot.stop() for bot in (one, two_)] == [0, 0]
    records = [record.draft for record in await kept.records(url)]
    steps = [draft.text for draft in records if draft.text.startswith("track steps")]
    assert steps == ["track steps 0", *(f"track steps {n} from {n - 1}" for n in range(1, 1 + len(steps) - 1))]
    assert len(steps) == 1 + CHANGES * len(channels)
    hunger = [int(draft.text.split()[2]) for draft in records if draft.text.startswith("track hunger")]
    failed = sum(draft.draws[0][1] < 6 for draft in records if draft.text == "rouse")
    assert hunger == list(range(min(failed, 5) + 1))
    reader = BotProcess(tmp_path / "third", 1, ("#none",), "Three", one_ledger(url, tmp_path))
    code, report = reader.command("ledger", "check")
    assert code == 0, report
