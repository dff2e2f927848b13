"""A bot's folder with a ledger, rolls in it, and what can happen to the files."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from ircdice.dice import Stamp
from ircdice.ledger import Draft, Record
from ircdice.ledger.check import Check, Report
from ircdice.ledger.checkpoint import Checkpoint, read
from ircdice.ledger.engine import engines
from ircdice.ledger.paths import Paths
from ircdice.ledger.record import Terms
from ircdice.ledger.service import ProvenLedger, open_ledger
from ircdice.ledger.store import Store
from tests.leaping import leap

NOON = 1_700_000_000_000
PLACE = "net", "#fu"
SETTINGS = "system", "house", "official", "casemapping"  # what a draft keeps as its terms
ORIGIN = "dice.example/one"
LONG = 60.0  # s that a house waits for its ledger: what is to succeed does so on any machine
SIDES = 1_000_000  # of a die that hardly ever shows the same number twice


class Clock:
    """A clock that the test sets, in ms since 1970."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


class House:
    """The `data` folder of one bot. Every start takes place at least a second after the one before."""

    def __init__(self, folder: Path, url: str = "sqlite:///ledger.db", *, clock: Clock | None = None, **more) -> None:
        self.clock = clock or Clock()
        self.paths = Paths(folder / "data", url, ORIGIN, **{"wait": LONG} | more)

    @property
    def data(self) -> Path:
        return self.paths.data

    @property
    def database(self) -> Path:
        """SQLite's file."""
        return self.data / "ledger.db"

    @asynccontextmanager
    async def open(self, *, accept_loss: bool = False) -> AsyncIterator[ProvenLedger]:
        """The ledger after a start of the bot, and a clean stop at the end."""
        ledger = await open_ledger(self.paths, self.clock, accept_loss=accept_loss)
        try:
            yield ledger
        finally:
            await ledger.close()
            self.clock.now += 1_000

    def another(self, folder: Path, name: str) -> House:
        """A second bot on the same ledger, with the same keys."""
        made = House(folder, self.paths.url, clock=self.clock)
        made.paths = replace(self.paths, data=folder / "data", name=name, signing_key=self.paths.signing_file)
        return made

    def notes(self) -> list[Checkpoint]:
        """The checkpoints in the file."""
        return [read(note) for note in self.paths.checkpoints.notes()]

    def sql(self, *statements: str) -> None:
        """What somebody does to the database while the bot does not run."""
        address = self.paths.database
        engine = sa.create_engine(f"sqlite:///{address}" if isinstance(address, Path) else address)
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
        engine.dispose()

    def check(self) -> Report:
        """What `ledger check` finds, verdicts aside."""
        ways = engines(self.paths.database)
        try:
            with ways.snapshot() as connection:
                store = Store(connection)
                keys = self.paths.signing_keys(ORIGIN).load().all
                checked = Check(store, keys, filed=self.paths.checkpoints.notes(), tags=self.paths.tag_keys.load())
                for _ in checked.run():
                    pass
                return checked.report()
        finally:
            ways.close()

    def copy(self, to: Path) -> Path:
        """The folder as it is now, also while the bot runs: what a kill -9 at this moment would leave."""
        shutil.copytree(self.data, to, ignore=shutil.ignore_patterns("*lock"))
        return to

    def put_back(self, copy: Path) -> None:
        """The folder as it was when `copy` was made."""
        shutil.rmtree(self.data)
        shutil.copytree(copy, self.data)


@asynccontextmanager
async def held(url: str) -> AsyncIterator[None]:
    """Somebody else has locked the records."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    begin = "BEGIN IMMEDIATE" if engine.dialect.name == "sqlite" else "BEGIN; LOCK TABLE records"
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(begin)
            try:
                yield
            finally:
                connection.exec_driver_sql("ROLLBACK")
    finally:
        engine.dispose()


async def waited(*asked: Awaitable[object]) -> list[object]:
    """What comes of these, or their errors, once they have waited for as long as a command does."""
    answers = asyncio.gather(*asked, return_exceptions=True)
    await asyncio.sleep(0.1)
    leap(LONG + 2)
    return await answers


def a_roll(text: str = "roll 2d10", *, counter: int = 0, **more) -> Draft:
    """A roll as alice would type it in #fu on net, its dice not from the ledger's stream unless `counter` is given."""
    given = {"kind": "roll", "network": "net", "channel": "#fu", "nick": "Alice", "who": "alice"}
    stamp = Stamp(1, counter, 0) if counter else Stamp()
    given |= {"draws": ((10, 9), (10, 1)), "line": f"Alice: {text}", "stamp": stamp}
    terms = Terms(**{name: more.pop(name) for name in SETTINGS if name in more})
    return Draft(text=text, terms=terms, **given | more)


async def append(ledger, *drafts: Draft) -> list[Record]:
    """One after the other."""
    return [await ledger.append(draft) for draft in drafts]


async def roll(ledger: ProvenLedger, place: tuple[str, str] = PLACE, **more) -> Record:
    """One recorded roll with the dice of the ledger's stream, five of a million sides."""
    await ledger.ready(*place)
    source = ledger.begin(*place)
    faces = source.roll(5, SIDES)
    shown = f"alice: {' '.join(map(str, faces))}"
    draws = tuple((SIDES, face) for face in faces)
    draft = Draft("roll", *place, "alice", "~alice", f"roll 5d{SIDES}", draws, shown, stamp=source.stamp)
    return await ledger.append(replace(draft, **more))


async def rolls(ledger: ProvenLedger, count: int, place: tuple[str, str] = PLACE) -> list[Record]:
    """Several, one after the other."""
    return [await roll(ledger, place) for _ in range(count)]


async def filled(house: House, count: int = 150) -> list[Record]:
    """A start, `count` records of rolls, and a clean stop; every record, that of the start too."""
    async with house.open() as ledger:
        await roll(ledger)
        drafts = [a_roll(f"roll {number}d10", line=f"bob: {number}", nick="bob") for number in range(1, count)]
        await asyncio.gather(*map(ledger.append, drafts))
        return await everything(ledger)


async def noted(ledger) -> None:
    """Every line is known to have gone out."""
    async with asyncio.timeout(60):
        while await ledger.undelivered(["net"]):
            await asyncio.sleep(0.01)


async def everything(ledger) -> list[Record]:
    """Every record in order, also settings and the bot's own stirs where the ledger is in a database."""
    if isinstance(ledger, ProvenLedger):
        return await ledger.read(lambda store: list(store.scan()))
    return list(await ledger.latest(1_000_000))[::-1]


def truncate(file: Path, share: float) -> None:
    """Cut a file to that share of its length."""
    os.truncate(file, int(file.stat().st_size * share))
