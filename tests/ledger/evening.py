"""A ledger on disk that the real bot has played an evening on, and what somebody may do to it."""

from __future__ import annotations

import sqlite3
from contextlib import asynccontextmanager, closing
from dataclasses import replace

from ircdice.bot import Bot, Message
from ircdice.clock import DAY
from ircdice.ledger.archive import export, known_keys
from ircdice.ledger.check import Check
from ircdice.ledger.checkpoint import SigningKey, Tree, read, sign
from ircdice.ledger.engine import engines
from ircdice.ledger.epochs import GRACE
from ircdice.ledger.paths import Paths
from ircdice.ledger.record import leaf
from ircdice.ledger.service import open_ledger
from ircdice.ledger.store import Store
from ircdice.replay import Replay
from ircdice.settings import ChannelSettings

from .house import LONG

NOON = 1_700_000_000_000
ORIGIN = "dice.example/one"
FIRST_DAY = (
    "alice #fu: roll 5d10 h2 dc3 # over the wall",
    "alice #fu: roll 40d10 h0 dc3",
    "alice #fu: wp",
    "bob #fu: roll 4d6k3+2",
    "bob #other: roll 100d6",
    "bob #other: roll 12d{1,3,5,5}",
    "carol #fu: !stir our “own” wörds",
    "alice #fu: roll 6d10 h2 vs @bob",
    "bob #fu: roll 5d10 h1",
    "bob @: roll 3d10 h1",
    "sam* @: difficulty 4 for alice in #fu",
    "alice #fu: roll 7d10 h1",
    "sam* #fu: reveal #{seal}",
    "sam* @: secret roll 5d10 h2 in #fu",
)
SECOND_DAY = (
    "bob #fu: toss 3 2 boon",
    "bob #fu: !discard",
    "bob #fu: !stir once more",
    "bob #fu: xr 3d6",
    "alice #fu: roll 6d10 h2 vs @bob",
    "dave #other: roll 3d1000",
    "dave #other: roll 8dF",
)


class Evening:
    """The folder of one bot, its clock, and its settings: it is both."""

    def __init__(self, folder, url="sqlite:///ledger.db"):
        self.now = NOON
        self.folder = folder
        self.paths = Paths(folder / "data", url, ORIGIN, wait=LONG)

    def channel(self, _network, channel, _casemapping=""):
        return ChannelSettings(official=channel == "#fu")

    def plays(self, _network, _channel):
        return True

    def joining(self):
        return ()

    def moved(self, folder, url="sqlite:///ledger.db"):
        """Another one with the same clock."""
        other = Evening(folder, url)
        other.now = self.now
        return other

    @asynccontextmanager
    async def open(self, **more):
        """The ledger as a start of the bot finds it."""
        self.now += 1_000
        ledger = await open_ledger(self.paths, lambda: self.now, **more)
        try:
            yield ledger
        finally:
            await ledger.close()

    async def play(self, *lines, **more):
        """A start of the bot, these lines, a stop; the records that were made of them."""
        async with self.open(**more) as ledger:
            bot = Bot(ledger, ledger, self, lambda: self.now)
            await bot.resume()
            return [await self._say(bot, ledger, line) for line in lines]

    async def _say(self, bot, ledger, line):
        self.now += 1_000
        said, _, text = line.partition(": ")
        nick, _, channel = said.partition(" ")
        if "{seal}" in text:
            seal = await ledger.read(lambda store: [r for r in store.scan() if r.draft.kind == "seal"][-1])
            text = text.format(seal=seal.id.split("-")[0])
        message = Message(
            *("net", None if channel == "@" else channel, nick.strip("*"), text), storyteller=nick.endswith("*")
        )
        answer = await bot.answer(message)
        assert answer.error is None, (line, answer.error)
        assert answer.record is not None, line
        return answer.record

    async def tend(self, *passing):
        """The bot tends its ledger after each of these times."""
        async with self.open() as ledger:
            for time in passing:
                self.now += time
                await ledger.tend()

    async def play_all(self):
        """Two epochs, the first of them published; the contest that was opened last waits."""
        await self.play(*FIRST_DAY)
        await self.tend(DAY, GRACE)
        await self.play(*SECOND_DAY)

    # What is there

    def ask(self, question):
        """The answer of the tables."""
        made = engines(self.paths.database)
        try:
            with made.snapshot() as connection:
                return question(Store(connection))
        finally:
            made.close()

    @property
    def records(self):
        return self.ask(lambda store: list(store.scan()))

    def root(self):
        tree = Tree()
        tree.extend(record.leaf for record in self.records)
        return tree.root()

    def check(self, judge=None):
        """The report of `ledger check`."""
        filed = list(self.paths.checkpoints.notes())

        def checked(store):
            keys, tags = known_keys(self.paths, store)
            check = Check(
                store, keys, filed=filed if tags else None, tags=tags, judge=judge or Replay(keyless=tags is None).fault
            )
            for _ in check.run():
                pass
            return check.report()

        return self.ask(checked)

    def export(self, *, private=False):
        """The lines of an export."""
        return self.ask(lambda store: list(export(store, known_keys(self.paths, store)[0][0], private=private)))

    # What somebody does to it

    def sql(self, statement, *values):
        """What somebody does to the database."""
        with closing(sqlite3.connect(self.paths.database)) as database, database:
            return database.execute(statement, values).rowcount

    def change(self, seq, **fields):
        """A record's columns, and nothing else."""
        assert self.sql(
            f"UPDATE records SET {', '.join(f'{name} = ?' for name in fields)} WHERE seq = ?", *fields.values(), seq
        )

    def forge(self, seq, **fields):
        """A record with a leaf that fits, by somebody who knows how leaves are made."""
        if fields:
            self.change(seq, **fields)
        record = self.ask(lambda store: store.get(seq)[0])
        self.change(seq, leaf=leaf(record))

    def resign(self, key=None):
        """All checkpoints made again for what is there now, by somebody who has the key, or with another `key`."""
        key = key or self.paths.signing_keys(ORIGIN).load().current
        leaves = [record.leaf for record in self.records]
        with closing(sqlite3.connect(self.paths.database)) as database, database:
            for number, note in database.execute("SELECT number, note FROM checkpoints").fetchall():
                signed = read(note)
                tree = Tree()
                tree.extend(leaves[: signed.size])
                made = sign(replace(signed, root=tree.root()), key), b"".join(tree.frontier), number
                database.execute("UPDATE checkpoints SET note = ?, frontier = ? WHERE number = ?", made)
            notes = [note for (note,) in database.execute("SELECT note FROM checkpoints ORDER BY number")]
        self.paths.checkpoints.file.unlink()
        self.paths.checkpoints.append(*notes)


CROOK = SigningKey(ORIGIN, b"\x66" * 32)  # not the ledger's key
