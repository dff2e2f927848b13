"""Generic odds of many dice and large ones: exact, and never long (GEN-08), by closed forms and by smaller throws."""

from fractions import Fraction
from itertools import product
from math import comb
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grammars
from ircdice.dispatcher import odds
from ircdice.odds import Even, Shares
from ircdice.rules.generic import ends
from ircdice.rules.generic.ends import one_end
from ircdice.rules.generic.packing import unpack, width_for
from ircdice.rules.generic.sums import summed

pytestmark = pytest.mark.slow

EXACT = [
    "100d20k50",
    "100d20dl50",
    "100d6dl1",
    "100d6dh3",
    "100d100",
    "100d1000",
    "99d1000",
    "100d100ro1",
    "100d100k3",
    "100d{1,2,1000000}",
    "100d20k50>=11",
    "1d1000000",
    "5-1d1000000*2",
    "1 1000000",
    "100d6*100d6",
    "100d6dl1dh1",
    "100d100k50",
    "100d100dl1",
    "100d100dl1dh1",
    "100d1000k20",
    "100d2000",
    "20d20dl3dh2",
    "1d1000*1d1000",
    "1d1000//1d1000",
    "1d300/1d300",
    "2d120000",
    "100d1000000>5f1",
    "20d10kl10k40ro1",
    "5d10dl5!",
    "10d10!k5",
    "20d6!pk5",
    "20d20!pk3",
    "8d6ro1!kl3",
]
NEARLY = ["50d6!d3", "100d6!k50", "100d6!dl1", "6d{1,3,5,5}!d6", "100d100!", "100d20!>18", "20d6!!k3"]
NEARLY += [
    "6d{1,3,5,5}!pd6",
    "6d6!pd1",
    "20d10!pdh2",
    "d20!>3",
    "100d6!p",
    "100d100!>50",
    "10d10!8!9",
    "100d6k50!",
    "20d10k10!!",
    "6d20kl10dl3!>10",
    "4d6kl2!p",
]


def chances(text):
    return odds(grammars.parse(f"roll {text}", "generic", called=True))


@pytest.mark.parametrize("text", EXACT + NEARLY)
def test_gen_08_exact_and_soon(text):
    """GEN-08: all chances add up, but for what is said to be missing; a bound of ten times what it takes."""
    began = process_time()
    found = chances(text)
    assert process_time() - began < 5
    shares = Shares.of(found.values)
    assert shares.moment(0) == 1 - found.error
    assert (found.error == 0) == (text in EXACT)
    assert 0 <= found.error < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("99d1000", Fraction(99 * 1001, 2)),
        ("100d100", 5050),
        ("1d1000000", Fraction(1_000_001, 2)),
        ("1d1000000*2-7", 999_994),
    ],
)
def test_gd_01_known_means(text, mean):
    """GD-01: half of the ends of one die, for each."""
    assert chances(text).mean == mean


def test_gd_01_the_spread_of_a_die_of_a_million():
    """GD-01: though no value of it is listed."""
    found = chances("1d1000000+5")
    assert (len(found.values), found.values[6], found.values[1_000_005]) == (
        10**6,
        Fraction(1, 10**6),
        Fraction(1, 10**6),
    )
    assert abs(found.sd**2 - (10**12 - 1) / 12) < 1
    assert 5 not in found.values


@pytest.mark.parametrize(
    ("text", "success"),
    [
        ("1d1000000 >= 500001", Fraction(1, 2)),
        ("1d1000000 > 999999", Fraction(1, 10**6)),
        ("7 < 1d1000000", 1 - Fraction(7, 10**6)),
        ("1d1000000 = 1d20", Fraction(1, 10**6)),
        ("1d20 <> 1d1000000", 1 - Fraction(1, 10**6)),
        ("1d20*2 <= 1d1000000", 1 - Fraction(sum(2 * n - 1 for n in range(1, 21)), 20 * 10**6)),
        ("-1d1000000 < 0-1d2", 1 - Fraction(3, 2 * 10**6)),
    ],
)
def test_gd_13_questions_about_a_million(text, success):
    """GD-13: by the judge that play uses, without going through a million faces."""
    assert chances(text).outcomes["success"] == success


def test_gd_02_the_lowest_of_a_hundred_is_dropped():
    """GD-02: 100d6dl1 comes to 594 with at most one die that is no six, to 99 with ones alone."""
    values = chances("100d6dl1").values
    assert values[99] == Fraction(1, 6**100)
    assert values[594] == Fraction(1 + 100 * 5, 6**100)
    assert chances("100d6dh1").values[99] == values[594]


