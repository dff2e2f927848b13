"""How often anybody may ask for a verdict (LED-23)."""

import pytest
from posted import roll, said

from ircdice.bot.rate_limit import Allowance


@pytest.mark.parametrize("count", [1, 5])
def test_led_23_twenty_a_minute(count):
    """LED-23: 20 lines a minute for each asker; what is refused counts for nothing."""
    allowance = Allowance()
    assert [allowance.wait("sam", count, at) for at in range(20 // count)] == [0] * (20 // count)
    assert allowance.wait("sam", 1, 30_000) == 30_000
    assert allowance.wait("alice", 20, 30_000) == 0
    assert allowance.wait("sam", 1, 59_999) == 1
    assert allowance.wait("sam", 1, 60_000) == 0


def test_led_23_two_hundred_in_all():
    """LED-23: 200 a minute, whoever asks."""
    allowance = Allowance()
    assert all(allowance.wait(f"n{number}", 20, number) == 0 for number in range(10))
    assert allowance.wait("another", 1, 100) == 60_000 - 100
    assert allowance.wait("another", 1, 60_000) == 0


def test_led_23_the_wait_is_long_enough():
    """LED-23: after the wait that is told, as many lines as were asked about fit."""
    allowance = Allowance()
    assert [allowance.wait("sam", 1, 0), allowance.wait("sam", 19, 30_000)] == [0, 0]
    assert allowance.wait("sam", 5, 40_000) == 50_000
    assert allowance.wait("sam", 5, 90_000) == 0


def test_led_23_more_than_ever_are_allowed():
    """LED-23: 21 lines at once never fit."""
    assert Allowance().wait("sam", 21, 0) > 0


def test_led_23_is_told(table):
    """LED-23: past the limit the asker is told when to ask again."""
    table.allowance = Allowance()
    table.restart()
    posted = roll(table)
    for _ in range(20):
        assert said(table, "sam", f"!verify {posted}").startswith("Genuine")
    assert said(table, "sam", f"!verify {posted}") == "Not verified: that was asked too often. Ask again in 60 seconds."
    assert said(table, "bob", f"!verify {posted}").startswith("Genuine")
    table.now += 60_000
    assert said(table, "sam", f"!verify {posted}").startswith("Genuine")
