"""`ircdice run` on a damaged ledger: its exit code and sentence, and `--accept-loss` (LED-12, LED-16).

tests/ledger/test_open.py and test_lost_tail.py have the other kinds of damage.
"""

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass

import pytest

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot

from .bots import BotProcess

SAID = ("roll 5d10 h2 dc3", "roll 4d6k3+2", "xr 3d6", "toss 3 2 boon")


@dataclass
class House:
    """A ledger that was played on and closed cleanly."""

    bot: BotProcess

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.bot.database)) as database, database:
            for statement in statements:
                database.execute(statement)

    def start(self, *arguments: str) -> tuple[int, str]:
        """Exit code and output of a start, which is stopped once it runs."""
        self.bot.start(*arguments)
        process = self.bot.process
        assert process is not None
        try:
            while (code := process.poll()) is None and "no TLS" not in self.bot.log:
                time.sleep(0.05)
        finally:
            code = self.bot.stop() if code is None else code
        return code, (self.bot.folder / "out").read_text()


def played(bot: BotProcess, rolls: int) -> None:
    """Rolls on the ledger of a config."""
    config = loaded(bot.config)

    async def evening() -> None:
        async with open_for_bot(config) as notary:
            table = await ready_bot(notary, config)
            for n in range(rolls):
                answer = await table.answer(Message("net", "#a", "kim", SAID[n % len(SAID)]))
                assert answer.record, answer

    asyncio.run(evening())


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """60 rolls after the bot's own stir."""
    folder = tmp_path_factory.mktemp("house")
    played(BotProcess(folder / "bot", 1, ("#a",)), 60)
    return folder


@pytest.fixture
def house(template, tmp_path):
    shutil.copytree(template / "bot", tmp_path / "bot")
    bot = BotProcess(tmp_path / "bot", 1, ("#a",))
    yield House(bot)
    bot.kill()


def test_led_16_a_damaged_ledger_stops_the_start_until_the_loss_is_accepted(house):
    """LED-12, LED-16: exit code 2 and one sentence, on the terminal and in the log, with the way out; with
    `--accept-loss` the bot goes on and says what was lost; later starts need nothing, and the ledger is sound.
    """
    house.sql("DELETE FROM records WHERE seq > 50")
    code, refusal = house.start()
    assert code == 2
    assert refusal.startswith("ircdice: ")
    assert refusal.count("\n") == 1
    ways = "ircdice ledger check", "ircdice ledger restore DIR", "ircdice run --accept-loss"
    for part in ("records 51 to 61 are missing", *ways):
        assert part in refusal
    assert house.bot.command("ledger", "check")[0] == 1
    assert house.start("--accept-loss") == (0, refusal), "it says nothing more"
    assert "accepted: " in house.bot.log
    played(house.bot, 3)
    code, said = house.bot.command("ledger", "check")
    assert code == 0, said
    assert "\nlost " in (house.bot.folder / "checkpoints").read_text()


def test_led_13_a_seed_that_is_gone_ends_its_epoch(house):
    """LED-13: the bot starts and says why another epoch begins."""
    (house.bot.folder / "seeds" / "1").unlink()
    code, said = house.start()
    assert (code, said) == (0, "")
    assert "a new epoch begins, as one cannot be continued: " in house.bot.log
