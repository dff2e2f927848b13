"""Whatever takes the end of the ledger away, dice that were shown never come again (LED-15)."""

import asyncio
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ircdice.clock import DAY
from ircdice.errors import LedgerDamaged, RuleError
from ircdice.ledger import Draft, Record

from .house import PLACE, House, everything, noted, roll, truncate

PLACES = PLACE, ("net", "#other")
WORDS = "our own words"


async def play(house, ledger, count, *, day_passes=False) -> list[Record]:
    """Rolls in two channels, a player's stir between them, and perhaps a new epoch; every line is posted."""
    shown = []
    for number in range(count):
        shown += [await roll(ledger, place) for place in PLACES]
        house.clock.now += 50
        if number == count // 2:
            shown += [await stir(ledger, place) for place in PLACES]
    for record in shown:
        ledger.mark_delivered(*record.draft.place, record.seq)
    if day_passes:
        house.clock.now += DAY
        await ledger.tend()
        return shown + await play(house, ledger, count)
    return [record for record in shown if record is not None]


async def stir(ledger, place) -> Record:
    """The same words each time, as soon as the hour is over."""
    try:
        stamp, started = ledger.stirred(*place, ledger.clock())
    except RuleError:
        return await roll(ledger, place)
    text = f"stir {WORDS} {started}"
    return await ledger.append(Draft("stir", *place, "bob", "~bob", text, (), f"bob: {text}", stamp=stamp))


@dataclass
class Night:
    """An evening: a run that was stopped, and a run that was killed; copies of the folder on the way."""

    house: House
    folder: Path
    shown: list[Record] = field(default_factory=list)
    half: int = 0  # the last record when the folder was copied in the second run

    async def play(self, *, day_passes: bool) -> None:
        async with self.house.open() as ledger:
            self.shown += await play(self.house, ledger, 5)
        self.house.copy(self.folder / "stopped")
        async with self.house.open() as ledger:
            self.shown += await play(self.house, ledger, 3)
            await noted(ledger)
            self.half = self.shown[-1].seq
            self.house.copy(self.folder / "running")
            self.shown += await play(self.house, ledger, 8, day_passes=day_passes)
            await noted(ledger)
            self.house.copy(self.folder / "killed")
        self.house.put_back(self.folder / "killed")

    @property
    def wal(self) -> Path:
        return self.house.database.with_name("ledger.db-wal")


def deleted(night):
    """The table of deliveries knows better."""
    night.house.sql(f"DELETE FROM records WHERE seq > {night.half}")


def deleted_and_set_back(night):
    deleted(night)
    night.house.sql(f"UPDATE delivered SET seq = {night.half} WHERE seq > {night.half}")


def all_set_back(night):
    """Also the checkpoints and epochs of the lost part, in the table and in the file."""
    deleted_and_set_back(night)
    notes = list(night.house.paths.checkpoints.notes())
    kept = [note for note in notes if int(note.split("\n")[1]) <= night.half]
    night.house.paths.checkpoints.file.write_text("".join(f"{note}\n" for note in kept))
    night.house.sql(
        f"DELETE FROM checkpoints WHERE size > {night.half}",
        "DELETE FROM epochs WHERE epoch > 2",
        "UPDATE epochs SET begun = NULL, seed = NULL WHERE epoch = 2",
        "UPDATE epochs SET seed = NULL",
    )


def put_back_database(night):
    """As it was after a stop; keys, seeds and checkpoint file are those of the kill."""
    night.wal.unlink()
    night.house.database.write_bytes((night.folder / "stopped" / "ledger.db").read_bytes())


WAYS = {
    "the WAL is cut a little": lambda night: truncate(night.wal, 0.95),
    "the WAL is cut": lambda night: truncate(night.wal, 0.7),
    "most of the WAL is cut": lambda night: truncate(night.wal, 0.2),
    "the WAL is gone": lambda night: night.wal.unlink(),
    "records are deleted": deleted,
    "records are deleted and deliveries set back": deleted_and_set_back,
    "records, deliveries and checkpoints are set back": all_set_back,
    "the folder is put back as it was after a stop": lambda night: night.house.put_back(night.folder / "stopped"),
    "the folder is put back as it was after a kill": lambda night: night.house.put_back(night.folder / "running"),
    "the database alone is put back": put_back_database,
}
UNNOTICED = {
    "records are deleted and deliveries set back",
    "records, deliveries and checkpoints are set back",
    "the folder is put back as it was after a stop",
    "the folder is put back as it was after a kill",
}


@pytest.fixture(scope="module", params=[False, True], ids=["one epoch", "an epoch ends in the lost part"])
def played(request, tmp_path_factory) -> tuple[Night, bool]:
    """A night that was played, of which each test has a copy."""
    folder = tmp_path_factory.mktemp("night")
    night = Night(House(folder), folder)
    asyncio.run(night.play(day_passes=request.param))
    return night, request.param


@pytest.mark.parametrize("way", WAYS)
async def test_led_15_no_lost_dice_come_again(played, house, tmp_path, way):
    """LED-15: the players type the same again, stir included; no throw is one that was shown, no id has two lines."""
    before, day_passes = played
    shutil.copytree(before.folder, tmp_path, dirs_exist_ok=True)
    house.clock.now = before.house.clock.now
    night = Night(house, tmp_path, before.shown, before.half)
    WAYS[way](night)
    refused = False
    try:
        async with house.open() as ledger:
            kept, again = await _after(house, ledger)
    except LedgerDamaged:
        refused = True
        async with house.open(accept_loss=True) as ledger:
            kept, again = await _after(house, ledger)
    lost = {record.leaf for record in night.shown} - {record.leaf for record in kept}
    assert lost, "nothing was lost"
    if way in UNNOTICED and not day_passes:
        assert not refused
    elif way in ("records are deleted", "the database alone is put back", "the WAL is gone"):
        assert refused
    shown = {record.draft.draws for record in night.shown if record.draft.draws}
    assert not shown & {record.draft.draws for record in again if record.draft.draws}
    lines = {record.id: record.draft.line for record in night.shown}
    assert [r.id for r in again if lines.get(r.id, r.draft.line) != r.draft.line] == []
    assert house.check().findings == ()


async def _after(house, ledger) -> tuple[list[Record], list[Record]]:
    """What was there at the start, and what is played then, across the end of an epoch."""
    kept = await everything(ledger)
    again = await play(house, ledger, 20, day_passes=True)
    return kept, again
