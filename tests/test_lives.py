"""Dice that were drawn behind what the ledger still knows, by a bot whose days are lost (LED-07, LED-12, LED-13)."""

import asyncio
import shutil
from dataclasses import replace

import pytest
from ircdice.ledger.notary import Notary
from ircdice.ledger.shift import GRACE
from ledger_house import House, checked, rolls

from ircdice.durations import DAY
from ircdice.ledger.backup import back_up, put_back


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


async def lived(house, days):
    """So many epochs, of three rolls each."""
    drawn = []
    for _ in range(days):
        house.now += DAY
        async with house.open() as notary:
            drawn += await rolls(notary, 3)
    return drawn


def faces(records):
    return {record.draft.draws for record in records}


def accepted(house, folder):
    """The database alone is put back; files and seeds are those of the last day."""
    shutil.copy(folder / "backup" / "ledger.db", house.database)
    return house.open(accept_loss=True)


def restored(house, folder):
    """All is put back, on a new machine."""
    house.keeping = replace(house.keeping, data=folder / "again")
    put_back(folder / "backup", house.keeping)
    return house.open()


@pytest.mark.parametrize(("back", "days"), [(accepted, 1), (accepted, 2), (restored, 0), (restored, 1), (restored, 2)])
def test_led_12_no_dice_of_a_lost_day_come_again(house, tmp_path, back, days):
    """LED-12: the epoch that was committed to may have begun since, and those behind it; their seeds serve no roll."""
    config = tmp_path / "config.ini"
    config.touch()

    async def scene():
        known = await lived(house, 2)
        back_up(house.keeping, config, tmp_path / "backup")
        lost = await lived(house, days)
        async with back(house, tmp_path) as notary:
            again = await rolls(notary, 3)
            house.now += GRACE
            await notary.tend()
            return known, lost, again, notary.statement()

    known, lost, again, statement = asyncio.run(scene())
    assert not faces(again) & faces(lost + known)
    (epoch,) = {record.draft.stamp.epoch for record in again}
    assert epoch > max(record.draft.stamp.epoch for record in known)
    assert f"epoch {epoch}" in statement
    report = checked(house)
    assert (report.findings, report.unproved) == ((), 3)


def test_led_12_a_start_that_dies_before_another_epoch_begins(house, tmp_path, monkeypatch):
    """LED-12: the loss is accepted and signed by then; the next start has no reason of its own to begin another."""
    config = tmp_path / "config.ini"
    config.touch()

    async def dies(_notary):
        raise OSError("the machine dies")

    async def scene():
        await lived(house, 1)
        back_up(house.keeping, config, tmp_path / "backup")
        lost = await lived(house, 2)
        with monkeypatch.context() as broken:
            broken.setattr(Notary, "_begin_epoch", dies)
            with pytest.raises(OSError, match="the machine dies"):
                async with accepted(house, tmp_path):
                    pass
        async with house.open() as notary:
            return lost, await rolls(notary, 3)

    lost, again = asyncio.run(scene())
    assert not faces(again) & faces(lost)
    assert checked(house).sound


def test_led_13_a_stray_file_among_the_seeds_is_no_epoch(house, tmp_path):
    """LED-13: whatever number it is called by, nothing goes through all those before it."""
    config = tmp_path / "config.ini"
    config.touch()

    async def scene():
        await lived(house, 1)
        (house.keeping.seeds.folder / "20261123").write_text(f"{'0' * 64}\n")
        back_up(house.keeping, config, tmp_path / "backup")
        async with restored(house, tmp_path) as notary:
            return (await rolls(notary, 1))[0].draft.stamp.epoch

    assert asyncio.run(scene()) == 3
