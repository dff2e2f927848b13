"""Fayrewood's clashes: in one line, with a nick, and what becomes of them (FW-13)."""

import pytest
from playing import line

import grammars
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate
from ircdice.rules.fayrewood import Tally, judge

GAME = "fayrewood"
CLASHES = [
    # FW-13: the acting side wins where its total is at least the other's
    (
        "toss 3 2 vs 4 1",
        (4, 3, 5, 2),
        ("win",),
        (7, 7, 0),
        ("fail",),
        "alice wins, 7 to 7, a tie goes to the acting side, margin 0",
    ),
    ("toss 3 2 vs 4 1", (4, 2, 5, 2), ("fail",), (6, 7, -1), ("win",), "other wins, 7 to 6, alice's margin -1"),
    ("toss 3 2 vs 4 1", (8, 6, 5, 2), ("win", "critical"), (14, 7, 7), ("fail",), "alice wins, critical, 14 to 7"),
    ("toss 3 2 vs 4 1", (1, 6, 5, 2), ("win", "fumble"), (7, 7, 0), ("fail",), "alice wins, fumble, 7 to 7"),
    ("toss 3 2 vs 4 1", (1, 5, 5, 2), ("fail",), (6, 7, -1), ("win",), "other wins, 7 to 6"),
    ("toss 3 2 vs 4 1", (4, 2, 6, 1), ("fail",), (6, 7, -1), ("win", "fumble"), "other wins, fumble, 7 to 6"),
    ("toss 3 2 vs 4 1", (2, 1, 10, 4), ("fail",), (3, 14, -11), ("win", "critical"), "other wins, critical, 14 to 3"),
    # two 1s fail, on either side, whatever the totals
    (
        "toss 3 2 frayed vs 4 1",
        (1, 1, 8, 2, 2),
        ("fail", "catastrophic_fumble"),
        (10, 4, 6),
        ("win",),
        "other wins, 4 to 10, alice's margin +6, alice catastrophic fumble",
    ),
    (
        "toss 3 2 vs 4 1 frayed",
        (2, 3, 1, 1, 8),
        ("win",),
        (5, 10, -5),
        ("fail", "catastrophic_fumble"),
        "alice wins, 5 to 10, margin -5, other catastrophic fumble",
    ),
    # no critical where the win came from the opponent's two 1s, a fumble all the same
    (
        "toss 3 2 vs 4 1",
        (8, 6, 1, 1),
        ("win",),
        (14, 2, 12),
        ("fail", "catastrophic_fumble"),
        "alice wins, 14 to 2, margin +12, other catastrophic fumble",
    ),
    (
        "toss 3 2 vs 4 1",
        (1, 6, 1, 1),
        ("win", "fumble"),
        (7, 2, 5),
        ("fail", "catastrophic_fumble"),
        "alice wins, fumble, 7 to 2, margin +5, other catastrophic fumble",
    ),
    # nor where the other's total is below 1
    ("toss 3 vs 1 bane", (4, 2, 2), ("win",), (4, 0, 4), ("fail",), "alice wins, 4 to 0, margin +4"),
    ("toss 3 vs 1 bane", (4, 2, 4), ("win",), (4, -2, 6), ("fail",), "alice wins, 4 to -2, margin +6"),
    ("toss 3 vs 1 bane", (2, 2, 1), ("win", "critical"), (2, 1, 1), ("fail",), "alice wins, critical, 2 to 1"),
    ("toss 1 bane vs d8", (2, 4, 5), ("fail",), (-2, 5, -7), ("win",), "other wins, 5 to -2, alice's margin -7"),
    # both with two 1s: the acting side loses
    (
        "toss 3 2 vs 4 1",
        (1, 1, 1, 1),
        ("fail", "catastrophic_fumble"),
        (2, 2, 0),
        ("fail", "catastrophic_fumble"),
        "alice loses, 2 to 2, alice's margin 0, alice catastrophic fumble, other catastrophic fumble",
    ),
    # FW-05: a modifier's 1 with a main die's is no catastrophe
    (
        "toss 3 boon vs d10",
        (1, 1, 2),
        ("win", "fumble"),
        (2, 2, 0),
        ("fail",),
        "alice wins, fumble, 2 to 2, a tie goes to the acting side, margin 0",
    ),
    ("toss 3 vs 4 boon", (1, 1, 1), ("fail",), (1, 2, -1), ("win", "critical", "fumble"), "other wins, critical and"),
]


@pytest.mark.parametrize(("text", "faces", "labels", "values", "theirs", "verdict"), CLASHES)
def test_fw_13_clash(say, text, faces, labels, values, theirs, verdict):
    """FW-13, FW-05: two pools; labels and margin are the acting side's, the other's are in `opponent`."""
    answer = say(text, *faces)
    total, difficulty, margin = values
    assert (answer["kind"], tuple(answer["labels"])) == ("contest", labels)
    assert answer["values"] == {"total": total, "difficulty": difficulty, "margin": margin}
    assert tuple(answer["opponent"]["labels"]) == theirs
    assert answer["opponent"]["values"] == {"total": difficulty, "difficulty": total, "margin": -margin}
    assert [die["face"] for die in answer["dice"] + answer["opponent"]["dice"]] == list(faces)
    assert line(answer).startswith(f"alice vs other: {verdict}")


