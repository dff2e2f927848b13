"""Steps to the schema of now (LED-01): told in the log, and waited for where others hold what they change."""

import asyncio
import logging
import threading
import time

import pytest
import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store import migrations
from ircdice.ledger.store.migrations import MIGRATIONS, Migration

from .drafts import opened, roll

_ON_POSTGRESQL = pytest.mark.parametrize("url", ["postgresql"], indirect=True)
HELD = "the ledger is not brought up to date yet, as others hold it: "


@pytest.fixture
def older(url, clock, monkeypatch):
    """The address of a ledger with a record, as the version before this one left it."""
    with monkeypatch.context() as before:
        before.setattr(migrations, "MIGRATIONS", MIGRATIONS[:-1])
        ledger = opened(url, clock)
        asyncio.run(ledger.append(roll()))
        asyncio.run(ledger.close())
    return url


def close(ledger):
    asyncio.run(ledger.close())


def told(caplog):
    return [record.message.partition(", took ")[0] for record in caplog.records]


def test_led_01_each_step_is_a_line_in_the_log(url, clock, caplog):
    """LED-01: with its number and what it is for; where none is missing there is none."""
    caplog.set_level(logging.INFO, "ircdice.ledger.store.migrations")
    close(opened(url, clock))
    said = [f"migration {n} of {len(MIGRATIONS)}, {step.name}" for n, step in enumerate(MIGRATIONS, 1)]
    assert told(caplog) == [f"the ledger is brought up to date: {each}" for each in said]
    caplog.clear()
    close(opened(url, clock))
    assert told(caplog) == []


@pytest.fixture
def read_for_long(older):
    """Somebody reads the ledger's records in one transaction, as a dump does; called with seconds, for so long."""
    engine, begun, over = sa.create_engine(older), threading.Event(), threading.Event()

    def reads():
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql("SELECT count(*) FROM records").fetchall()
            begun.set()
            over.wait(20)

    thread = threading.Thread(target=reads)
    thread.start()
    assert begun.wait(10)
    yield lambda seconds: threading.Timer(seconds, over.set).start()
    over.set()
    thread.join()
    engine.dispose()


def test_led_01_a_dump_that_goes_on_is_waited_for(older, read_for_long, clock, caplog):
    """LED-01: longer than a roll waits for a lock, and longer than `ledger_wait`."""
    read_for_long(2.5)
    close(opened(older, clock, wait=0.1))
    held = [text for text in told(caplog) if text.startswith(HELD)]
    assert len(held) == older.startswith("postgresql")  # SQLite's readers see what was there before


@_ON_POSTGRESQL
def test_led_01_a_dump_that_never_ends_is_not_waited_for_ever(older, read_for_long, clock, monkeypatch):
    """LED-01: then the start says why, and the ledger is as it was. SQLite's readers hold nobody up."""
    monkeypatch.setattr(migrations, "PATIENCE", 0.5)
    with pytest.raises(LedgerUnavailable, match="cannot be opened: canceling statement due to lock timeout"):
        opened(older, clock, wait=0.1)
    read_for_long(0)
    monkeypatch.undo()
    close(opened(older, clock))


@_ON_POSTGRESQL
def test_led_04_a_bot_waits_for_the_step_that_another_takes(older, clock, monkeypatch):
    """LED-01, LED-04: of two that start at once on PostgreSQL both play, and the step is taken once."""
    slow = Migration("slowly", ("CREATE TABLE slow (n INT)", "SELECT pg_sleep(2.5)"))
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, slow))
    made = []
    threads = [threading.Thread(target=lambda: made.append(opened(older, clock, wait=0.1))) for _ in range(3)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(made), time.monotonic() - began > 2) == (3, True)
    for ledger in made:
        close(ledger)


def test_led_01_a_current_ledger_opens_while_another_writes(url, clock):
    """LED-01: nobody's lock is waited for where no step is missing."""
    close(opened(url, clock))
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql("INSERT INTO meta VALUES ('more', 'x')")
        close(opened(url, clock, wait=0.1))
    engine.dispose()


def test_led_05_a_server_that_dies_in_a_step_is_out_of_reach(postgresql_alone, clock, monkeypatch):
    """LED-05: a start says so in a sentence; the next takes the step from its beginning."""
    slow = Migration("slowly", ("CREATE TABLE slow (n INT)", "SELECT pg_sleep(20)"))
    url = postgresql_alone.database()
    close(opened(url, clock))
    with monkeypatch.context() as then:
        then.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, slow))
        killer = threading.Timer(1.0, postgresql_alone.stop)
        killer.start()
        with pytest.raises(LedgerUnavailable, match="cannot be opened: "):
            opened(url, clock, wait=0.1)
        killer.join()
    postgresql_alone.start()
    quick = Migration("quickly", ("CREATE TABLE slow (n INT)",))
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, quick))
    close(opened(url, clock))
