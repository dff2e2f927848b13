"""Crossroads' contests: in one line, and with a nick (XR-09, GEN-06)."""

import pytest
from playing import line

GAME = "crossroads"
CONTESTS = [  # text, faces, (labels of the acting side, of the other), (value, other's value, result), line
    # XR-09: own less the other's, held between -1 and 2
    (
        "xr 3d6 vs 3d6",
        (6, 4, 3, 5, 4, 2),
        (["partial_success"], ["success"]),
        (1, 1, 0),
        "result 0 is 1 less 1; alice 13 from",
    ),
    ("xr 3d6 vs 3d6 n6", (1, 4, 5, 4, 2, 5), (["success"], ["failure"]), (0, -1, 1), "Success, result 1 is 0 less -1;"),
    (
        "xr 3d6 n6 vs 3d6 b9",
        (1, 4, 5, 4, 2, 5),
        (["failure"], ["great_success"]),
        (-1, 2, -1),
        "Failure, result -1 is -1 less 2, never below -1; alice 4, 10 less 6, from 1 4 5; other 20, 11 plus 9,",
    ),
    (
        "xr b9 vs n9",
        (1, 4, 5, 4, 2, 1),
        (["great_success"], ["failure"]),
        (2, -1, 2),
        "Great Success, result 2 is 2 less -1, never above 2; alice 19, 10 plus 9, from 1 4 5; other 0,",
    ),
    # each side's double by itself
    ("xr 3d6 vs 3d6", (1, 1, 6, 6, 6, 1), (["failure", "misstep"], ["great_success", "fateful"]), (-1, 2, -1), ""),
    (
        "xr 3d6 vs 3d6",
        (4, 4, 6, 1, 1, 6),
        (["great_success", "change"], ["failure", "misstep"]),
        (1, -1, 2),
        "alice Ch",
    ),
    # XR-15, XR-19 in a contest
    (
        "xr 3d6 vs 3d6",
        (6, 6, 6, 6, 5, 1),
        (["great_success", "fates_child", "fate_die"], ["success"]),
        (3, 1, 2),
        "Great Success, result 2 is 3 less 1; alice Fate's Child, value 1 more, gains a temporary Fate Die",
    ),
    (
        "xr 3d6 vs 3d6",
        (1, 2, 5, 1, 1, 1),
        (["great_success"], ["failure", "doomed_portents", "fate_die"]),
        (0, -2, 2),
        "Great Success, result 2 is 0 less -2; other Doomed Portents",
    ),
    # XR-16: a triple 2 sets the Result, whichever side rolled it
    (
        "xr 3d6 vs 3d6 b9",
        (2, 2, 2, 6, 5, 1),
        (["partial_success", "balanced_portents"], ["great_success"]),
        (0, 2, 0),
        "result 0 is 0 less 2, set to 0 by Balanced Portents; alice Balanced Portents; alice 6 from 2 2 2;",
    ),
    (
        "xr 3d6 b9 vs 3d6",
        (6, 5, 1, 2, 2, 2),
        (["partial_success"], ["partial_success", "balanced_portents"]),
        (2, 0, 0),
        "alice chooses, result 0 is 2 less 0, set to 0 by Balanced Portents; other Balanced Portents;",
    ),
    # XR-20: a higher triple goes first, a triple 1 does not
    (
        "xr 3d6 vs 3d6",
        (2, 2, 2, 6, 6, 6),
        (["failure", "balanced_portents"], ["great_success", "fates_child", "fate_die"]),
        (0, 3, -1),
        "Failure, result -1 is 0 less 3, never below -1;",
    ),
    (
        "xr 3d6 b5 vs 3d6",
        (3, 3, 3, 2, 2, 2),
        (["success", "change_of_fate"], ["partial_success", "balanced_portents"]),
        (1, 0, 1),
        "Success, result 1 is 1 less 0; alice Change of Fate",
    ),
    (
        "xr 3d6 vs 3d6 b2",
        (5, 5, 5, 2, 2, 2),
        (["success", "fates_blessing"], ["partial_success", "balanced_portents"]),
        (1, 0, 1),
        "Success, result 1 is 1 less 0;",
    ),
    (
        "xr 3d6 b9 vs 3d6",
        (2, 2, 2, 1, 1, 1),
        (["partial_success", "balanced_portents"], ["failure", "doomed_portents", "fate_die"]),
        (1, -2, 0),
        "result 0 is 1 less -2, set to 0 by Balanced Portents;",
    ),
    (
        "xr 3d6 vs 3d6 b9",
        (1, 1, 1, 2, 2, 2),
        (["partial_success", "doomed_portents", "fate_die"], ["success", "balanced_portents"]),
        (-2, 1, 0),
        "result 0 is -2 less 1, set to 0 by Balanced Portents;",
    ),
    # XR-27: equal triples, each on its own side; what they do not affect stays
    (
        "xr 3d6 b9 vs 3d6",
        (2, 2, 2, 2, 2, 2),
        (["partial_success", "balanced_portents"], ["partial_success", "balanced_portents"]),
        (1, 0, 0),
        "result 0 is 1 less 0, set to 0",
    ),
    (
        "xr 3d6 vs 3d6",
        (6, 6, 6, 6, 6, 6),
        (["partial_success", "fates_child", "fate_die"], ["great_success", "fates_child", "fate_die"]),
        (3, 3, 0),
        "result 0 is 3 less 3;",
    ),
    (
        "xr 3d6 vs 3d6",
        (1, 1, 1, 1, 1, 1),
        (["partial_success", "doomed_portents", "fate_die"], ["failure", "doomed_portents", "fate_die"]),
        (-2, -2, 0),
        "result 0 is -2 less -2;",
    ),
    (
        "xr 3d6 vs 3d6",
        (1, 1, 1, 6, 6, 6),
        (["failure", "doomed_portents", "fate_die"], ["great_success", "fates_child", "fate_die"]),
        (-2, 3, -1),
        "Failure, result -1 is -2 less 3, never below -1;",
    ),
    # XR-21 and XR-20: a triple read as a double affects neither side, and is no higher triple
    (
        "xr 3d6 b9 simple vs 3d6",
        (2, 2, 2, 1, 2, 5),
        (["success", "change", "fate_die"], ["partial_success"]),
        (1, 0, 1),
        "Success, result 1 is 1 less 0;",
    ),
    (
        "xr 3d6 vs 3d6 simple",
        (2, 2, 2, 6, 6, 6),
        (["partial_success", "balanced_portents"], ["great_success", "fateful", "fate_die"]),
        (0, 2, 0),
        "result 0 is 0 less 2, set to 0 by Balanced Portents;",
    ),
    # draw order: the acting side's complete throw, then the other's
    (
        "xr 3d6 a1 vs 3d6 d1",
        (6, 4, 3, 2, 5, 4, 2, 6),
        (["partial_success"], ["success"]),
        (1, 1, 0),
        "alice 13 from 6 4 3 2, die 4 dropped; other 11 from 5 4 2 6, die 4 dropped; 3d6 a1 vs 3d6 d1",
    ),
]


