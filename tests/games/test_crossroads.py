"""Crossroads: scripted throws with their labels, values and line, rule by rule."""

import pytest
from playing import line

GAME = "crossroads"
PARTIAL = "Partial Success or Compensating Failure (your choice)"
CHANGE = 'Change, may reroll one: "xr reroll 1", 2 or 3'


SKILL = [  # text, faces, labels, (total, value, result where there is one), line
    # XR-01: 3d6 by itself, and by modifiers alone
    ("xr 3d6", (1, 4, 6), ["success"], (11, 1), "Success, value 1; total 11; 1 4 6; 3d6"),
    ("xr3d6", (6, 5, 4), ["success"], (15, 1), "Success, value 1; total 15; 6 5 4; 3d6"),
    ("xr b2", (1, 4, 6), ["success"], (13, 1), "Success, value 1; total 13, 11 plus 2; 1 4 6; 3d6 b2"),
    ("xr reaction 3d6", (1, 4, 6), ["success"], (11, 1), "Success, value 1; total 11; 1 4 6; 3d6 reaction"),
    # XR-02: letters in any order, run together or apart; signs are letters
    ("xr 3d6 a1n2", (1, 4, 6, 3), ["success"], (11, 1), "total 11, 13 less 2; 1 4 6 3, die 1 dropped; 3d6 a1 n2"),
    ("xr a1 n2", (1, 4, 6, 3), ["success"], (11, 1), "total 11, 13 less 2; 1 4 6 3, die 1 dropped; 3d6 a1 n2"),
    ("xr n2a1", (1, 4, 6, 3), ["success"], (11, 1), "3d6 a1 n2"),
    ("xr 3d6 -2 a1", (1, 4, 6, 3), ["success"], (11, 1), "3d6 a1 n2"),
    ("xr 3d6+4", (1, 2, 6), ["success"], (13, 1), "total 13, 9 plus 4; 1 2 6; 3d6 b4"),
    ("xr 3d6 b1 +1", (1, 2, 6), ["success"], (11, 1), "total 11, 9 plus 2; 1 2 6; 3d6 b2"),
    ("XR 3D6 A 1 N:2", (1, 4, 6, 3), ["success"], (11, 1), "3d6 a1 n2"),
    ("xr 3 d6 − 2", (1, 4, 6), ["partial_success"], (9, 0), "total 9, 11 less 2; 1 4 6; 3d6 n2"),
    # XR-03: each pair cancels until one is left; the net is shown
    ("xr 3d6 a2 d1", (1, 4, 6, 3), ["success"], (13, 1), "Success, value 1; total 13; 1 4 6 3, die 1 dropped; 3d6 a1"),
    ("xr 3d6 d3a1", (1, 4, 6, 3, 2), ["partial_success"], (6, 0), "total 6; 1 4 6 3 2, dice 2 and 3 dropped; 3d6 d2"),
    ("xr 3d6 b1 n2", (2, 4, 6), ["success"], (11, 1), "total 11, 12 less 1; 2 4 6; 3d6 n1"),
    ("xr 3d6 b2n2a1d1", (2, 3, 6), ["success"], (11, 1), "Success, value 1; total 11; 2 3 6; 3d6"),
    ("xr a1d1", (2, 3, 6), ["success"], (11, 1), "total 11; 2 3 6; 3d6"),
    # XR-04: more dice, the least or the most favoured go; `low` turns what is favoured
    ("xr 3d6 a2", (1, 2, 3, 4, 6), ["success"], (13, 1), "total 13; 1 2 3 4 6, dice 1 and 2 dropped; 3d6 a2"),
    ("xr 3d6 d2", (1, 2, 3, 5, 6), ["partial_success"], (6, 0), "total 6; 1 2 3 5 6, dice 4 and 5 dropped; 3d6 d2"),
    (
        "xr 3d6 a2 low",
        (1, 2, 3, 5, 6),
        ["partial_success"],
        (6, 0),
        "total 6; 1 2 3 5 6, dice 4 and 5 dropped; 3d6 a2 low",
    ),
    ("xr 3d6 d2 low", (1, 2, 3, 4, 6), ["success"], (13, 1), "total 13; 1 2 3 4 6, dice 1 and 2 dropped; 3d6 d2 low"),
    ("xr b0 low", (1, 4, 6), ["success"], (11, 1), "total 11; 1 4 6; 3d6 low"),
    # XR-05: of equal faces the rightmost are removed
    ("xr 3d6 a1", (3, 3, 4, 6), ["success"], (13, 1), "total 13; 3 3 4 6, die 2 dropped; 3d6 a1"),
    ("xr 3d6 d1", (6, 1, 6, 2), ["partial_success"], (9, 0), "total 9; 6 1 6 2, die 3 dropped; 3d6 d1"),
    # XR-06: Advantage first; past the highest value; never below 0
    ("xr 3d6 b9", (6, 5, 4), ["great_success"], (24, 2), "Great Success, value 2; total 24, 15 plus 9; 6 5 4; 3d6 b9"),
    ("xr 3d6 n9", (1, 2, 4), ["failure"], (0, -1), "Failure, value -1; total 0, 7 less 9; 1 2 4; 3d6 n9"),
    (
        "xr 3d6 a1n2",
        (6, 1, 2, 4),
        ["partial_success"],
        (10, 0),
        "total 10, 12 less 2; 6 1 2 4, die 2 dropped; 3d6 a1 n2",
    ),
    # XR-07: Advantage made into Bonus before anything is rolled; cancelling before and after
    ("xr 3d6 a1 convert 1", (1, 4, 6), ["success"], (12, 1), "total 12, 11 plus 1; 1 4 6; 3d6 b1 after convert 1"),
    ("xr 3d6 a1 n1 convert 1", (1, 4, 6), ["success"], (11, 1), "total 11; 1 4 6; 3d6 after convert 1"),
    ("xr a3d1b1 convert 1", (1, 4, 6, 3), ["success"], (15, 1), "1 4 6 3, die 1 dropped; 3d6 a1 b2 after convert 1"),
    # XR-08, XR-24: the ladder, both ends of each step
    ("xr 3d6", (1, 2, 3), ["partial_success"], (6, 0), f"{PARTIAL}; total 6; 1 2 3; 3d6"),
    ("xr 3d6 n1", (1, 2, 3), ["failure"], (5, -1), "Failure, value -1; total 5, 6 less 1; 1 2 3; 3d6 n1"),
    ("xr 3d6", (1, 4, 5), ["partial_success"], (10, 0), f"{PARTIAL}; total 10; 1 4 5; 3d6"),
    ("xr 3d6 b1", (6, 5, 3), ["success"], (15, 1), "Success, value 1; total 15, 14 plus 1; 6 5 3; 3d6 b1"),
    ("xr 3d6 b1", (6, 5, 4), ["great_success"], (16, 2), "Great Success, value 2; total 16, 15 plus 1; 6 5 4; 3d6 b1"),
    # XR-11: on the three dice kept alone
    (
        "xr 3d6 a1",
        (6, 6, 1, 5),
        ["great_success", "fateful"],
        (17, 2),
        "Fateful, value stays 2; total 17; 6 6 1 5, die 3 dropped",
    ),
    (
        "xr 3d6 a2",
        (1, 1, 4, 6, 3),
        ["success"],
        (13, 1),
        "Success, value 1; total 13; 1 1 4 6 3, dice 1 and 2 dropped; 3d6 a2",
    ),
    # XR-12: Misstep
    ("xr 3d6", (1, 1, 6), ["failure", "misstep"], (8, -1), "Failure, value -1; Misstep, value 1 less; total 8"),
    ("xr 3d6 b9", (1, 4, 1), ["partial_success", "misstep"], (15, 0), f"{PARTIAL}; Misstep, value 1 less;"),
    ("xr 3d6", (2, 1, 1), ["failure", "misstep"], (4, -1), "Failure, value -1; Misstep, value stays -1; total 4;"),
    # XR-13: Change
    ("xr 3d6", (4, 4, 6), ["success", "change"], (14, 1), f"Success, value 1; {CHANGE}; total 14; 4 4 6; 3d6"),
    ("xr 3d6", (2, 6, 2), ["partial_success", "change"], (10, 0), f"{PARTIAL}; {CHANGE}; total 10;"),
    (
        "xr 3d6 a1",
        (1, 5, 3, 5),
        ["success", "change"],
        (13, 1),
        '"xr reroll 2", 3 or 4; total 13; 1 5 3 5, die 1 dropped',
    ),
    # XR-14: Fateful
    ("xr 3d6", (6, 6, 1), ["great_success", "fateful"], (13, 2), "Great Success, value 2; Fateful, value 1 more;"),
    ("xr 3d6 n9", (6, 2, 6), ["partial_success", "fateful"], (5, 0), f"{PARTIAL}; Fateful, value 1 more;"),
    ("xr 3d6", (6, 5, 6), ["great_success", "fateful"], (17, 2), "Great Success, value 2; Fateful, value stays 2;"),
    # XR-15: Doomed Portents, -2 allowed
    (
        "xr 3d6",
        (1, 1, 1),
        ["failure", "doomed_portents", "fate_die"],
        (3, -2),
        "Failure, value -2; Doomed Portents, value 1 less, gains a temporary Fate Die of Short Duration; total 3",
    ),
    ("xr 3d6 b13", (1, 1, 1), ["success", "doomed_portents", "fate_die"], (16, 1), "Success, value 1; Doomed"),
    # XR-16: Balanced Portents: the Result alone
    ("xr 3d6 b9", (2, 2, 2), ["partial_success", "balanced_portents"], (15, 1, 0), f"{PARTIAL}, value 1; "),
    ("xr 3d6 n3", (2, 2, 2), ["partial_success", "balanced_portents"], (3, -1, 0), f"{PARTIAL}, value -1; "),
    # XR-17: Change of Fate
    ("xr 3d6", (3, 3, 3), ["partial_success", "change_of_fate"], (9, 0), "Change of Fate until the end of the next"),
    ("xr 3d6", (4, 4, 4), ["success", "change_of_fate"], (12, 1), '"xr reroll 1 fate #ID"; total 12; 4 4 4; 3d6'),
    # XR-18: Fate's Blessing
    ("xr 3d6", (5, 5, 5), ["success", "fates_blessing"], (15, 1), "Fate's Blessing, a1 on Skill Rolls until the end"),
    # XR-19: Fate's Child, 3 allowed
    (
        "xr 3d6",
        (6, 6, 6),
        ["great_success", "fates_child", "fate_die"],
        (18, 3),
        "Great Success, value 3; Fate's Child, value 1 more, gains a temporary Fate Die of Short Duration; total 18",
    ),
    ("xr 3d6 n9", (6, 6, 6), ["success", "fates_child", "fate_die"], (9, 1), "Success, value 1; Fate's Child"),
    # XR-21: a triple read as the double of its face, with a Fate Die
    ("xr 3d6 simple", (1, 1, 1), ["failure", "misstep", "fate_die"], (3, -1), "Misstep, value stays -1, gains a temp"),
    ("xr 3d6 simple", (2, 2, 2), ["partial_success", "change", "fate_die"], (6, 0), f"{CHANGE}, gains a temporary"),
    ("xr 3d6 simple", (5, 5, 5), ["success", "change", "fate_die"], (15, 1), f"Success, value 1; {CHANGE}, gains a t"),
    ("xr 3d6 simple", (6, 6, 6), ["great_success", "fateful", "fate_die"], (18, 2), "Fateful, value stays 2, gains"),
    ("xr 3d6 simple b9", (1, 1, 1), ["partial_success", "misstep", "fate_die"], (12, 0), "3d6 b9 simple"),
    ("xr 3d6 simple", (4, 4, 1), ["partial_success", "change"], (9, 0), f"{PARTIAL}; {CHANGE}; total 9"),
    # XR-26: what is kept
    ("xr 3d6 d1", (1, 4, 6, 6), ["success"], (11, 1), "total 11; 1 4 6 6, die 4 dropped; 3d6 d1"),
    (
        "xr b3d2",
        (1, 2, 3, 6, 6),
        ["partial_success"],
        (9, 0),
        "total 9, 6 plus 3; 1 2 3 6 6, dice 4 and 5 dropped; 3d6 d2 b3",
    ),
    (
        "xr 3d6 d3",
        (1, 2, 4, 6, 6, 5),
        ["partial_success"],
        (7, 0),
        "total 7; 1 2 4 6 6 5, dice 4, 5 and 6 dropped; 3d6 d3",
    ),
    ("xr a3 d3 +2", (3, 1, 5), ["success"], (11, 1), "total 11, 9 plus 2; 3 1 5; 3d6 b2"),
    # GEN-03: comments
    ("xr 3d6 # at the gate", (1, 4, 6), ["success"], (11, 1), 'total 11; 1 4 6; 3d6 "at the gate"'),
    ("xr 3d6 a1 climbing", (1, 4, 6, 1), ["success"], (11, 1), '; 1 4 6 1, die 4 dropped; 3d6 a1 "climbing"'),
]


