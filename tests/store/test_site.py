"""A file of SQLite's that is removed under the bot: nothing that went into it is told (LED-03, LED-05)."""

import asyncio
import os
import sqlite3
from contextlib import closing

import pytest

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store import pace, writer
from ircdice.ledger.store.driver import Driver

from .drafts import append, everything, opened, roll

GONE = " was removed or replaced under the running bot"


@pytest.fixture(params=["lone", "in the thread"])
def ledger(request, tmp_path, clock, monkeypatch):
    """On a file in a folder of its own, with a roll."""
    monkeypatch.setattr(pace, "SLOW", 60.0)
    monkeypatch.setattr(writer, "_WATCH", 0.05)
    folder = tmp_path / "data"
    folder.mkdir()
    made = opened(f"sqlite:///{folder / 'ledger.db'}", clock, wait=0.4)

    async def begun():
        made.stand_by(lambda: request.param == "lone")
        await append(made, roll(counter=1), roll(counter=2))

    asyncio.run(begun())
    yield made
    asyncio.run(made.close())


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


def away(folder):
    folder.rename(folder.with_name("elsewhere"))


def back(folder):
    folder.with_name("elsewhere").rename(folder)


def another(folder):
    """A file of another time is put in its place."""
    (folder / "ledger.db").rename(folder / "old.db")
    (folder / "ledger.db").write_bytes(b"")


def old_one_back(folder):
    (folder / "old.db").rename(folder / "ledger.db")


async def until(came):
    async with asyncio.timeout(5):
        while not came():
            await asyncio.sleep(0.01)


def named(folder):
    """The files there; that of SQLite's locks, which goes with the last connection, is none that holds a record."""
    return {file.name for file in folder.glob("*") if not file.name.endswith("-shm")}


REMOVED = {
    "the folder": (away, back),
    "the file": (
        lambda folder: (folder / "ledger.db").rename(folder.with_name("kept.db")),
        lambda folder: folder.with_name("kept.db").rename(folder / "ledger.db"),
    ),
    "its log": (
        lambda folder: (folder / "ledger.db-wal").rename(folder.with_name("kept")),
        lambda folder: folder.with_name("kept").rename(folder / "ledger.db-wal"),
    ),
    "another": (another, old_one_back),
}


@pytest.mark.parametrize("what", ["the folder", "the file", "another"])
async def test_led_03_what_is_removed_is_missed_at_once(ledger, folder, what, caplog):
    """LED-03, LED-05: the speaker is told, and the log once; where it comes back play goes on as it was."""
    remove, put_back = REMOVED[what]
    remove(folder)
    there = named(folder)
    for _ in range(2):
        with pytest.raises(LedgerUnavailable, match="out of reach"):
            await ledger.append(roll("never", counter=3))
    assert ledger.away
    assert named(folder) == there  # no empty one is made in its place
    assert [GONE in record.message for record in caplog.records] == [True]
    put_back(folder)
    assert (await ledger.append(roll(counter=3))).seq == 3
    assert [record.draft.stamp.counter for record in await everything(ledger)] == [1, 2, 3]
    assert not ledger.away


@pytest.mark.parametrize("what", ["the folder", "the file", "another"])
async def test_led_05_what_is_removed_while_nobody_rolls_is_missed(ledger, folder, what, caplog):
    """LED-05: the log says so before anybody asks for a roll, while what was removed may still be found."""
    remove, put_back = REMOVED[what]
    remove(folder)
    await until(lambda: caplog.records)
    assert ([GONE in record.message for record in caplog.records], ledger.away) == ([True], True)
    put_back(folder)
    await until(lambda: not ledger.away)
    assert (await ledger.append(roll(counter=3))).seq == 3


@pytest.mark.parametrize("what", REMOVED)
async def test_led_03_what_is_removed_before_the_commit_ends_is_missed(ledger, folder, what, monkeypatch):
    """LED-03: the record stands in what nobody finds, and is told to nobody; found again it is posted after all."""
    commit, (remove, put_back), late = Driver.commit, REMOVED[what], []
    ledger.on_late = late.append

    def removed(driver):
        monkeypatch.setattr(Driver, "commit", commit)
        remove(folder)
        commit(driver)

    monkeypatch.setattr(Driver, "commit", removed)
    with pytest.raises(LedgerUnavailable, match="out of reach"):
        await ledger.append(roll("late", counter=3))
    assert ledger.in_doubt("net", "#fu")
    put_back(folder)
    await ledger.settled("net", "#fu")
    assert [record.draft.text for record in late] == ["late"]
    assert (await ledger.append(roll(counter=4))).seq == 4


async def test_led_03_what_is_cut_short_is_missed_at_once(ledger, folder, caplog):
    """LED-03, LED-05: what its log holds goes into a file that nobody can open again."""
    with closing(sqlite3.connect(folder / "ledger.db")) as other:
        other.execute("PRAGMA wal_checkpoint")  # as SQLite does itself every thousand pages
        for counter in range(3, 6):
            await ledger.append(roll(counter=counter))
        os.truncate(folder / "ledger.db", 8_192)
        with pytest.raises(LedgerUnavailable, match="out of reach"):
            await ledger.append(roll("never", counter=6))
    assert " was cut short under the running bot" in caplog.text


async def test_led_03_a_file_that_somebody_tidied_is_whole(ledger, folder, caplog):
    """LED-05: SQLite's VACUUM leaves a smaller file, and all that was in it."""
    with closing(sqlite3.connect(folder / "ledger.db")) as other:
        other.execute("CREATE TABLE spare AS SELECT zeroblob(1000000) AS room")
        other.commit()
        other.execute("PRAGMA wal_checkpoint")
        await ledger.append(roll(counter=3))
        size = (folder / "ledger.db").stat().st_size
        other.execute("DROP TABLE spare")
        other.execute("VACUUM")
        other.execute("PRAGMA wal_checkpoint")
        assert (folder / "ledger.db").stat().st_size < size
        assert (await ledger.append(roll(counter=4))).seq == 4
    assert not caplog.records


async def test_led_03_others_who_look_and_leave_are_no_alarm(ledger, folder, caplog):
    """LED-07: what only reads comes and goes beside the bot, and its log stays; so does one that writes to it."""
    for count in range(3, 6):
        with closing(sqlite3.connect(folder / "ledger.db")) as reader:
            assert reader.execute("SELECT count(*) FROM records").fetchone() == (count - 1,)
        with closing(sqlite3.connect(folder / "ledger.db")) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert (await ledger.append(roll(counter=count))).seq == count
        ledger._writer._pen.put_down()  # as behind any error: the log may be another then
    assert caplog.text == ""