@pytest.mark.parametrize(("text", "faces", "labels", "values", "words"), CONTESTS)
def test_a_contest_in_one_line(say, text, faces, labels, values, words):
    """XR-09, XR-16, XR-20, XR-27: the acting side has the Result, the other side its own Success Value."""
    answer = say(text, *faces)
    mine, theirs = answer["values"], answer["opponent"]["values"]
    assert (answer["labels"], answer["opponent"]["labels"]) == labels
    assert (mine["success_value"], theirs["success_value"], mine["result"]) == values
    assert set(theirs) == {"total", "success_value"}
    assert (answer["kind"], answer["opponent"]["who"]) == ("contest", "other")
    assert words in line(answer)


def test_a_contest_with_a_nick(room):
    """XR-09, GEN-06: covered until the other has answered with a Skill Roll; then each side may follow up."""
    waiting = room.line("alice", "xr 3d6 a1 vs @bob", 4, 4, 3, 2)
    assert waiting == ('alice vs bob: 3d6 a1 is rolled and covered. bob: answer "xr 3d6" or "pass" within 15 min')
    assert room.line("bob", "xr 1d6", 6) == "bob: Total 6; 6; 1d6"  # only Skill Rolls oppose
    assert room.line("bob", "xr 3d6", 5, 5, 2) == (
        "alice vs bob: Partial Success or Compensating Failure, alice chooses, result 0 is 1 less 1; "
        'alice Change, may reroll one: "xr reroll 1", 2 or 3; bob Change, may reroll one: "xr reroll 1", 2 or 3; '
        "alice 11 from 4 4 3 2, die 4 dropped; bob 12 from 5 5 2; 3d6 a1 vs 3d6"
    )
    assert room.line("bob", "xr reroll 3", 6).startswith("alice vs bob: Failure, result -1 is 1 less 2; alice Change")
    assert room.line("alice", "xr keep 1 2 4").startswith("alice vs bob: Failure, result -1 is 0 less 2, never")
    assert room.line("alice", "xr reroll 4", 6).startswith("alice vs bob: Failure, result -1 is 1 less 2; alice 14")
    assert "spent already" in room.refusal("bob", "xr reroll 1 #1")


