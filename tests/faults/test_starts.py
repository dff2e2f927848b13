"""Starts on a ledger that somebody damaged: what the command says, what it ends with, and what `--accept-loss` does."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from ircdice.bot import Message
from ircdice.cli.configured import loaded
from ircdice.cli.kept import kept, ready_bot

from .bots import BotProcess

CHECKER = Path(__file__).parents[2] / "docs" / "check_export.py"
SAID = ("roll 5d10 h2 dc3", "roll 4d6k3+2", "xr 3d6", "toss 3 2 boon")


@dataclass
class House:
    """A ledger that was played on, and left cleanly after so many records."""

    bot: BotProcess
    old: Path  # the folder as it was at the half

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.bot.database)) as database, database:
            for statement in statements:
                database.execute(statement)

    def start(self, *arguments: str) -> tuple[int, str]:
        """A start: on a damaged ledger it ends at once; one that goes on is ended."""
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
    """So many rolls on the ledger of a config."""
    config = loaded(bot.config)

    async def evening() -> None:
        async with kept(config) as notary:
            table = await ready_bot(notary, config)
            for n in range(rolls):
                answer = await table.answer(Message("net", "#a", "kim", SAID[n % len(SAID)]))
                assert answer.record, answer

    asyncio.run(evening())


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """120 records, then 60 more."""
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


def wal_cut_off(house: House) -> None:
    """A crash leaves the last rolls in the WAL alone, and somebody shortens it."""
    script = (
        "import asyncio, os, sys; sys.path.insert(0, '.');"
        "from tests.faults.bots import BotProcess; from tests.faults.test_starts import crashed;"
        "crashed(sys.argv[1])"
    )
    subprocess.run(
        [sys.executable, "-c", script, str(house.bot.folder)], check=False, cwd=CHECKER.parents[1], timeout=60
    )
    wal = house.bot.folder / "ledger.db-wal"
    size = wal.stat().st_size
    with wal.open("r+b") as file:
        file.truncate(size // 2)


def crashed(folder: str) -> None:
    """Rolls, and an end without any closing: in a process of its own."""
    import os

    bot = BotProcess(Path(folder), 1, ("#a",))
    config = loaded(bot.config)

    async def evening() -> None:
        async with kept(config) as notary:
            table = await ready_bot(notary, config)
            for n in range(130):
                await table.answer(Message("net", "#a", "kim", SAID[n % len(SAID)]))
            while b"\n300\n" not in (bot.folder / "checkpoints").read_bytes():  # no roll waits for that file
                await asyncio.sleep(0.01)
            os._exit(9)

    asyncio.run(evening())


def rewritten(house: House) -> None:
    """Every record made anew, leaf and all, by somebody who has no key."""
    other = BotProcess(house.bot.folder.parent / "other", 1, ("#a",))
    played(other, 180)
    house.sql(
        "DELETE FROM records",
        f"ATTACH '{other.database}' AS other",
        "INSERT INTO records SELECT * FROM other.records",
    )


def old_backup(house: House) -> None:
    shutil.copy(house.old / "ledger.db", house.bot.database)


def file_ahead(house: House) -> None:
    """A checkpoint that another machine made stands in the file: what it counts is not here."""
    (house.old / "checkpoints").write_bytes((house.bot.folder / "checkpoints").read_bytes())
    for part in house.bot.folder.glob("ledger.db*"):
        part.unlink()
    shutil.copy(house.old / "ledger.db", house.bot.database)
    shutil.copy(house.old / "checkpoints", house.bot.folder)


SWAP = tuple(f"UPDATE records SET seq = {new} WHERE seq = {old}" for old, new in ((140, 1000), (141, 140), (1000, 141)))


def said_to(*statements: str):
    return lambda house: house.sql(*statements)


DAMAGE = {
    "the WAL cut off": (wal_cut_off, "has seen 300 records, the ledger has "),
    "the tail deleted": (said_to("DELETE FROM records WHERE seq > 150"), "records 151 to 180 lost"),
    "a row altered": (
        said_to("UPDATE records SET line = 'kim: Critical' WHERE seq = 140"),
        "record 140 was altered",
    ),
    "a row gone": (said_to("DELETE FROM records WHERE seq = 140"), "record 140 is missing"),
    "two swapped": (said_to(*SWAP), "record 140 was altered"),
    "all rewritten": (rewritten, "are not those"),
    "an old backup put back": (old_backup, "records 121 to 180 lost"),
    "the file ahead": (file_ahead, "records 121 to 180 lost"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_led_12_a_damaged_ledger_stops_the_start(house, what):
    """LED-12, LED-16: exit code 2 and one sentence that names the first bad record; `ledger check` says so too."""
    damage, sentence = DAMAGE[what]
    damage(house)
    code, said = house.start()
    assert code == 2
    assert sentence in said
    assert said.startswith("ircdice: ")
    assert said.count("\n") == 1
    assert house.bot.command("ledger", "check")[0] == 1


@pytest.mark.parametrize("what", ["a row gone", "an old backup put back"])
def test_led_12_a_loss_is_accepted_on_the_command_line(house, what):
    """LED-12: the bot goes on and says what was lost; from then on it starts as ever, and the ledger is sound."""
    damage, _ = DAMAGE[what]
    damage(house)
    code, said = house.start("--accept-loss")
    assert (code, said) == (0, "")
    assert "accepted: " in house.bot.log
    played(house.bot, 3)
    code, said = house.bot.command("ledger", "check")
    assert (code, "gives up what was recorded from 1" in said) == (0, True), said


def test_led_13_a_seed_that_is_gone_is_told(house):
    """LED-13, LED-16: the bot starts, says which epoch stays unproved, and takes the next."""
    (house.bot.folder / "seeds" / "1").unlink()
    code, said = house.start()
    assert (code, said) == (0, "")
    assert "epoch 1 cannot be proved any more" in house.bot.log
