"""Seeds that were published and are taken away again, or that nobody can publish any more (LED-13, LED-16)."""

import asyncio

import pytest
from ledger_house import House, checked, roll, started

from ircdice.durations import DAY, MINUTE
from ircdice.ledger.shift import GRACE

TAKEN = "missing: the seed of epoch 1 is not published, and the bot has drawn from the next one for long"


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def days(house, *, covered=False, last=GRACE + 2 * MINUTE):
    """Epoch 1 of a day, epoch 2 with rolls until so long (ms) behind its beginning."""

    async def scene():
        async with house.open() as notary:
            await roll(notary, kind="contest" if covered else "roll")
            house.now += DAY
            await notary.tend()
            await roll(notary)
            house.now += GRACE
            await notary.tend()
            house.now += last - GRACE
            await roll(notary)

    asyncio.run(scene())


def test_a_seed_that_was_taken_out_of_the_table_is_missing(house):
    """LED-30: its dice were proved; any start publishes it again."""
    days(house)
    before = checked(house)
    assert (before.proved, before.findings, before.notes) == (1, (), ())
    house.sql("DELETE FROM seeds")
    after = checked(house)
    assert (after.proved, [str(finding) for finding in after.findings], after.notes) == (0, [TAKEN], ())
    asyncio.run(started(house))
    assert checked(house).sound
    assert checked(house).proved == 1


def test_a_seed_that_is_gone_altogether_is_a_note(house):
    """LED-13: a disk may lose it, and nobody can say more; that it is only late is not said."""
    days(house)
    house.sql("DELETE FROM seeds")
    file = house.keeping.seeds.folder / "1"
    file.unlink()
    assert (checked(house).findings, checked(house).notes) == ((), (f"epoch 1 cannot be proved: {file} is missing",))


@pytest.mark.parametrize(
    ("content", "why"), [("0" * 64, "is not what was committed to"), ("x", "is damaged: a seed is 64 hex digits")]
)
def test_the_seed_of_the_running_epoch_is_looked_at(house, content, why):
    """LED-13: it is swapped or written over while nobody looks; until the next start nothing else would tell."""
    days(house)
    file = house.keeping.seeds.folder / "2"
    file.write_text(content)
    report = checked(house)
    assert (report.findings, report.notes) == ((), (f"epoch 2 cannot be proved: {file} {why}",))


@pytest.mark.parametrize("last", [GRACE, GRACE + MINUTE])
def test_a_seed_that_is_not_due_yet_is_no_fault(house, last):
    """LED-13: a bot that was killed in that minute publishes it at its next start."""
    days(house, last=last)
    house.sql("DELETE FROM seeds")
    assert (checked(house).findings, checked(house).notes) == ((), ())


def test_a_covered_contest_keeps_its_seed_back(house):
    """LED-13, GEN-06: as long as nobody has answered, and a while behind it."""
    days(house, covered=True)
    assert (checked(house).findings, checked(house).unproved) == ((), 3)

    async def ended():
        async with house.open() as notary:
            await roll(notary, kind="lapse", ref=2)
            await roll(notary)

    asyncio.run(ended())
    assert checked(house).sound


@pytest.mark.parametrize("ahead", [20 * MINUTE, 3 * DAY])
def test_a_clock_that_was_ahead_keeps_no_seed_back(house, ahead):
    """LED-13, LED-16: records never go back, epochs begin by the clock: what was drawn behind one is not late."""

    async def scene():
        house.now += ahead
        async with house.open() as notary:
            await roll(notary)
        house.now -= ahead
        async with house.open() as notary:
            await notary.redact({"~bob"})
            await notary.publish_all()
        house.sql("DELETE FROM seeds")  # the bot is killed before it comes to that
        async with house.open() as notary:
            await roll(notary)

    asyncio.run(scene())
    house.sql("DELETE FROM seeds")
    report = checked(house)
    assert (report.findings, report.notes) == ((), ())


def test_another_process_keeps_its_own_seeds(house):
    """LED-13: of its epochs nothing need be here."""
    days(house)
    house.sql("DELETE FROM seeds", "UPDATE epochs SET name = 'other'")
    for file in house.keeping.seeds.folder.iterdir():
        file.unlink()
    assert (checked(house).findings, checked(house).notes) == ((), ())
