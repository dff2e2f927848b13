"""A ledger on a disk that nobody can write to is read as it stands, where nothing of it stands beside its file."""

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from ircdice.ledger.store import engine


@pytest.fixture
def file(tmp_path):
    """A ledger's file, as one that was closed leaves it."""
    file = tmp_path / "ledger.db"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE records (seq INTEGER)")
    return file


def beside_it(file):
    """The files beside a ledger's while it is read."""
    ways = engine.engines(file)
    try:
        with ways.read.connect() as connection:
            assert connection.execute(sa.text("SELECT count(*) FROM records")).scalar() == 0
            return sorted(each.name for each in file.parent.iterdir())
    finally:
        ways.dispose()


def test_led_01_a_disk_that_is_read_only(file, monkeypatch):
    """LED-01: SQLite makes no file beside the ledger's own, as it could not."""
    assert beside_it(file) == ["ledger.db", "ledger.db-shm", "ledger.db-wal"]
    monkeypatch.setattr(engine, "_is_read_only", lambda _: True)
    assert beside_it(file) == ["ledger.db"]


def test_led_01_what_is_not_in_the_file_yet_is_not_passed_over(file, monkeypatch):
    """LED-01: with a log beside it the file is not all of the ledger."""
    monkeypatch.setattr(engine, "_is_read_only", lambda _: True)
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("DELETE FROM records")
        assert "ledger.db-wal" in beside_it(file)