def test_pass_is_no_opposition(room):
    """XR-09, GEN-06: unopposed, by the Success Value; what follows is a roll of one's own."""
    room.say("alice", "xr 3d6 vs @bob", 4, 4, 6)
    assert room.line("bob", "pass") == (
        'alice vs bob: Success, bob does not resist, value 1; Change, may reroll one: "xr reroll 1", 2 or 3; '
        "total 14; 4 4 6; 3d6"
    )
    changed = room.say("alice", "xr reroll 1", 6)
    assert changed.outcome.values == {"total": 16, "success_value": 2}
    assert "; total 16; 6 4 6, rerolled 4 as 6; " in changed.replies[0].text


def test_only_who_has_no_other_side_is_told_with_the_word_total(room):
    """XR-09: both sides' totals follow their names, in one line and answered."""
    room.say("alice", "xr 3d6 vs @bob", 4, 3, 6)
    answered, alone = room.line("bob", "xr 3d6", 4, 4, 6), room.line("alice", "xr 3d6 vs 3d6", 4, 3, 6, 4, 4, 6)
    for told in (answered, alone):
        assert "alice 13 from 4 3 6; " in told
        assert " 14 from 4 4 6; " in told
        assert "total" not in told


def test_a_choice_that_nobody_resists_is_the_acting_sides(room):
    """XR-24, GEN-06: the line has two names, so it says whose choice it is."""
    room.say("alice", "xr 3d6 n2 vs @bob", 6, 2, 4)
    assert room.line("bob", "pass") == (
        "alice vs bob: Partial Success or Compensating Failure, alice chooses, bob does not resist; "
        "total 10, 12 less 2; 6 2 4; 3d6 n2"
    )


def test_withdraw_shows_the_dice(room):
    """GEN-06: the acting side's dice are shown."""
    room.say("alice", "xr 3d6 a1 vs @bob", 6, 4, 3, 2)
    assert room.line("alice", "withdraw #1") == (
        "alice vs bob: withdrawn, not answered; alice 6 4 3 2, die 4 dropped; 3d6 a1 vs @bob"
    )


def test_both_sides_of_a_line_are_the_rollers(room):
    """XR-05, XR-13: in one line the roller rolled for both sides, and names the other by `as other`."""
    answer = room.line("alice", "xr 3d6 vs 3d6 a1", 6, 4, 3, 4, 4, 1, 2)
    assert 'other Change, may reroll one: "xr reroll 1 as other", 2 or 4' in answer
    assert room.line("alice", "xr keep 2 3 4 as other").startswith("alice vs other: Success, result 1 is 1 less 0;")


def test_who_was_answered_for_gets_what_the_dice_give(room):
    """XR-18, GEN-06: a storyteller who answers for somebody throws their dice, and the blessing is theirs."""
    room.say("alice", "xr 3d6 vs @guard", 1, 2, 4)
    room.say("sam", "xr 3d6 as guard", 5, 5, 5, star=True)
    assert room.line("alice", "xr fate guard") == "guard holds Fate's Blessing until the end of the next turn."
    assert room.line("sam", "xr fate") == "sam holds nothing."
    room.say("alice", "xr 3d6 vs @guard", 4, 4, 1)
    answered = room.line("sam", "xr 3d6 as guard", 1, 4, 6, 2, star=True)
    assert "Fate's Blessing adds a1 to the other side" in answered
    assert "guard 12 from 1 4 6 2, die 1 dropped" in room.line("alice", "xr reroll 3", 6)
