"""Each of the ways to the odds of a term against every throw, by itself (GEN-08)."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grammars
from ircdice.dispatcher import odds
from ircdice.rules.generic import ends, even
from ircdice.rules.generic.chosen_bursts import chosen_bursts
from ircdice.rules.generic.gains import fresh
from ircdice.rules.generic.lone_bursts import lone_bursts
from ircdice.rules.generic.multisets import enumerated
from ircdice.rules.generic.packing import unpack, width_for
from ircdice.rules.generic.quotients import Quotient, power
from ircdice.rules.generic.trimmed import trimmed

pytestmark = pytest.mark.slow

weights = st.dictionaries(st.integers(-5, 9), st.integers(1, 3), min_size=1, max_size=4)


def chances(text):
    return odds(grammars.parse(f"roll {text}", "generic", called=True))


@pytest.mark.parametrize(
    "text",
    [
        *("3d4k2!k1", "3d4k2!pk2", "4d3dl1!k2", "3d{1,2,2}k2!k1", "3d4k2!k2mi3", "3d4k2!k1>=4", "5d4k3!k2!"),
        *("3d4k1!k2", "3d4k2!<2k1", "2d6k1!>4k1", "3d4kl2!k1", "3d4k2!dl1", "3d4k2!kl1", "3d4mi4k2!k1", "3d4k2!!k1"),
    ],
)
def test_gd_08_dice_chosen_exploded_and_chosen_again(text):
    """GD-08: as hand by hand; also where the first choice leaves out nothing that the last one would have kept."""
    term = grammars.parse(f"roll {text}", "generic", called=True).expression
    found, hands = chances(text), enumerated(term)
    for value in {*found.values, *hands.weights}:
        share = hands.weights.get(value, 0) / hands.total
        assert float(found.values.get(value, 0)) == pytest.approx(share, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(weights, st.integers(3, 6), st.data())
def test_gd_02_both_ends_dropped_against_every_throw(faces, count, data):
    """GD-02: whatever the dice are worth, also where what lies lower is worth more."""
    low = data.draw(st.integers(1, count - 2))
    high = data.draw(st.integers(1, count - 1 - low))
    worth = data.draw(st.fixed_dictionaries({face: st.integers(-2, 9) for face in faces}))
    ascending = {face: faces[face] for face in sorted(faces)}
    expected = defaultdict(int)
    for throw in product(ascending, repeat=count):
        kept = sorted(throw)[low : count - high]
        expected[sum(worth[face] for face in kept)] += prod(faces[face] for face in throw)
    assert trimmed(ascending, count, (low, high), worth) == expected


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 9), st.integers(2, 9), st.data())
def test_gd_02_plain_dice_come_to_what_any_dice_do(sides, count, data):
    """GD-02: the short way for plain dice, the lowest of them."""
    number = data.draw(st.integers(1, count - 1))
    steps, width = [ends.Step(1, slot) for slot in range(sides)], width_for(2 * sides**count)
    found = unpack(ends._first(steps, count, number, width), 0, 1, width)
    assert found == dict(enumerate(even.lowest(sides, count, number)))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 4), st.integers(3, 6), st.data())
def test_gd_02_plain_dice_without_both_ends_against_every_throw(sides, count, data):
    """GD-02: the short way for plain dice of which some are dropped at either end."""
    low = data.draw(st.integers(1, count - 2))
    high = data.draw(st.integers(1, count - 1 - low))
    sums = [sum(sorted(throw)[low : count - high]) for throw in product(range(sides), repeat=count)]
    expected = [sums.count(total) for total in range((count - low - high) * (sides - 1) + 1)]
    assert even.trimmed(sides, count, (low, high)) == expected


def series(one, count, last):
    """The same quotient to a power, term by term."""
    terms = [Fraction()] * (last + 1)
    terms[0] = Fraction(1)
    for _ in range(count):
        whole = [sum(terms[at - v] * each for v, each in one.over.items() if at - v >= 0) for at in range(last + 1)]
        for at in range(last + 1):
            taken = sum(whole[at - v] * each for v, each in one.under.items() if v and at - v >= 0)
            whole[at] = Fraction(whole[at] - taken) / one.under[0]
        terms = whole
    return terms


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.integers(0, 6), st.integers(1, 4), min_size=1, max_size=4),
    st.dictionaries(st.integers(0, 6), st.integers(1, 2), min_size=1, max_size=3),
    st.integers(1, 4),
)
def test_gd_05_a_power_of_a_quotient_term_by_term(ending, again, count):
    """GD-05: E / (1 - A), as often as there are dice."""
    sides = sum(ending.values()) + sum(again.values())
    under = defaultdict(int, {0: sides})
    for value, weight in again.items():
        under[value] -= weight
    divisor = {value: each for value, each in under.items() if each}
    one = Quotient(ending, divisor, (divisor,))
    found = power(one, count)
    expected = series(one, count, 30)
    for value, chance in enumerate(expected):
        listed = Fraction(found.weights.get(value, 0), found.total)
        assert listed == chance or (not listed and chance < Fraction(1, 10**12))
    assert 0 <= found.missing <= Fraction(1, 10**12)


@pytest.mark.parametrize(
    ("text", "value", "chance"),
    [
        ("d20!>3", 3, Fraction(1, 20)),
        ("d20!>3", 7, Fraction(3, 400)),  # 4 and 3, 5 and 2, 6 and 1
        ("1d6!p", 6, Fraction(1, 36)),  # a six, and behind it a one that counts 0
        ("1d6!p", 11, Fraction(1, 216)),  # two sixes, 6 and 5, and that one
        ("1d6!p", 12, Fraction(1, 216)),
    ],
)
def test_gd_05_known_chances(text, value, chance):
    """GD-05: by hand."""
    assert chances(text).values[value] == chance


def test_gd_09_products_of_two_large_dice():
    """GD-09: a product has as many ways as it has divisors that fit."""
    found = chances("1d1000*1d1000")
    assert len(found.values) == 248_083  # the distinct numbers of a multiplication table of 1000
    for value in (1, 997, 720_720, 1_000_000):
        ways = sum(value % one == 0 and value // one <= 1000 for one in range(1, 1001))
        assert found.values[value] == Fraction(ways, 10**6)
    assert found.mean == Fraction(1001**2, 4)


def test_gd_07_counting_dice_of_a_million_sides():
    """GD-07: only how many faces match is asked."""
    assert chances("2d1000000>5").values == {
        0: Fraction(5, 10**6) ** 2,
        1: 2 * Fraction(5 * 999_995, 10**12),
        2: Fraction(999_995, 10**6) ** 2,
    }
    assert chances("1d1000000>=999999f<3").values == {
        -1: Fraction(2, 10**6),
        0: Fraction(999_996, 10**6),
        1: Fraction(2, 10**6),
    }


def test_gd_02_a_choice_that_leaves_all_or_nothing():
    """GD-02: keeping as many as there are changes nothing, dropping them leaves 0, whatever stands behind."""
    assert chances("4d6k9!").values == chances("4d6!").values
    assert chances("5d10dl2k3!").values == chances("5d10dl2!").values
    assert chances("5d10dl5!").values == chances("5d10k3dh3!p").values == {0: 1}


@pytest.mark.parametrize(("text", "mean"), [("1d6k1!", Fraction(21, 5)), ("4d6k4!", Fraction(84, 5))])
def test_gd_08_dice_that_are_kept_and_explode_then(text, mean):
    """GD-08: of one die, or of all, that is as if none were chosen."""
    assert abs(chances(text).mean - mean) < Fraction(1, 10**9)


def test_gd_08_the_highest_of_two_explodes():
    """GD-08: 2d4k1! comes to 4 and a further die in 7 of 16 throws."""
    found = chances("2d4k1!")
    assert [found.values[value] for value in (1, 2, 3)] == [Fraction(n, 16) for n in (1, 3, 5)]
    assert 4 not in found.values
    assert [found.values[value] for value in (5, 6, 7, 9)] == [Fraction(7, 64)] * 3 + [Fraction(7, 256)]


LONE = ["4d6k2!", "4d6kl2!", "4d6dl1!", "4d6k4!", "4d6k2!p", "4d6kl3!!", "4d6kl2!<2", "4d6k2!1", "5d6k3!>=6>=4"]
LONE += ["3d{1,3,5,5}k2!", "5dFk2!", "5dFkl2!", "5d{-5,-3,2}kl3!", "3d6kl2!mi2", "3d6k2!6>5f<3"]


@pytest.mark.parametrize("text", LONE)
def test_gd_08_one_face_that_explodes_by_how_many_show_it(text):
    """GD-05, GD-08: the same chances as by the last die kept, each to the last fraction."""
    dice = grammars.parse(f"roll {text}", "generic").expression
    choice, *behind = dice.modifiers
    highest = choice.name in ("k", "dl")
    number = choice.number if choice.name in ("k", "kl") else dice.count - choice.number
    weights = dict(sorted(fresh(dice).items(), reverse=highest))
    found, expected = (way(dice, weights, number, behind) for way in (lone_bursts, chosen_bursts))
    assert found.missing < Fraction(1, 10**12)
    for value in {*found.weights, *expected.weights}:
        told = Fraction(found.weights.get(value, 0), found.total)
        other = Fraction(expected.weights.get(value, 0), expected.total)
        assert told == other or value > max(expected.weights)


@pytest.mark.parametrize("text", ["4d6k2!>4", "4d6k2!3", "4d6mi6k2!"])
def test_gd_08_other_explosions_are_not_counted_so(text):
    """GD-08: of more than one face, of one in the middle, or with none beside it."""
    dice = grammars.parse(f"roll {text}", "generic").expression
    weights = {6: 6} if "mi6" in text else dict.fromkeys(range(6, 0, -1), 1)
    assert lone_bursts(dice, weights, 2, dice.modifiers[-1:]) is None


@pytest.mark.parametrize(
    ("text", "value", "chance"),
    [
        ("6d1000k3!", 3, Fraction(1, 1000**6)),
        ("6d1000k3!", 4, Fraction(6, 1000**6)),
        ("10d100k5!", 5, Fraction(1, 100**10)),
        ("10d100kl5!", 5, sum(Fraction(comb(10, ones) * 99 ** (10 - ones), 100**10) for ones in range(5, 11))),
        ("10d100dl1!", 10, Fraction(10, 100**10)),
        ("6d1000k1!", 1001, (1 - Fraction(999**6, 1000**6)) / 1000),
        ("3dFmi5dh1!!>1", 12, Fraction(1, 9)),  # both fives bring one die more
        ("3dFmi5dh1!!>1", 10, Fraction(1, 3)),
    ],
)
def test_gd_08_known_chances_of_the_kept_that_explode(text, value, chance):
    """GD-08: by hand."""
    assert chances(text).values[value] == chance


@pytest.mark.parametrize("text", ["15dFdl14!p", "8dFkl1!p >= -1", "3dFkl1!p"])
def test_gd_05_a_chain_that_adds_nothing_has_odds(text):
    """GD-05: a Fudge die that penetrates goes on with 0, and comes to an end all the same."""
    found = chances(text)
    assert 0 <= found.error < Fraction(1, 10**12)
    if text == "15dFdl14!p":  # the highest of 15; a 1 brings -2 or -1 in the end
        assert abs(found.values[-1] - (Fraction(1, 3**15) + (1 - Fraction(2, 3) ** 15) / 2)) < Fraction(1, 10**12)
