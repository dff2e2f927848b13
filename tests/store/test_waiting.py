"""How long a roll waits for the ledger, and which ones share a transaction."""

import asyncio
import time

import pytest

from ircdice.errors import LedgerUnavailable, NumberTaken
from ircdice.ledger.store import engine, marks, pace
from ircdice.ledger.store.marks import Marks

from .drafts import append, everything, opened, roll


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
    while ledger._writer._turn.locked():  # the thread, once it has answered
        await asyncio.sleep(0)
    turns = []
    asyncio.get_running_loop().call_soon(turns.append, True)
    await ledger.append(roll())
    return bool(turns)


@pytest.fixture
def quick(monkeypatch):
    """No disk is too slow for the event loop, however busy the machine is."""
    monkeypatch.setattr(pace, "SLOW", 60.0)


def lone_ledger(tmp_path, clock, **more):
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock, **more)
    ledger.stand_by(lambda: True)
    return ledger


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("lone", [True, False])
async def test_led_03_a_lone_roll_is_written_where_it_is(tmp_path, clock, lone):
    """LED-03: it waits for no thread once the disk is known to be quick; where others are under way it keeps nobody."""
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    ledger.stand_by(lambda: lone)
    assert [await turned(ledger) for _ in range(4)] == [True, *[not lone] * 3]
    assert [r.seq for r in await everything(ledger)] == [1, 2, 3, 4]
    await ledger.close()


async def test_led_03_a_server_is_never_waited_for_there(postgresql, clock, quick):
    """LED-03: PostgreSQL may be far away."""
    ledger = opened(postgresql.database(), clock)
    ledger.stand_by(lambda: True)
    assert [await turned(ledger) for _ in range(4)] == [True] * 4
    await ledger.close()


async def test_led_03_one_that_was_slow_sends_the_next_to_the_thread(tmp_path, clock, monkeypatch):
    """LED-03: the loop is held up once, by as long as it took."""
    monkeypatch.setattr(pace, "SLOW", 1.0)
    ledger = lone_ledger(tmp_path, clock)
    assert await turned(ledger)
    ledger.within = lambda _records, _page: time.sleep(1.5)
    assert not await turned(ledger)
    ledger.within = None
    assert [await turned(ledger) for _ in range(3)] == [True] * 3
    assert [r.seq for r in await everything(ledger)] == [1, 2, 3, 4, 5]
    await ledger.close()


@pytest.mark.parametrize("before", [True, False])
async def test_led_06_who_is_cancelled_as_the_answer_comes_has_landed_late(tmp_path, clock, before):
    """LED-05, LED-06: told that the record is out of reach, by a hair: it stands all the same, and is handed over."""
    ledger, late = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock), []
    ledger.on_late = late.append
    waiting = asyncio.ensure_future(ledger.append(roll("by a hair")))
    cancel = waiting.cancel if before else lambda: asyncio.get_running_loop().call_soon(waiting.cancel)
    ledger.on_record = lambda _record: cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert late == await everything(ledger)
    assert [record.draft.text for record in late] == ["by a hair"]
    await ledger.close()


@pytest.mark.usefixtures("quick")
async def test_led_05_a_lock_keeps_nobody_else_waiting(tmp_path, clock, held):
    """LED-05: the thread waits for it, others have their turn; the roll is recorded once, and soon the next there."""
    ledger = lone_ledger(tmp_path, clock)
    await turned(ledger)
    held.execute("BEGIN IMMEDIATE")
    waiting = asyncio.ensure_future(turned(ledger))
    pen, start = ledger._writer._pen, time.monotonic()
    connection = pen._page.connection
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert time.monotonic() - start < 0.4
    assert not waiting.done()
    await asyncio.sleep(0.2)
    held.execute("ROLLBACK")
    assert await waiting
    assert not await turned(ledger)
    assert pen._page.connection is connection, "nothing was wrong with it"
    assert [r.seq for r in await everything(ledger)] == [1, 2, 3]
    await ledger.close()


async def test_led_03_what_is_asked_in_one_round_of_the_loop_is_one_commit(tmp_path, clock):
    """LED-03: the thread is not woken by the first of a burst while the others are still being asked."""
    ledger, commits = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock), []
    ledger.landed = commits.append

    async def said(number):
        time.sleep(0.001)  # longer in all than the interpreter leaves one thread to itself
        return await ledger.append(roll(str(number)))

    told = await asyncio.gather(*map(said, range(50)))
    assert [record.seq for record in told] == list(range(1, 51))
    await ledger.close()
    assert [len(records) for records in commits] == [50]


