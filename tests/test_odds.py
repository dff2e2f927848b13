"""Odds as such: sets of labels, marginals, means; no game (GEN-08)."""

from fractions import Fraction
from math import isclose

from ircdice.bot.chances import percent
from ircdice.odds import Odds
from ircdice.outcome import Outcome

THIRD = Fraction(1, 3)


def outcome(*labels, **values):
    return Outcome(labels=labels, values=values)


def test_gen_08_labels_that_come_together_are_counted_together_and_alone():
    """GEN-08: two labels of one roll are one outcome, and each has its own chance."""
    odds = Odds.over([outcome("a", "b"), outcome("a"), outcome()])
    assert odds.together == {("a", "b"): THIRD, ("a",): THIRD, (): THIRD}
    assert odds.outcomes == {"a": 2 * THIRD, "b": THIRD}
    assert odds.any_of(["a", "b"]) == 2 * THIRD
    assert odds.any_of(["c"]) == 0


def test_gen_08_weights_count_as_often_as_they_say():
    """GEN-08"""
    odds = Odds.weighted([(outcome("a", n=2), 3), (outcome(n=0), 1)])
    assert odds.together == {("a",): Fraction(3, 4), (): Fraction(1, 4)}
    assert (odds.name, odds.values) == ("n", {0: Fraction(1, 4), 2: Fraction(3, 4)})
    assert odds.mean == Fraction(3, 2)
    assert isclose(odds.sd, 0.75**0.5)


def test_gen_08_values_stand_in_order():
    """GEN-08: whatever order they come in."""
    odds = Odds.over([outcome(n=3), outcome(n=1), outcome(n=2)], of="n")
    assert list(odds.values) == [1, 2, 3]


def test_gen_08_what_has_no_value_has_no_distribution():
    """GEN-08"""
    odds = Odds.over([outcome("yes")])
    assert (odds.name, odds.values) == (None, {})


def test_gen_08_percentages_are_rounded_half_up():
    """GEN-08: language.md: half up, each by itself."""
    shown = [percent(Fraction(n, 10_000)) for n in (0, 4, 5, 15, 5125, 4875, 9994, 9995, 10_000)]
    assert shown == ["0.0", "0.0", "0.1", "0.2", "51.3", "48.8", "99.9", "100.0", "100.0"]
