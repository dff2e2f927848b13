"""Strike & Cinder's odds: against other closed forms, and the properties of play."""

from fractions import Fraction
from math import comb, isclose, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grammars
from ircdice import dispatcher
from ircdice.dice import ScriptedDice
from ircdice.errors import RuleError
from ircdice.rules.strike_cinder import judging


def node_of(text):
    return grammars.parse(text, "strike_cinder", called=True)


def passes(dice, moon, most):
    """The chances of 0 to `most` passes by another form: a die fails one time in two, else it passes and goes on, so
    that `b` dice that passed at all are a negative binomial."""
    on = Fraction(1, 3) if moon else Fraction(1, 6)
    for k in range(most + 1):
        ways = (comb(dice, b) * comb(k - 1, b - 1) * (1 - on) ** b * on ** (k - b) for b in range(1, min(k, dice) + 1))
        yield sum(ways, Fraction(k == 0)) / 2**dice


@pytest.mark.parametrize("moon", ["", " fullmoon"])
@pytest.mark.parametrize("dice", [1, 2, 5, 20, 100])
def test_the_passes_by_another_form(dice, moon):
    """SC-02, SC-03: each chance that is listed is exact."""
    values = dispatcher.odds(node_of(f"sc cinder {dice}{moon}")).values
    assert list(values.values()) == list(passes(dice, moon, max(values)))


def test_a_dc_beyond_the_list_has_its_exact_chance():
    """SC-02, SC-04: thirty passes of one die are 29 sixes and a pass."""
    assert dispatcher.odds(node_of("sc strike 1 dc30")).outcomes["success"] == Fraction(1, 2 * 6**29)


@pytest.mark.parametrize("text", ["sc strike 6", "sc cinder 7 fullmoon", "sc strike 100", "sc cinder 100 fullmoon"])
def test_mean_deviation_and_tail(text):
    """SC-02, SC-03: three fifths of a pass a die, three quarters under the moon; listed until 10^-12 is left."""
    odds = dispatcher.odds(node_of(text))
    values = odds.values
    left = 1 - sum(values.values())
    assert 0 <= left < Fraction(1, 10**12) <= left + values[max(values)]
    mean = sum(k * p for k, p in values.items())
    assert isclose(mean, odds.mean, rel_tol=1e-9)
    assert isclose(sqrt(sum(p * (k - mean) ** 2 for k, p in values.items())), odds.sd, rel_tol=1e-6)
    assert odds.name == "passes"


@pytest.mark.parametrize(("one", "other"), [(1, 1), (7, 5), (2, 9), (30, 30), (100, 3)])
@pytest.mark.parametrize("moon", ["", " fullmoon"])
def test_magic_on_a_mind_by_another_form(one, other, moon):
    """SC-16: to within the stated error, which is below 10^-9."""
    found = dispatcher.odds(node_of(f"sc mind {one}{moon} vs {other}"))
    mine, theirs = list(passes(one, moon, 150)), list(passes(other, moon, 150))
    held = sum(p * sum(theirs[k:]) for k, p in enumerate(mine) if k >= 3)
    aware = sum(p * sum(theirs[3:k]) for k, p in enumerate(mine) if k >= 3)
    assert 0 < found.error < Fraction(1, 10**9)
    assert isclose(found.outcomes["resisted"], held, abs_tol=float(found.error))
    assert isclose(found.outcomes.get("aware", 0), aware, abs_tol=float(found.error))


def test_odds_in_words():
    """SC-08, GEN-08: the labels by name, and how the passes are spread; against @nick they are not known."""
    assert dispatcher.odds(node_of("sc strike 1 dc1")).outcomes["success"] == Fraction(1, 2)
    assert dispatcher.odds(node_of("sc cinder human ritual dc1")).outcomes["success"] == Fraction(15, 16)
    assert dispatcher.odds(node_of("sc strike 5 vs spirit salt")).outcomes["hit"] == 1
    with pytest.raises(RuleError, match="depend on what @bob rolls"):
        dispatcher.odds(node_of("sc mind 7 vs @bob"))


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 30), st.booleans())
def test_more_dice_never_lower_the_chance(dice, dc, moon):
    """SC-04, SC-13: a die more passes as often or more often; a DC more, as seldom or more seldom."""
    word = " fullmoon" if moon else ""
    chances = [
        dispatcher.odds(node_of(f"sc cinder {n}{word} dc{d}")).outcomes["success"]
        for n, d in ((dice, dc + 1), (dice, dc), (dice + 1, dc))
    ]
    assert chances == sorted(chances)


@settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=20), st.booleans())
def test_each_exploded_die_has_one_more(faces, moon):
    """SC-02, SC-03: dice after the pool are as many as exploded, and passes are the faces of four and more."""
    text = f"sc cinder {len(faces)}{' fullmoon' if moon else ''}"
    more, lowest = [], 5 if moon else 6
    waiting = sum(face >= lowest for face in faces)
    while waiting:  # every other one explodes again, until the last
        generation = [6 if i % 2 else 1 for i in range(waiting)]
        more += generation
        waiting = generation.count(6)
    outcome = dispatcher.evaluate(node_of(text), ScriptedDice([*faces, *more]))
    shown = [die.role for die in outcome.dice]
    assert shown == ["pool"] * len(faces) + ["explosion"] * len(more)
    assert outcome.values["passes"] == sum(face >= judging.PASS for face in [*faces, *more])
