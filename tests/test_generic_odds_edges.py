"""Odds at their edges, by hand: the largest answers, and faces that are far apart or below 0 (GEN-08)."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

import grammars
from grammars.generic import Compare, Dice, Modifier
from ircdice.dispatcher import odds
from ircdice.errors import RuleError
from ircdice.rules.generic import multisets
from ircdice.rules.generic.sums import summed

pytestmark = pytest.mark.slow


def chances(text):
    return odds(grammars.parse(f"roll {text}", "generic", called=True))


def test_gen_08_quotients_are_as_many_as_any_values():
    """GEN-08: 501 thousandths beside each of 500 whole numbers are 250500 values, and too many, or too long a way."""
    with pytest.raises(RuleError, match=r"that has 250500 values|over a second"):
        chances("1d501/1000+1d500")


def test_gd_01_faces_far_apart_are_those_of_plain_dice():
    """GD-01: 0, 1000, … 5000 are the faces of a d6, a thousand apart and a thousand lower."""
    plain = chances("100d6").values
    assert chances("100d{0,1000,2000,3000,4000,5000}").values == {
        1000 * (value - 100): chance for value, chance in plain.items()
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1d2/(0-1d2)", {-2: 1, -1: 2, Fraction(-1, 2): 1}),
        ("(1d3-2)/(0-2)", {Fraction(1, 2): 1, 0: 1, Fraction(-1, 2): 1}),
        ("1d{-4,6}/(0-1d{2,4})", {2: 1, 1: 1, -3: 1, Fraction(-3, 2): 1}),
    ],
)
def test_gd_09_a_divisor_below_0(text, expected):
    """GD-09: what is alike is one value, whichever of the two is below 0."""
    ways = sum(expected.values())
    assert chances(text).values == {value: Fraction(each, ways) for value, each in expected.items()}


@pytest.mark.parametrize("behind", ["", "k4", "dl1dh1", "ro0"])
def test_gd_01_uneven_faces_ten_apart_are_those_one_apart(behind):
    """GD-01, GD-02: the same dice, each face ten times as much."""
    near = chances(f"9d{{0,1,1,3}}{behind}").values
    assert chances(f"9d{{0,10,10,30}}{behind}").values == {10 * value: chance for value, chance in near.items()}


def test_gd_09_many_values_ten_apart():
    """GD-09: forty d6 by tens, in two terms."""
    found = chances("40d6").values
    assert chances("20d6*10+20d6*10").values == {10 * value: chance for value, chance in found.items()}


def test_gd_09_fractions_beside_whole_numbers():
    """GD-09: halves of a d100 and a d20, of which every second sum is a whole number: as 1d100 and an even die."""
    found = chances("1d100/2+1d20").values
    ways = Counter(Fraction(half, 2) + whole for half in range(1, 101) for whole in range(1, 21))
    assert found == {value: Fraction(each, 2000) for value, each in ways.items()}


def test_gd_01_few_sums_far_apart():
    """GD-01: two dice of three faces come to six sums, however wide they lie."""
    found = chances("2d{-3,5,1000}").values
    ways = {-6: 1, 2: 2, 10: 1, 997: 2, 1005: 2, 2000: 1}
    assert found == {value: Fraction(each, 9) for value, each in ways.items()}


def test_gen_08_a_sum_of_uneven_faces_is_bounded():
    """GEN-08: 200 faces of which no row is alike, 50 of them, would take too long, and 2 of them do not."""
    uneven = {face: face * face % 97 + 1 for face in range(200)}
    assert sum(summed(uneven, 2).values()) == sum(uneven.values()) ** 2
    with pytest.raises(RuleError, match="would take too long"):
        summed(uneven, 50)


@pytest.mark.parametrize(
    ("text", "lowest", "step"),
    [
        ("1d1000000-7", -6, 1),
        ("7+1d1000000", 8, 1),
        ("7-1d1000000", -999_993, 1),
        ("3*1d1000000", 3, 3),
        ("1d1000000*(0-3)", -3_000_000, 3),
    ],
)
def test_gd_09_a_die_of_a_million_beside_a_number(text, lowest, step):
    """GD-09: as many values, moved, stretched, or turned round."""
    found = chances(text)
    assert (len(found.values), found.error) == (10**6, 0)
    for value in (lowest, lowest + step, lowest + 999_999 * step):
        assert found.values[value] == Fraction(1, 10**6)
    assert {lowest - step, lowest + 1_000_000 * step}.isdisjoint(found.values)


@pytest.mark.parametrize("text", ["1d1000000*0", "1d1000000+0.5", "0.5*1d1000000", "1d1000000+1d{2,2}", "1d1000000//2"])
def test_gen_08_other_sums_of_a_die_of_a_million_are_not_listed(text):
    """GEN-08: what cannot be told as a range of whole numbers would have to be listed."""
    with pytest.raises(RuleError, match="that has 1000000 values"):
        chances(text)


def test_gd_09_dice_are_taken_off_as_they_are_added():
    """GD-09: turned round, a die is the same die 1001 lower: 2d1000-2d1000 is 4d1000, 2002 lower."""
    more = chances("4d1000").values
    assert chances("2d1000-2d1000").values == {value - 2002: chance for value, chance in more.items()}


def test_gd_14_hands_and_chains_are_counted_before_they_are_made():
    """GD-14: the hands of eight d10 are too many, and so are the chains of a d6 that explodes on three of its faces."""
    with pytest.raises(RuleError, match="would take too long"):
        chances("8d10k4ro1k2")
    assert chances("3d10k2ro1k1").error == 0
    with pytest.raises(RuleError, match="would take too long"):
        list(multisets._chains(Dice(1, 6), Modifier("!", compare=Compare(">", 3))))


@pytest.mark.parametrize(
    "text", ["2d4!k1", "2d4!!k1", "2d4!pkl1", "2d4!p", "2d4!mi2k1", "2d4!3dh1", "3d4ro1k2", "3d4r1dl1", "3d4mi2ma3k2"]
)
def test_gd_08_hand_by_hand_it_comes_to_the_same(text):
    """GD-08: the slow way and the short one, but for what is cut off of endless explosions."""
    found = multisets.enumerated(grammars.parse(f"roll {text}", "generic").expression)
    expected = chances(text).values
    for value in range(1, 13):
        chance = Fraction(found.weights.get(value, 0), found.total)
        assert abs(chance - expected.get(value, 0)) < Fraction(1, 10**11)


@pytest.mark.parametrize(
    "text",
    [
        "roll 9x 100d10k1!",  # one die of each hundred explodes
        "roll 9x 100d10k1!!",
        "roll 20x 40d6k3!",
        "roll 9x 100d6dl99!",
        "roll 9x 100d6mi2r1",  # no 1 is left to be rerolled
        "roll 100d10kl2!>5 + 100d10k2! + 700d1",
    ],
)
def test_gd_14_the_dice_that_a_throw_looks_at_are_counted(text):
    """GD-14: what fell or was raised draws nothing, and is no reason to refuse odds."""
    text = text.replace("700d1", " + ".join(["100d1"] * 7))
    assert odds(grammars.parse(text, "generic")).values


@pytest.mark.parametrize("text", ["roll 20x 40d6!", "roll 4x 100d6r<5!6", "roll 100d6!k2! + 890d1", "roll 9x 100d6ro1"])
def test_gd_14_what_may_well_go_on_is_refused(text):
    """GD-14: where all terms together may come to the thousand there are no odds; rerolled dice match more often."""
    text = text.replace("890d1", " + ".join([*["100d1"] * 8, "90d1"]))
    with pytest.raises(RuleError, match="past 1000 dice"):
        odds(grammars.parse(text, "generic"))


@pytest.mark.parametrize(("text", "matching", "sides"), [("9d{1,3,5,5}>=3", 3, 4), ("9d{1,3,5,5}=5", 2, 4)])
def test_gd_07_listed_faces_are_counted(text, matching, sides):
    """GD-01, GD-07: each side for itself, also where two show the same."""
    assert chances(text).values == {
        hits: Fraction(comb(9, hits) * matching**hits * (sides - matching) ** (9 - hits), sides**9)
        for hits in range(10)
    }


@pytest.mark.parametrize("text", ["1d6!", "4d6!", "3d10!p", "2d4r1!!"])
def test_gd_05_explosions_are_listed_until_the_rest_is_rare(text):
    """GD-05, GEN-08: the list ends where all that is beyond is less likely than 1 in 10^12, and no later."""
    found = chances(text)
    assert found.error <= Fraction(1, 10**12) < found.error + found.values[max(found.values)]


def test_gd_05_a_die_may_go_on_with_less_than_nothing():
    """GD-05: each -1 takes one off, and a 2 ends it."""
    found = chances("1d{-1,2}!<0")
    for taken in range(12):
        assert abs(found.values[2 - taken] - Fraction(1, 2 ** (taken + 1))) < Fraction(1, 10**11)
