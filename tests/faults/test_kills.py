"""kill -9 of the whole bot in the middle of bursts, and a clean end right behind an answer."""

import os
import re

import pytest

from . import kept
from .bots import BotProcess
from .killing import killed
from .players import begun, crowd, rolled

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("IRCDICE_KILLS", "10"))


@pytest.mark.timeout(60 + 6 * KILLS)
async def test_led_03_the_bot_is_killed_again_and_again(ngircd_unlimited, tmp_path):
    """LED-03, LED-05, LED-06: what was posted is recorded, once; what was recorded is posted, with the same id."""
    told = await killed(ngircd_unlimited.port, tmp_path, KILLS)
    print(f"{KILLS} kills: {told.found}; {told.check}")
    assert told.found.recorded > KILLS
    assert "draft could not be recorded" not in told.log


@pytest.mark.parametrize(("server", "more"), [("ngircd_unlimited", 10), ("inspircd", 0)])
async def test_led_06_a_clean_end_posts_nothing_again(server, more, request, tmp_path):
    """LED-06, IRC-25: what was written before a clean QUIT is out, and does not come again at the next start."""
    port = request.getfixturevalue(server).port
    with BotProcess(tmp_path / "bot", port, ("#clean",), nick="Clean") as bot:
        async with crowd(bot, nicks=("eve",)) as people:
            await begun(people, bot)
            await rolled(people, "#clean", "roll 5d10 h2 # over")
            assert bot.stop() == 0
            await begun(people, bot)
            people.burst(more, ("#clean",))
            await rolled(people, "#clean", "roll 5d10 h2 # over")
            assert bot.stop() == 0
            await begun(people, bot)
            await rolled(people, "#clean", "roll 5d10 h2 # over")
            assert bot.stop() == 0
            found = await kept.settled(f"sqlite:///{bot.database}", people)
        assert found.recorded == found.once > 3, people.rolls()
        assert not re.search("kept until|resumed", bot.log), bot.log
