"""Generic odds against closed forms, and as they are posted (GEN-08)."""

from fractions import Fraction
from math import comb

import pytest

import grammars
from ircdice.dispatcher import odds

pytestmark = pytest.mark.slow


def chances(text):
    return odds(grammars.parse(text, "generic", called=True))


@pytest.mark.parametrize("expression", ["3d4r1", "3d4r1k2", "2d6r<=2>=5", "3d4k2r1"])
def test_a_reroll_is_a_conditional_die(expression):
    """GD-04: exact, though the throw may take any number of dice."""
    found = chances(f"roll {expression}")
    assert found.error == 0
    assert sum(found.values.values()) == 1


def test_r_against_a_die_without_those_faces():
    """GD-04: `d6r1` is a fair die of the other five."""
    assert chances("roll 4d6r1k3").values == chances("roll 4d{2,3,4,5,6}k3").values


def test_counting_over_explosions_by_its_generating_function():
    """GD-05, GD-07: k sixes and 8 dice that end a chain, each exact."""
    found = chances("roll 8d6!6=6")
    for successes in range(16):
        expected = comb(8 + successes - 1, successes) * Fraction(1, 6) ** successes * Fraction(5, 6) ** 8
        assert found.values[successes] == expected
    assert found.error == 0
    assert 1 - sum(found.values.values()) < Fraction(1, 10**12)


@pytest.mark.parametrize("expression", ["4d6!k2>=5", "4d6!!k2>=9"])
def test_counting_kept_dice_says_that_long_chains_are_cut_off(expression):
    """GD-05, GD-07, GEN-08: such a count is no longer exact."""
    found = chances(f"roll {expression}")
    assert 0 < found.error == 1 - sum(found.values.values()) < Fraction(1, 10**9)


def test_the_total_of_one_exploding_die():
    """GD-05: each chance listed is exact: 6k + r, (1/6)^(k+1)."""
    values = chances("roll 1d6!").values
    for total in range(1, 60):
        assert values.get(total, 0) == (0 if total % 6 == 0 else Fraction(1, 6 ** (total // 6 + 1)))


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("roll 20d6!", 84),
        ("roll 100d6!", 420),
        ("roll 20d6!!", 84),
        ("roll 10d10!p", Fraction(60)),
        ("roll 100d6", 350),
        ("roll 1d1000", Fraction(1001, 2)),
        ("roll 10d10>=6", 5),
    ],
)
def test_known_means(text, mean):
    """GD-01, GD-05, GD-07: closed forms where there are too many throws to count."""
    assert abs(chances(text).mean - mean) < Fraction(1, 10**8)


def test_the_highest_of_many():
    """GD-02: 3 of 20d6; all sixes but for fewer than three, and all ones."""
    values = chances("roll 20d6k3").values
    fewer = sum(comb(20, k) * 5 ** (20 - k) for k in range(3))
    assert values[18] == 1 - Fraction(fewer, 6**20)
    assert values[3] == Fraction(1, 6**20)


def test_a_certain_answer_has_one_label():
    """GD-13: only what can happen is named."""
    assert set(chances("roll 1d6 > 0").outcomes) == {"success"}
    assert set(chances("roll 1d6 > 6").outcomes) == {"failure"}


def test_gd_15_a_number_between_two():
    """GD-15: each as likely as the others."""
    assert chances("roll 5 10").values == {n: Fraction(1, 6) for n in range(5, 11)}
    assert chances("roll d20 adv").values[20] == Fraction(39, 400)


def test_gd_11_repeats_have_the_odds_of_each():
    """GD-11: each time for itself."""
    assert chances("roll 6x 4d6k3").values == chances("roll 4d6k3").values


def test_odds_are_posted_with_what_they_lack(evaluate):
    """GEN-08: a question's labels, a total's mean, and how near an endless total is."""
    assert evaluate({"text": "odds 1d20+5 >= 15"})["reply"] == "odds 1d20+5 >= 15: success 55.0%; failure 45.0%"
    assert evaluate({"text": "odds 1d4/4"})["reply"] == (
        "odds 1d4/4: total 0.25: 25%, 0.5: 25%, 0.75: 25%, 1: 25%; average 0.6"
    )
    assert evaluate({"text": "odds 1d4/2"})["reply"].endswith("; average 1.3")  # of 1.25
    assert "; to within " in evaluate({"text": "odds 8d6!"})["reply"]
    assert "to within" not in evaluate({"text": "odds 8d6!6>=5"})["reply"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1d2/(0-1d2)", {-2: 1, -1: 2, Fraction(-1, 2): 1}),
        ("(1d3-2)/(0-2)", {Fraction(1, 2): 1, 0: 1, Fraction(-1, 2): 1}),
        ("1d{-4,6}/(0-1d{2,4})", {2: 1, 1: 1, -3: 1, Fraction(-3, 2): 1}),
        ("2d{-3,5,1000}", {-6: 1, 2: 2, 10: 1, 997: 2, 1005: 2, 2000: 1}),
        ("1d{1,3,5,5}>=5f1", {-1: 1, 0: 1, 1: 2}),
        ("5-1d4", {1: 1, 2: 1, 3: 1, 4: 1}),
        ("2d{9,1}", {2: 1, 10: 2, 18: 1}),
    ],
)
def test_gd_09_known_distributions(text, expected):
    """GD-01, GD-07, GD-09, GEN-08: by hand; the lowest value first, each value once."""
    ways, found = sum(expected.values()), chances(f"roll {text}").values
    assert found == {value: Fraction(each, ways) for value, each in expected.items()}
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("9d{0,10,10,30}", "9d{0,1,1,3}*10"),
        ("9d{0,10,10,30}k4", "9d{0,1,1,3}k4*10"),
        ("9d{0,10,10,30}dl1dh1", "9d{0,1,1,3}dl1dh1*10"),
        ("9d{0,10,10,30}ro0", "9d{0,1,1,3}ro0*10"),
        ("20d6*10+20d6*10", "40d6*10"),
        ("1d100/2+1d20", "(1d100+1d20*2)/2"),
        ("2d100-2d100+202", "4d100"),
        ("100d20dh75", "100d20kl25"),
        ("4d6k9!", "4d6!"),
        ("4d6k4!", "4d6!"),
        ("5d10dl2k3!", "5d10dl2!"),
        ("5d10dl5!", "0*1d4"),
        ("5d10k3dh3!p", "0*1d4"),
        ("10d6mi7!7dl1", "10d6dl1+70"),
        ("9d6r1!1", "9d6r1"),
        ("2d20k1", "2d20dl1"),
        ("d%", "1d100"),
    ],
)
def test_gd_08_what_is_written_in_two_ways_has_the_same_odds(text, same):
    """GD-01, GD-02, GD-08, GD-09: to the last fraction."""
    assert chances(f"roll {text}").values == chances(f"roll {same}").values


