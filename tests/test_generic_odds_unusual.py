"""Odds of terms that few would roll: what is raised and explodes then, choices of choices, faces with gaps (GEN-08)."""

from fractions import Fraction
from math import comb, factorial

import pytest

import grammars
from bench.every_throw import Compared, compare
from ircdice.dispatcher import odds
from ircdice.errors import RuleError
from ircdice.rules.generic.gains import longest_chain
from ircdice.rules.generic.sums import summed
from ircdice.rules.generic.terms import TAIL, most_explosions

pytestmark = pytest.mark.slow


def chances(text):
    return odds(grammars.parse(f"roll {text}", "generic", called=True))


FINITE = [
    "2d4mi5!5dl1",  # each raised die explodes, and what it brings never does
    "2d4mi5!5k1",
    "3d{1,3,5}mi2!2k2kl1",
    "3d4ma3!4k2kl1",  # none explodes
    "3d4ma3!4dl1",
]
ENDLESS = [
    "2d4!k1!",
    "2d4k1mi3k1!",
    "3d4mi4!4k2kl1",
    "3d4mi4!4kl2k1",
    "2d4!>2kl3k2",
    "2d4!>3kl4k3",
    "3d4!p>2dl1",  # two faces explode, and each brings less
    "2d4ro1!>2dh1",
    "3d6!pk2kl1",
    "3d4k2!k1",  # as many as are kept in the end were kept before
    "3d4dl1!pk2",
    "3d4k1!k2",  # and here they were not
    "3d4k2!1k1",  # it is not the highest face that explodes
    "3d4kl2!k1",
    "3d4k2!kl1",
    "3d4k2!ro1k1",
]


@pytest.mark.parametrize("expression", FINITE + ENDLESS)
def test_gd_08_against_every_throw(expression):
    """GD-02, GD-05, GD-06, GD-08: each throw judged as play does; of endless ones the likeliest, as a bound."""
    found = Compared()
    compare(f"roll {expression}", "generic", 1_000, found)
    assert found.wrong == []
    assert [*found.became] == [f"generic, {'every throw' if expression in FINITE else 'a bound'}"]
    assert chances(expression).error < 10 * TAIL


def test_gd_06_raised_dice_that_all_explode_once():
    """GD-05, GD-06: thirty sevens, and behind them thirty d6 of which the lowest falls; none of it is cut off."""
    found = chances("30d6mi7!7dl1")
    assert found.error == 0
    assert found.values == {210 + value: chance for value, chance in chances("30d6dl1").values.items()}


def test_gd_01_only_sums_that_can_be_thrown_are_listed():
    """GD-01: so many ones, twos and two-hundreds."""
    expected = {
        ones + 2 * twos + 200 * (100 - ones - twos): Fraction(
            factorial(100), factorial(ones) * factorial(twos) * factorial(100 - ones - twos) * 3**100
        )
        for ones in range(101)
        for twos in range(101 - ones)
    }
    assert chances("100d{1,2,200}").values == expected
    assert not any(value % 6 == 0 for value in chances("1d6!").values)


def test_gen_08_a_quarter_of_a_million_sums_and_no_more():
    """GEN-08: where each hand of dice has a sum of its own, there are as many sums as hands."""
    assert len(summed(dict.fromkeys(range(83_334), 1), 3)) == 250_000
    with pytest.raises(RuleError, match=f"that has {comb(35, 5)} values, and exact odds are for at most 250000"):
        chances("30d{0,1,31,961,29791,923521}")
    with pytest.raises(RuleError, match="that has more than 250000 values, and exact odds are for at most 250000"):
        chances("1d1200*1d1200")


@pytest.mark.parametrize("chance", [0.5, 0.8, 0.9, 0.95])
def test_gd_05_explosions_of_one_die_are_reckoned_with_until_more_are_rare(chance):
    """GD-05: more than k of them have the chance to the power of k + 1."""
    assert most_explosions(1, chance) == next(k for k in range(1000) if chance ** (k + 1) < TAIL)


