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


def test_led_23_right_ids_have_no_common_limit(table):
    """LED-23: right ids count only towards the lines of the user who asks about them."""
    table.allowance = Allowance(wrong=2)
    table.restart()
    posted = roll(table)
    for nick in ("sam", "sam", "sam", "alice"):
        assert said(table, nick, f"!verify {posted}").startswith("Genuine")


def test_led_23_two_hundred_wrong_ids_in_all():
    """LED-23: past the limit only the users who asked about wrong ids wait, until the last minute has fewer of them."""
    allowance = Allowance()
    for number in range(20):
        assert allowance.wait(f"n{number}", 10, number) == 0
        allowance.count_wrong(f"n{number}", 10, number)
    assert allowance.wait("n7", 1, 100) == 60_000 - 100
    assert allowance.wait("another", 20, 100) == 0
    assert allowance.wait("n7", 1, 60_000) == 0


def test_led_23_an_early_wrong_id_counts_for_a_minute_only():
    """LED-23: the wait ends after a minute, even if other users ask about many wrong ids later."""
    allowance = Allowance()
    allowance.count_wrong("alice", 1, 0)
    allowance.count_wrong("mallory", 300, 10_000)
    assert allowance.wait("alice", 1, 20_000) == 40_000
    assert allowance.wait("alice", 1, 60_000) == 0
    assert allowance.wait("mallory", 1, 60_000) == 10_000


def test_led_23_the_wait_is_long_enough():
    """LED-23: after the announced wait the same number of lines is allowed."""
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


def test_led_23_nobody_shuts_others_out(table):
    """LED-23: twelve nicks guess, and alice is still answered; those who guessed are not."""
    table.allowance = Allowance()
    table.restart()
    posted = roll(table)
    for number in range(12):
        guesses = " ".join(f"1-{number:03}{guess:03}" for guess in range(19))
        assert "unknown" in said(table, f"mallory{number}", f"!verify {guesses}")
    assert said(table, "alice", f"!verify {posted}").startswith("Genuine")
    assert said(table, "mallory3", f"!verify {posted}").startswith("Not verified: that was asked too often.")
    table.now += 60_000
    assert said(table, "mallory3", f"!verify {posted}").startswith("Genuine")
