"""How long a roll waits for the ledger, and which ones share a transaction."""

import asyncio
import sqlite3
import time

import pytest

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store import ledger as stored
from ircdice.ledger.store.marks import Marks
from ircdice.ledger.store.patience import Patience
from ircdice.ledger.store.requests import Request

from .drafts import everything, opened, roll


@pytest.fixture
def held(tmp_path):
    """A database that somebody else holds, until the connection is rolled back."""
    connection = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None, timeout=5)
    yield connection
    connection.close()


async def test_led_03_what_is_asked_while_the_lock_is_waited_for_rides_along(tmp_path, clock, held):
    """LED-03: one sync for all that wait, however long the lock was in coming; in the order in which they asked."""
    ledger, commits = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock), []
    ledger.landed = commits.append
    held.execute("BEGIN IMMEDIATE")
    first = asyncio.ensure_future(ledger.append(roll("0")))
    await asyncio.sleep(0.1)  # it waits for the lock by now
    others = asyncio.gather(*(ledger.append(roll(str(n))) for n in range(1, 30)))
    await asyncio.sleep(0.1)
    held.execute("ROLLBACK")
    told = [await first, *await others]
    assert [record.draft.text for record in told] == [str(n) for n in range(30)]
    assert await everything(ledger) == told
    await ledger.close()
    assert [len(records) for records in commits] == [30]


async def turned(ledger):
    """Append a roll; whether anything else had a turn meanwhile."""
    turns = []
    asyncio.get_running_loop().call_soon(turns.append, True)
    await ledger.append(roll())
    return bool(turns)


@pytest.mark.parametrize("lone", [True, False])
async def test_led_03_a_lone_roll_is_waited_for_where_it_is(tmp_path, clock, monkeypatch, lone):
    """LED-03: it gives nothing up but time; where others are under way it keeps nobody."""
    monkeypatch.setattr(stored, "_MOMENT", 1.0)
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    ledger.stand_by(lambda: lone)
    assert [await turned(ledger) for _ in range(3)] == [not lone] * 3
    assert [r.seq for r in await everything(ledger)] == [1, 2, 3]
    await ledger.close()


async def test_led_05_a_slow_ledger_keeps_nobody_else_for_longer_than_a_moment(tmp_path, clock, held, monkeypatch):
    """LED-05: past it others have their turn, the roll is recorded once, and the next is not waited for there."""
    monkeypatch.setattr(stored, "_MOMENT", 0.02)
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    ledger.stand_by(lambda: True)
    held.execute("BEGIN IMMEDIATE")
    waiting = asyncio.ensure_future(turned(ledger))
    start = time.monotonic()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert time.monotonic() - start < 0.4
    assert not waiting.done()
    await asyncio.sleep(0.2)
    held.execute("ROLLBACK")
    assert await waiting
    assert await turned(ledger)
    assert [r.seq for r in await everything(ledger)] == [1, 2]
    await ledger.close()


async def test_led_05_each_is_given_up_when_its_own_time_is_over(tmp_path, clock, held):
    """LED-05: the one that asked later is told later, one timer or not."""
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock, wait=0.4)
    held.execute("BEGIN IMMEDIATE")

    async def waited() -> float:
        start = time.monotonic()
        with pytest.raises(LedgerUnavailable):
            await ledger.append(roll())
        return time.monotonic() - start

    async def slept(seconds: float) -> float:
        start = time.monotonic()
        await asyncio.sleep(seconds)
        return time.monotonic() - start  # longer where the machine is busy

    first = asyncio.ensure_future(waited())
    await asyncio.sleep(0.25)
    second, machine = await asyncio.gather(waited(), slept(0.4))
    assert await first >= 0.4
    assert 0.4 <= second < machine + 0.3  # not once more the time of the first
    held.execute("ROLLBACK")
    assert (await ledger.append(roll())).seq == 1
    await ledger.close()


async def test_led_05_what_was_answered_is_let_go_at_once():
    """LED-05: a busy hour leaves nothing behind in memory, and nobody answered is given up."""
    given_up = []
    patience, loop = Patience(0.05, given_up.append), asyncio.get_running_loop()
    requests = [Request(loop, loop.create_future()) for _ in range(100)]
    for request in requests:
        patience.begin(request)
    for request in requests[:60]:
        request.future.set_result(None)
    patience.forget_answered()
    assert len(patience._asked) == 40
    for request in requests[61:]:
        request.future.set_result(None)
    await asyncio.sleep(0.1)
    assert given_up == [requests[60]]


def test_led_05_one_loop_may_follow_another(tmp_path, clock, held):
    """LED-05: a timer that its loop took along is missed by nobody."""
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock, wait=0.2)
    assert asyncio.run(ledger.append(roll())).seq == 1
    held.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        asyncio.run(ledger.append(roll()))
    held.execute("ROLLBACK")
    asyncio.run(ledger.close())


def test_led_06_what_is_out_is_written_down_when_it_is_much_or_has_waited():
    """LED-06: a roll in the same moment does not carry it; eight lines do not wait for that moment to pass."""
    marks = Marks()
    assert marks.add("net", "#a", 1), "the writer hears of the first"
    assert (marks.take(), 0 < (marks.due_in() or 0) <= 0.02) == ({}, True)
    assert [marks.add("net", f"#{seq % 2}", seq) for seq in range(2, 9)] == [False] * 6 + [True]
    assert marks.due_in() == 0
    assert marks.take() == {("net", "#a"): 1, ("net", "#0"): 8, ("net", "#1"): 7}
    assert marks.due_in() is None
    marks.add("net", "#a", 9)
    assert marks.take(early=True) == {("net", "#a"): 9}
