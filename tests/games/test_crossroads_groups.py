"""Crossroads' groups: of rolls in one line, of known values, and opened around the rolls of others (XR-10)."""

import pytest
from playing import check_script

GAME = "crossroads"
GROUPS = [  # text, faces, label, values, result
    ("xr group -1 0 0 1", (), "partial_success", [-1, 0, 0, 1], 0),  # the rulebook's example
    ("xr group 0 1", (), "success", [0, 1], 1),  # halves up
    ("xr group -1 0", (), "partial_success", [-1, 0], 0),
    ("xr group -2 -1", (), "failure", [-2, -1], -1),
    ("xr group -1 -1 0", (), "failure", [-1, -1, 0], -1),
    ("xr group 1 2 2", (), "great_success", [1, 2, 2], 2),
    ("xr group 3, 3", (), "great_success", [3, 3], 3),
    ("xr group -2", (), "failure", [-2], -2),
    ("xr group 3d6", (1, 4, 6), "success", [1], 1),
    ("xr group 3d6; 3d6 a1; n1", (1, 4, 6, 6, 5, 4, 1, 1, 2, 3), "partial_success", [1, 1, -1], 0),
    ("xr group 3d6; 3d6 b9", (1, 2, 3, 2, 2, 2), "partial_success", [0, 0], 0),  # XR-16: a triple 2 counts as 0
    ("xr group 3d6; 3d6", (1, 1, 1, 6, 6, 6), "success", [-2, 3], 1),
    ("xr group 3d6; 3d6 simple", (1, 1, 6, 6, 6, 6), "success", [-1, 2], 1),
]


@pytest.mark.parametrize(("text", "faces", "label", "values", "result"), GROUPS)
def test_a_group(room, text, faces, label, values, result):
    """XR-10: the mean of the Success Values, rounded to the nearest, halves up; draws nothing where they are known."""
    answer = room.say("gm", text, *faces)
    assert answer.outcome.labels[0] == label
    assert list(answer.outcome.values["success_values"]) == values
    assert answer.outcome.values["result"] == result
    assert answer.kind == ("roll" if faces else "check")


def test_the_line_of_a_group(room):
    """XR-10: what everyone came to, and the doubles and triples among them."""
    assert room.line("gm", "xr group 3d6; 3d6 d1", 4, 4, 1, 1, 6, 6, 6) == (
        "gm: Success, result 1 from 0 2; "
        'Change, may reroll one: "xr reroll 1", 2 or 3; Fateful; '
        "4 4 1 | 1 6 6 6, die 7 dropped; group 3d6, 3d6 d1"
    )
    line = room.line("gm", "xr group 3d6; 3d6 a1", 4, 3, 1, 1, 5, 5, 6)
    assert 'Change, may reroll one: "xr reroll 5", 6 or 7; ' in line
    assert room.line("gm", "xr reroll 7", 2).startswith("gm: Success, result 1 from 0 1; ")
    assert room.line("gm", "xr group -1 0") == (
        "gm: Partial Success or Compensating Failure, the group chooses, result 0 from -1 0; group -1 0"
    )
    assert f"result 1 from {' '.join('1' * 12)};" in room.line("gm", "xr group" + " 1" * 12)
    assert "result 1 from 13 values;" in room.line("gm", "xr group" + " 1" * 13)


def test_a_member_of_a_group_follows_up(room):
    """XR-05, XR-10, XR-13: positions count all dice of the line; every roll in it has its own Change."""
    room.say("gm", "xr group 3d6; 3d6 a1", 4, 4, 1, 5, 5, 2, 1)
    assert room.say("gm", "xr reroll 3", 6).outcome.values["success_values"] == (1, 1)
    assert room.refusal("gm", "xr reroll 1") == "the Change of that roll is spent already: one die, once."
    assert room.refusal("gm", "xr reroll 7") == "die 7 was dropped: reroll one of the dice kept, 4, 5 or 6."
    assert room.refusal("gm", "xr keep 3 4 5").startswith("dice are chosen after an Advantage roll alone")
    assert room.refusal("gm", "xr keep 4 5 3") == "die 3 belongs to another roll of the group."
    outcome = room.say("gm", "xr keep 4 6 7").outcome
    assert outcome.values["success_values"] == (1, 0)
    assert [die.kept for die in outcome.dice] == [True] * 4 + [False, True, True]
    assert {die.was for die in outcome.dice} == {None}  # the die that the Change rerolled is not told again
    assert room.refusal("gm", "xr reroll 8") == "that roll has 7 dice, and no die 8."


def test_a_triple_in_a_line_of_several_characters_gives_the_speaker_nothing(room):
    """XR-10, XR-17: whose roll it is is unknown: the triple is posted, and no reroll is offered."""
    line = room.line("gm", "xr group 3d6; 3d6", 3, 3, 3, 1, 2, 3)
    assert "; Change of Fate until the end of the next turn; 3 3 3 | 1 2 3;" in line
    assert room.line("gm", "xr fate") == "gm holds nothing."


