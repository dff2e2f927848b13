"""Generic odds against every throw and against closed forms (GEN-08)."""

from fractions import Fraction
from itertools import product
from math import comb
from time import process_time

import pytest

import grammars
from ircdice.dice import DiceError, ScriptedDice
from ircdice.dispatcher import evaluate, odds
from ircdice.errors import RuleError
from ircdice.rules.generic.sums import summed
from ircdice.rules.generic.terms import most_explosions

pytestmark = pytest.mark.slow


def chances(text):
    return odds(grammars.parse(text, "generic", called=True))


def every_throw(node, faces, most):
    """What each sequence of faces comes to that is a whole throw of at most `most` dice, with its chance."""
    waiting = [()]
    while waiting:
        drawn = waiting.pop()
        dice = ScriptedDice(drawn)
        try:
            outcome = evaluate(node, dice)
        except DiceError:
            if len(drawn) < most:
                waiting += [(*drawn, face) for face in faces]
            continue
        yield outcome, Fraction(1, len(faces) ** len(drawn))


def by_brute_force(text, faces, most=8):
    node = grammars.parse(text, "generic")
    found = {}
    for outcome, chance in every_throw(node, faces, most):
        (value,) = outcome.values.values()
        found[value] = found.get(value, 0) + chance
    return found


FINITE = [
    "3d4",
    "3d4k2",
    "4d4kl2",
    "4d4dl1dh1",
    "4d4k3kl2",
    "4d4k",
    "3d4d3",
    "3d4mi2ma3k2",
    "4d4k3mi2kl1",
    "3d4ro1",
    "3d4ro<3k2",
    "3d4k2ro<3",
    "3d4k2ro1k1",
    "2d4ro1ro2",
    "3d4>=3",
    "3d4>=3f1",
    "4d4k3>2f<=2",
    "3d4k2ro1>=3",
    "3d4>2+1",
    "-3d4k2",
    "2d4*2d4",
    "2d4/3",
    "2d4//3%2",
    "3-2d4*1.5",
    "(1d4+1)*(2-1d4)",
    "2d{1,2,4,4}k1+1d4",
]


@pytest.mark.parametrize("expression", FINITE)
def test_against_every_throw(expression):
    """GD-01…GD-09: the same chances, to the last fraction."""
    text = f"roll {expression}"
    faces = (1, 2, 4, 4) if "{" in expression and "1d4" not in expression else (1, 2, 3, 4)
    if "{" in expression:
        text, faces = text.replace("+1d4", ""), (1, 2, 4, 4)
    found = chances(text)
    assert found.error == 0
    assert dict(found.values) == by_brute_force(text, faces)


ENDLESS = [
    "1d4!",
    "2d4!",
    "2d4!k1",
    "2d4!kl1",
    "2d4!d1",
    "2d4k1!",
    "2d4!>2",
    "2d4!!",
    "2d4!!k1",
    "2d4!p",
    "2d4!pk1",
    "2d4!pd1",
    "2d4!pdh1",
    "2d4!pkl1",
    "3d4!pk2",
    "2d4mi2!d1",
    "3d4ro1!kl2",
    "2d4!>2dh1>=3",
    "2d4r1!>3ma3k1",
    "2d4!4>=3",
    "2d4!4>=3f1",
    "2d4!!4>=5",
    "2d4!p4>=3",
    "2d4mi2!4",
    "2d4!ma3",
    "2d4!ma3k1",
    "2d4!4!3",
    "2d4!k1!k1",
    "2d4!ro1k1",
    "2d4r1",
    "2d4r<3k1",
    "2d4k1r<3",
    "2d4k1r1k1",
    "2d4ro1!k1",
    "2d4r1!!>=6",
    "3d4dl1dh1!",
    "3d4dl1dh1!p",
    "3d4dl1dh1!!",
]


