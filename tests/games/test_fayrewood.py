"""Fayrewood: scripted throws with their labels, values and line, rule by rule; sweeps."""

import re
from dataclasses import replace

import pytest
from playing import check_script, line

import grammars
from grammars import catalogue
from ircdice.bot import rule_texts
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate
from ircdice.reply import line as worded
from ircdice.rules.fayrewood import GAME as FAYREWOOD
from ircdice.rules.fayrewood import Tally, judge

GAME = "fayrewood"


def sides(answer):
    return [(die["role"], die["sides"]) for die in answer["dice"]]


@pytest.mark.parametrize(
    ("text", "dice", "shown"),
    [
        # FW-01: levels and dice of the ladder, in draw order
        ("toss 1", [4], "d4"),
        ("toss 2", [6], "d6"),
        ("toss 3", [8], "d8"),
        ("toss 4", [10], "d10"),
        ("toss 5", [12], "d12"),
        ("toss 0 3", [8], "d8"),
        ("toss 3 0", [8], "d8"),
        ("toss d12 d4", [12, 4], "d12 d4"),
        ("toss 1d8 1d6", [8, 6], "d8 d6"),
        ("fw 3 2", [8, 6], "d8 d6"),
        # FW-02: rungs up and down, and where they stop
        ("toss 3up", [10], "d10"),
        ("toss d8up", [10], "d10"),
        ("toss 3up2", [12], "d12"),
        ("toss 3up 2", [10, 6], "d10 d6"),
        ("toss 3down", [6], "d6"),
        ("toss d8down2", [4], "d4"),
        ("toss 0up", [4], "d4"),
        ("toss 0up3 2", [8, 6], "d8 d6"),
        ("toss 3 1down", [8], "d8"),
        ("toss 1down 3down2", [4], "d4"),
        # FW-12: help steps up the second main die, the skill
        ("toss 3 2 help 1", [8, 8], "d8 d8"),
        ("toss 3 2 help 2", [8, 10], "d8 d10"),
        ("toss 3 0 help 1", [8, 4], "d8 d4"),
        ("toss 3 2up help 1", [8, 10], "d8 d10"),
        ("toss 3 2down help 2", [8, 8], "d8 d8"),
        ("toss 3 1down3 help 1", [8, 4], "d8 d4"),  # stepping stopped at none, and help steps up from there
        ("toss 0 0 help 2", [6], "d6"),
    ],
)
def test_fw_01_fw_02_fw_12_dice(say, text, dice, shown):
    """FW-01, FW-02, FW-12: which dice are thrown, and that the reply shows them."""
    answer = say(text, *[2] * len(dice))
    assert sides(answer) == [("main", die) for die in dice]
    assert line(answer).endswith(f"; {shown}")
    assert answer["values"] == {"total": 2 * len(dice)}


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("toss 5up", ["d12"]),
        ("toss d12up2", ["d12"]),
        ("toss 4up2", ["d12"]),
        ("toss 4up", []),
        ("toss 3 0down", ["none"]),
        ("toss 3 1down2", ["none"]),
        ("toss 3 1down", []),
        ("toss 5up 1down2", ["d12", "none"]),
        ("toss 3 5 help 1", ["d12"]),
        ("toss 3 4 help 1", []),
    ],
)
def test_fw_02_the_reply_says_where_stepping_stops(say, text, ends):
    """FW-02: above d12 and below none stepping stops, and the reply says so."""
    answer = say(text, *[2] * len(grammars.parse(text, "fayrewood").pool.dice))
    assert re.findall(r"stepping stops at (\w+)", line(answer)) == ends


