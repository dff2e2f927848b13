"""Strike & Cinder's attacks: the Defense DC of each Path, hits, and the Luck that they drain (SC-08…SC-14)."""

import pytest
from playing import line

GAME = "strike_cinder"
ATTACKS = [
    # SC-08: the Defense DC of each Path, met and missed by one
    ("vs human", 1),
    ("vs arcanist", 2),
    ("vs half-blood", 3),
    ("vs cursed", 3),
    ("vs possessed", 3),
    ("vs natural shifter", 4),
    ("vs afflicted shifter", 4),
    ("vs afflicted shifter shifted", 5),
    ("vs shifter", 4),
    ("vs undying", 4),
    ("vs spirit", 10),
    ("vs spirit manifested", 2),
    ("vs undying dc2", 2),
    ("dc6 vs human", 6),
    ("vs afflicted shifter shifted dc1", 1),
    ("vs spirit dc3", 3),
]


@pytest.mark.parametrize(("target", "dc"), ATTACKS)
def test_the_defense_dc(say, target, dc):
    """SC-08, SC-10, SC-22: met is a hit that drains 1 Luck, at ten passes 2; one short of it is a miss."""
    met = say(f"sc strike {dc} {target}", *(4,) * dc)
    label = ["hit", "critical_hit"] if dc >= 10 else ["hit"]
    assert (met["labels"], met["values"]) == (label, {"passes": dc, "dc": dc, "luck_drained": 2 if dc >= 10 else 1})
    missed = say(f"sc strike {dc} {target}", *(4,) * (dc - 1), 1)
    assert missed["labels"] == ["miss"]
    assert missed["values"] == {"passes": dc - 1, "dc": dc, "luck_drained": 0}


DRAINS = [
    # SC-09: Cinder meets the manifested DC, manifested or not
    (
        "sc cinder 2 vs spirit",
        (4, 4),
        ["hit"],
        {"passes": 2, "dc": 2, "luck_drained": 1},
        "Partial Failure, 2 passes vs DC 2",
    ),
    ("sc cinder 2 vs spirit manifested", (4, 4), ["hit"], {"passes": 2, "dc": 2, "luck_drained": 1}, "drains 1 Luck"),
    (
        "sc cinder 2 vs spirit dc3",
        (4, 4),
        ["miss"],
        {"passes": 2, "dc": 3, "luck_drained": 0},
        "Miss, 2 passes vs DC 3;",
    ),
    # SC-10: ten passes are a critical hit, nine are not
    (
        "sc strike 9 vs undying",
        (4,) * 9,
        ["hit"],
        {"passes": 9, "dc": 4, "luck_drained": 1},
        "Hit, Exceptional Success, 9",
    ),
    (
        "sc strike 10 vs undying",
        (4,) * 10,
        ["hit", "critical_hit"],
        {"passes": 10, "dc": 4, "luck_drained": 2},
        "alice: Critical hit, 10 passes vs DC 4, drains 2 Luck; 4 4 4 4 4 4 4 4 4 4; strike 10 vs undying",
    ),
    (
        "sc strike 10 vs undying dc11",
        (4,) * 10,
        ["miss"],
        {"passes": 10, "dc": 11, "luck_drained": 0},
        "Miss, 10 passes",
    ),
    # SC-11: weaknesses of the target
    (
        "sc strike 4 vs natural shifter silver",
        (4,) * 4,
        ["hit"],
        {"passes": 4, "dc": 4, "luck_drained": 2},
        "drains 2 Luck",
    ),
    (
        "sc strike 5 vs afflicted shifter shifted silver",
        (4,) * 5,
        ["hit"],
        {"passes": 5, "dc": 5, "luck_drained": 2},
        "2 Luck",
    ),
    ("sc strike 4 vs shifter silver", (4,) * 4, ["hit"], {"passes": 4, "dc": 4, "luck_drained": 2}, "drains 2 Luck"),
    ("sc strike 3 vs shifter silver", (4,) * 3, ["miss"], {"passes": 3, "dc": 4, "luck_drained": 0}, "Miss, 3 passes"),
    ("sc strike 4 vs undying sunlight", (4,) * 4, ["hit"], {"passes": 4, "dc": 4, "luck_drained": 2}, "drains 2 Luck"),
    (
        "sc strike 10 vs undying sunlight",
        (4,) * 10,
        ["hit", "critical_hit"],
        {"passes": 10, "dc": 4, "luck_drained": 2},
        "drains 2 Luck",
    ),
    (
        "sc strike 2 vs spirit salt",
        (1, 1),
        ["hit"],
        {"passes": 0, "luck_drained": 1},
        "Hit, Critical Failure, 0 passes, DC bypassed, drains 1 Luck; 1 1; strike 2 vs spirit salt",
    ),
    ("sc cinder 1 vs spirit salt", (1,), ["hit"], {"passes": 0, "luck_drained": 1}, "DC bypassed"),
    ("sc strike 1 vs spirit manifested salt", (4,), ["hit"], {"passes": 1, "luck_drained": 1}, "manifested salt"),
    (
        "sc strike 10 vs spirit salt",
        (4,) * 10,
        ["hit", "critical_hit"],
        {"passes": 10, "luck_drained": 2},
        "Critical hit",
    ),
    # SC-12: a weakness on either side of vs
    (
        "sc strike undying sunlight vs undying sunlight",
        (4,) * 4,
        ["hit"],
        {"passes": 4, "dc": 4, "luck_drained": 2},
        "strike undying sunlight vs undying sunlight",
    ),
    (
        "sc strike 6 natural shifter silver vs afflicted shifter silver",
        (4,) * 5,
        ["hit"],
        {"passes": 5, "dc": 4, "luck_drained": 2},
        "Hit, Exceptional Success, 5 passes vs DC 4, drains 2 Luck; 4 4 4 4 4; "
        "strike 6 natural shifter silver vs afflicted shifter silver",
    ),
]


@pytest.mark.parametrize(("text", "dice", "labels", "values", "reply"), DRAINS)
def test_a_hit(say, text, dice, labels, values, reply):
    """SC-08…SC-12: what hits, what it drains, and the degree told as flavour."""
    answer = say(text, *dice)
    assert (answer.get("labels"), answer.get("values")) == (labels, values)
    assert reply in line(answer) + ";"
