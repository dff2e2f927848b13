"""Odds of V5 (GEN-08): pools and rerolls against every face, and properties."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import check_script

import grammars
from grammars.v5 import Pool, Willpower
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, amend_odds, evaluate, odds
from ircdice.errors import DiceError
from ircdice.outcome import Earlier
from ircdice.settings import HouseRules

# Each kind of face that the rules tell apart, and how many faces of a d10 are of it.
KINDS = {1: 1, 2: 4, 6: 4, 10: 1}


@cache
def throws(count):
    """Every throw of `count` dice up to equal kinds, with the number of throws that it represents."""
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


@pytest.mark.parametrize("count", [2, 4])
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
    """V5-14, GEN-08: `odds wp …` from the present faces, against every face of the dice it takes."""
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
    # One die reaches one success at most, and the other side needs more than alice's one: it fails in any case.
    found = amend_odds(Willpower(), earlier)
    assert found.outcomes == {"failure": Fraction(9, 10), "botch": Fraction(1, 10)}


def test_gen_08_the_specifications_figures():
    """GEN-08: as language.md has them, each rounded half up by itself; and of a contest with @nick there are none."""
    check_script("""
        alice: odds 5d10 h2 dc3
            odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1
        alice: odds roll 5d10 vs @bob
            (alice) The odds depend on what @bob rolls: put a roll in its place.
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
