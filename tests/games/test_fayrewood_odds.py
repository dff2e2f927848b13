"""Fayrewood's odds: in closed form, and what they may not do."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tosses import difficulties, pools

import grammars
from grammars.fayrewood import Main, Pool, Toss
from ircdice.dispatcher import odds
from ircdice.errors import RuleError


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
