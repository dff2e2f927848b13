"""Beat Eight: scripted throws with their labels, values and line, rule by rule; contests."""

import pytest
from playing import line

GAME = "beat_eight"


ALONE = [
    # B8-01: nine or better
    ("!b8", (4, 4), ["failure"], 8, "Failure, 8 does not beat 8; 4 4; b8"),
    ("!b8", (4, 5), ["success"], 9, "Success, 9 beats 8; 4 5; b8"),
    ("b8 t0", (6, 3), ["success"], 9, "Success, 9 beats 8; 6 3; b8"),
    # B8-02: dice + difficulty + trait + abilities - multitask
    ("b8 t4 a1", (4, 3), ["success"], 12, "Success, 12 beats 8; 4 3, trait +4, abilities +1; b8 t4 a1"),
    ("b8 t6 a-1 a1", (1, 2), ["success"], 9, "Success, 9 beats 8; 1 2, trait +6; b8 t6 a-1 a1"),
    ("b8 t-2 a-1", (5, 6), ["failure"], 8, "Failure, 8 does not beat 8; 5 6, trait -2, abilities -1; b8 t-2 a-1"),
    ("b8 a1 t2 a3 +1", (1, 2), ["success"], 10, "trait +2, abilities +4, difficulty +1; b8 t2 a1 a3 +1"),
    ("b8 t4 x2 a1 -1", (4, 3), ["success"], 9, "trait +4, abilities +1, multitask -2, difficulty -1; b8 t4 a1 x2 -1"),
    # B8-03: words, numbers, a space for a hyphen
    ("b8 laughable", (2, 3), ["failure"], 8, "2 3, laughable +3; b8 laughable"),
    ("b8 advantage", (2, 6), ["success"], 9, "2 6, advantage +1; b8 advantage"),
    ("b8 edge", (2, 5), ["failure"], 8, "2 5, edge +1; b8 edge"),
    ("b8 normal", (3, 6), ["success"], 9, "Success, 9 beats 8; 3 6; b8 normal"),
    ("b8 disadvantage", (4, 6), ["success"], 9, "4 6, disadvantage -1; b8 disadvantage"),
    ("b8 awkward t2", (5, 2), ["failure"], 8, "5 2, trait +2, awkward -1; b8 t2 awkward"),
    ("b8 severe", (5, 6), ["failure"], 8, "5 6, severe -3; b8 severe"),
    ("b8 great-disadvantage", (5, 6), ["failure"], 8, "great-disadvantage -3; b8 great-disadvantage"),
    ("b8 great disadvantage t1", (5, 6), ["success"], 9, "b8 t1 great-disadvantage"),
    ("b8 Ridiculous t3", (5, 6), ["success"], 9, "5 6, trait +3, ridiculous -5; b8 t3 ridiculous"),
    ("b8 practically-impossible t5", (5, 6), ["success"], 9, "practically-impossible -7; b8 t5 practically-impossible"),
    ("b8 practically impossible t4", (5, 6), ["failure"], 8, "b8 t4 practically-impossible"),
    ("b8 -7", (5, 6), ["failure"], 4, "Failure, 4 does not beat 8; 5 6, difficulty -7; b8 -7"),
    ("b8 -6 t4", (5, 6), ["success"], 9, "difficulty -6; b8 t4 -6"),
    ("b8 +2", (3, 4), ["success"], 9, "difficulty +2; b8 +2"),
    ("b8 +10", (1, 2), ["success"], 13, "difficulty +10; b8 +10"),
    ("b8 +0", (4, 4), ["failure"], 8, "4 4; b8"),
    # B8-04: -2 for each action after the first; it may go below -7
    ("b8 t4 x1", (2, 3), ["success"], 9, "2 3, trait +4; b8 t4"),
    ("b8 t4 x2", (2, 4), ["failure"], 8, "multitask -2; b8 t4 x2"),
    ("b8 t4 x3", (4, 4), ["failure"], 8, "multitask -4; b8 t4 x3"),
    ("b8 t4 x4", (5, 6), ["success"], 9, "multitask -6; b8 t4 x4"),
    ("b8 -7 x4", (5, 6), ["failure"], -2, "5 6, multitask -6, difficulty -7; b8 x4 -7"),
    # B8-05: naturals before the total, and further harm or gain
    ("b8 t6", (1, 1), ["failure", "snake_eyes"], 8, "Failure, snake-eyes with further harm, 8 vs 8; 1 1, trait +6"),
    ("b8 t20", (1, 1), ["failure", "snake_eyes"], 22, "Failure, snake-eyes with further harm, 22 vs 8; 1 1"),
    ("b8 -7 x3", (6, 6), ["success", "double_sixes"], 1, "Success, double sixes with a further gain, 1 vs 8; 6 6"),
    ("b8 t2 a1", (6, 6), ["success", "double_sixes"], 15, "Success, double sixes with a further gain, 15 vs 8"),
    ("b8 t7", (1, 2), ["success"], 10, "Success, 10 beats 8; 1 2, trait +7; b8 t7"),
    ("b8 t-4", (6, 5), ["failure"], 7, "Failure, 7 does not beat 8; 6 5, trait -4; b8 t-4"),
    # GEN-02, GEN-03, GEN-04: spelling
    ("B8 T 4 A:1 X 2.", (4, 5), ["success"], 12, "b8 t4 a1 x2"),
    ("b8 t4a1x2-1", (4, 3), ["success"], 9, "b8 t4 a1 x2 -1"),
    ("b8 t4 − 3", (4, 3), ["failure"], 8, "b8 t4 -3"),
    ("b8 t=4 a+1", (4, 3), ["success"], 12, "b8 t4 a1"),
    ("b8 t4 for the jump", (4, 3), ["success"], 11, 'b8 t4 "the jump"'),
    ("b8 t4 # over the wall", (4, 3), ["success"], 11, 'b8 t4 "over the wall"'),
]


