"""A ledger in a database, opened to be read (LED-01)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.engine import READERS, Engines, described, engines, is_away, readable, shown
from ircdice.ledger.ids import tag
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.paths import Paths
from ircdice.ledger.record import Record
from ircdice.ledger.schema import expect_current
from ircdice.ledger.store import Store

MOST_UNDELIVERED = 1_000
RETRY = 0.05  # s between two attempts to reach the database
T = TypeVar("T")


class StoredLedger:
    """A ledger in a database, opened to be read. `tag_keys` are needed for `tag_of`; `wait` is in seconds."""

    def __init__(self, made: Engines, clock: Callable[[], int], wait: float, tag_keys: TagKeys | None = None) -> None:
        self.clock, self._engines, self._wait, self._tag_keys = clock, made, wait, tag_keys
        self._readers = ThreadPoolExecutor(READERS, "ledger-reader")

    async def get(self, seq: int) -> Record | None:
        """The record with that number."""
        return next(iter(await self.read(lambda store: store.get(seq))), None)

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later, or with a waiting contest."""
        return await self.read(lambda store: store.places(since))

    async def of_channel(self, network: str, channel: str, since: int = 0) -> Sequence[Record]:
        """The records that may still matter there: those of a day, 200 in any case, what lasts; every chain whole.

        All since record `since` if it is not 0.
        """
        return await self.read(lambda store: store.of_channel(network, channel, self.clock(), since))

    async def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> Sequence[Record]:
        """The newest `count` records of a place, a person or both, newest first; no settings."""
        return await self.read(lambda store: store.latest(count, network, channel, who))

    async def of_who(self, who: str, since: int, until: int) -> Sequence[Record]:
        """A person's records between two times (ms since 1970, both included), on any network, in order."""
        return await self.read(lambda store: store.of_who(who, since, until))

    async def scenes(self, network: str, channel: str) -> Sequence[Record]:
        """The latest records that open or end a scene there, newest first."""
        return await self.read(lambda store: store.scenes(network, channel))

    async def of_scene(self, network: str, channel: str, scene: str, count: int) -> Sequence[Record]:
        """The first `count` records of that scene, in order."""
        return await self.read(lambda store: store.of_scene(network, channel, scene, count))

    async def about(self, *seqs: int) -> Sequence[Record]:
        """The records that refer to any of those, in order."""
        return await self.read(lambda store: store.about(seqs))

    async def kept(self, network: str, *owners: str) -> Sequence[Record]:
        """The latest record of each key of those owners."""
        return await self.read(lambda store: store.kept(network, owners))

    async def kept_since(self, network: str, seq: int) -> Sequence[Record]:
        """The records with a key that come after that number, in order."""
        return await self.read(lambda store: store.kept_since(network, seq))

    async def page_records(self) -> Sequence[Record]:
        """The `page` records of all places, in order for each (WEB-10)."""
        return await self.read(lambda store: store.page_records(store.places(0)))

    async def undelivered(self, networks: Sequence[str]) -> Sequence[Record]:
        """The records of those networks whose lines are not known to have gone out, in order (LED-06)."""
        return await self.read(lambda store: store.undelivered(networks, MOST_UNDELIVERED))

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str | None:
        """The tag that such a record would bear (LED-10); None if the ledger was opened without its key."""
        if self._tag_keys is None:
            return None
        return tag(self._tag_keys.key(seq), seq, network, channel, nick, line)

    async def read(self, question: Callable[[Store], T]) -> T:
        """Ask anything of the tables, without the lock. LedgerUnavailable if they are away for `wait` seconds."""
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
        """Release the database."""
        await asyncio.to_thread(self._readers.shutdown)
        self._engines.dispose()


def open_to_read(paths: Paths, clock: Callable[[], int], tag_keys: TagKeys | None = None) -> StoredLedger:
    """The ledger at `paths`, changed by nothing. LedgerUnavailable if there is none of this version."""
    paths.expect_database()
    made = engines(paths.database)
    with readable(f"the ledger at {shown(paths.database)} cannot be opened"), made.read.connect() as connection:
        expect_current(connection)
    return StoredLedger(made, clock, paths.wait, tag_keys)


def browse(paths: Paths, clock: Callable[[], int]) -> StoredLedger:
    """The ledger at `paths`, for a process without keys that can only read; it is opened at the first question."""
    return StoredLedger(engines(paths.database, read_only=True), clock, paths.wait)
