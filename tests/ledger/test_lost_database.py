"""SQLite's file is lost and its log holds the last records (LED-03, LED-16)."""

import os

import pytest

from ircdice.errors import LedgerDamaged
from ircdice.ledger.archive import back_up, import_into
from ircdice.ledger.service import open_to_read

from .house import everything, roll, rolls

LOSSES = {
    "moved away": lambda file: file.rename(file.with_name("elsewhere.db")),
    "emptied": lambda file: os.truncate(file, 0),
}


async def kill(house, tmp_path):
    """A bot that was killed: its last records are in the log alone."""
    async with house.open() as ledger:
        await rolls(ledger, 20)
        copy = house.copy(tmp_path / "killed")
    house.put_back(copy)


def refused(house, work) -> str:
    """What `work` says when it refuses; it changed no file."""
    before = contents(house)
    with pytest.raises(LedgerDamaged) as error:
        work()
    assert contents(house) == before
    return str(error.value)


def contents(house) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in house.data.glob("ledger.db*") if not file.name.endswith("-lock")}


@pytest.mark.parametrize("loss", LOSSES)
async def test_led_16_a_start_without_the_database_keeps_its_log(house, tmp_path, loss):
    """LED-16: it names the way out; when the file is back, everything is."""
    await kill(house, tmp_path)
    whole = house.database.read_bytes()
    LOSSES[loss](house.database)
    before = contents(house)
    assert before["ledger.db-wal"]
    for _ in range(2):
        with pytest.raises(LedgerDamaged) as error:
            async with house.open():
                pass
        for part in ("shows that it held records", "newest copy", "ircdice ledger restore DIR", "--accept-loss"):
            assert part in str(error.value)
    assert contents(house) == before
    house.database.write_bytes(whole)
    async with house.open() as ledger:
        assert len(await everything(ledger)) == 21


@pytest.mark.parametrize("loss", LOSSES)
async def test_led_16_nothing_opens_such_a_file(house, tmp_path, loss):
    """LED-16: neither a reader nor a backup or an import."""
    await kill(house, tmp_path)
    LOSSES[loss](house.database)
    paths = house.paths
    for work in (
        lambda: open_to_read(paths),
        lambda: back_up(paths, tmp_path / "config.ini", tmp_path / "backup"),
        lambda: import_into(paths, []),
    ):
        assert "shows that it held records" in refused(house, work)


@pytest.mark.parametrize("loss", LOSSES)
async def test_led_12_a_loss_that_is_accepted_keeps_the_log_under_another_name(house, tmp_path, loss):
    """LED-12: the bot goes on, says aloud what it lost, and the operator has what may still be read."""
    await kill(house, tmp_path)
    log = contents(house)["ledger.db-wal"]
    LOSSES[loss](house.database)
    async with house.open(accept_loss=True) as ledger:
        await roll(ledger)
    (kept,) = house.data.glob("ledger.db-wal.lost-*")
    assert kept.read_bytes() == log
    assert [note.lost for note in house.notes() if note.lost] == [1]
    async with house.open() as ledger:
        await roll(ledger)
    assert house.check().findings == ()


async def test_led_16_checkpoints_show_that_there_was_a_database(house):
    """LED-16: after a clean stop there is no log; no new database is begun in its place."""
    async with house.open() as ledger:
        await roll(ledger)
    house.database.unlink()
    with pytest.raises(LedgerDamaged, match=r"ledger\.db is missing, and .*checkpoints shows that it held records"):
        async with house.open():
            pass
    assert not house.database.exists()
    async with house.open(accept_loss=True) as ledger:
        await roll(ledger)


async def test_led_01_an_empty_file_in_an_empty_folder_is_a_new_ledger(house):
    """LED-01: a start that was killed before it wrote anything."""
    house.data.mkdir(parents=True)
    house.database.touch()
    async with house.open() as ledger:
        await roll(ledger)