LINES = [
    # FW-03, FW-05: the modifier die is added or taken away, and its 1 is no fumble
    ("toss 3 boon dc5", (4, 1), "Win, 5 vs 5 Straightforward, margin 0; 4, boon 1; d8 boon dc5"),
    ("toss 3 bane dc3", (4, 1), "Win, 3 vs 3 Routine, margin 0; 4, bane 1; d8 bane dc3"),
    ("toss 3 bane dc3", (4, 2), "Fail, 2 vs 3 Routine, margin -1; 4, bane 2; d8 bane dc3"),
    (
        "toss 3 frayed dc7",
        (4, 8),
        "Win, 12 vs 7 Moderate, margin +5; costs a wound; 4, frayed 8; d8 frayed dc7",
    ),
    ("toss 3 frayed", (4, 1), "Total 5; costs a wound; 4, frayed 1; d8 frayed"),
    ("toss 1 bane", (1, 4), "Total -3, fumble if won; 1, bane 4; d4 bane"),
    # FW-04, FW-06: margin, and a critical from a margin of N
    ("toss 3 2 dc7", (4, 3), "Win, 7 vs 7 Moderate, margin 0; 4 3; d8 d6 dc7"),
    ("toss 3 2 dc7", (4, 2), "Fail, 6 vs 7 Moderate, margin -1; 4 2; d8 d6 dc7"),
    ("toss 3 2 dc5", (5, 4), "Win, 9 vs 5 Straightforward, margin +4; 5 4; d8 d6 dc5"),
    ("toss 3 2 dc5", (6, 4), "Win, critical, 10 vs 5 Straightforward, margin +5; 6 4; d8 d6 dc5"),
    ("toss 3 2 dc5", (7, 4), "Win, critical, 11 vs 5 Straightforward, margin +6; 7 4; d8 d6 dc5"),
    # FW-07: exactly one main die on 1, and won
    ("toss 3 2 dc5", (1, 4), "Win, fumble, 5 vs 5 Straightforward, margin 0; 1 4; d8 d6 dc5"),
    ("toss 3 2 dc5", (4, 1), "Win, fumble, 5 vs 5 Straightforward, margin 0; 4 1; d8 d6 dc5"),
    ("toss 3 2 dc6", (4, 1), "Fail, 5 vs 6 Straightforward, margin -1; 4 1; d8 d6 dc6"),
    ("toss 3 boon dc3", (1, 2), "Win, fumble, 3 vs 3 Routine, margin 0; 1, boon 2; d8 boon dc3"),
    (
        "toss d8 d12 boon dc7",
        (1, 12, 3),
        "Win, critical and fumble, 16 vs 7 Moderate, margin +9; 1 12, boon 3; d8 d12 boon dc7",
    ),
    # FW-08: two main dice on 1 lose, whatever the total
    ("toss 3 2 dc3", (1, 1), "Fail, catastrophic fumble, 2 vs 3 Routine, margin -1; 1 1; d8 d6 dc3"),
    (
        "toss 3 2 frayed dc3",
        (1, 1, 8),
        "Fail, catastrophic fumble, 10 vs 3 Routine, margin +7; costs a wound; 1 1, frayed 8; d8 d6 frayed dc3",
    ),
    ("toss 3 2 dc1", (1, 1), "Fail, catastrophic fumble, 2 vs 1, margin +1; 1 1; d8 d6 dc1"),
    ("toss 3 0 dc1", (1,), "Win, fumble, 1 vs 1, margin 0; 1; d8 dc1"),
    ("toss 3 boon dc1", (1, 1), "Win, critical and fumble, 2 vs 1, margin +1; 1, boon 1; d8 boon dc1"),
    # FW-09: the nearest word at or below, none below 3
    ("toss 3 2 dc2", (2, 1), "Win, fumble, 3 vs 2, margin +1; 2 1; d8 d6 dc2"),
    ("toss 3 2 dc4", (2, 2), "Win, 4 vs 4 Routine, margin 0; 2 2; d8 d6 dc4"),
    ("toss 3 2 dc8", (2, 2), "Fail, 4 vs 8 Moderate, margin -4; 2 2; d8 d6 dc8"),
    ("toss 3 2 dc9", (2, 2), "Fail, 4 vs 9 Challenging, margin -5; 2 2; d8 d6 dc9"),
    ("toss 3 2 dc10", (2, 2), "Fail, 4 vs 10 Challenging, margin -6; 2 2; d8 d6 dc10"),
    ("toss 3 2 dc11", (2, 2), "Fail, 4 vs 11 Hard, margin -7; 2 2; d8 d6 dc11"),
    ("toss 3 2 dc13", (2, 2), "Fail, 4 vs 13 Very Hard, margin -9; 2 2; d8 d6 dc13"),
    ("toss 3 2 dc14", (2, 2), "Fail, 4 vs 14 Very Hard, margin -10; 2 2; d8 d6 dc14"),
    ("toss 3 2 dc15", (2, 2), "Fail, 4 vs 15 Near Impossible, margin -11; 2 2; d8 d6 dc15"),
    ("toss 3 2 dc99", (2, 2), "Fail, 4 vs 99 Near Impossible, margin -95; 2 2; d8 d6 dc99"),
    # FW-12: help, and a task that helps another
    (
        "toss 3 2 help 2 dc7",
        (4, 3),
        "Win, 7 vs 7 Moderate, margin 0; 4 3, second die stepped up by help; d8 d10 dc7",
    ),
    ("toss 3 2 dc7 for help", (4, 3), "Win, 7 vs 7 Moderate, margin 0; grants a boon; 4 3; d8 d6 dc7 for help"),
    ("toss 3 2 dc7 for help", (4, 2), "Fail, 6 vs 7 Moderate, margin -1; 4 2; d8 d6 dc7 for help"),
    ("toss 3 2 for help", (4, 2), "Total 6; grants a boon if won; 4 2; d8 d6 for help"),
    ("toss 3 2 for help", (1, 1), "Fail, catastrophic fumble, total 2; 1 1; d8 d6 for help"),
    (
        "toss 3 2 frayed help 1 dc5 for help # the lock",
        (4, 2, 3),
        "Win, 9 vs 5 Straightforward, margin +4; costs a wound; grants a boon; 4 2, frayed 3, "
        'second die stepped up by help; d8 d8 frayed dc5 for help "the lock"',
    ),
    ("toss 3 2 for help dc7", (4, 3), "Win, 7 vs 7 Moderate, margin 0; grants a boon; 4 3; d8 d6 dc7 for help"),
    (
        "toss 3 2 for help boon dc7.",
        (4, 2, 1),
        "Win, 7 vs 7 Moderate, margin 0; grants a boon; 4 2, boon 1; d8 d6 boon dc7 for help",
    ),
    ("toss 3 2 dc7 for help with the door", (4, 3), 'd8 d6 dc7 "help with the door"'),
    # FW-15: no difficulty
    ("toss 3 2", (4, 3), "Total 7; 4 3; d8 d6"),
    ("toss 3 2", (1, 3), "Total 4, fumble if won; 1 3; d8 d6"),
    ("toss 3 2", (4, 1), "Total 5, fumble if won; 4 1; d8 d6"),
    ("toss 3 2", (1, 1), "Fail, catastrophic fumble, total 2; 1 1; d8 d6"),
    ("toss 3 2 boon", (4, 3, 1), "Total 8; 4 3, boon 1; d8 d6 boon"),
    ("toss 3", (1,), "Total 1, fumble if won; 1; d8"),
    # GEN-02, GEN-03, GEN-04: spelling
    ("Toss D8 D6 BOON DC:7!", (4, 3, 2), "d8 d6 boon dc7"),
    ("toss 3 2 diff 7", (4, 3), "d8 d6 dc7"),
    ("toss 3 2 difficulty7", (4, 3), "d8 d6 dc7"),
    ("toss dc 7 boon 3 2", (4, 3, 2), "d8 d6 boon dc7"),
    ("toss3 2 dc=7", (4, 3), "d8 d6 dc7"),
    ("toss 3up 2", (4, 3), "d10 d6"),
    ("toss d8 d6 dc7 climbing the wall", (4, 3), 'd8 d6 dc7 "climbing the wall"'),
    ("toss 3 2 dc7 for the wall", (4, 3), 'd8 d6 dc7 "the wall"'),
]