@pytest.mark.parametrize(("text", "faces", "labels", "values", "words"), SKILL)
def test_a_skill_roll(say, text, faces, labels, values, words):
    """XR-01…XR-19, XR-21, XR-24, XR-26: labels in posting order, every value, and the line."""
    answer = say(text, *faces)
    assert answer["labels"] == labels
    assert answer["values"] == dict(zip(("total", "success_value", "result"), values, strict=False))
    assert words in line(answer)
    assert answer["kind"] == "roll"


PLAIN = [  # text, faces, values, line
    # XR-01: other rolls are plain totals, with no name for doubles; d3 too
    ("xr 1d6", (6,), {"total": 6}, "Total 6; 6; 1d6"),
    ("xr 2d6", (6, 6), {"total": 12}, "Total 12; 6 6; 2d6"),
    ("xr 3d3", (3, 3, 3), {"total": 9}, "Total 9; 3 3 3; 3d3"),
    ("xr 3d6 plain", (6, 6, 6), {"total": 18}, "Total 18; 6 6 6; 3d6 plain"),
    ("xr plain b1", (1, 1, 6), {"total": 9}, "Total 9, 8 plus 1; 1 1 6; 3d6 b1 plain"),
    ("xr 1d6 plain", (5,), {"total": 5}, "Total 5; 5; 1d6"),
    ("xr 1d6d2", (4, 2, 6), {"total": 2}, "Total 2; 4 2 6, dice 1 and 3 dropped; 1d6 d2"),
    ("xr 1d3 d2 low", (1, 2, 3), {"total": 3}, "Total 3; 1 2 3, dice 1 and 2 dropped; 1d3 d2 low"),
    ("xr 1d3 n2", (1,), {"total": 0}, "Total 0, 1 less 2; 1; 1d3 n2"),
    ("xr 1d6 b1", (6,), {"total": 7}, "Total 7, 6 plus 1; 6; 1d6 b1"),
    ("xr 2d3 a1 convert 1", (1, 3), {"total": 5}, "Total 5, 4 plus 1; 1 3; 2d3 b1 after convert 1"),
    ("xr 4d6 a2", (1, 6, 1, 6, 5, 2), {"total": 19}, "Total 19; 1 6 1 6 5 2, dice 1 and 3 dropped; 4d6 a2"),
    # XR-22: damage after armour
    ("xr 1d6 av3", (5,), {"total": 5, "damage": 2}, "Damage 2 after armour, total 5; 5; 1d6 av3"),
    ("xr 1d6 p1 av3", (5,), {"total": 5, "damage": 3}, "Damage 3 after armour, total 5; 5; 1d6 p1 av3"),
    ("xr 1d6 p5av3", (5,), {"total": 5, "damage": 5}, "Damage 5 after armour, total 5; 5; 1d6 p5 av3"),
    ("xr 1d6 av9", (5,), {"total": 5, "damage": 0}, "Damage 0 after armour, total 5; 5; 1d6 av9"),
    ("xr 1d6 n5 av1", (2,), {"total": 0, "damage": 0}, "Damage 0 after armour, total 0, 2 less 5; 2; 1d6 n5 av1"),
    ("xr 1d6 p2", (5,), {"total": 5}, "Total 5; 5; 1d6 p2"),
    ("xr 3d6 plain p2 av3", (5, 5, 1), {"total": 11, "damage": 10}, "Damage 10 after armour, total 11; 5 5 1; 3d6"),
    (
        "xr 2d6b1a1p1av2",
        (1, 5, 4),
        {"total": 10, "damage": 9},
        "total 10, 9 plus 1; 1 5 4, die 1 dropped; 2d6 a1 b1 p1 av2",
    ),
]


