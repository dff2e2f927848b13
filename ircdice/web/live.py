"""New records for all watchers: one query a second in total (WEB-12)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.record import Record
from ircdice.ledger.schema import RECORDS
from ircdice.ledger.service import StoredLedger

EVERY = 1.0  # seconds
MOST_AT_ONCE = 1_000  # records in one second
MOST_WAITING = 50  # undelivered news of a slow watcher, before it is disconnected


@dataclass(frozen=True, slots=True)
class News:
    """The new records of all channels, in order; sometimes empty.

    `lines` and `tables` are the rendered news of each channel's pages, shared by all watchers.
    """

    records: Sequence[Record]
    lines: dict[str, str] = field(default_factory=dict)
    tables: dict[str, asyncio.Task[str]] = field(default_factory=dict)


class Live:
    """The watchers of a ledger."""

    def __init__(self, ledger: StoredLedger) -> None:
        self._ledger = ledger
        self._watchers: set[asyncio.Queue[News]] = set()
        self._polling: asyncio.Task[None] | None = None

    async def news(self) -> AsyncIterator[News]:
        """The news, until the watcher is too slow."""
        queue: asyncio.Queue[News] = asyncio.Queue(MOST_WAITING)
        self._watchers.add(queue)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())
        try:
            while queue in self._watchers:
                yield await queue.get()
        finally:
            self._watchers.discard(queue)

    def close(self) -> None:
        """End the news of all watchers, and the queries: the ledger is closed next."""
        if self._polling is not None:
            self._polling.cancel()
        for queue in tuple(self._watchers):
            self._watchers.discard(queue)
            with suppress(asyncio.QueueFull):
                queue.put_nowait(News(()))

    async def _poll(self) -> None:
        last: int | None = None
        quiet = -1  # the first news, even if empty, shows that nothing is missed from here on
        while self._watchers:
            try:
                if last is None:
                    last = (await self._ledger.read(lambda store: store.last()))[0]
                records = await self._after(last)
            except LedgerUnavailable:
                records = []
            quiet = 0 if records else quiet + 1
            if records or quiet % 15 == 0:  # empty news reveal watchers that are gone
                last = records[0].seq if records else last
                self._tell(News(records[::-1]))
            await asyncio.sleep(EVERY)

    async def _after(self, seq: int) -> list[Record]:
        """The records after that one, latest first."""
        return await self._ledger.read(lambda store: store.find_newest(MOST_AT_ONCE, RECORDS.c.seq > seq))

    def _tell(self, news: News) -> None:
        for queue in tuple(self._watchers):
            try:
                queue.put_nowait(news)
            except asyncio.QueueFull:
                self._watchers.discard(queue)
