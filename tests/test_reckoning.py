"""Odds beside play: one at a time, and never waited for without end."""

import asyncio
import threading

import pytest

from ircdice.bot import reckoning
from ircdice.bot.reckoning import reckoned
from ircdice.errors import RuleError


def test_irc_22_odds_are_worked_out_one_at_a_time_so_that_a_flood_of_them_keeps_no_roll_waiting():
    """IRC-22: of many that ask for odds at once, one is at work; the others take nothing from the loop."""
    at_work, most = 0, 0

    def work():
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        threading.Event().wait(0.002)
        at_work -= 1
        return at_work

    async def ask():
        return await asyncio.gather(*(reckoned(work) for _ in range(12)))

    assert asyncio.run(ask()) == [0] * 12
    assert most == 1


@pytest.fixture
def held(monkeypatch):
    """Odds that take until `held` is set, before which others wait for 10 ms."""
    monkeypatch.setattr(reckoning, "PATIENCE", 0.01)
    released = threading.Event()
    yield released
    released.set()


def test_irc_15_odds_that_would_wait_long_are_refused_in_a_sentence(held):
    """IRC-15: never queued without end; what is being worked out is told, however long it takes."""

    async def ask():
        first = asyncio.create_task(reckoned(lambda: held.wait(20)))
        await asyncio.sleep(0.001)
        with pytest.raises(RuleError, match="ask again in a minute"):
            await reckoned(lambda: pytest.fail("it was begun"))
        held.set()
        return await first

    assert asyncio.run(ask())


def test_irc_25_odds_that_were_not_begun_are_not_worked_out_once_nobody_waits(held):
    """IRC-25: at the end nothing is waited for but the one that is at work."""
    begun = threading.Event()

    async def ask():
        first = asyncio.create_task(reckoned(lambda: held.wait(20)))
        second = asyncio.create_task(reckoned(begun.set))
        await asyncio.sleep(0.001)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        held.set()
        await first
        return await reckoned(begun.is_set)

    assert asyncio.run(ask()) is False
