"""One bot on a ledger's folder and on SQLite's file; two names of one file are refused (LED-04, LED-13)."""

import errno
import fcntl
import os
import subprocess
import sys
from dataclasses import replace
from shutil import copytree, ignore_patterns

import pytest

from ircdice.errors import KeysError, LedgerUnavailable

from .house import House, filled, roll


async def started(house):
    async with house.open() as ledger:
        return (await roll(ledger)).seq


def elsewhere(house, folder, url):
    """A bot with its own folder and the same keys, on the database of another."""
    made = House(folder, url, clock=house.clock)
    copytree(house.data, made.data, ignore=ignore_patterns("ledger.db*", "*lock"))
    return made


def linked(target, link):
    link.symlink_to(target)
    return link


WAYS = {
    "by its path": lambda file: f"sqlite:///{file}",
    "by a relative path": lambda file: f"sqlite:///../../{file.parent.parent.name}/data/../data/{file.name}",
    "by a link to the file": lambda file: f"sqlite:///{linked(file, file.parent.parent / 'link.db')}",
    "by a link to the folder": lambda file: f"sqlite:///{linked(file.parent, file.parent.parent / 'l')}/{file.name}",
}


@pytest.mark.parametrize("way", WAYS)
async def test_led_04_a_second_bot_on_one_file_does_not_start(tmp_path, clock, way):
    """LED-04, LED-13: whatever its folder and its path to the file; once the first has ended it may."""
    house = House(tmp_path / "first", clock=clock)
    await filled(house, 10)
    second = elsewhere(house, tmp_path / "second", WAYS[way](house.database))
    async with house.open() as ledger:
        with pytest.raises(LedgerUnavailable) as refused:
            await started(second)
        what = f"{house.database.resolve()}: another ircdice runs on this ledger"
        assert str(refused.value) == f"{what}: stop it, or give this one its own ledger."
        await roll(ledger)
    await started(second)


async def test_led_13_two_bots_never_share_a_folder(house):
    """LED-13: an epoch belongs to one process."""
    async with house.open():
        with pytest.raises(LedgerUnavailable, match="another ircdice runs on this folder"):
            await started(house)
    await started(house)


async def test_led_04_two_files_in_one_folder_are_two_ledgers(house, tmp_path):
    """LED-04: a bot's `data` folder is its own; its database may be in a shared one."""
    other = House(tmp_path / "other", f"sqlite:///{house.data / 'other.db'}")
    async with house.open(), other.open() as ledger:
        await roll(ledger)


HOLDING = """
import asyncio, sys
from pathlib import Path
from tests.ledger.house import House

async def scene():
    async with House(Path(sys.argv[1])).open():
        print("held", flush=True)
        await asyncio.sleep(600)

asyncio.run(scene())
"""


async def test_led_06_a_killed_bot_leaves_no_lock(house, tmp_path, environment, pytestconfig):
    """LED-06: kill -9; the lock files are still there and hold nobody up."""
    await filled(house, 3)
    command = [sys.executable, "-c", HOLDING, tmp_path]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=pytestconfig.rootpath)
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(LedgerUnavailable, match="another ircdice runs on this folder"):
        await started(house)
    process.kill()
    process.wait()
    await started(house)


@pytest.mark.parametrize("error", [errno.ENOLCK, errno.EOPNOTSUPP])
async def test_led_04_a_file_system_without_locks_is_refused(house, monkeypatch, error):
    """LED-04: the sentence says why."""

    def flock(_handle, _how):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(KeysError, match=rf"ircdice\.lock cannot be locked: {os.strerror(error)}\.$"):
        await started(house)


@pytest.mark.parametrize("name", ["tag.keys", "signing.key"])
async def test_led_10_bots_on_one_ledger_share_their_keys(postgresql, house, tmp_path, name):
    """LED-04, LED-10: with its own keys the second bot would call the first one's lines lost."""
    house.paths = replace(house.paths, url=postgresql.database())
    await filled(house, 3)
    second = House(tmp_path / "second", house.paths.url, clock=house.clock, name="second")
    with pytest.raises(KeysError, match="is missing"):
        await started(second)
    second.data.mkdir(mode=0o700, exist_ok=True)
    for file in ("tag.keys", "signing.key"):
        (second.data / file).write_bytes((house.data / file).read_bytes())
    (second.data / name).write_text(f"{'1' if name == 'tag.keys' else 'private'} {'5' * 64}\n")
    with pytest.raises(KeysError, match=f"{name} is not this ledger's: .* a backup"):
        await started(second)
