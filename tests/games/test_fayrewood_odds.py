"""Fayrewood's odds: against brute force, in closed form, and what they may not do."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tosses import difficulties, faces_of, pools, tosses

import grammars
from grammars.fayrewood import Main, Pool, Toss
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate, odds
from ircdice.errors import RuleError

MOST_THROWS = 10**6


@given(tosses)
def test_odds_of_a_toss_against_brute_force(node):
    """FW-04, FW-06, FW-07, FW-08, FW-15: over every face."""
    brute = [evaluate(node, ScriptedDice(thrown)) for thrown in product(*faces_of(node.pool))]
    same(odds(node), brute)


@pytest.mark.parametrize(
    "text",
    [
        "toss 3 2 vs 4 1",
        "toss 3 2 boon vs 4 1",
        "toss 2 1 bane vs 3down bane",
        "toss 1 bane vs 1 bane",
        "toss 1 1 frayed vs 1 1 frayed",
        "toss 5 vs d12",
    ],
)
def test_odds_of_a_clash_against_brute_force(text):
    """FW-13: every face of both sides, for both sides."""
    node = grammars.parse(text, "fayrewood")
    sides = faces_of(node.acting) + faces_of(node.other)
    assert prod(map(len, sides)) < MOST_THROWS
    exact = odds(node)
    brute = [evaluate(node, ScriptedDice(thrown)) for thrown in product(*sides)]
    same(exact, brute)
    same(exact.opponent, [outcome.opponent for outcome in brute])


def same(exact, brute):
    assert sum(exact.together.values()) == sum(exact.values.values()) == 1
    assert set(exact.outcomes) == {label for outcome in brute for label in outcome.labels}
    for label, chance in exact.outcomes.items():
        assert chance == Fraction(sum(label in outcome.labels for outcome in brute), len(brute))
    for name, spread in (("total", exact.values), *exact.also.items()):
        counts = {}
        for outcome in brute:
            counts[outcome.values[name]] = counts.get(outcome.values[name], 0) + 1
        assert spread == {value: Fraction(count, len(brute)) for value, count in counts.items()}


def test_fw_13_large_clash_in_closed_form():
    """FW-13: 1152 by 1152 throws; the two sides' catastrophes and wins in closed form."""
    exact = odds(grammars.parse("toss 5 5 frayed vs 5 5 frayed", "fayrewood"))
    assert exact.outcomes["catastrophic_fumble"] == exact.opponent.outcomes["catastrophic_fumble"] == Fraction(1, 144)
    assert exact.outcomes["win"] + exact.outcomes["fail"] == 1
    both = Fraction(1, 144**2)
    assert exact.outcomes["win"] + exact.opponent.outcomes["win"] == 1 - both
    assert exact.mean == 13 + Fraction(9, 2)


@given(pools(helped=False), difficulties)
def test_more_never_lowers_the_chance(pool, difficulty):
    """FW-03: a boon never lowers the chance to win, a bane never raises it."""
    chance = {m: odds(Toss(Pool(pool.mains, m), difficulty)).outcomes["win"] for m in ("bane", None, "boon", "frayed")}
    assert chance["bane"] <= chance[None] <= chance["boon"] <= chance["frayed"]


@given(st.integers(1, 5), st.integers(0, 4), difficulties)
def test_a_second_die_steps_up(level, skill, difficulty):
    """FW-12: each rung of the skill is worth having, but for the ones that a first die of it brings."""
    chances = [odds(Toss(Pool((Main(level), Main(skill, n))), difficulty)).outcomes["win"] for n in (1, 2)]
    assert chances[0] <= chances[1]


@pytest.mark.parametrize("text", ["sweep 5 5 dc5", "toss 3 2 vs @bob"])
def test_no_odds(text):
    """FW-11, GEN-08: what does not roll, or hangs on another's roll, says so."""
    with pytest.raises(RuleError, match="odds"):
        odds(grammars.parse(text, "fayrewood"))