@pytest.mark.parametrize(("text", "faces", "reply"), LINES)
def test_fw_03_to_fw_09_fw_12_fw_15_lines(say, text, faces, reply):
    """FW-03, FW-04, FW-05, FW-06, FW-07, FW-08, FW-09, FW-12, FW-15: the whole line of a toss."""
    answer = say(text, *faces)
    assert (answer["kind"], [die["face"] for die in answer["dice"]]) == ("roll", list(faces))
    assert line(answer).endswith(reply)
    if "; " in reply:
        assert line(answer) == f"alice: {reply}"


@pytest.mark.parametrize(
    ("throw", "difficulty", "labels", "values"),
    [
        (Tally(7, 0), 7, ("win",), (7, 7, 0)),
        (Tally(6, 0), 7, ("fail",), (6, 7, -1)),
        (Tally(13, 0), 7, ("win",), (13, 7, 6)),
        (Tally(14, 0), 7, ("win", "critical"), (14, 7, 7)),
        (Tally(14, 1), 7, ("win", "critical", "fumble"), (14, 7, 7)),
        (Tally(7, 1), 7, ("win", "fumble"), (7, 7, 0)),
        (Tally(6, 1), 7, ("fail",), (6, 7, -1)),
        (Tally(14, 2), 7, ("fail", "catastrophic_fumble"), (14, 7, 7)),
        (Tally(2, 2), 7, ("fail", "catastrophic_fumble"), (2, 7, -5)),
        (Tally(2, 0), 1, ("win", "critical"), (2, 1, 1)),
        (Tally(1, 0), 1, ("win",), (1, 1, 0)),
    ],
)
def test_fw_04_fw_06_fw_07_fw_08_judge(throw, difficulty, labels, values):
    """FW-04, FW-06, FW-07, FW-08: what a tally comes to."""
    outcome = judge(throw, Tally(difficulty))
    assert outcome.labels == labels
    assert outcome.values == dict(zip(("total", "difficulty", "margin"), values, strict=True))