@pytest.mark.parametrize("expression", ENDLESS)
def test_endless_throws_against_their_beginning(expression):
    """GD-04, GD-05: what at most nine dice can come to is a lower bound, and the rest is what is missing there."""
    text = f"roll {expression}"
    found, bound = chances(text), by_brute_force(text, (1, 2, 3, 4), 9)
    missing = 1 - sum(bound.values())
    assert missing < Fraction(1, 10)
    assert found.error < Fraction(1, 10**9)
    for value, chance in bound.items():
        assert chance - Fraction(1, 10**12) <= found.values[value] <= chance + missing
    assert sum(found.values.values()) <= 1


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
    for successes in range(20):
        expected = comb(8 + successes - 1, successes) * Fraction(1, 6) ** successes * Fraction(5, 6) ** 8
        assert found.values[successes] == expected
    assert found.error == 0
    assert 1 - sum(found.values.values()) < Fraction(1, 10**12)


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


QUESTIONS = ["2d4 > 5", "2d4 >= 1d4+3", "2d4 < 2d4", "2d4 <= 5", "1d4 = 1d4", "1d4 <> 2", "2d4/2 > 2.5", "2d4k1 < 1d4"]


@pytest.mark.parametrize("text", QUESTIONS)
def test_gd_13_questions_against_every_throw(text):
    """GD-13: success and failure, through the same judge."""
    node = grammars.parse(f"roll {text}")
    success = sum(chance for outcome, chance in every_throw(node, (1, 2, 3, 4), 8) if outcome.labels == ("success",))
    found = odds(node)
    assert found.outcomes.get("success", 0) == success
    assert found.outcomes.get("failure", 0) == 1 - success
    assert found.error == 0


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


@pytest.mark.parametrize(
    "text",
    [
        "roll 100d1000000!>1",
        "roll 10d100!pd1",
        "roll 100d1000!2dl10kl1",
        "roll 2d6!>2mi6dh2*100d100!!1*6d4k6",
        "roll 100d1000k50",
        "roll 20d6k10!>4k5",
        "roll 100d2502",
        "roll 2d1000000",
        "roll 1d1000/1d1000",
        "roll 1d1000000/2",
    ],
)
def test_what_would_take_too_long_is_refused(text):
    """GD-14: a sentence instead of minutes, and soon."""
    began = process_time()
    with pytest.raises(RuleError, match=r"would take too long, over a second|exact odds are for at most 250000"):
        chances(text)
    assert process_time() - began < 5


def test_limits_of_sums_and_of_explosions():
    """GD-14, GEN-08: one value too many for a sum; more explosions than the thousand dice that are drawn at most."""
    with pytest.raises(RuleError, match="that has 250001 values"):
        summed(dict.fromkeys(range(1, 2502), 1), 100)
    with pytest.raises(RuleError, match="would take too long"):  # few sums, far apart, and each a step
        summed({1000**place + place: 1 for place in range(5)}, 30)
    with pytest.raises(RuleError, match="may well go on past 1000 dice"):
        most_explosions(100, 0.84)


@pytest.mark.parametrize(
    "text", ["roll 100d6!>1", "roll d1000!>1k1", "roll 90d20!!>2", "roll 5d100!>=3k2", "roll 2d100r<100"]
)
def test_gd_14_what_a_roll_may_not_come_to_the_end_of_has_no_odds(text):
    """GD-14: explosions stop at the thousandth die, and odds would tell of a roll that went on."""
    with pytest.raises(RuleError, match="may well go on past 1000 dice, where a roll stops"):
        chances(text)


def test_odds_are_posted_with_what_they_lack(evaluate):
    """GEN-08: a question's labels, a total's mean, and how near an endless total is."""
    assert evaluate({"text": "odds 1d20+5 >= 15"})["reply"] == "odds 1d20+5 >= 15: success 55.0%; failure 45.0%"
    assert evaluate({"text": "odds 1d4/4"})["reply"] == (
        "odds 1d4/4: total 0.25: 25%, 0.5: 25%, 0.75: 25%, 1: 25%; average 0.6"
    )
    assert evaluate({"text": "odds 1d4/2"})["reply"].endswith("; average 1.3")  # of 1.25
    assert "; to within " in evaluate({"text": "odds 8d6!"})["reply"]
    assert "to within" not in evaluate({"text": "odds 8d6!6>=5"})["reply"]


def test_every_face_of_a_pool_by_product():
    """GD-02: kept dice by sorting each of all throws."""
    found = chances("roll 5d4k2").values
    sums = [sum(sorted(faces)[3:]) for faces in product(range(1, 5), repeat=5)]
    assert found == {value: Fraction(sums.count(value), 4**5) for value in sorted(set(sums))}
