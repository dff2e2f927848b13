"""Crossroads, the odds: closed forms and properties."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grammars
from grammars.crossroads import Roll
from ircdice import dispatcher
from ircdice.bot.odds import odds_line
from ircdice.errors import RuleError
from ircdice.rules.crossroads.judging import with_dropped
from ircdice.settings import HouseRules

pytestmark = pytest.mark.slow


def odds(text, house=None):
    return dispatcher.odds(grammars.parse(text, called=True), house or HouseRules())


def test_closed_forms():
    """Figures that can be written down: the chance of a triple, a double, the best of many dice."""
    chances = odds("xr 3d6").outcomes
    assert chances["fates_blessing"] == chances["balanced_portents"] == Fraction(1, 216)
    assert chances["change_of_fate"] == chances["fate_die"] == Fraction(2, 216)
    assert chances["misstep"] == chances["fateful"] == Fraction(15, 216)
    assert chances["change"] == Fraction(60, 216)
    for more in (7, 30, 97):
        dice = 3 + more
        three_sixes = 1 - sum(Fraction(comb(dice, k) * 5 ** (dice - k), 6**dice) for k in range(3))
        assert odds(f"xr 3d6 a{more}").outcomes["fates_child"] == three_sixes
        assert odds(f"xr 3d6 a{more} low").outcomes["doomed_portents"] == three_sixes
        assert odds(f"xr 3d6 d{more}").outcomes["doomed_portents"] == three_sixes
    assert odds("xr 1d6 a99").values[6] == 1 - Fraction(5, 6) ** 100
    assert odds("xr 60d6").mean == 210
    assert odds("xr 50d6 a50").mean + odds("xr 50d6 d50").mean == 350


def test_odds_in_words():
    """GEN-08, XR-24: every label that can be posted, by its short name."""
    line = odds_line("odds xr 3d6", odds("xr 3d6"), dispatcher.systems()["crossroads"])
    assert line == (
        "odds xr 3d6: Failure 8.8%; Partial Success 41.2%; Success 41.2%; Great Success 8.8%; "
        "double 41.7%, of it Misstep 6.9, Change 27.8, Fateful 6.9; "
        "triple 2.8%, of it Doomed Portents 0.5, Balanced Portents 0.5, Change of Fate 0.9, Fate's Blessing 0.5, "
        "Fate's Child 0.5; Fate Die 0.9%"
    )


def test_a_group_of_many():
    """XR-10: convolution: the mean of many rolls is that of one roll."""
    found = odds("xr group " + "; ".join(["3d6"] * 40))
    assert sum(found.values.values()) == 1
    assert found.outcomes["fate_die"] == 1 - Fraction(214, 216) ** 40


def test_what_has_no_odds_says_so():
    """GEN-08: a contest that waits for a nick, and commands that roll nothing."""
    with pytest.raises(RuleError, match="the odds depend on what @bob rolls: put a roll in its place"):
        odds("xr 3d6 vs @bob")
    for text in ("xr endturn", "xr fate", "xr group open"):
        with pytest.raises(RuleError, match="rolls nothing"):
            odds(text)
    for text in ("xr 3d6", "xr 2d6", "xr 3d6 vs 3d6", "xr group 3d6; 3d6"):
        with pytest.raises(RuleError, match="that much Advantage"):
            odds(f"{text} convert 1")


MODIFIED = st.builds(
    Roll,
    advantage=st.integers(-6, 6),
    bonus=st.integers(-12, 12),
    low=st.booleans(),
    simple=st.booleans(),
)


def passing(roll):
    return dispatcher.odds(roll).any_of(("partial_success", "success", "great_success"))


@given(MODIFIED)
@settings(max_examples=60, deadline=None)
def test_chances_add_up(roll):
    """Each roll has exactly one outcome."""
    found = dispatcher.odds(roll)
    outcomes = found.outcomes
    assert sum(outcomes.get(x, 0) for x in ("failure", "partial_success", "success", "great_success")) == 1
    assert sum(found.together.values()) == sum(found.values.values()) == sum(found.also["total"].values()) == 1


@given(st.integers(-8, 7), st.integers(-12, 12))
@settings(max_examples=60, deadline=None)
def test_more_advantage_never_lowers_the_total(advantage, bonus):
    """XR-04, XR-06: a further Advantage, or one Disadvantage less, makes no total less likely to be reached."""
    less, more = (dispatcher.odds(Roll(advantage=a, bonus=bonus)).also["total"] for a in (advantage, advantage + 1))
    for total in range(40):
        reached = [sum(p for value, p in some.items() if value >= total) for some in (less, more)]
        assert reached[0] <= reached[1]


@given(MODIFIED)
@settings(max_examples=60, deadline=None)
def test_a_bonus_never_lowers_the_chance(roll):
    """XR-06, XR-08."""
    better = Roll(advantage=roll.advantage, bonus=roll.bonus + 1, low=roll.low, simple=roll.simple)
    if not dispatcher.odds(roll).outcomes.get("balanced_portents"):
        assert passing(roll) <= passing(better)
    assert dispatcher.odds(roll).mean <= dispatcher.odds(better).mean


@given(st.lists(st.integers(1, 6), min_size=4, max_size=12), st.integers(1, 3), st.booleans(), st.booleans())
def test_what_is_removed(faces, count, low, worse):
    """XR-04, XR-05: the least favoured or the most, of equal faces the rightmost."""
    lying = with_dropped(tuple(faces), Roll(len(faces) - count, advantage=-count if worse else count, low=low))
    gone = {at for at, die in enumerate(lying) if not die.kept}
    assert len(gone) == count
    for i, face in enumerate(faces):
        for j in range(i + 1, len(faces)):
            assert not (faces[j] == face and i in gone and j not in gone)
    lost, kept = [faces[i] for i in gone], [f for i, f in enumerate(faces) if i not in gone]
    assert (max(lost) <= min(kept)) if low == worse else (min(lost) >= max(kept))