@pytest.mark.usefixtures("quick")
async def test_led_05_out_of_reach_for_a_lone_roll_as_for_any(tmp_path, clock, held):
    """LED-05: told after the wait, not written when the lock is let go; then there is the next number."""
    ledger = lone_ledger(tmp_path, clock, wait=0.3)
    await append(ledger, roll(counter=1), roll(counter=2))
    held.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable):
        await ledger.append(roll("held", counter=3))
    held.execute("ROLLBACK")
    assert (await ledger.append(roll("again", counter=3))).seq == 3
    assert [r.draft.text for r in await everything(ledger)] == ["roll 2d10", "roll 2d10", "again"]
    await ledger.close()


@pytest.mark.usefixtures("quick")
async def test_led_04_what_cannot_be_written_there_is_told_as_anywhere(tmp_path, clock, caplog):
    """LED-04: by the thread, which tries it once more; the next is written where it is."""
    ledger, landed = lone_ledger(tmp_path, clock), []
    ledger.landed = landed.extend
    await append(ledger, roll(counter=1), roll(counter=2))
    with pytest.raises(NumberTaken):
        await ledger.append(roll("twice", counter=2))
    with pytest.raises(UnicodeError):
        await ledger.append(roll("\ud800", counter=3))
    await append(ledger, roll(counter=3))
    assert not await turned(ledger)
    assert landed == await everything(ledger)
    assert [r.draft.stamp.counter for r in landed] == [1, 2, 3, 0]
    assert caplog.text.count("a draft could not be recorded") == 2
    await ledger.close()


@pytest.mark.usefixtures("quick")
async def test_led_03_hooks_see_what_is_written_there_and_in_the_thread_in_one_order(tmp_path, clock):
    """LED-12: the tree grows by each record once, whoever writes it; so does the last number drawn (LED-14)."""
    ledger, within, landed, drawn = lone_ledger(tmp_path, clock), [], [], []
    ledger.within, ledger.landed = lambda records, _page: within.extend(records), landed.extend
    ledger.on_record = drawn.append
    for _ in range(10):
        await ledger.append(roll())
        await ledger.transact(lambda page: page.last())
        await asyncio.gather(*(ledger.append(roll(channel=f"#{n}")) for n in range(3)))
    told = [r.seq for r in await everything(ledger)]
    assert told == [r.seq for r in within] == sorted(r.seq for r in drawn)
    await ledger.close()
    assert [r.seq for r in landed] == told


@pytest.mark.usefixtures("quick")
async def test_led_03_the_log_is_carried_into_the_file_by_the_thread(tmp_path, clock, monkeypatch):
    """LED-03: nobody waits for that on the event loop, and it is done before the log has grown much further."""
    monkeypatch.setattr(engine, "_CARRIED", 128)
    ledger = lone_ledger(tmp_path, clock)
    turns = [await turned(ledger) for _ in range(100)]
    assert [n for n, turned in enumerate(turns) if turned] == list(range(0, 100, 9))
    assert (tmp_path / "ledger.db-wal").stat().st_size < 2 * 128 * 4_120
    await ledger.close()


@pytest.mark.usefixtures("quick")
async def test_led_06_marks_ride_with_a_lone_roll(tmp_path, clock, monkeypatch):
    """LED-06: what was delivered is written down with it; one that fails loses none."""
    monkeypatch.setattr(marks, "_RIDE", 0.0)
    monkeypatch.setattr(marks, "_DUE", 60.0)
    ledger = lone_ledger(tmp_path, clock)
    first, second = await append(ledger, roll(), roll())
    ledger.mark_delivered("net", "#fu", first.seq)
    ledger.within = failing = Failing()
    assert not await turned(ledger)
    assert [r.seq for r in await ledger.undelivered(["net"])] == [2, 3]
    ledger.mark_delivered("net", "#fu", second.seq)
    failing.times = 2
    with pytest.raises(ValueError, match="failing"):
        await ledger.append(roll())
    await ledger.append(roll())
    assert [r.seq for r in await ledger.undelivered(["net"])] == [3, 4]
    await ledger.close()


class Failing:
    """A hook that fails so often, then no more."""

    times = 0

    def __call__(self, _records, _page):
        self.times -= 1
        if self.times >= 0:
            raise ValueError("failing")


def test_led_06_what_is_out_is_written_down_when_it_is_much_or_has_waited():
    """LED-06: a roll in the same moment does not carry it; eight lines do not wait for that moment to pass."""
    marks = Marks()
    assert marks.add("net", "#a", 1), "the first begins the wait"
    assert (marks.take(), 0 < (marks.due_in() or 0) <= 0.02) == ({}, True)
    assert [marks.add("net", f"#{seq % 2}", seq) for seq in range(2, 9)] == [False] * 6 + [True]
    assert 0 <= (marks.due_in() or 0) <= 0.005, "with the next commit, or soon"
    assert marks.take() == {("net", "#a"): 1, ("net", "#0"): 8, ("net", "#1"): 7}
    assert marks.due_in() is None
    marks.add("net", "#a", 9)
    assert marks.take(early=True) == {("net", "#a"): 9}