def test_gd_02_half_of_a_hundred():
    """GD-02: all fifty are twenties with fifty of them or more, and of 50 dice those dropped do not matter."""
    more = sum(comb(100, k) * 19 ** (100 - k) for k in range(50, 101))
    assert chances("100d20k50").values[1000] == Fraction(more, 20**100)
    assert chances("100d20k50").values == chances("100d20dl50").values


def test_gd_05_explosions_and_then_a_choice():
    """GD-02, GD-05: the one highest of exploding dice is 6 unless none of them showed one."""
    found = chances("50d6!k1")
    assert 0 <= 1 - Fraction(5**50, 6**50) - found.values[6] <= found.error


def test_gen_08_what_is_too_rare_to_list_is_said(evaluate):
    """GEN-08: a line of a million chances names none of them."""
    line = evaluate({"text": "odds 1d1000000"})["reply"]
    assert line == "odds 1d1000000: total 1 to 1000000, each <1%; average 500000.5"
    limit = evaluate({"text": "odds 2d1000000"})["error"]
    assert (
        limit == "that has 1000000 values, and exact odds are for at most 250000: ask for fewer dice, or smaller ones."
    )


weights = st.dictionaries(st.integers(-5, 12), st.integers(1, 3), min_size=1, max_size=4)


def listed(faces, count, worth):
    """Every throw of `count` such dice, with what it is worth."""
    found = {}
    for throw in product(faces, repeat=count):
        ways = 1
        for face in throw:
            ways *= faces[face]
        found[worth(throw)] = found.get(worth(throw), 0) + ways
    return found


@settings(max_examples=200, deadline=None)
@given(weights, st.integers(0, 6))
def test_gd_01_sums_against_every_throw(faces, count):
    """GD-01: whichever way the sum is made."""
    assert summed(faces, count) == listed(faces, count, sum)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60), st.integers(1, 60), st.integers(0, 5))
def test_gd_01_even_dice_against_one_more(sides, count, low):
    """GD-01: the sum of n + 1 even dice is that of n, spread over one more."""
    die = dict.fromkeys(range(low, low + sides), 1)
    more, fewer = summed(die, count + 1), summed(die, count)
    for total in list(more)[:: max(len(more) // 20, 1)]:
        assert more[total] == sum(fewer.get(total - face, 0) for face in die)


@settings(max_examples=200, deadline=None)
@given(weights, st.integers(1, 5), st.data())
def test_gd_02_one_end_against_every_throw(faces, count, data):
    """GD-02: by the last die kept and by the last dropped alike, whatever the dice are worth and from either end."""
    number = data.draw(st.integers(1, count))
    worth = data.draw(st.fixed_dictionaries({face: st.integers(-2, 9) for face in faces}))
    order = sorted(faces, reverse=data.draw(st.booleans()))
    ordered = {face: faces[face] for face in order}
    expected = listed(
        ordered, count, lambda throw: sum(worth[face] for face in sorted(throw, key=order.index)[:number])
    )
    assert one_end(ordered, count, number, worth).found() == expected
    lowest = min(worth.values())
    steps = [ends.Step(faces[face], worth[face] - lowest) for face in order]
    width = width_for(2 * sum(faces.values()) ** count)
    for way in (ends._first, ends._all_but_last)[: 2 if number < count else 1]:
        assert unpack(way(steps, count, number, width), lowest * number, 1, width) == expected


@given(st.integers(-50, 50), st.integers(1, 40), st.integers(1, 9), st.integers(-4, 4).filter(bool), st.integers(-9, 9))
def test_even_values_are_as_if_listed(first, count, step, factor, more):
    """GD-09: moved and summed without being listed."""
    even = Even(range(first, first + count * step, step))
    assert dict(even) == dict.fromkeys(range(first, first + count * step, step), 1)
    assert list(even.moved(factor, more)) == sorted(value * factor + more for value in even)
    assert [even.moment(power) for power in (0, 1, 2)] == [sum(v**power for v in even) for power in (0, 1, 2)]


def test_large_answers_are_not_kept():
    """GEN-08: memory is for the small ones: what is large is worked out again."""
    small, large = (grammars.parse(f"roll {text}", "generic") for text in ("3d6", "100d100"))
    assert odds(small) is odds(small)
    assert odds(large) is not odds(large)
