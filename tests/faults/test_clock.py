"""The machine's clock set back by an hour under the whole bot, and back again: libfaketime stands in for it."""

import re
from pathlib import Path

import pytest

from . import kept
from .bots import BotProcess
from .players import begun, crowd, until

pytestmark = pytest.mark.slow

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
CHANNEL = "#clock"
ANN, BOB = 1, 2  # behind the witness


class Machine:
    """The machine that the bot runs on: its clock is `seconds` off."""

    def __init__(self, folder):
        self._file = folder / "off"
        self.is_off(0)
        self.environ = {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # or Python's threads wait for ever
        }

    def is_off(self, seconds):
        new = self._file.with_name("new")
        new.write_text(f"{seconds:+}")
        new.replace(self._file)


async def posts(people, person, text, pattern):
    """Say a command, and wait for another line like that; its id."""

    def like_that():
        return [id_ for line, id_ in people.rolls() if re.search(pattern, line)]

    before = len(like_that())
    people.people[person].say(CHANNEL, text)
    await until(lambda: len(like_that()) > before, f"{text} is answered")
    return like_that()[-1]


@pytest.mark.timeout(600)
async def test_led_02_the_clock_is_set_back_an_hour(ngircd_unlimited, tmp_path):
    """LED-02, GEN-06, V5-14: time does not go back, order stays; what waited for an answer or Willpower still does."""
    if LIBRARY is None:
        pytest.fail("this test needs the Debian package faketime: apt-get install -y faketime")
    machine = Machine(tmp_path)
    with BotProcess(tmp_path / "bot", ngircd_unlimited.port, (CHANNEL,), "Clocked", environ=machine.environ) as bot:
        async with crowd(bot, nicks=("ann", "bob")) as people:
            await begun(people, bot)
            first = await posts(people, ANN, "roll 40d10 h0 dc3", "^ann: ")
            await posts(people, ANN, "roll 6d10 h0 vs @bob", "^ann vs bob: .*within")
            machine.is_off(-3600)
            await posts(people, BOB, "roll 5d10 h0", "^ann vs bob: .* wins")
            await posts(people, ANN, f"wp #{first}", "^ann: .*rerolled")
            waits = await posts(people, ANN, "roll 6d10 h0 vs @bob", "^ann vs bob: .*within")
            bot.kill()
            await begun(people, bot)
            await posts(people, ANN, "roll 2d20", "^ann: ")
            await posts(people, BOB, "!stir at another time", "stir")
            machine.is_off(+1200)
            await until(lambda: any("lapsed" in text for text, _ in people.rolls()), f"{waits} lapses")
            assert bot.stop() == 0
            found = await kept.settled(f"sqlite:///{bot.database}", people)
            records = await kept.records(f"sqlite:///{bot.database}")
    assert found.recorded >= 7
    assert records[-1].ts - records[0].ts < 3600_000, "it went on from where it was, and then with the machine"
    code, said = bot.command("ledger", "check")
    assert code == 0, said
