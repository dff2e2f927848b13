"""How long a command waits for a database that is away: each from when it asked itself (LED-05)."""

import asyncio
import time

import pytest

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store.deadlines import Deadlines
from ircdice.ledger.store.requests import Request

from .drafts import opened, roll


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
    deadlines, loop = Deadlines(0.05, given_up.append), asyncio.get_running_loop()
    requests = [Request(loop, loop.create_future()) for _ in range(100)]
    for request in requests:
        deadlines.begin(request)
    for request in requests[:60]:
        request.future.set_result(None)
    deadlines.forget_answered()
    assert len(deadlines._asked) == 40
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
