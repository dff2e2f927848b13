"""A process that plays: `python -m tests.store.player URL NAME PLACES`; one line out for each roll it may post.

Until SIGTERM, each place rolls as soon as its last roll is recorded, with the next number of its counter, and with the
same number again when it is told that the record is out of reach: as a bot does.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time

from ircdice.dice import Stamp
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import Record

from .drafts import opened, roll

EPOCHS = {"one": 1, "two": 2}  # an epoch belongs to one process


class Player:
    """Some places of one process."""

    def __init__(self, url: str, name: str, places: int) -> None:
        self.ledger = opened(url, lambda: time.time_ns() // 1_000_000, wait=1.0)
        self.ledger.on_late = self.late
        self.name, self.places, self.ended = name, places, False
        self.counters: dict[str, int] = {}

    async def play(self) -> None:
        drawn = await self.ledger.read(lambda page: page.counters(EPOCHS[self.name]))
        self.counters = {f"#{self.name}{n}": drawn.get(("net", f"#{self.name}{n}"), 0) for n in range(self.places)}
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.end)
        print("ready", flush=True)
        await asyncio.gather(*map(self.roll, self.counters))
        await self.ledger.close()

    def end(self) -> None:
        self.ended = True

    async def roll(self, place: str) -> None:
        while not self.ended:
            if self.ledger.in_doubt("net", place):
                await asyncio.sleep(0.01)
                continue
            counter = self.counters[place] + 1
            stamp = Stamp(EPOCHS[self.name], counter, 0)
            try:
                record = await self.ledger.append(roll(f"{place} {counter}", channel=place, stamp=stamp))
            except LedgerUnavailable:
                print("away", flush=True)
            else:
                self.posted(record, "rolled")

    def late(self, record: Record) -> None:
        self.posted(record, "late")

    def posted(self, record: Record, how: str) -> None:
        self.counters[record.draft.channel] = record.draft.stamp.counter
        print(how, record.seq, record.draft.text, flush=True)


if __name__ == "__main__":
    url, name, places = sys.argv[1:]
    asyncio.run(Player(url, name, int(places)).play())
