"""Odds of every game and of the whole dice notation against every throw, each judged as play judges it (GEN-08)."""

from fractions import Fraction

import pytest

from ircdice.settings import HouseRules
from tests.games.every_throw import check_odds

pytestmark = pytest.mark.slow

V5 = [
    *("roll 1d10", "roll 2d10 h1", "roll 3d10 h5 dc2", "roll 4d10 h1 dc4", "roll 3d10 dc1 willpower", "rouse 4"),
    *("roll 1d10 vs 1d10 h1", "roll 2d10 h2 vs 2d10 h1", "v5 2+2 h1 dc1"),
]
STRIKE_CINDER = [
    *("sc strike 1", "sc strike 2", "sc cinder 2 fullmoon", "sc strike 2 dc2", "sc strike 3 vs human", "sc resist 2"),
    *("sc cinder 2 vs spirit", "sc strike 2 vs spirit salt", "sc assist strike 2", "sc mind 2", "sc mind 3 vs 1"),
    *("sc mind 2 fullmoon vs 1", "sc mind 3 vs human"),
]
CROSSROADS = [
    *("xr 3d6", "xr 3d6 b4", "xr 3d6 n4 simple", "xr 3d6 a1", "xr 3d6 d1 b1", "xr 3d6 a2 low", "xr 3d6 d2 low"),
    *("xr 3d6 a2 convert 1", "xr 3d6 b2 vs 3d6 simple", "xr group 3d6; 3d6 b3", "xr 1d6", "xr 2d6 a2"),
    *("xr 3d6 d1 plain", "xr 2d6 d2 low", "xr 1d6 n3 av1 p3", "xr 2d3 a1", "xr 3d3 d2", "xr 4d3 a2 low", "xr 1d3"),
]
BEAT_EIGHT = [
    *("b8 t4", "b8 severe", "b8 t12", "b8 t-9", "b8 t4 a1 x2 edge", "b8 t4 vs t4", "b8 vs t3 x2", "b8 t9 vs"),
    *("b8 t-20 vs t20", "b8 t4 a1 vs t3 x2"),
]
FAYREWOOD = [
    *("toss 1", "toss 5", "toss 3 2", "toss 1 1 frayed", "toss d12 d12 bane", "toss 3 2 dc7", "toss 1 1 boon dc3"),
    *("toss 2 2 help 2 dc5", "toss 3 2 dc9 for help", "toss 3up2 1down boon", "toss 3 2 vs 4 1", "toss 5 vs d12"),
    *("toss 1 1 boon vs 2 1", "toss 2 1 bane vs 3down bane", "toss 1 bane vs 1 bane", "toss 1 1 frayed vs 1 1"),
]
FINITE = [
    *("3d4", "3d4k2", "4d4kl2", "4d4dl1dh1", "4d4k3kl2", "4d4k", "3d4d3", "3d4mi2ma3k2", "4d4k3mi2kl1", "3d4ro1"),
    *("3d4ro<3k2", "3d4k2ro<3", "3d4k2ro1k1", "2d4ro1ro2", "3d4>=3", "3d4>=3f1", "4d4k3>2f<=2", "3d4k2ro1>=3"),
    *("3d4>2+1", "-3d4k2", "2d4*2d4", "2d4/3", "2d4//3%2", "3-2d4*1.5", "(1d4+1)*(2-1d4)", "2d{1,2,4,4}k1+1d4"),
    *("2d4 > 5", "2d4 >= 1d4+3", "2d4 < 2d4", "2d4 <= 5", "1d4 = 1d4", "1d4 <> 2", "2d4/2 > 2.5", "2d4k1 < 1d4"),
    *("2x 3d4k2", "5d4k2", "3dFk2", "1 6"),
]
ENDLESS = [
    *("1d4!", "2d4!", "2d4!k1", "2d4!kl1", "2d4!d1", "2d4k1!", "2d4!>2", "2d4!!", "2d4!!k1", "2d4!p", "2d4!pk1"),
    *("2d4!pdh1", "2d4!pkl1", "3d4!pk2", "2d4mi2!d1", "3d4ro1!kl2", "2d4!>3dh1>=3", "2d4r1!>3ma3k1", "2d4!4>=3"),
    *("2d4!4>=3f1", "2d4!!4>=5", "2d4!p4>=3", "2d4mi2!4", "2d4!ma3", "2d4!ma3k1", "2d4!4!3", "2d4!k1!k1", "2d4r1"),
    *("2d4!ro1k1", "2d4r<3k1", "2d4k1r<3", "2d4k1r1k1", "2d4ro1!k1", "2d4r1!!>=6", "3d4dl1dh1!", "3d4dl1dh1!p"),
    *("2d4mi5!5dl1", "3d{1,3,5}mi2!2k2kl1", "3d4ma3!4k2kl1", "3d4k1!k2", "2d4k1mi3k1!", "2d4!>2kl3k2", "3d6!pk2kl1"),
    *("3d4dl1!pk2", "3d4k2!ro1k1", "2dF!<>0", "3d4!1>=3f1", "3d{-1,0,2}k2!", "3d4k2!!k1", "3d{1,2,2}!k2", "3d4!!>=6"),
]


@pytest.mark.parametrize(
    ("system", "text"),
    [
        *(("v5", text) for text in V5),
        *(("crossroads", text) for text in CROSSROADS),
        *(("beat_eight", text) for text in BEAT_EIGHT),
        *(("fayrewood", text) for text in FAYREWOOD),
        *(("generic", f"roll {text}") for text in FINITE),
    ],
)
def test_odds_are_those_of_every_throw(system, text):
    """GEN-08: the same chances, to the last fraction, of the labels, the value, and the other side."""
    assert check_odds(text, system) == 0


@pytest.mark.parametrize(
    ("system", "text"),
    [*(("strike_cinder", text) for text in STRIKE_CINDER), *(("generic", f"roll {e}") for e in ENDLESS)],
)
def test_odds_of_endless_throws_agree_with_the_likeliest(system, text):
    """SC-02, GD-04, GD-05: the likeliest throws are a lower bound, and the others can only add to it."""
    assert check_odds(text, system, most=4_000) < Fraction(1, 2)


@pytest.mark.parametrize(
    ("system", "text", "house"),
    [
        ("v5", "roll 3d10 h2 dc2", HouseRules(botch=False)),  # V5-09
        ("v5", "roll 2d10 h1 vs 1d10 h1", HouseRules(botch=False)),
        ("crossroads", "xr 3d6", HouseRules(triples="simple")),  # XR-21
    ],
)
def test_odds_follow_the_house_rules(system, text, house):
    """V5-09, XR-21: as play does."""
    assert check_odds(text, system, house=house) == 0