@pytest.mark.parametrize(("text", "faces", "labels", "total", "reply"), ALONE)
def test_b8_01_to_b8_05_unopposed(say, text, faces, labels, total, reply):
    """B8-01, B8-02, B8-03, B8-04, B8-05: two dice and what is added must beat 8, the naturals whatever is added."""
    answer = say(text, *faces)
    assert (answer["kind"], answer["labels"]) == ("roll", labels)
    assert answer["values"] == {"total": total, "target": 8}
    assert reply in line(answer)
    assert [die["role"] for die in answer["dice"]] == ["dice", "dice"]


def test_b8_03_impossible(say):
    """B8-03: `impossible` rolls nothing and says that the narrator decides."""
    answer = say("b8 t4 a2 impossible")
    assert (answer["kind"], answer["labels"], answer["values"], answer["dice"]) == ("check", [], {}, [])
    assert line(answer) == "alice: Impossible, nothing is rolled: the narrator decides; b8 t4 a2 impossible"


OPPOSED = [
    # B8-06: the higher wins, a tie goes to the target
    ("b8 t4 vs t3", (4, 3, 6, 2), ["target_wins"], (11, 11), "other wins, 11 to 11, a tie goes to the target"),
    ("b8 t4 vs t3", (4, 4, 6, 2), ["initiator_wins"], (12, 11), "alice wins, 12 to 11"),
    ("b8 t4 vs t3", (4, 2, 6, 2), ["target_wins"], (10, 11), "other wins, 11 to 10"),
    ("b8 vs t1", (1, 2, 1, 3), ["target_wins"], (3, 5), "other wins, 5 to 3"),  # neither side has to beat 8
    ("b8 x3 t5 a1 vs a2 x2 t0", (6, 3, 5, 5), ["initiator_wins"], (11, 10), "alice wins, 11 to 10"),
    # B8-07: an initiator's snake-eyes fail whatever the target rolls
    (
        "b8 t20 vs t1",
        (1, 1, 1, 2),
        ["target_wins", "snake_eyes"],
        (22, 4),
        "other wins, alice rolls snake-eyes with further harm, 4 to 22",
    ),
    (
        "b8 t4 vs t1",
        (1, 1, 1, 1),
        ["target_wins", "snake_eyes", "target_snake_eyes"],
        (6, 3),
        "other wins, alice rolls snake-eyes with further harm, other rolls snake-eyes, 3 to 6",
    ),
    (
        "b8 t4 vs t4",
        (1, 1, 6, 6),
        ["target_wins", "snake_eyes", "target_double_sixes"],
        (6, 16),
        "other wins, alice rolls snake-eyes with further harm, other rolls double sixes with a further gain, 16 to 6",
    ),
    # a target's lose to any initiator without
    (
        "b8 t4 vs t20",
        (1, 3, 1, 1),
        ["initiator_wins", "target_snake_eyes"],
        (8, 22),
        "alice wins, other rolls snake-eyes with further harm, 8 to 22",
    ),
    (
        "b8 vs t1",
        (1, 2, 1, 1),
        ["initiator_wins", "target_snake_eyes"],
        (3, 3),
        "alice wins, other rolls snake-eyes with further harm, 3 to 3",
    ),
    # double sixes beat all but double sixes
    (
        "b8 t-9 vs t9",
        (6, 6, 6, 5),
        ["initiator_wins", "double_sixes"],
        (3, 20),
        "alice wins, alice rolls double sixes with a further gain, 3 to 20",
    ),
    (
        "b8 t9 vs t-9",
        (6, 5, 6, 6),
        ["target_wins", "target_double_sixes"],
        (20, 3),
        "other wins, other rolls double sixes with a further gain, 3 to 20",
    ),
    (
        "b8 t-9 vs t9",
        (6, 6, 1, 1),
        ["initiator_wins", "double_sixes", "target_snake_eyes"],
        (3, 11),
        "alice wins, alice rolls double sixes with a further gain, other rolls snake-eyes with further harm, 3 to 11",
    ),
    # both: the totals, a tie to the target
    (
        "b8 t1 vs t0",
        (6, 6, 6, 6),
        ["initiator_wins", "double_sixes", "target_double_sixes"],
        (13, 12),
        "alice wins, alice rolls double sixes with a further gain, other rolls double sixes, 13 to 12",
    ),
    (
        "b8 t0 vs t0",
        (6, 6, 6, 6),
        ["target_wins", "double_sixes", "target_double_sixes"],
        (12, 12),
        "other wins, alice rolls double sixes, other rolls double sixes with a further gain, 12 to 12, "
        "a tie goes to the target",
    ),
    (
        "b8 t0 vs t1",
        (6, 6, 6, 6),
        ["target_wins", "double_sixes", "target_double_sixes"],
        (12, 13),
        "other wins, alice rolls double sixes, other rolls double sixes with a further gain, 13 to 12",
    ),
    # decided by a natural, equal totals are no tie
    (
        "b8 t4 vs",
        (1, 1, 2, 4),
        ["target_wins", "snake_eyes"],
        (6, 6),
        "other wins, alice rolls snake-eyes with further harm, 6 to 6;",
    ),
    # B8-09: an empty side is t0
    ("b8 t4 vs", (1, 2, 3, 3), ["initiator_wins"], (7, 6), "alice wins, 7 to 6"),
    ("b8 vs", (1, 3, 2, 2), ["target_wins"], (4, 4), "other wins, 4 to 4, a tie goes to the target"),
]