@pytest.mark.parametrize(("text", "faces", "values", "words"), PLAIN)
def test_a_plain_roll(say, text, faces, values, words):
    """XR-01, XR-04, XR-06, XR-22: a total, damage after armour, and no label."""
    answer = say(text, *faces)
    assert (answer["labels"], answer["values"]) == ([], values)
    assert words in line(answer)


def test_the_lines_of_the_specification(say):
    """Replies: the value only with a Result other than 0, the dropped die by its position, what a Negative took."""
    assert line(say("xr 3d6 a1", 6, 2, 4, 3)) == "alice: Success, value 1; total 13; 6 2 4 3, die 2 dropped; 3d6 a1"
    assert line(say("xr 3d6", 4, 4, 6)) == f"alice: Success, value 1; {CHANGE}; total 14; 4 4 6; 3d6"
    assert line(say("xr 3d6 n2", 6, 5, 3)) == "alice: Success, value 1; total 12, 14 less 2; 6 5 3; 3d6 n2"
    assert line(say("xr 3d6", 1, 4, 5)) == f"alice: {PARTIAL}; total 10; 1 4 5; 3d6"


def test_more_than_thirty_dice_are_counted(say):
    """Replies give many dice as counts by face, those removed too."""
    answer = say("xr 40d6 d2", *([6] * 10 + [1] * 32))
    assert line(answer) == "alice: Total 80; 6x8 1x32, dropped 6x2; 40d6 d2"


