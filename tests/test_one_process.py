"""A file of SQLite's has one process that writes (LED-03, LED-04): any other is told so and leaves it."""

import asyncio
import errno
import fcntl
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from ircdice.ledger.keeping import Keeping
from ledger_house import House, filled, roll, started
from operating import ledger, played

from ircdice.errors import KeysError, LedgerUnavailable

HOLDING = """
import asyncio, sys
from pathlib import Path
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import open_notary

async def scene():
    await open_notary(Keeping(Path(sys.argv[1]), "sqlite:///ledger.db", "dice.example/one"), lambda: 1_700_000_000_000)
    print("held", flush=True)
    await asyncio.sleep(60)

asyncio.run(scene())
"""


@pytest.fixture
def house(tmp_path):
    """A ledger with records."""
    made = House(tmp_path / "first")
    filled(made, 10)
    return made


@pytest.fixture
def holder(house):
    """Another process that has that ledger open."""
    process = subprocess.Popen([sys.executable, "-c", HOLDING, house.keeping.data], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.wait()


def elsewhere(house, tmp_path, url):
    """A bot with a folder and keys of its own on the ledger of another."""
    data = tmp_path / "second"
    shutil.copytree(house.keeping.data, data, ignore=shutil.ignore_patterns("ledger.db*", "*lock"))
    return Keeping(data, url, "dice.example/one")


WAYS = {
    "by its path": lambda file: f"sqlite:///{file}",
    "by a relative path": lambda file: f"sqlite:///../{file.parent.parent.name}/data/../data/{file.name}",
    "by a link to the file": lambda file: f"sqlite:///{linked(file, file.parent.parent / 'link.db')}",
    "by a link to the folder": lambda file: (
        f"sqlite:///{linked(file.parent, file.parent.parent / 'there')}/{file.name}"
    ),
}


def linked(target, link):
    link.symlink_to(target)
    return link


@pytest.mark.parametrize("way", WAYS)
def test_led_04_a_second_bot_on_one_file_does_not_start(house, tmp_path, way):
    """LED-04, LED-13: whatever its folder is and by whatever path it comes; when the first has ended it may."""
    second = House(tmp_path)
    second.keeping = elsewhere(house, tmp_path, WAYS[way](house.database))

    async def scene():
        async with house.open() as notary:
            with pytest.raises(LedgerUnavailable) as told:
                await started(second)
            assert str(told.value) == f"{house.database.resolve()}: another ircdice runs on this ledger."
            return (await roll(notary)).seq

    before = asyncio.run(scene())
    asyncio.run(started(second))
    assert before == 11


def test_led_04_a_file_of_two_names_is_nobodys(house, tmp_path):
    """LED-04: to a hard link no lock leads, nor SQLite's log; without it the bot starts again."""
    link = tmp_path / "hard.db"
    os.link(house.database, link)
    second = House(tmp_path)
    second.keeping = elsewhere(house, tmp_path, f"sqlite:///{link}")
    for each in (house, second):
        with pytest.raises(KeysError, match="this file has another name, a hard link"):
            asyncio.run(started(each))
    link.unlink()
    asyncio.run(started(house))


def test_led_04_two_files_in_one_folder_are_two_ledgers(house, tmp_path):
    """LED-04: a bot's folder is its own, the folder of its database may be others' too."""
    other = House(tmp_path / "other")
    other.keeping = replace(other.keeping, url=f"sqlite:///{house.database.with_name('other.db')}")

    async def scene():
        async with house.open(), other.open() as notary:
            await roll(notary)

    asyncio.run(scene())


def test_led_04_a_bot_that_is_killed_leaves_no_lock(house, holder):
    """LED-06: kill -9; the files are there still, and hold nobody up."""
    with pytest.raises(LedgerUnavailable, match="another ircdice runs on this folder"):
        asyncio.run(started(house))
    holder.kill()
    holder.wait()
    asyncio.run(started(house))


def test_led_04_who_only_looks_is_kept_out_by_nobody(tmp_path):
    """LED-07, LED-16: check, stats, export and backup beside a running bot."""
    config = played(tmp_path)
    keeping = Keeping(config.parent, "sqlite:///ledger.db")
    with keeping.lock():
        assert ledger("check", config=config)[0] == 0
        assert ledger("stats", config=config)[0] == 0
        assert ledger("export", tmp_path / "export.jsonl", config=config)[0] == 0
        assert ledger("backup", tmp_path / "backup", config=config)[0] == 0
        code, said = ledger("reveal", config=config)
    assert (code, said.count("\n")) == (2, 1)
    assert "another ircdice runs on this folder" in said
    assert ledger("reveal", config=config)[0] == 0


@pytest.mark.parametrize("error", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_led_04_a_file_system_without_locks_is_told_of(house, monkeypatch, error):
    """LED-04: as of a network: no ledger without a lock, and a sentence that says why."""

    def flock(_handle, _how):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(KeysError, match=rf"ircdice\.lock cannot be locked: {os.strerror(error)}\.$"):
        asyncio.run(started(house))


def test_a_folder_in_the_ledgers_place_is_called_one(tmp_path):
    """LED-01: it has several names by its own nature, and none of them is a hard link."""
    kept = Keeping(tmp_path, "sqlite:///ledger.db")
    (tmp_path / "ledger.db").mkdir()
    with pytest.raises(KeysError, match=r"ledger\.db: this is no file, but a folder or the like"):
        kept.lock()
