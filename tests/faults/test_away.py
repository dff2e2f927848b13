"""The record out of reach under the whole bot: a disk that is full, a database that another holds."""

import asyncio
import contextlib
import re
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from . import kept
from .bots import BotProcess
from .players import begun, crowd, rolled, until

pytestmark = pytest.mark.slow

WAIT = 10  # s that a record may take, on a machine that has other things to do
AWAY = "Not rolled: the record is out of reach."


class SmallDisk:
    """A file system of 2 MB, which a file fills."""

    def __init__(self, folder):
        self.folder, self._filler = folder, folder / "filler"

    def fill(self, _bot):
        """Leave no room."""
        with self._filler.open("wb", buffering=0) as sink:
            for size in (65536, 4096, 512, 1):
                with contextlib.suppress(OSError):
                    while True:
                        sink.write(b"x" * size)

    def empty(self, _bot):
        """Make room again."""
        self._filler.unlink()


class Bounds:
    """Where no file system may be mounted: a bound on how far the bot's process may write in any file."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self, bot):
        """Leave no room: not one byte may be written behind the first."""
        resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

    def empty(self, bot):
        """Make room again."""
        resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.fixture
def small_disk():
    """A disk that can be filled: a real one where root may mount it."""
    folder = Path(tempfile.mkdtemp(prefix="disk-"))
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True)
    yield Bounds(folder) if mounted.returncode else SmallDisk(folder)
    if not mounted.returncode:
        subprocess.run(["umount", "-l", folder], check=True)
    shutil.rmtree(folder)


async def refused(people, channel, *texts):
    """Say commands that are refused because the record is out of reach; nothing else is shown of them."""
    person, since = people.people[1], len(people.people[1].seen)
    rolls = people.rolls()
    person.say(channel, *texts)

    def told():
        return sum(line.endswith(f":{AWAY}") for line in person.seen[since:]) == len(texts)

    await until(told, f"{person.nick} is told that {texts} were not rolled")
    for text in texts:
        asked = text.removeprefix("roll ").split(" #")[0]
        assert not [line for line, _ in people.rolls() - rolls if f"; {asked};" in line or f'; {asked} "' in line]


async def test_led_05_a_full_disk_shows_no_result(ngircd_unlimited, small_disk):
    """LED-05: the speaker is told; when there is room play goes on, with the next counter and the dice it had."""
    channel = "#full"
    with BotProcess(
        small_disk.folder / "bot", ngircd_unlimited.port, (channel,), nick="Full", bot=f"ledger_wait = {WAIT}"
    ) as bot:
        async with crowd(bot, nicks=("fay",)) as people:
            await begun(people, bot)
            for _ in range(3):
                await rolled(people, channel, "roll 5d10 h2")
            for hunger in (1, 2):
                small_disk.fill(bot)
                await refused(people, channel, *(f"roll {8 + n}d10 h{hunger} # {'never ' * 40}" for n in range(3)))
                small_disk.empty(bot)
                await rolled(people, channel, "roll 6d10 h2")
            assert bot.stop() == 0
            # Once for each time that it was full, however often it was tried meanwhile; the log may be full as well.
            assert bot.log.count('event="the ledger is in reach again') in (2, 3), bot.log
            found = await kept.settled(f"sqlite:///{bot.database}", people)
            records = await kept.records(f"sqlite:///{bot.database}")
        proved(bot, records, found)
        # One that was being written while its speaker was told may land when there is room.
        texts = [record.draft.text for record in records if record.draft.draws]
        assert [text for text in texts if "# never" not in text] == ["roll 5d10 h2"] * 3 + ["roll 6d10 h2"] * 2


def proved(bot, records, found):
    """LED-05, LED-14: the ledger is sound, and once the seeds are out every die is that of its counter."""
    code, said = bot.command("ledger", "reveal")
    assert code == 0, said
    code, said = bot.command("ledger", "check")
    assert code == 0, said
    thrown = sum(bool(record.draft.stamp.counter) for record in records)
    assert f"{thrown} throws proved by their seeds, 0 await theirs" in said


async def test_led_05_a_database_that_another_holds(ngircd_unlimited, tmp_path):
    """LED-05: longer than `ledger_wait`: told, nothing shown; shorter: answered late; then the counters go on."""
    channel = "#held"
    with BotProcess(
        tmp_path / "bot", ngircd_unlimited.port, (channel,), nick="Held", bot=f"ledger_wait = {WAIT}"
    ) as bot:
        async with crowd(bot, nicks=("gil",)) as people:
            await begun(people, bot)
            await rolled(people, channel, "roll 5d10 h2")
            with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await refused(people, channel, "roll 6d10 h2 # first", "roll 7d10 h2 # second")
                other.execute("ROLLBACK")
                await rolled(people, channel, "roll 8d10 h2")
                other.execute("BEGIN IMMEDIATE")
                waiting = asyncio.create_task(rolled(people, channel, "roll 9d10 h2"))
                await asyncio.sleep(0.5)
                assert not waiting.done()
                other.execute("ROLLBACK")
                await waiting
            assert bot.stop() == 0
            told = re.findall('event="the ledger is (out of|in) reach', bot.log)
            # Once for each time that it was away, however often it was tried; the second may pass unnoticed.
            assert told in [["out of", "in"] * times for times in (1, 2)], bot.log
            found = await kept.settled(f"sqlite:///{bot.database}", people)
            records = await kept.records(f"sqlite:///{bot.database}")
        proved(bot, records, found)
        texts = [record.draft.text for record in records if record.draft.draws]
        assert [text for text in texts if "# first" not in text and "# second" not in text] == [
            "roll 5d10 h2",
            "roll 8d10 h2",
            "roll 9d10 h2",
        ]


async def test_led_05_who_stands_in_line_is_told_in_time_too(ngircd_unlimited, tmp_path):
    """LED-05: six at once behind a database that another holds are each told once they have waited, not one behind the
    other; nothing of it is recorded, no counter is used, and play goes on."""
    channel = "#line"
    with BotProcess(
        tmp_path / "bot", ngircd_unlimited.port, (channel,), nick="Line", bot=f"ledger_wait = {WAIT}"
    ) as bot:
        async with crowd(bot, nicks=("hal",)) as people:
            await begun(people, bot)
            await rolled(people, channel, "roll 5d10 h2")
            person, clock = people.people[1], time.monotonic
            with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                said, told, since = [], [], len(person.seen)
                for n in range(6):
                    said.append(clock())
                    person.say(channel, f"roll {n + 6}d10 h2 # never")
                    await asyncio.sleep(0.2)
                while len(told) < len(said) and clock() < said[-1] + 120:
                    found = sum(line.endswith(f":{AWAY}") for line in person.seen[since:])
                    told += [clock()] * (found - len(told))
                    await asyncio.sleep(0.01)
                other.execute("ROLLBACK")
            assert len(told) == len(said)
            waited = [then - before for before, then in zip(said, told, strict=True)]
            assert all(seconds >= WAIT for seconds in waited), waited
            assert told[-1] - told[0] < (len(told) - 1) * WAIT, "they wait side by side"
            await rolled(people, channel, "roll 7d10 h2")
            assert bot.stop() == 0
            found = await kept.settled(f"sqlite:///{bot.database}", people)
            records = await kept.records(f"sqlite:///{bot.database}")
        proved(bot, records, found)
        drawn = [(record.draft.text, record.draft.stamp.counter) for record in records if record.draft.draws]
        assert drawn == [("roll 5d10 h2", 1), ("roll 7d10 h2", 2)]