def test_the_dice_are_told_as_drawn(say):
    """Every die drawn is listed in draw order, whatever became of it."""
    answer = say("xr 3d6 a1", 6, 1, 5, 3)
    assert [(die["face"], die["kept"], die["sides"], die["role"]) for die in answer["dice"]] == [
        (6, True, 6, "dice"),
        (1, False, 6, "dice"),
        (5, True, 6, "dice"),
        (3, True, 6, "dice"),
    ]


DAMAGE = [  # text, heavy, light
    ("xr damage HHL", 2, 1),
    ("xr damage 2h1l", 2, 1),
    ("xr damage hlh", 2, 1),
    ("xr damage 3L", 0, 3),
    ("xr damage HHL a1b1", 3, 1),
    ("xr damage hhla1b1", 3, 1),
    ("xr damage LL a3", 2, 0),  # an Advantage with no light point left does nothing
    ("xr damage LL a1b2", 1, 3),  # Advantage is settled before Bonus: the new light ones stay light
    ("xr damage H d1", 0, 1),
    ("xr damage H d2", 0, 0),
    ("xr damage L d1", 0, 0),
    ("xr damage HL d2", 0, 1),
    ("xr damage HL d3", 0, 0),
    ("xr damage L d5", 0, 0),
    ("xr damage HLL n1", 1, 1),
    ("xr damage HL n2", 0, 0),
    ("xr damage HHL n2", 1, 0),
    ("xr damage HH n5", 0, 0),
    ("xr damage HHL -1 +3", 2, 3),
    ("xr damage HH d1n1", 1, 0),
    ("xr damage HHL a2d1", 3, 0),  # netted first: the second Advantage would have done nothing
    ("xr damage HL a1 d1 b2 n2", 1, 1),
    ("xr damage 0h0l b2", 0, 2),
    ("xr damage L a1 n1", 0, 0),
]


