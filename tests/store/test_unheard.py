"""LED-04, LED-05: commits whose answer is not heard: looked up, told once, written once."""

import asyncio

import pytest

from ircdice.errors import LedgerUnavailable

from .drafts import append, everything, opened, roll
from .unheard import Unheard


@pytest.fixture
def unheard(postgresql):
    way = Unheard(postgresql.folder)
    yield way
    way.close()


@pytest.fixture
def shaky(postgresql, unheard, clock):
    """A ledger behind a way that breaks, and one past it."""
    url = postgresql.database()
    made = [opened(url.replace(str(postgresql.folder), str(unheard.folder)), clock, wait=0.5), opened(url, clock)]
    yield made
    for one in made:
        asyncio.run(one.close())


@pytest.mark.parametrize("losing", ["answer", "commit"])
async def test_led_04_a_commit_that_was_not_heard_is_looked_up(shaky, unheard, losing):
    """LED-04: back in time, its speaker has the roll, written once, whether or not it had landed."""
    ledger, other = shaky
    await append(ledger, roll("first"))
    unheard.losing = losing
    waiting = asyncio.gather(*(ledger.append(roll(channel=f"#{n}", counter=1)) for n in range(3)))
    await asyncio.sleep(0.1)
    unheard.open()
    told = await waiting
    await append(ledger, roll("last"))
    assert sorted(r.seq for r in told) == [2, 3, 4]
    kept = await everything(other)
    assert [r.seq for r in kept] == [1, 2, 3, 4, 5]
    assert {r.seq: r for r in kept} == {r.seq: r for r in kept} | {r.seq: r for r in told}


async def test_led_05_what_landed_though_it_was_out_of_reach_is_handed_over(shaky, unheard):
    """LED-05: it is posted after all, its number is known before the next is drawn, and nothing is written twice."""
    ledger, other = shaky
    late = []
    ledger.on_late = late.append
    await append(ledger, roll(counter=1))
    unheard.losing = "answer"
    with pytest.raises(LedgerUnavailable):
        await ledger.append(roll("late", counter=2))
    assert ledger.in_doubt("net", "#fu")
    assert not ledger.in_doubt("net", "#other")
    assert not late
    unheard.open()
    async with asyncio.timeout(5):
        while ledger.in_doubt("net", "#fu"):
            await asyncio.sleep(0.01)
    assert [r.draft.text for r in late] == ["late"]
    assert (await ledger.append(roll(counter=3))).seq == 3
    assert [r.draft.stamp.counter for r in await everything(other)] == [1, 2, 3]
    assert await everything(other) == await everything(ledger)


async def test_led_05_what_did_not_land_and_was_given_up_is_not_written(shaky, unheard):
    """LED-05: nobody waits for it any more."""
    ledger, other = shaky
    await append(ledger, roll(counter=1))
    unheard.losing = "commit"
    with pytest.raises(LedgerUnavailable):
        await ledger.append(roll("gone", counter=2))
    unheard.open()
    async with asyncio.timeout(5):
        while ledger.in_doubt("net", "#fu"):
            await asyncio.sleep(0.01)
    assert (await ledger.append(roll("again", counter=2))).seq == 2
    assert [r.draft.text for r in await everything(other)] == ["roll 2d10", "again"]
