"""SQLite's log is as long as it will be soon after a start; nothing that was recorded depends on it."""

import asyncio
import resource
import shutil
import sqlite3
from collections import namedtuple
from contextlib import closing

import pytest

from ircdice.ledger.store import engine, ledger, room

from .drafts import append, everything, opened, roll

PAGES, FRAME = 160, 4_120
LONG = (PAGES + PAGES // 4) * 4_096


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """A log of some pages, at once, on a disk that is quick however busy the machine is."""
    monkeypatch.setattr(engine, "_CARRIED", PAGES)
    monkeypatch.setattr(ledger, "_SETTLED", 0.0)
    monkeypatch.setattr(room, "_QUICK", 60.0)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ledger.db"


@pytest.fixture
def log(file):
    return file.with_name("ledger.db-wal")


async def standing_by(file, clock):
    """A ledger with two rolls that has had the time to make room."""
    kept = opened(f"sqlite:///{file}", clock)
    await append(kept, roll(), roll())
    kept.stand_by(lambda: True)
    await asyncio.sleep(0.1)
    await kept.transact(lambda _page: None)  # the thread is past it
    return kept


async def test_led_03_the_log_does_not_grow_with_the_rolls(file, log, clock):
    """LED-03: it has its length before the rolls come, keeps it when it is carried into the file, and all is there."""
    kept = await standing_by(file, clock)
    size = log.stat().st_size
    assert LONG <= size <= LONG + 10 * FRAME
    for _ in range(200):
        await kept.append(roll())
    assert log.stat().st_size == size
    assert [r.seq for r in await everything(kept)] == list(range(1, 203))
    await kept.close()
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM meta WHERE name = 'room'").fetchone() == (0,)
        assert database.execute("PRAGMA page_count").fetchone()[0] < PAGES


@pytest.mark.parametrize("more", [0, 1, 50])
async def test_led_06_a_crash_behind_it_loses_nothing(file, log, clock, tmp_path, more):
    """LED-06: whoever opens what a dead process left finds each commit, and nothing of what was undone."""
    kept = await standing_by(file, clock)
    told = [*await everything(kept), *await append(kept, *[roll()] * more)]
    left = tmp_path / "left"
    left.mkdir()
    for each in (file, log):
        shutil.copy(each, left)
    await kept.close()
    again = opened(f"sqlite:///{left / file.name}", clock)
    assert await everything(again) == told
    assert (await again.append(roll())).seq == len(told) + 1
    await again.close()


async def test_led_03_others_read_meanwhile(file, clock):
    """LED-03: whoever looks at a ledger that makes room sees it as it is."""
    kept = opened(f"sqlite:///{file}", clock)
    await append(kept, roll(), roll())
    reader = opened(f"sqlite:///{file}", clock, to_read=True)
    asked = [asyncio.ensure_future(everything(reader)) for _ in range(20)]
    kept.stand_by(lambda: True)
    await asyncio.sleep(0.05)
    assert {len(found) for found in [*await asyncio.gather(*asked), await everything(reader)]} == {2}
    await reader.close()
    await kept.close()


async def test_led_05_where_there_is_no_room_play_goes_on(file, log, clock, caplog):
    """LED-05: a limit on the file is met by nobody but whoever would make room; the rolls have what they need."""
    caplog.set_level("INFO")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LONG // 2, hard))
    try:
        kept = await standing_by(file, clock)
        assert [r.seq for r in await append(kept, *[roll()] * 10)] == list(range(3, 13))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not kept.away
    assert "not lengthened beforehand" in caplog.text
    assert [r.seq for r in await everything(kept)] == list(range(1, 13))
    await kept.close()


async def test_led_05_a_small_disk_keeps_its_room(file, log, clock, monkeypatch):
    """LED-05: where little is free the log takes what it needs."""
    usage = namedtuple("usage", ("total", "used", "free"))(1 << 40, 1 << 40, room._PLENTY - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)
    kept = await standing_by(file, clock)
    assert log.stat().st_size < 60 * FRAME
    await kept.close()


async def test_led_05_a_slow_disk_is_not_kept_busy(file, log, clock, monkeypatch):
    """LED-05: what a first part took tells whether a roll would wait for the rest."""
    monkeypatch.setattr(room, "_QUICK", 0.0)
    kept = await standing_by(file, clock)
    assert log.stat().st_size < LONG // 2
    await kept.close()