@pytest.mark.parametrize(("text", "heavy", "light"), DAMAGE)
def test_narrative_damage(say, text, heavy, light):
    """XR-23: nothing is rolled, pairs are netted, Advantage and Disadvantage come first."""
    answer = say(text)
    assert (answer["kind"], answer["labels"], answer["dice"]) == ("check", [], [])
    assert answer["values"] == {"heavy": heavy, "light": light}
    assert line(answer).startswith(f"alice: {heavy} heavy, {light} light; damage ")


def test_the_config_reads_triples_as_doubles(say):
    """XR-21: `triples = simple`; `table`, which is the default, never does."""
    simple = {"triples": "simple"}
    assert say("xr 3d6", 6, 6, 6, config=simple)["labels"] == ["great_success", "fateful", "fate_die"]
    assert say("xr 3d6 vs 3d6", 2, 2, 2, 6, 6, 5, config=simple)["values"]["result"] == -1
    assert say("xr 3d6", 6, 6, 6, config={"triples": "table"})["values"]["success_value"] == 3


@pytest.mark.parametrize(
    ("text", "limit", "sentence"),
    [
        ("xr 3d6 convert 1", None, "convert 1 needs that much Advantage, and the net is none."),
        ("xr 3d6 convert 100", None, "convert 100 needs that much Advantage, and the net is none."),
        ("xr 3d6 d2 convert 1", None, "convert 1 needs that much Advantage, and the net is none."),
        ("xr 3d6 a2 d1 convert 2", None, "convert 2 needs that much Advantage, and the net is a1."),
        ("xr 3d6 a3 b1 convert 2", "2", "convert 2 comes to b3, and the Modifier Limit here is 2."),
        ("xr 1d6 a1 convert 1", "0", "convert 1 comes to b1, and the Modifier Limit here is 0."),
    ],
)
def test_more_cannot_be_converted_than_there_is(say, text, limit, sentence):
    """XR-07: at most the net Advantage, and within the limit of the net Bonus; more is an error and draws nothing."""
    answer = say(text, config={"modifier_limit": limit} if limit else None)
    assert answer["error"] == sentence


def test_the_limit_is_of_the_net_bonus(say):
    """XR-07: a Negative leaves room below the limit, and a Bonus that was given is not limited."""
    limit = {"modifier_limit": "1"}
    assert say("xr a3 n1 convert 2", 1, 4, 6, 2, config=limit)["values"]["total"] == 13
    assert say("xr b5", 1, 4, 6, config=limit)["values"]["total"] == 16
