"""kill -9 of the whole bot in the middle of bursts, and a clean end right behind an answer."""

import os
import re

import pytest

from . import kept
from .bots import BotProcess
from .killing import killed
from .players import begun, crowd, rolled, until

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("IRCDICE_KILLS", "5"))  # `python -m bench faults --kills 100` for more


@pytest.mark.timeout(300 + 6 * KILLS)
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


async def test_led_06_of_a_long_burst_only_the_last_lines_come_again(ngircd_unlimited, tmp_path):
    """LED-06: fifty rolls take a bot as shipped many seconds; killed in the midst it says few of them twice."""
    with BotProcess(tmp_path / "bot", ngircd_unlimited.port, ("#long",), nick="Long", burst=5) as bot:
        bot.config.write_text(bot.config.read_text().replace("flood_interval = 0.05", "flood_interval = 0.4"))
        async with crowd(bot, nicks=("fay",)) as people:
            await begun(people, bot)
            people.burst(50, ("#long",))
            await until(lambda: len(people.rolls()) >= 35, "most are answered")
            bot.kill()
            before = len(people.rolls())
            await begun(people, bot)
            await until(lambda: len(people.rolls()) >= 51, "all are answered")
            again = sum(times > 1 for times in people.rolls().values())
    assert again < before * 2 / 3, (again, before)
