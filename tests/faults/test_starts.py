"""`ircdice run` on a damaged ledger: its exit code and sentence, and `--accept-loss` (LED-12, LED-16)."""

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

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
    old: Path  # the folder after two thirds

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
    """120 rolls, then 60 more, after the bot's own stir at each start."""
    folder = tmp_path_factory.mktemp("house")
    bot = BotProcess(folder / "bot", 1, ("#a",))
    played(bot, 120)
    shutil.copytree(bot.folder, folder / "old")
    played(bot, 60)
    return folder


@pytest.fixture
def house(template, tmp_path):
    shutil.copytree(template / "bot", tmp_path / "bot")
    shutil.copytree(template / "old", tmp_path / "old")
    bot = BotProcess(tmp_path / "bot", 1, ("#a",))
    yield House(bot, tmp_path / "old")
    bot.kill()


def old_backup(house: House) -> None:
    shutil.copy(house.old / "ledger.db", house.bot.database)


def sql(*statements: str):
    return lambda house: house.sql(*statements)


DAMAGE = {
    "the tail deleted": (sql("DELETE FROM records WHERE seq > 150"), "records 151 to 182 are missing"),
    "the database put back": (old_backup, "records 122 to 182 are missing"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_led_16_a_damaged_ledger_stops_the_start(house, what):
    """LED-12, LED-16: exit code 2 and one sentence, on the terminal and in the log, with the way out."""
    damage, sentence = DAMAGE[what]
    damage(house)
    code, said = house.start()
    assert code == 2
    assert said.startswith("ircdice: ")
    assert said.count("\n") == 1
    for part in (sentence, "ircdice ledger check", "ircdice ledger restore DIR", "ircdice run --accept-loss"):
        assert part in said
    assert house.bot.command("ledger", "check")[0] == 1


@pytest.mark.parametrize("what", DAMAGE)
def test_led_12_a_loss_is_accepted_on_the_command_line(house, what):
    """LED-12: the bot goes on and says what was lost; later starts need nothing, and the ledger is sound."""
    damage, _ = DAMAGE[what]
    damage(house)
    code, said = house.start("--accept-loss")
    assert (code, said) == (0, "")
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
