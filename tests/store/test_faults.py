"""What becomes of rolls when the database goes away: nobody is told a result, none is lost, none comes twice."""

import asyncio
import logging
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable, NumberTaken
from ircdice.ledger.store import migrations

from .drafts import append, everything, opened, roll


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ledger.db"


@pytest.fixture
def holder(file):
    """Somebody else who holds the database."""
    connection = sqlite3.connect(file, isolation_level=None, timeout=5)
    yield connection
    connection.close()


async def test_led_05_a_locked_database_is_waited_for_and_then_told(file, clock, holder, caplog):
    """LED-05: out of reach after the wait, nothing half done, and play goes on with the next number."""
    ledger = opened(f"sqlite:///{file}", clock, wait=0.3)
    await append(ledger, roll(counter=1))
    holder.execute("BEGIN IMMEDIATE")
    start = time.monotonic()
    told = await asyncio.gather(*(ledger.append(roll(channel=f"#{n}")) for n in range(5)), return_exceptions=True)
    assert {type(one) for one in told} == {LedgerUnavailable}
    assert 0.3 <= time.monotonic() - start < 4
    assert [r.seq for r in await everything(ledger)] == [1]  # reading goes on meanwhile
    await asyncio.sleep(1.2)
    assert ledger.away
    holder.execute("ROLLBACK")
    assert (await ledger.append(roll(counter=2))).seq == 2
    assert [r.draft.stamp.counter for r in await everything(ledger)] == [1, 2]
    await ledger.close()
    assert [r.message[:27] for r in caplog.records if r.levelno > logging.INFO] == [
        "the ledger is out of reach:",
        "the ledger is in reach agai",
    ]


async def test_led_05_a_lock_that_is_let_go_in_time_is_not_noticed(file, clock, holder):
    """LED-05: the command waits, and is answered."""
    ledger = opened(f"sqlite:///{file}", clock)
    holder.execute("BEGIN IMMEDIATE")
    waiting = asyncio.gather(*(ledger.append(roll(channel=f"#{n}")) for n in range(5)))
    await asyncio.sleep(0.8)
    assert not waiting.done()
    holder.execute("ROLLBACK")
    assert sorted(r.seq for r in await waiting) == [1, 2, 3, 4, 5]
    await ledger.close()


def test_led_05_opening_waits_for_another_as_well(file, clock, holder):
    """LED-05: and says what the database said where it waits in vain."""
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LedgerUnavailable, match="cannot be opened: database is locked"):
        opened(f"sqlite:///{file}", clock, wait=0.1)
    holder.execute("ROLLBACK")
    ledger = opened(f"sqlite:///{file}", clock)
    asyncio.run(append(ledger, roll()))
    asyncio.run(ledger.close())


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sqlite://", "is a file"),
        ("sqlite:///:memory:", "is a file"),
        ("mysql://root@/ledger", "nothing else"),
        ("nonsense", "nothing else"),
        ("sqlite:////nowhere/ledger.db", "cannot be opened: unable to open database file"),
        ("postgresql+psycopg://nobody@/ledger?host=/nowhere", "cannot be opened: connection is bad"),
    ],
)
def test_led_01_what_no_ledger_can_be_kept_in(url, told, clock):
    """LED-01: SQLite or PostgreSQL, and a sentence that says so."""
    with pytest.raises(LedgerUnavailable, match=told):
        opened(url, clock, wait=0.0)


def test_led_01_a_newer_schema_is_left_alone(stored, clock, url):
    """LED-01: an older program does not write into what it does not know."""
    ledger = stored()
    asyncio.run(ledger.transact(lambda page: page.connection.exec_driver_sql("UPDATE meta SET value = '99'")))
    with pytest.raises(LedgerUnavailable, match="newer version"):
        opened(url, clock)


@pytest.mark.parametrize("steps", range(1, len(migrations.MIGRATIONS)))
def test_led_01_an_older_ledger_is_brought_up_to_date_with_its_records(url, clock, monkeypatch, steps):
    """LED-01: whatever steps it lacks are taken when it is opened, and every question is answered as before."""

    async def told(ledger):
        questions = (
            ledger.latest(9, who="alice"),
            ledger.latest(9, network="net", channel="#a", who="alice"),
            ledger.of_who("alice", 0, 2**60),
            ledger.latest(9, network="net", channel="#b"),
        )
        found = [await question for question in questions]
        await ledger.close()
        return found

    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:steps])
        ledger = opened(url, clock)
        asyncio.run(
            append(ledger, *(roll(channel=place, who=who) for who in ("alice", "bob") for place in ("#a", "#b")))
        )
        before = asyncio.run(told(ledger))
    assert [[r.seq for r in records] for records in before] == [[2, 1], [1], [1, 2], [4, 2]]
    assert asyncio.run(told(opened(url, clock))) == before


@pytest.mark.parametrize(
    ("taken", "told"), [("99", "newer version"), ("0", "older version.*ircdice run"), (None, "no ledger")]
)
def test_led_01_to_look_changes_nothing(stored, clock, url, taken, told):
    """LED-01: whoever only reads leaves another version's schema, and a database without one, as they are."""

    def change(page):
        page.connection.exec_driver_sql(f"UPDATE meta SET value = '{taken}'" if taken else "DROP TABLE meta")

    ledger = stored()
    record = asyncio.run(ledger.append(roll()))
    reader = opened(url, clock, to_read=True)
    assert asyncio.run(reader.get(1)) == record
    asyncio.run(reader.close())
    asyncio.run(ledger.transact(change))
    with pytest.raises(LedgerUnavailable, match=told):
        opened(url, clock, to_read=True)
    with sa.create_engine(url).connect() as connection:
        there = sa.inspect(connection).has_table("meta")
        assert there is (taken is not None)
        assert not there or connection.scalar(sa.text("SELECT value FROM meta WHERE name = 'schema'")) == taken


