"""New records as they come, for everybody who watches: one query a second in all (WEB-12)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.reader import StoredLedger
from ircdice.ledger.record import Record
from ircdice.ledger.schema import RECORDS

log = logging.getLogger(__name__)
EVERY = 1.0  # seconds
MOST_AT_ONCE = 1_000  # records of one second
MOST_WAITING = 50  # answers that a slow watcher has not taken yet; then it is disconnected


class Live:
    """The watchers of a ledger."""

    def __init__(self, ledger: StoredLedger) -> None:
        self._ledger = ledger
        self._watchers: set[asyncio.Queue[Sequence[Record]]] = set()
        self._polling: asyncio.Task[None] | None = None

    async def records(self) -> AsyncIterator[Sequence[Record]]:
        """The new records of all channels, in order, as long as they are taken; an empty one now and then."""
        queue: asyncio.Queue[Sequence[Record]] = asyncio.Queue(MOST_WAITING)
        self._watchers.add(queue)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())
        try:
            while queue in self._watchers:
                yield await queue.get()
        finally:
            self._watchers.discard(queue)

    async def _poll(self) -> None:
        last: int | None = None
        quiet = 0
        while self._watchers:
            try:
                if last is None:
                    last = (await self._ledger.read(lambda store: store.last()))[0]
                after = last
                news = await self._ledger.read(lambda store: store.newest(MOST_AT_ONCE, RECORDS.c.seq > after))  # noqa: B023
            except LedgerUnavailable:
                news = []
            quiet = 0 if news else quiet + 1
            if news or quiet % 15 == 0:  # an empty one shows which watchers have gone
                last = news[0].seq if news else last
                self._tell(news[::-1])
            await asyncio.sleep(EVERY)

    def _tell(self, news: Sequence[Record]) -> None:
        for queue in tuple(self._watchers):
            try:
                queue.put_nowait(news)
            except asyncio.QueueFull:
                self._watchers.discard(queue)
