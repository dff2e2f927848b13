"""Properties that generic odds have whatever is rolled: they add up, foretell play, and grow with the dice (GEN-08)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammars.generic.nodes import Chain, Compare, Dice, Modifier, Number, Question, Roll
from ircdice.dice import ScriptedDice, SystemDice
from ircdice.dispatcher import evaluate, odds
from ircdice.errors import RuleError

pytestmark = pytest.mark.slow


DIE = st.sampled_from([4, 6, 8])
SELECT = st.builds(Modifier, st.sampled_from(["k", "kl", "dl", "dh"]), st.integers(1, 4))
CLAMP = st.builds(Modifier, st.sampled_from(["mi", "ma"]), st.integers(2, 5))
ONCE = st.builds(lambda face: Modifier("ro", compare=Compare("=", face)), st.integers(1, 6))
UNTIL = st.builds(lambda face: Modifier("r", compare=Compare("=", face)), st.integers(1, 6))
BURST = st.builds(lambda name: Modifier(name, compare=Compare("=", 4)), st.sampled_from(["!", "!!", "!p"]))
COUNT = st.none() | st.builds(Compare, st.sampled_from(["=", "<", ">", "<=", ">=", "<>"]), st.integers(1, 8))


@st.composite
def some_dice(draw):
    """A term of few dice with up to three modifiers, any of which GD-05 allows after the others."""
    modifiers = draw(st.lists(st.one_of(SELECT, CLAMP, ONCE, UNTIL, BURST), max_size=3))
    try:
        return Dice(draw(st.integers(1, 4)), draw(DIE), modifiers=tuple(modifiers), counts=draw(COUNT))
    except ValueError:
        return Dice(2, 6)


@settings(max_examples=60, deadline=None)
@given(some_dice())
def test_odds_add_up(dice):
    """GEN-08: to one, or to one less what is missing."""
    try:
        found = odds(Roll(dice))
    except RuleError:
        return
    total = sum(found.values.values())
    assert 0 <= 1 - total < Fraction(1, 10**9)
    assert found.error <= 1 - total


@settings(max_examples=60, deadline=None)
@given(some_dice())
def test_what_is_rolled_could_be_foretold(dice):
    """GEN-08: every value that play comes to has a chance, and replayed the faces come to the same."""
    try:
        values = odds(Roll(dice)).values
    except RuleError:
        return
    for _ in range(20):
        outcome = evaluate(Roll(dice), SystemDice())
        (value,) = outcome.values.values()
        assert value in values
        again = ScriptedDice([die.face for die in outcome.dice])
        assert evaluate(Roll(dice), again) == outcome
        again.finish()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(2, 8), st.integers(1, 8), st.integers(1, 12))
def test_more_dice_never_lower_the_chance(count, sides, wanted, target):
    """GD-02, GD-07, GD-13: neither to count enough, nor to reach a total, nor to keep one that is high."""

    def passes(dice):
        return odds(Question(dice, ">=", Number(target))).outcomes.get("success", 0)

    for term in (
        lambda n: Dice(n, sides),
        lambda n: Dice(n, sides, counts=Compare(">=", wanted)),
        lambda n: Dice(n, sides, modifiers=(Modifier("k", 1),)),
    ):
        assert passes(term(count + 1)) >= passes(term(count))


@settings(max_examples=60, deadline=None)
@given(some_dice(), st.integers(-3, 9), st.sampled_from(["+", "-", "*"]))
def test_expressions_follow_their_terms(dice, number, operator):
    """GD-09: a number added to a term moves its values, and none of their probabilities."""
    try:
        alone = odds(Roll(dice)).values
    except RuleError:
        return
    sums = {"+": lambda v: v + abs(number), "-": lambda v: v - abs(number), "*": lambda v: v * abs(number)}
    expected = {}
    for value, chance in alone.items():
        expected[sums[operator](value)] = expected.get(sums[operator](value), 0) + chance
    assert odds(Roll(Chain(dice, ((operator, Number(abs(number))),)))).values == expected