async def test_led_05_nothing_is_read_from_a_server_that_is_away(postgresql_alone, clock):
    """LED-05: told within the wait; read as before when it is back."""
    ledger = opened(postgresql_alone.database(), clock, wait=0.5)
    record = await ledger.append(roll())
    assert await ledger.get(1) == record
    postgresql_alone.stop()
    told = await asyncio.gather(ledger.get(1), ledger.append(roll()), return_exceptions=True)
    assert {type(one) for one in told} == {LedgerUnavailable}
    assert ledger.away
    postgresql_alone.start()
    assert await ledger.get(1) == record
    assert (await ledger.append(roll())).seq == 2
    assert not ledger.away
    await ledger.close()


FULL = """
import asyncio, resource, sys
from ircdice.errors import LedgerUnavailable, NumberTaken
from ircdice.ledger.store import migrations
from tests.store.drafts import Clock, everything, opened, roll

async def main():
    ledger, counter, told = opened(sys.argv[1], Clock(), wait=1.0), 0, []  # longer than the pause between two tries
    ledger.stand_by(lambda: sys.argv[2] == "lone")
    async def play(times):
        nonlocal counter
        for _ in range(times):
            try:
                told.append(await ledger.append(roll("x" * 300, counter=counter + 1)))
                counter += 1
            except LedgerUnavailable:
                return True
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    assert await play(5_000), "it never was full"
    assert await play(1), "it is full no more"
    assert not ledger.in_doubt("net", "#fu") or not await asyncio.sleep(1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert not await play(50), "it is full though there is room"
    kept = await everything(ledger)
    assert kept == told, (len(kept), len(told))
    assert [r.draft.stamp.counter for r in kept] == list(range(1, len(kept) + 1))
    assert [r.seq for r in kept] == list(range(1, len(kept) + 1))
    await ledger.close()
    print(len(kept))
asyncio.run(main())
"""


@pytest.mark.parametrize("lone", ["lone", "in the thread"])
def test_led_05_a_full_disk_shows_no_result_and_play_goes_on_when_there_is_room(file, environment, pytestconfig, lone):
    """LED-05: with the same counters, hence the same dice, whoever found it full."""
    command = [sys.executable, "-c", FULL, f"sqlite:///{file}", lone]
    done = subprocess.run(
        command, env=environment, cwd=pytestconfig.rootpath, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 60


async def test_led_04_a_number_is_drawn_once(stored, caplog):
    """LED-04: a second roll of one epoch, place and counter cannot be written, and stops no other."""
    ledger = stored()
    await append(ledger, roll(counter=1))
    drafts = [roll("good", counter=2), roll("twice", counter=1), roll("private"), roll("private"), roll(counter=3)]
    told = await asyncio.gather(*map(ledger.append, drafts), return_exceptions=True)
    assert [isinstance(one, Exception) for one in told] == [False, True, False, False, False]
    assert isinstance(told[1], NumberTaken)
    assert [r.draft.text for r in await everything(ledger)] == ["roll 2d10", "good", "private", "private", "roll 2d10"]
    assert "a draft could not be recorded" in caplog.text
    assert "Alice: twice" not in caplog.text  # LED-17: what a statement holds may be covered, and is not for the log


async def test_led_03_what_cannot_be_written_stops_no_other(stored):
    """LED-03: half a surrogate pair is no text; the draft is at fault, and alone."""
    ledger = stored()
    told = await asyncio.gather(*(ledger.append(roll(text)) for text in ("a", "\ud800", "b")), return_exceptions=True)
    assert [isinstance(one, UnicodeError) for one in told] == [False, True, False]
    assert [r.draft.text for r in await everything(ledger)] == ["a", "b"]


async def test_led_03_hooks_see_every_record_once_in_order(stored):
    """LED-12: within the transaction, where an error undoes it, and behind the commit."""
    ledger = stored()
    within, landed = [], []

    def watch(records, page):
        assert page.last()[0] == records[-1].seq
        if any(r.draft.text == "bad" for r in records):
            raise ValueError("bad")
        within.extend(records)

    ledger.within, ledger.landed = watch, landed.extend
    texts = ["a", "b", "bad", "c"]
    told = await asyncio.gather(*(ledger.append(roll(text)) for text in texts), return_exceptions=True)
    assert [type(one).__name__ for one in told] == ["Record", "Record", "ValueError", "Record"]
    await ledger.transact(lambda _page: None)  # the last was answered before its hook was called
    assert landed == await everything(ledger)
    assert [r.seq for r in landed] == [1, 2, 3]
    assert [r for r in within if r in landed] == landed


async def test_led_03_nobody_waits_for_what_follows_a_commit(stored):
    """LED-12: the file of checkpoints is written when those whose rolls landed have their answers."""
    ledger, held = stored(), threading.Event()
    ledger.landed = lambda _records: held.wait(5)
    try:
        record = await asyncio.wait_for(ledger.append(roll("a")), 2)
    finally:
        held.set()
    assert record.seq == 1
