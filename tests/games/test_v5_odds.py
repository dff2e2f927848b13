"""Odds of V5 against every face there is (GEN-08): pools, contests, rouse checks and rerolls."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import true

import grammars
from grammars.v5 import Contest, Pool, Rouse, Willpower
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, amend_odds, evaluate, odds
from ircdice.errors import DiceError
from ircdice.outcome import Earlier
from ircdice.settings import HouseRules

# Each kind of face that the rules tell apart, and how many faces of a d10 are of it.
KINDS = {1: 1, 2: 4, 6: 4, 10: 1}


@cache
def throws(count):
    """Every throw of `count` dice up to equal kinds, with the number of throws it stands for."""
    found = []
    for faces in product(KINDS, repeat=count):
        weight = 1
        for face in faces:
            weight *= KINDS[face]
        found.append((faces, weight))
    return found


def brute(node, count, house):
    """Label sets and successes over all faces, through play itself."""
    together, values, other = Counter(), Counter(), Counter()
    for faces, weight in throws(count):
        outcome = evaluate(node, ScriptedDice(faces), house)
        together[outcome.labels] += weight
        values[outcome.values["successes"]] += weight
        if outcome.opponent:
            other[outcome.opponent.labels] += weight
    total = 10**count
    return [{key: Fraction(n, total) for key, n in counts.items()} for counts in (together, values, other)]


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("botch", [True, False])
def test_gen_08_pools_up_to_five_dice(count, botch):
    """GEN-08, V5-06..V5-11: every Hunger, every Difficulty, with and without the house rule."""
    house = HouseRules(botch=botch)
    pools = [
        Pool(count, hunger, difficulty) for hunger in (None, 0, 1, 2, 3, 4, 5) for difficulty in (None, 1, 2, 3, 6)
    ]
    pools += [Pool(count, None, difficulty, "willpower") for difficulty in (None, 1, 4, 5)]
    for node in pools:
        together, values, _ = brute(node, count, house)
        found = odds(node, house)
        assert found.together == together, node
        assert found.values == values, node


@pytest.mark.parametrize("faces", [(1, 2, 6, 10), (3, 4, 5), (6, 7, 8, 9)])
def test_v5_02_kinds_are_all_that_counts(faces):
    """V5-02: brute force over kinds of faces is brute force over faces."""
    kind = {1: 1, 10: 10} | dict.fromkeys(range(2, 6), 2) | dict.fromkeys(range(6, 10), 6)
    node = Pool(len(faces), 1, 2)
    plain = evaluate(node, ScriptedDice(faces))
    assert plain.labels == evaluate(node, ScriptedDice(kind[face] for face in faces)).labels


def test_gen_08_all_faces_of_three_dice():
    """GEN-08: over all thousand throws, one by one."""
    labels = Counter(evaluate(Pool(3, 2, 2), ScriptedDice(f)).labels for f in product(range(1, 11), repeat=3))
    assert odds(Pool(3, 2, 2)).together == {key: Fraction(n, 1000) for key, n in labels.items()}


@pytest.mark.parametrize(
    ("mine", "theirs"), [((1, 0), (1, 1)), ((2, 1), (1, None)), ((2, 2), (2, 1)), ((3, 1), (2, 0)), ((2, None), (3, 2))]
)
@pytest.mark.parametrize("botch", [True, False])
def test_v5_19_odds_of_contests(mine, theirs, botch):
    """V5-19, GEN-08: both sides, each against every count of the other."""
    node, house = Contest(Pool(*mine), Pool(*theirs)), HouseRules(botch=botch)
    together, values, other = brute(node, mine[0] + theirs[0], house)
    found = odds(node, house)
    assert (found.together, found.values, found.opponent.together) == (together, values, other)


@pytest.mark.parametrize("count", range(1, 5))
def test_v5_13_odds_of_rouse_checks(count):
    """V5-13, GEN-08"""
    risen = Counter(sum(face < 6 for face in faces) for faces in product(range(1, 11), repeat=count))
    assert odds(Rouse(count)).values == {n: Fraction(ways, 10**count) for n, ways in sorted(risen.items())}


@pytest.mark.parametrize("text", ["autowin 6 dc3 h2", "autowin 5 dc3 h2"])
def test_v5_18_odds_of_an_automatic_win(text):
    """V5-18, GEN-08: nothing is left to chance."""
    node = grammars.parse(text)
    assert odds(node).together == {evaluate(node, ScriptedDice(())).labels: Fraction(1)}


@pytest.mark.parametrize(
    ("text", "faces", "wp"),
    [
        ("roll 5d10 h2 dc3", (4, 3, 7, 8, 1), "wp 1"),
        ("roll 5d10 h2 dc3", (4, 3, 7, 8, 1), "wp"),
        ("roll 5d10 h2 dc3", (10, 3, 10, 10, 1), "wp tens"),
        ("roll 5d10 dc3", (4, 3, 10, 8, 1), "wp 2 h1"),
        ("roll 4d10 h1", (4, 3, 10, 8), "wp 2"),
        ("roll 2d10 h1 vs 2d10 h1", (3, 8, 4, 9), "wp"),
    ],
)
def test_v5_14_odds_of_willpower(text, faces, wp):
    """V5-14, GEN-08: `odds wp …` from the faces that stand, against every face of the dice it takes."""
    node, willpower = grammars.parse(text), grammars.parse(wp, called=True)
    earlier = Earlier(node, evaluate(node, ScriptedDice(faces)))
    for count in (1, 2, 3):
        outcomes = Counter()
        try:
            for drawn in product(range(1, 11), repeat=count):
                dice = ScriptedDice(drawn)
                outcomes[amend(willpower, earlier, dice).labels] += 1
                dice.finish()
        except DiceError:  # another count of dice than this Willpower takes
            continue
        wanted = {key: Fraction(n, 10**count) for key, n in outcomes.items()}
        assert amend_odds(willpower, earlier).together == wanted
        return
    pytest.fail("the Willpower took no dice")


def test_v5_19_odds_of_the_other_sides_willpower():
    """V5-19, GEN-08: judged for the side whose Willpower it is."""
    node = grammars.parse("roll 1d10 h0 vs 1d10 h0")
    earlier = Earlier(node, evaluate(node, ScriptedDice((6, 2))), side="other")
    # One die reaches one success at most, and the other side wants more than alice's one: it fails in any case.
    found = amend_odds(Willpower(), earlier)
    assert found.outcomes == {"failure": Fraction(9, 10), "botch": Fraction(1, 10)}


def test_gen_08_the_specifications_figures():
    """GEN-08: as language.md has them, each rounded half up by itself; and of a contest with @nick there are none."""
    true("""
        alice: odds 5d10 h2 dc3
            odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1
        alice: odds roll 5d10 vs @bob
            (alice) The odds depend on what @bob rolls: say it, as roll 5d10 vs 5d10.
    """)


pools = st.builds(Pool, st.integers(1, 30), st.none() | st.integers(0, 5), st.none() | st.integers(1, 12))


@given(pools, st.booleans())
def test_gen_08_odds_add_up_to_one(node, botch):
    """GEN-08: over the sets of labels, and over the successes."""
    found = odds(node, HouseRules(botch=botch))
    assert sum(found.together.values()) == 1
    assert sum(found.values.values()) == 1


@given(st.integers(1, 25), st.integers(0, 5), st.integers(1, 12))
def test_v5_04_more_dice_never_lower_the_chance_to_pass(count, hunger, difficulty):
    """V5-04, V5-10: a further die takes nothing away."""
    passed = ("success", "critical", "messy_critical")
    fewer, more = (odds(Pool(n, hunger, difficulty)).any_of(passed) for n in (count, count + 1))
    assert more >= fewer
    assert more > fewer or fewer == 0


@given(st.integers(1, 20), st.integers(0, 4), st.integers(1, 12))
def test_v5_05_hunger_changes_how_but_not_whether(count, hunger, difficulty):
    """V5-05, V5-07: the chance to pass does not depend on Hunger, and more of it never makes less mess."""
    less, more = (odds(Pool(count, h, difficulty)) for h in (hunger, hunger + 1))
    passed = ("success", "critical", "messy_critical")
    assert less.any_of(passed) == more.any_of(passed)
    assert more.any_of(("messy_critical",)) >= less.any_of(("messy_critical",))
    assert more.any_of(("bestial_failure",)) >= less.any_of(("bestial_failure",))
