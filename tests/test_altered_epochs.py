"""Epochs as somebody altered them in the tables: what is signed of them, and which are not gone on with."""

import asyncio

import pytest
from ledger_house import NOON, PLACE, House, roll, rolls

from ircdice.dice import Stamp
from ircdice.ledger import Draft
from ircdice.ledger.stream import commitment


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_what_was_promised_is_signed_again_whatever_the_table_says(house, caplog):
    """LED-12, LED-13: the commitment of the epoch to come is altered under the bot that runs, and under the next."""

    async def scene():
        async with house.open() as notary:
            house.sql("UPDATE epochs SET commitment = zeroblob(32) WHERE epoch = 2")
            await roll(notary)
        async with house.open() as notary:
            await roll(notary)

    asyncio.run(scene())
    promises = {dict(note.following)[2] for note in house.notes()[1:]}
    assert promises == {commitment(2, house.keeping.seeds.read(2))}
    assert "the commitment of epoch 2 was altered" in caplog.text
    assert "/seeds/2 is not what was committed to" in caplog.text


@pytest.mark.parametrize("ts", [NOON + 1, -1, 2**63 - 1])
def test_an_epoch_that_began_at_another_time_is_not_gone_on_with(house, ts):
    """LED-12, LED-13: of one that begins far ahead the end would never come."""

    async def scene():
        async with house.open() as notary:
            await roll(notary)
        house.sql(f"UPDATE begun SET ts = {ts}")
        async with house.open() as notary:
            return await roll(notary)

    assert asyncio.run(scene()).draft.stamp == Stamp(2, 1, 0)


@pytest.mark.parametrize("change", ["text = 'stir other words' WHERE kind = 'stir'", "counter = 9000 WHERE seq = 1"])
def test_an_epoch_whose_dice_would_be_others_is_not_gone_on_with(house, change, monkeypatch):
    """LED-14, LED-15: what a start does not look at again, a stir or a number of long ago, was altered."""
    monkeypatch.setattr("ircdice.ledger.opening.LOOKED_AT", 1)

    async def scene():
        async with house.open() as notary:
            await roll(notary)
            stir = Draft("stir", *PLACE, "bob", "~bob", "stir our own words", (), "…", stamp=Stamp(1, 0, 1))
            await notary.append(stir)
            await rolls(notary, 3)
        house.sql(f"UPDATE records SET {change}")
        async with house.open() as notary:
            return await roll(notary)

    assert asyncio.run(scene()).draft.stamp == Stamp(2, 1, 0)