@pytest.mark.parametrize(("count", "sides"), [(2, 6), (10, 6), (50, 4), (100, 2)])
def test_gd_05_explosions_of_many_dice_are_reckoned_with_until_more_are_rare(count, sides):
    """GD-05: k explosions are shared out among the dice in as many ways as there are, and one more at most is told."""
    missing, fewest = Fraction(1), -1
    while missing >= TAIL:
        fewest += 1
        ways = comb(count + fewest - 1, fewest) * (sides - 1) ** count
        missing -= Fraction(ways, sides ** (count + fewest))
    assert most_explosions(count, 1 / sides) in (fewest, fewest + 1)


def test_gd_14_a_chain_of_half_of_the_thousand_dice_has_no_end():
    """GD-14: by itself it would take long as well, and is refused for what it is."""
    assert longest_chain(10 ** (-13 / 500)) == 500
    with pytest.raises(RuleError, match="past 1000 dice"):
        longest_chain(0.95)


def test_gd_14_a_die_is_rerolled_once():
    """GD-14: four hundred dice that are rerolled once are eight hundred at most, and with `r` it may be thousands."""
    assert chances("4x 100d6ro<6").error == 0
    with pytest.raises(RuleError, match="past 1000 dice"):
        chances("4x 100d6r<6")


def test_gd_14_what_is_raised_explodes_more_often():
    """GD-06, GD-14: half of seven hundred dice explode, and every sixth of what they bring."""
    with pytest.raises(RuleError, match="past 1000 dice"):
        chances("7x 100d6mi3!3")
    assert chances("7x 100d6!3").values


def test_gd_14_exactly_a_thousand_dice_are_not_too_many():
    """GD-14: five hundred dice that are rerolled once, each of them for certain; and one more is never drawn."""
    fallen = "+".join(["100d6dl100!"] * 9)  # none is left that might explode
    assert chances(f"{fallen}+80d1").values == {80: 1}
    assert chances("10x 100d6dl100!").values == {0: 1}
    rerolled = "+".join(["100d1ro1"] * 5)
    assert chances("5x 100d6ro<7").values == chances("100d6").values
    assert chances(f"{rerolled} = 500").outcomes == {"success": 1}
    with pytest.raises(RuleError, match="past 1000 dice"):
        chances(f"{rerolled}+1d1 = 501")


def test_gd_14_dice_that_were_drawn_stay_where_others_fall():
    """GD-02, GD-14: of three hundred that became six hundred the lowest half falls, and the others go on."""
    with pytest.raises(RuleError, match="past 1000 dice"):
        chances("3x 100d6!>3dl99!>3")


def test_gd_14_a_modifier_looks_at_what_those_before_it_drew():
    """GD-04, GD-05, GD-14: all that explosions bring is rerolled as well; of what was rerolled the last alone stays."""
    with pytest.raises(RuleError, match="past 1000 dice"):
        chances("2x 100d6!>3ro<6+39d6!>3ro<6")
    assert chances("3x 100d6r<4!6").values
    assert chances("7x 100d6r1!1").values
    assert chances("5x 50d6mi6ro6!6").values
    assert chances("9d6r1!1").values == chances("9d6r1").values


def test_gd_07_listed_faces_that_count_or_are_taken_away():
    """GD-01, GD-07: each side for itself, also where two show the same."""
    assert chances("1d{1,3,5,5}>=5f1").values == {-1: Fraction(1, 4), 0: Fraction(1, 4), 1: Fraction(1, 2)}


@pytest.mark.parametrize("text", ["1d{3,1,2}", "2d{9,1}", "5-1d4", "1d{30,10,20}/4", "3d{3,1,2}k1", "1d2-1d2/2"])
def test_gen_08_the_lowest_value_is_told_first(text):
    """GEN-08: in whatever order faces are listed."""
    values = list(chances(text).values)
    assert values == sorted(values)