def tossed(text, faces, difficulty):
    """What may be told of a toss under a secret difficulty."""
    node = replace(grammars.parse(text, "fayrewood"), difficulty=difficulty)
    outcome = evaluate(node, ScriptedDice(faces))
    return FAYREWOOD.cover(outcome, outcome)


def test_fw_10_a_sealed_difficulty_stays_unsaid():
    """FW-10: total and win or fail; the difficulty, its word, the margin and `critical` are nowhere."""
    low, high = (tossed("toss d8 d12 boon", (4, 9, 3), difficulty) for difficulty in (2, 16))
    assert low == high
    assert (low.labels, low.values) == (("win",), {"total": 16})
    node = grammars.parse("toss d8 d12 boon", "fayrewood")
    assert worded(FAYREWOOD, node, low, names=("alice", None)) == (
        "alice: Win; 16 from 4 9, boon 3; difficulty secret; d8 d12 boon"
    )
    assert tossed("toss d8 d12 boon", (4, 9, 3), 17).labels == ("fail",)
    frayed = grammars.parse("toss 3 2 frayed for help", "fayrewood")
    outcome = tossed("toss 3 2 frayed for help", (4, 3, 8), 5)
    assert worded(FAYREWOOD, frayed, outcome, names=("alice", None)) == (
        "alice: Win; costs a wound; grants a boon; 15 from 4 3, frayed 8; difficulty secret; d8 d6 frayed for help"
    )


@pytest.mark.parametrize("faces", [(4, 5), (1, 8), (8, 1), (1, 1)])
def test_fw_10_only_win_or_fail_depends_on_it(faces):
    """FW-10: all difficulties up to the total look alike, and all above."""
    seen = [tossed("toss 4 4", faces, difficulty) for difficulty in range(1, 20)]
    total = sum(faces)
    assert len({outcome.labels for outcome in seen[:total]}) == len({outcome.labels for outcome in seen[total:]}) == 1
    assert all(outcome.values == {"total": total} and "critical" not in outcome.labels for outcome in seen)


SWEEPS = [
    # FW-11: half of the highest total against twice N, the half not rounded
    ("sweep 5 5 dc6", "sweep", "half of 24 is 12, at least twice 6 Straightforward"),
    ("sweep 5 5 dc7", "no_sweep", "half of 24 is 12, less than twice 7 Moderate"),
    ("sweep 3 dc2", "sweep", "half of 8 is 4, at least twice 2"),
    ("sweep 3 boon dc3", "sweep", "half of 12 is 6, at least twice 3 Routine"),
    ("sweep 1 frayed dc3", "sweep", "half of 12 is 6, at least twice 3 Routine"),
    ("sweep 5 bane dc3", "no_sweep", "half of 11 is 5.5, less than twice 3 Routine"),
    ("sweep 5 1 bane dc3", "sweep", "half of 15 is 7.5, at least twice 3 Routine"),
    ("sweep 5 1 bane dc4", "no_sweep", "half of 15 is 7.5, less than twice 4 Routine"),
    ("sweep 0 4 frayed dc5", "no_sweep", "half of 18 is 9, less than twice 5 Straightforward"),
    ("sweep 3up2 d12 frayed dc8", "sweep", "half of 32 is 16, at least twice 8 Moderate"),
    ("sweep dc1 1", "sweep", "half of 4 is 2, at least twice 1"),
]


