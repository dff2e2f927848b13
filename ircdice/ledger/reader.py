"""A ledger in a database, for reading (LED-01)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from time import monotonic, sleep
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.engine import READERS, Engines, described, engines, is_away, readable, shown
from ircdice.ledger.paths import Paths
from ircdice.ledger.record import Record, TagKeys
from ircdice.ledger.schema import expect_current
from ircdice.ledger.store import Store

RETRY = 0.05  # s between two attempts to reach the database
T = TypeVar("T")
P = ParamSpec("P")
_Answer = Coroutine[Any, Any, T]


def _asking(question: Callable[Concatenate[Store, P], T]) -> Callable[Concatenate[StoredLedger, P], _Answer[T]]:
    """A method of the ledger that runs one of the store's queries, in a reader's thread."""

    @wraps(question)
    async def ask(ledger: StoredLedger, /, *given: P.args, **named: P.kwargs) -> T:
        return await ledger.read(lambda store: question(store, *given, **named))

    return ask


class StoredLedger:
    """A ledger in a database, for reading. `tag_of` needs `tag_keys`; `wait` is in seconds."""

    def __init__(self, made: Engines, clock: Callable[[], int], wait: float, tag_keys: TagKeys | None = None) -> None:
        self.clock, self._engines, self._wait, self._tag_keys = clock, made, wait, tag_keys
        self._readers = ThreadPoolExecutor(READERS, "ledger-reader")

    places = _asking(Store.places)
    latest = _asking(Store.latest)
    of_who = _asking(Store.of_who)
    scenes = _asking(Store.scenes)
    of_scene = _asking(Store.of_scene)
    about = _asking(Store.about)
    kept = _asking(Store.kept)
    kept_since = _asking(Store.kept_since)
    page_records = _asking(Store.page_records)
    undelivered = _asking(Store.undelivered)

    async def get(self, seq: int) -> Record | None:
        """The record with that number, if any."""
        return next(iter(await self.read(lambda store: store.get(seq))), None)

    async def of_channel(self, network: str, channel: str, since: int = 0) -> Sequence[Record]:
        """The records that may still matter there, or all since record `since` if not 0; with complete chains."""
        return await self.read(lambda store: store.of_channel(network, channel, self.clock(), since))

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str | None:
        """The tag of such a record (LED-10); None if the ledger was opened without its key."""
        return self._tag_keys.tag(seq, network, channel, nick, line) if self._tag_keys else None

    async def read(self, question: Callable[[Store], T]) -> T:
        """Run any query, without the lock. LedgerUnavailable if the database is away for `wait` seconds."""
        try:
            async with asyncio.timeout(self._wait + 1):
                return await asyncio.get_running_loop().run_in_executor(self._readers, self._asked, question)
        except TimeoutError:
            raise LedgerUnavailable from None

    def _asked(self, question: Callable[[Store], T]) -> T:
        end = monotonic() + self._wait
        while True:
            try:
                with self._engines.read.connect() as connection:
                    return question(Store(connection))
            except (DBAPIError, PoolTimeout) as error:
                if not is_away(error):
                    raise LedgerUnavailable(f"the ledger cannot be read: {described(error)}.") from error
                if monotonic() > end:
                    raise LedgerUnavailable from error
            sleep(RETRY)

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._readers.shutdown)
        self._engines.dispose()


def open_to_read(paths: Paths, clock: Callable[[], int], tag_keys: TagKeys | None = None) -> StoredLedger:
    """The ledger at `paths`, without changing it. LedgerUnavailable if there is none of this version."""
    paths.expect_database()
    made = engines(paths.database)
    with readable(f"the ledger at {shown(paths.database)} cannot be opened"), made.read.connect() as connection:
        expect_current(connection)
    return StoredLedger(made, clock, paths.wait, tag_keys)


def browse(paths: Paths, clock: Callable[[], int]) -> StoredLedger:
    """The ledger at `paths`, for a read-only process without keys; opened by the first query."""
    return StoredLedger(engines(paths.database, read_only=True), clock, paths.wait)