def test_fw_13_the_line_of_a_clash(say):
    """FW-13, FW-03, FW-02, FW-12: each side's dice, whose wound it is, and what the win grants."""
    answer = say("toss 3 2up5 frayed vs 4 0down frayed for help", 4, 3, 8, 5, 2)
    assert line(answer) == (
        "alice vs other: alice wins, critical, 15 to 7, margin +8; grants a boon; "
        "alice 4 3, frayed 8, stepping stops at d12, costs a wound; "
        "other 5, frayed 2, stepping stops at none, costs a wound; d8 d12 frayed vs d10 frayed for help"
    )


def test_fw_13_help_in_a_clash(say):
    """FW-12, FW-13: either side's second die may be stepped up."""
    answer = say("toss 3 2 help 1 vs 4 1 help 2", 4, 3, 5, 2)
    for side, sides in ((answer, (8, 8)), (answer["opponent"], (10, 8))):
        assert [(die["role"], die["sides"]) for die in side["dice"]] == [("main", most) for most in sides]


def test_fw_13_against_a_nick(say):
    """FW-13, GEN-06: covered until the other has answered with a pool of their own."""
    opened = say("toss 3 2 boon vs @bob", 4, 3, 2)
    assert (opened["kind"], opened["dice"], opened["labels"], opened["values"]) == ("waiting", [], [], {})
    assert line(opened) == (
        'alice vs bob: d8 d6 boon is rolled and covered. bob: answer "toss d8 d6" or "pass" within 15 min'
    )
    assert say("toss 4 1", 9, 1, who="carol")["kind"] == "roll"
    assert say("toss 4 1 dc5", 9, 1, who="bob")["kind"] == "roll"  # a toss of his own
    assert say("toss 4 1 for help", 9, 1, who="bob")["kind"] == "roll"
    answer = say("toss 4 1 bane", 10, 2, 3, who="bob")
    assert (answer["labels"], answer["values"]) == (["win"], {"total": 9, "difficulty": 9, "margin": 0})
    assert answer["opponent"]["who"] == "bob"
    assert line(answer) == (
        "alice vs bob: alice wins, 9 to 9, a tie goes to the acting side, margin 0; "
        "alice 4 3, boon 2; bob 10 2, bane 3; d8 d6 boon vs d10 d4 bane"
    )


def test_fw_13_one_side_of_a_clash():
    """FW-13: a covered side has its total already."""
    node = grammars.parse("toss 3 2 boon vs @bob", "fayrewood")
    waiting = evaluate(node, ScriptedDice((4, 3, 2)))
    assert (waiting.kind, waiting.labels, waiting.values) == ("waiting", (), {"total": 9})


@pytest.mark.parametrize(
    ("faces", "labels", "verdict"),
    [
        ((4, 3), ["win"], "alice wins, bob does not resist, total 7"),
        ((1, 3), ["win", "fumble"], "alice wins, fumble, bob does not resist, total 4"),
        ((1, 1), ["fail", "catastrophic_fumble"], "alice fails, catastrophic fumble, bob does not resist, total 2"),
    ],
)
def test_fw_13_pass(say, faces, labels, verdict):
    """FW-13, GEN-06: against `pass` the acting side wins, unless its own two 1s fail by themselves."""
    say("toss 3 2 vs @bob for help", *faces)
    answer = say("pass", who="bob")
    assert (answer["kind"], answer["labels"], answer["values"]) == ("contest", labels, {"total": sum(faces)})
    assert line(answer).startswith(f"alice vs bob: {verdict}")
    assert ("grants a boon" in line(answer)) == ("win" in labels)


def test_fw_13_pass_below_zero(say):
    """GEN-06: whatever the total, a side that does not resist has lost."""
    say("toss 1 bane vs @bob", 2, 4)
    assert line(say("pass", who="bob")).startswith("alice vs bob: alice wins, bob does not resist, total -2;")


def test_fw_13_withdrawn(say):
    """GEN-06: taken back, its dice are shown, and the wound that they cost."""
    opened = say("toss 3 2 frayed vs @bob", 4, 3, 8)
    taken = say(f"withdraw #{opened['id'].partition('-')[0]}")
    assert line(taken) == (
        "alice vs bob: withdrawn, not answered; alice 4 3, frayed 8, costs a wound; d8 d6 frayed vs @bob"
    )


def test_fw_13_critical_needs_a_total_of_its_own():
    """FW-13: exactly at the other's total of 1, and exactly at twice it."""
    assert judge(Tally(2, 0), Tally(1, 1)).labels == ("win", "critical")
    assert judge(Tally(1, 0), Tally(1, 1)).labels == ("win",)
    assert judge(Tally(1, 0), Tally(0, 1)).labels == ("win",)
    assert judge(Tally(14, 0), Tally(7, 0)).labels == ("win", "critical")
    assert judge(Tally(13, 0), Tally(7, 0)).labels == ("win",)


def test_fw_13_odds_in_words(say):
    """FW-13, GEN-08: every label of both sides that can be posted."""
    assert line(say("odds toss 2 2 vs 2 2")) == (
        "odds toss d6 d6 vs d6 d6: win 55.6%, of it critical 9.7, fumble 8.5; "
        "fail 44.4%, of it catastrophic fumble 2.8; "
        "other side: win 44.4%, of it critical 9.7, fumble 5.4; fail 55.6%, of it catastrophic fumble 2.8"
    )