@pytest.mark.parametrize(("text", "faces", "labels", "totals", "verdict"), OPPOSED)
def test_b8_06_b8_07_opposed(say, text, faces, labels, totals, verdict):
    """B8-06, B8-07, B8-09: head to head; the initiator's two dice are drawn first."""
    answer = say(text, *faces)
    assert (answer["kind"], answer["labels"]) == ("contest", labels)
    assert answer["values"] == {"total": totals[0], "target": totals[1]}
    assert answer["opponent"]["values"] == {"total": totals[1]}
    assert answer["opponent"]["labels"] == [x for x in labels if x not in ("snake_eyes", "double_sixes")]
    assert [die["face"] for die in answer["dice"] + answer["opponent"]["dice"]] == list(faces)
    assert line(answer).startswith(f"alice vs other: {verdict.rstrip(';')}; alice {faces[0]} {faces[1]}")


def test_b8_06_the_line_shows_both_sides(say):
    """B8-06: each side's dice with what was added, as language.md has it."""
    answer = say("b8 t4 vs t3 x2", 4, 3, 6, 2)
    assert line(answer) == (
        "alice vs other: alice wins, 11 to 9; alice 4 3, trait +4; other 6 2, trait +3, multitask -2; b8 t4 vs t3 x2"
    )


def test_b8_08_each_roll_of_a_chain_is_its_own(say):
    """B8-08: attack against parry, then the parry is the defender's action, and the attacker wins its tie."""
    parry = say("b8 t3 vs t4", 4, 4, 4, 3, who="bob")
    assert parry["labels"] == ["target_wins"]
    attack = say("b8 t4 vs t2", 4, 3, 4, 4)
    assert attack["labels"] == ["initiator_wins"]


