"""A folder with a ledger as the bot keeps it, and rolls recorded in it."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager, closing
from dataclasses import replace

from ircdice.ledger import Draft
from ircdice.ledger.archive import Archive
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import open_notary
from ircdice.ledger.notes import read

PLACE = "net", "#fu"


NOON = 1_700_000_000_000


class House:
    """A folder with a ledger, and the clock beside it."""

    def __init__(self, folder):
        self.now = NOON
        self.keeping = Keeping(folder / "data", "sqlite:///ledger.db", "dice.example/one")
        self.database = folder / "data" / "ledger.db"

    @asynccontextmanager
    async def open(self, **more):
        """The ledger as a start of the bot finds it."""
        notary = await open_notary(self.keeping, lambda: self.now, **more)
        try:
            yield notary
        finally:
            await notary.close()

    def notes(self):
        """The checkpoints in the file."""
        return [read(note).checkpoint for note in self.keeping.checkpoints.notes()]

    def sql(self, *statements):
        """What somebody does to the database behind the bot's back."""
        with closing(sqlite3.connect(self.database)) as database, database:
            for statement in statements:
                database.execute(statement)


def checked(house):
    """What a check says, of dice, seeds and roots alone: nobody judges."""
    there = Archive(house.keeping)
    try:
        return there.check(lambda: lambda _entry: None)
    finally:
        there.close()


async def roll(notary, place=PLACE, **more):
    """One recorded roll, its dice from the ledger's stream."""
    source = notary.begin(*place)
    draws = tuple((10, face) for face in source.roll(5, 10))
    draft = Draft("roll", *place, "alice", "~alice", "roll 5d10 h0", draws, "alice: …", stamp=source.stamp)
    return await notary.append(replace(draft, **more))


async def rolls(notary, count):
    """So many, one after the other."""
    return [await roll(notary) for _ in range(count)]


def filled(house, count=150):
    """A ledger with records and checkpoints, left cleanly."""

    async def scene():
        async with house.open() as notary:
            await roll(notary)
            drafts = [Draft("roll", *PLACE, "bob", "~bob", f"roll {nth}d10", (), "bob: …") for nth in range(1, count)]
            await asyncio.gather(*map(notary.append, drafts))

    asyncio.run(scene())


async def started(house, **more):
    """A start, and the numbers of its next dice."""
    async with house.open(**more) as notary:
        return notary.begin(*PLACE).stamp
