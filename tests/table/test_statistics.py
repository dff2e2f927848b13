"""LED-24: how often fair dice are so uneven, against counting and the books."""

from itertools import pairwise, product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.bot.statistics import p_of, p_value


def by_counting(counts):
    """The chance of a chi-square at least as large, over every way in which so many dice may fall."""
    sides, dice = len(counts), sum(counts)
    expected = dice / sides
    reached = sum((count - expected) ** 2 for count in counts) - 1e-9
    ways = 0
    for each in product(range(dice + 1), repeat=sides):
        if sum(each) == dice and sum((count - expected) ** 2 for count in each) >= reached:
            ways += factorial(dice) // prod(map(factorial, each))
    return ways / sides**dice


@pytest.mark.parametrize("counts", [(12, 4, 5), (9, 6, 6), (7, 7, 7), (20, 10)])
def test_led_24_p_against_every_way_to_fall(counts):
    """LED-24: near what counting all throws gives, as near as chi-square ever is."""
    assert p_of(counts) == pytest.approx(by_counting(counts), abs=0.13)


@pytest.mark.parametrize(
    ("chi_square", "freedom", "p"),
    [
        (3.841458820694124, 1, 0.05),
        (5.991464547107979, 2, 0.05),
        (7.814727903251179, 3, 0.05),
        (16.918977604620448, 9, 0.05),
        (21.665994333461924, 9, 0.01),
        (30.14352720564616, 19, 0.05),
        (123.22522145336181, 99, 0.05),
        (0.0, 9, 1.0),
    ],
)
def test_led_24_p_from_the_tables(chi_square, freedom, p):
    """LED-24: the critical values that every book of statistics has."""
    assert p_value(chi_square, freedom) == pytest.approx(p, rel=1e-9)


@given(st.integers(1, 99), st.lists(st.floats(0, 1e6), min_size=2, max_size=6))
def test_led_24_p_falls(freedom, values):
    """LED-24: the more uneven, the rarer; never outside 0 to 1."""
    found = [p_value(value, freedom) for value in sorted(values)]
    assert all(0 <= p <= 1 for p in found)
    assert all(one >= other - 1e-12 for one, other in pairwise(found))