@pytest.mark.parametrize(("text", "label", "reason"), SWEEPS)
def test_fw_11_sweep(say, text, label, reason):
    """FW-11: nothing is rolled; swept with margin 0, the storyteller's to award and not for combat."""
    answer = say(text)
    difficulty = int(re.search(r"dc(\d+)", text)[1])
    swept = label == "sweep"
    assert (answer["kind"], answer["labels"], answer["dice"]) == ("check", [label], [])
    assert answer["values"] == {"difficulty": difficulty} | ({"margin": 0} if swept else {})
    assert f"alice: {'Sweep' if swept else 'No sweep'}, {reason}" in line(answer)
    assert ("margin 0, if the storyteller awards it: not for combat" in line(answer)) == swept


def test_fw_11_the_line(say):
    """FW-11, FW-02: the line of a sweep, with where stepping stopped; a frayed die costs nothing yet."""
    assert line(say("sweep 5up 3 frayed dc7")) == (
        "alice: Sweep, half of 28 is 14, at least twice 7 Moderate, margin 0, "
        "if the storyteller awards it: not for combat; stepping stops at d12; sweep d12 d8 frayed dc7"
    )


def test_fw_14_tried_again(say):
    """FW-14: a failed toss may be tried again; the bot forbids nothing."""
    assert say("toss 3 2 dc9", 4, 3)["labels"] == ["fail"]
    assert say("toss 3 2 dc9", 4, 5)["labels"] == ["win"]


@pytest.mark.parametrize("word", ["boon", "bane", "frayed"])
def test_help_explains_each_modifier_die(word):
    """FW-03, DSK-11: what it adds or takes, and what it costs."""
    told = rule_texts.terms(catalogue.named("fayrewood"))[word]
    assert told == ("One modifier die at most: boon adds 1d4, bane subtracts 1d4, frayed adds 1d8 and costs a wound.",)


def test_fw_12_a_toss_that_helps_for_another():
    """FW-12, GEN-03, DSK-01: the win of a character's toss grants a boon, in secret too, and before an unknown name."""
    check_script(
        """
        sam*: !npc Ghoul
            sam: Ghoul is a character of this channel; id 1
        sam*: toss 5 5 dc5 for help as Ghoul | 4 4
            Ghoul (sam): Win, 8 vs 5 Straightforward, margin +3; grants a boon; 4 4; d12 d12 dc5 for help; id 2
        sam*: toss 5 5 dc5 for help as Ghoul up the wall | 4 4
            Ghoul (sam): Win, 8 vs 5 Straightforward, margin +3; grants a boon; 4 4; d12 d12 dc5 for help
                    "up the wall"; id 3
        sam*: toss 5 5 dc5 as Ghoul for help | 4 4
            Ghoul (sam): Win, 8 vs 5 Straightforward, margin +3; grants a boon; 4 4; d12 d12 dc5 for help; id 4
        alice: toss 5 5 dc5 for help as Ghoul
            (alice) Not rolled: only a storyteller may roll for Ghoul.
        alice: toss 5 5 dc5 for help as planned | 4 4
            alice: Win, 8 vs 5 Straightforward, margin +3; grants a boon; 4 4; d12 d12 dc5 for help "as planned"; id 5
        sam* in private: secret toss 5 5 dc5 for help as Ghoul in #FU_Dice | 4 4
            sam: the storyteller rolls in secret; id 6
            (sam) for you alone, #6: Ghoul (sam): Win, 8 vs 5 Straightforward, margin +3; grants a boon; 4 4;
                    d12 d12 dc5 for help; "reveal #6" in #FU_Dice shows it
        """,
        system="fayrewood",
    )
