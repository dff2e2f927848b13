"""Ledgers for the tests: in memory, on SQLite, on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator

import pytest

from ircdice.ledger import Ledger, MemoryLedger

from . import postgres
from .drafts import KEY, Clock, opened
from .postgres import Postgres


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """A server for all tests that leave it running; each has a database of its own."""
    yield from _kept()


@pytest.fixture
def postgresql_alone() -> Iterator[Postgres]:
    """A server for one test, which may stop it."""
    yield from _kept()


def _kept() -> Iterator[Postgres]:
    if lacking := postgres.missing():
        refuse = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        refuse(f"wants the Debian package {lacking[0]}: apt-get install -y {lacking[0]}")
    server = Postgres.launch()
    yield server
    server.remove()


@pytest.fixture
def held(tmp_path) -> Iterator[sqlite3.Connection]:
    """A database that somebody else holds, until the connection is rolled back."""
    connection = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None, timeout=5)
    yield connection
    connection.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    return request.getfixturevalue("postgresql").database()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path, clock) -> Iterator[Ledger]:
    """Every kind of ledger, empty."""
    if request.param == "memory":
        made: Ledger = MemoryLedger(clock, KEY)
    elif request.param == "sqlite":
        made = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    else:
        made = opened(request.getfixturevalue("postgresql").database(), clock)
    yield made
    asyncio.run(made.close())


@pytest.fixture
def stored(url, clock) -> Iterator[Callable[..., Ledger]]:
    """Opens ledgers on one database of each kind; closed at the end."""
    made = []

    def open_one(**more):
        made.append(opened(url, clock, **more))
        return made[-1]

    yield open_one
    for one in made:
        asyncio.run(one.close())