def test_an_open_group_counts_its_openers_rolls(room):
    """XR-10: a player who opens it is one of the group, like everybody else in the rulebook's example."""
    opened = room.line("alice", "xr group open")
    assert opened == 'alice: group open: Skill Rolls count from now on, until "xr group close"; group open'
    room.say("alice", "xr 3d6", 1, 1, 2)
    room.say("bob", "xr 3d6", 1, 4, 5)
    room.say("carol", "xr 3d6", 1, 3, 6)
    room.say("dan", "xr 3d6", 6, 5, 3)
    assert room.line("alice", "xr group close") == (
        "alice: Partial Success or Compensating Failure, the group chooses, result 0 from -1 0 0 1; group close"
    )


def test_a_group_that_a_storyteller_opened_counts_the_rolls_of_others(room):
    """XR-10: the Skill Rolls that others make meanwhile, as they are when it is closed."""
    room.say("bob", "xr 3d6", 4, 4, 6)  # before it is opened
    opened = room.line("gm", "xr group open", star=True)
    assert opened.startswith("gm: group open: the Skill Rolls of others count from now on")
    room.say("bob", "xr 3d6", 4, 4, 1)
    room.say("alice", "xr 3d6 b9", 2, 2, 2)
    room.say("carol", "xr 1d6", 6)
    room.say("gm", "xr 3d6", 6, 6, 6)
    room.say("bob", "xr reroll 1 #1", 6)
    room.say("bob", "xr reroll 3", 6)
    assert room.refusal("bob", "xr group open") == "a group is open already, gm's: xr group close ends it."
    assert room.refusal("bob", "xr group close") == "gm opened the group: only they or a storyteller may close it."
    assert room.line("gm", "xr group close") == "gm: Success, result 1 from 1 0; group close"
    assert room.refusal("gm", "xr group close") == "no group is open here: xr group open begins one."


def test_a_group_that_nobody_rolled_in_is_closed(room):
    """XR-10: there is no mean of nothing, and the next group can be opened; a discarded roll is none."""
    room.say("gm", "xr group open", star=True)
    room.say("gm", "xr 3d6", 6, 4, 3)
    room.say("bob", "xr 3d6", 6, 4, 3)
    room.say("bob", "!discard")
    assert room.refusal("bob", "xr group close").startswith("gm opened the group")
    closed = room.say("gm", "xr group close")
    assert closed.replies[0].text.startswith("gm: group closed, no Skill Roll counted; group close; id ")
    assert (closed.kind, closed.outcome.labels, closed.outcome.values) == ("note", (), {})
    room.say("gm", "xr group open")
    room.say("bob", "xr 3d6", 6, 4, 3)
    assert room.line("boss", "xr group close", star=True) == "boss: Success, result 1 from 1; group close"


def test_a_group_shows_whose_dice_are_whose(evaluate):
    """XR-10: the dice of each roll in drawn order; positions are counted through all of them."""
    dice = [2, 6, 4, 1, 3, 1, 4, 1, 5, 3, 2]
    answer = evaluate({"text": "xr group 3d6; 3d6 a1; 3d6 d1", "dice": dice})
    assert "; 2 6 4 | 1 3 1 4, die 6 dropped | 1 5 3 2, die 9 dropped; " in answer["reply"]
    assert [die["kept"] for die in answer["dice"]] == [True] * 5 + [False] + [True] * 2 + [False] + [True] * 2


def test_a_group_shows_where_a_die_was_rerolled(room):
    """XR-05, XR-13: with the roll that it belongs to, once; and no more where nothing was drawn."""
    room.say("gm", "xr group 3d6; 3d6 a1; 3d6", 1, 2, 4, 5, 5, 6, 1, 2, 3, 4)
    line = room.line("gm", "xr reroll 4", 3)
    assert line.endswith("; 1 2 4 | 3 5 6 1, die 7 dropped, rerolled 5 as 3 | 2 3 4; xr reroll 4 on 1")
    assert room.line("gm", "xr keep 4 5 7").endswith("; 1 2 4 | 3 5 6 1, die 6 dropped | 2 3 4; xr keep 4 5 7 on 2")


def test_a_large_group_is_counted_as_one(room):
    """XR-10: past thirty dice by face, all together; what was rerolled is shown as well."""
    room.say("gm", f"xr group{' 3d6;' * 10} 3d6 a1", *(1, 2, 4) * 10, 5, 5, 6, 1)
    line = room.line("gm", "xr reroll 31", 4)
    assert "; 6x1 5x1 4x11 2x10 1x10, dropped 1x1, rerolled 5 as 4; " in line


def test_who_opened_a_group_is_known_after_a_restart():
    """XR-10, GEN-09: also whether a storyteller did; what a comment says changes nothing."""
    check_script(
        """
        gm*: xr group open
            gm: group open: the Skill Rolls of others count from now on, until "xr group close"; group open; id 1
        gm: xr 3d6 | 6 5 4
            gm: Success, value 1; total 15; 6 5 4; 3d6; id 2
        bob: xr 3d6 n9 | 1 2 4
            bob: Failure, value -1; total 0, 7 less 9; 1 2 4; 3d6 n9; id 3
        gm: xr group close
            gm: Failure, result -1 from -1; group close; id 4
        bob: xr group open # group open: the Skill Rolls of others count from now on
            bob: group open: Skill Rolls count from now on, until "xr group close";
                group open "group open: the Skill Rolls of others count from now on"; id 5
        bob: xr 3d6 | 6 5 4
            bob: Success, value 1; total 15; 6 5 4; 3d6; id 6
        bob: xr group close
            bob: Success, result 1 from 1; group close; id 7
        """,
        system=GAME,
    )