def test_b8_09_bare(say):
    """B8-09, GEN-10: alone a word of talk, called or in private a roll without modifiers."""
    assert say("b8") == {"text": "b8", "silent": True}
    assert say("b8 # jump") == {"text": "b8 # jump", "silent": True}
    assert say("!b8", 4, 5)["labels"] == ["success"]
    assert say("FUDice: b8", 4, 5)["labels"] == ["success"]
    assert say("b8", 4, 5, private=True, table="p")["labels"] == ["success"]


def test_b8_06_against_a_nick(say):
    """B8-06, GEN-06: covered until the target has answered with the same command less its `vs`."""
    opened = say("b8 t4 a1 vs @bob", 4, 3)
    assert (opened["kind"], opened["dice"], opened["labels"]) == ("waiting", [], [])
    assert line(opened) == ('alice vs bob: b8 t4 a1 is rolled and covered. bob: answer "b8 t3" or "pass" within 15 min')
    assert say("b8 t3", 5, 5, who="carol")["kind"] == "roll"
    assert say("b8 t3 severe", 5, 5, who="bob")["kind"] == "roll"  # a difficulty is no part of an answer
    answer = say("b8 t5 x2", 5, 4, who="bob")
    assert (answer["labels"], answer["values"]) == (["target_wins"], {"total": 12, "target": 12})
    assert answer["opponent"]["who"] == "bob"
    assert line(answer) == (
        "alice vs bob: bob wins, 12 to 12, a tie goes to the target; alice 4 3, trait +4, abilities +1; "
        "bob 5 4, trait +5, multitask -2; b8 t4 a1 vs t5 x2"
    )


@pytest.mark.parametrize(
    ("faces", "labels", "verdict"),
    [
        ((1, 2), ["initiator_wins"], "alice wins, bob does not resist"),
        ((6, 6), ["initiator_wins", "double_sixes"], "alice rolls double sixes with a further gain"),
        ((1, 1), ["target_wins", "snake_eyes"], "bob wins, alice rolls snake-eyes with further harm"),
    ],
)
def test_b8_07_pass(say, faces, labels, verdict):
    """B8-07, GEN-06: against `pass` the initiator wins unless snake-eyes fail by themselves."""
    say("b8 t4 vs @bob", *faces)
    answer = say("pass", who="bob")
    assert (answer["kind"], answer["labels"]) == ("contest", labels)
    assert answer["values"] == {"total": sum(faces) + 4}
    assert verdict in line(answer)


def test_b8_06_withdrawn(say):
    """GEN-06: taken back, its dice are shown."""
    opened = say("b8 t4 vs @bob", 4, 3)
    taken = say(f"withdraw #{opened['id'].partition('-')[0]}")
    assert line(taken) == "alice vs bob: withdrawn, not answered; alice 4 3, trait +4; b8 t4 vs @bob"


def test_b8_06_odds_in_words(say):
    """B8-06, GEN-08: every label that can be posted, in words."""
    assert line(say("odds b8 t4 vs t3")) == (
        "odds b8 t4 vs t3: initiator wins 55.6%; target wins 44.4%; snake-eyes 2.8%, double sixes 2.8%, "
        "target's snake-eyes 2.8%, target's double sixes 2.8%"
    )