@pytest.mark.parametrize(
    ("text", "value", "chance"),
    [
        ("d20!>3", 3, Fraction(1, 20)),
        ("d20!>3", 7, Fraction(3, 400)),  # 4 and 3, 5 and 2, 6 and 1
        ("1d6!p", 6, Fraction(1, 36)),  # a six, and then a one that counts 0
        ("1d6!p", 11, Fraction(1, 216)),  # two sixes, 6 and 5, and that one
        ("2d4k1!", 3, Fraction(5, 16)),
        ("2d4k1!", 4, 0),
        ("2d4k1!", 5, Fraction(7, 64)),
        ("6d20k3!", 3, Fraction(1, 20**6)),
        ("6d20k3!", 4, Fraction(6, 20**6)),
        ("6d100k1!", 101, (1 - Fraction(99**6, 100**6)) / 100),
        ("10d10k5!", 5, Fraction(1, 10**10)),
        ("10d10dl1!", 10, Fraction(10, 10**10)),
        ("3dFmi5dh1!!>1", 12, Fraction(1, 9)),  # both fives bring one die more
        ("50d6dl1", 294, Fraction(1 + 50 * 5, 6**50)),
        ("50d6dh1", 49, Fraction(1 + 50 * 5, 6**50)),
        ("100d6k50", 300, 1 - sum(Fraction(comb(100, k) * 5 ** (100 - k), 6**100) for k in range(50))),
        ("5d10000>5", 0, Fraction(1, 2000**5)),
    ],
)
def test_gen_08_known_chances(text, value, chance):
    """GD-02, GD-05, GD-07: by hand."""
    assert chances(f"roll {text}").values.get(value, 0) == chance


@pytest.mark.parametrize(
    ("text", "value", "chance"),
    [
        ("50d6!k1", 6, 1 - Fraction(5**50, 6**50)),
        ("15dFdl14!p", -1, Fraction(1, 3**15) + (1 - Fraction(2, 3) ** 15) / 2),  # a chain that may add nothing
        ("1d{-1,2}!<0", 2, Fraction(1, 2)),  # each -1 takes one off, and a 2 ends it
        ("1d{-1,2}!<0", -3, Fraction(1, 64)),
        ("10d10!k5", 50, 1 - sum(comb(n + 9, 9) * Fraction(9**10, 10 ** (10 + n)) for n in range(5))),
    ],
)
def test_gen_08_known_chances_within_the_error_stated(text, value, chance):
    """GD-05: by hand, where long chains were cut off."""
    found = chances(f"roll {text}")
    assert 0 <= chance - found.values[value] <= found.error < Fraction(1, 10**9)


@pytest.mark.parametrize("text", ["1d6!", "4d6!", "3d10!p", "2d4r1!!"])
def test_gd_05_explosions_are_listed_until_the_rest_is_rare(text):
    """GD-05, GEN-08: the list ends where all that is beyond is less likely than 1 in 10^12, and no later."""
    found = chances(f"roll {text}")
    assert found.error <= Fraction(1, 10**12) < found.error + found.values[max(found.values)]
