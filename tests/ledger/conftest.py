"""Ledgers for the tests: in memory, on SQLite, on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from ircdice.ledger import Ledger, MemoryLedger

from . import postgres
from .evening import Evening
from .house import Clock, House
from .postgres import Postgres
from .proxy import Proxy

Opened = Callable[[], AbstractAsyncContextManager[Ledger]]


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """A server for all tests that leave it running; each has a database of its own."""
    yield from _running()


@pytest.fixture
def postgresql_alone() -> Iterator[Postgres]:
    """A server for one test, which may stop it."""
    yield from _running()


def _running() -> Iterator[Postgres]:
    if missing := postgres.missing():
        refuse = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        refuse(f"needs the Debian package {missing[0]}: apt-get install -y {missing[0]}")
    server = Postgres.launch()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    return request.getfixturevalue("postgresql").database()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path, clock) -> House:
    """A bot's folder with its ledger on SQLite."""
    return House(tmp_path, clock=clock)


@pytest.fixture
def each_house(tmp_path, url, clock) -> House:
    """A bot's folder with its ledger on each database."""
    return House(tmp_path, url, clock=clock)


@pytest.fixture
def proxy(postgresql) -> Iterator[Proxy]:
    """A proxy between a bot and PostgreSQL that loses a commit or its answer."""
    made = Proxy(postgresql.folder)
    yield made
    made.close()


@pytest.fixture
def proxied_house(postgresql, proxy, tmp_path, clock) -> House:
    """A bot whose connections break at a commit."""
    url = postgresql.database().replace(str(postgresql.folder), str(proxy.folder))
    return House(tmp_path, url, clock=clock)


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path, clock) -> Opened:
    """Opens an empty ledger of every kind."""

    @asynccontextmanager
    async def memory() -> AsyncIterator[Ledger]:
        yield MemoryLedger(clock)

    if request.param == "memory":
        return memory
    if request.param == "sqlite":
        return House(tmp_path, clock=clock).open
    return House(tmp_path, request.getfixturevalue("postgresql").database(), clock=clock).open


@pytest.fixture(scope="session")
def evening(tmp_path_factory) -> Evening:
    """A ledger that a bot has played an evening on; tests have copies of it."""
    evening = Evening(tmp_path_factory.mktemp("evening"))
    asyncio.run(evening.play_all())
    return evening


@pytest.fixture
def played(evening, tmp_path) -> Evening:
    """A copy of the evening, to be altered at will."""
    copy = evening.moved(tmp_path / "played")
    shutil.copytree(evening.folder, copy.folder)
    return copy
