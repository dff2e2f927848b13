"""What follows a Crossroads roll: other dice kept, and one die rerolled by a Change (XR-05, XR-13)."""

import pytest

GAME = "crossroads"


def test_a_closed_roll_says_what_is_over(room):
    """V5-25: in this game's own words; a roll of a game that changes none is closed, and nothing else is posted."""
    room.say("bob", "xr 3d6", 4, 4, 6)
    assert room.line("gm", "close #1", star=True) == "gm: #1 is closed, no more dice of it are kept or rerolled"
    assert room.refusal("bob", "xr reroll 1") == "that roll is closed: nothing more is changed about it."
    room.say("bob", "b8 t4", 4, 4)
    assert room.line("gm", "close #3", star=True) == "gm: #3 is closed"


def test_keep_keeps_other_dice_and_judges_anew(room):
    """XR-05: positions over all dice in drawn order, removed ones too; the triple that comes of it counts."""
    assert room.line("alice", "xr 3d6 a2", 6, 2, 2, 5, 2) == (
        "alice: Success, value 1; total 13; 6 2 2 5 2, dice 3 and 5 dropped; 3d6 a2"
    )
    assert room.line("alice", "xr keep 2 3 5") == (
        "alice: Partial Success or Compensating Failure (your choice); Balanced Portents; "
        "total 6; 6 2 2 5 2, dice 1 and 4 dropped; xr keep 2 3 5 on 1"
    )
    assert room.refusal("alice", "xr keep 1 2 3") == "other dice were kept of that roll already: once a roll."


def test_positions_count_what_the_reply_shows(room):
    """XR-05, XR-13: all dice in drawn order, the dropped ones too, from 1; a dropped die is not rerolled."""
    assert room.line("bob", "xr 3d6 a1", 4, 2, 4, 5) == (
        'bob: Success, value 1; Change, may reroll one: "xr reroll 1", 3 or 4; total 13; 4 2 4 5, die 2 dropped; 3d6 a1'
    )
    assert room.refusal("bob", "xr reroll 2") == "die 2 was dropped: reroll one of the dice kept, 1, 3 or 4."
    assert room.line("bob", "xr reroll 3", 6) == (
        "bob: Success, value 1; total 15; 4 2 6 5, die 2 dropped, rerolled 4 as 6; xr reroll 3 on 1"
    )


def test_keep_takes_the_bonus_along(room):
    """XR-05, XR-06: the roll is judged anew with its Bonus; damage rolls are kept from too, as many dice as stay."""
    room.say("alice", "xr 2d6 a1 b2 av1", 1, 5, 6)
    answer = room.say("alice", "xr keep 1 2")
    assert (answer.outcome.values, answer.kind) == ({"total": 8, "damage": 7}, "reroll")
    assert [die.kept for die in answer.outcome.dice] == [True, True, False]
    assert answer.record.draft.kind == "keep"


def test_a_reroll_means_the_latest_skill_roll(room):
    """XR-13, GEN-09: an older roll's Change needs its id; a damage roll or another game's roll hides no Skill Roll."""
    room.say("alice", "xr 3d6", 6, 4, 4)
    room.say("alice", "xr 3d6", 6, 5, 2)
    assert room.refusal("alice", "xr reroll 1").startswith("that roll shows no double 2 to 5")
    assert room.refusal("alice", "xr keep 1 2 3").startswith("dice are chosen after an Advantage roll alone")
    room.say("alice", "xr 3d6", 5, 4, 4)
    room.say("alice", "xr 2d6", 4, 4)
    room.say("alice", "b8 t4", 3, 3)
    assert "xr reroll 1 on 3" in room.line("alice", "xr reroll 1", 3)
    assert room.refusal("alice", "xr reroll 2") == "the Change of that roll is spent already: one die, once."
    assert "xr reroll 1 on 1" in room.line("alice", "xr reroll 1 #1", 3)


@pytest.mark.parametrize(
    ("roll", "faces", "keep", "sentence"),
    [
        ("xr 3d6 d1", (1, 2, 3, 4), "xr keep 1 2 3", "dice are chosen after an Advantage roll alone, and that roll ha"),
        (
            "xr 3d6",
            (1, 2, 3),
            "xr keep 1 2 3",
            "dice are chosen after an Advantage roll alone, and that roll has no Ad",
        ),
        ("xr 3d6 a1 d1", (1, 2, 3), "xr keep 1 2 3", "dice are chosen after an Advantage roll alone"),
        ("xr 3d6 a1 convert 1", (1, 2, 3), "xr keep 1 2 3", "dice are chosen after an Advantage roll alone"),
        ("xr 3d6 a1", (1, 2, 3, 4), "xr keep 1 2", "that roll keeps 3 dice, you named 2."),
        ("xr 3d6 a1", (1, 2, 3, 4), "xr keep 1 2 3 4", "that roll keeps 3 dice, you named 4."),
        ("xr 1d6 a1", (1, 2), "xr keep 1 2 ", "that roll keeps 1 dice, you named 2."),
        ("xr 3d6 a1", (1, 2, 3, 4), "xr keep 1 2 5", "that roll has 4 dice, and no die 5."),
        ("xr 3d6 a1 vs @bob", (1, 2, 3, 4), "xr keep 1 2 4", "that roll is covered until @bob has answered."),
        ("xr damage HHL", (), "xr keep 1 2 3", "no dice were rolled there."),
        ("xr group 1 2", (), "xr keep 1 2 3", "no dice were rolled there."),
        ("xr 3d6", (1, 2, 4), "xr reroll 1", "that roll shows no double 2 to 5: there is no Change to reroll by."),
        ("xr 3d6", (1, 1, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6", (6, 6, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6", (4, 4, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6 plain", (4, 4, 1), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 2d6", (4, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6 a1", (1, 4, 4, 5), "xr reroll 1", "die 1 was dropped: reroll one of the dice kept, 2, 3 or 4."),
        ("xr 3d6", (4, 4, 5), "xr reroll 4", "that roll has 3 dice, and no die 4."),
        ("xr 3d6 vs @bob", (4, 4, 5), "xr reroll 1", "that roll is covered until @bob has answered."),
        ("xr 3d6", (4, 4, 5), "xr reroll 1 fate", "you hold no Change of Fate: a triple 3 or 4 gives one, until the"),
    ],
)
def test_what_cannot_follow_a_roll(room, roll, faces, keep, sentence):
    """XR-05, XR-07, XR-13, XR-17: the reply gives the reason, and nothing is drawn."""
    room.say("alice", roll, *faces)
    assert sentence in room.refusal("alice", keep)


def test_nothing_follows_a_closed_roll(room):
    """V5-25, XR-13: what a storyteller has closed stays as it is for everybody."""
    room.say("alice", "xr 3d6", 4, 4, 1)
    room.say("gm", "close #1", star=True)
    for text in ("xr reroll 3", "xr reroll 3 #1"):
        assert room.refusal("alice", text) == "that roll is closed: nothing more is changed about it."


def test_one_die_is_kept_of_two(room):
    """XR-05: a roll of one die keeps one."""
    room.say("alice", "xr 1d6 a1", 5, 2)
    assert room.say("alice", "xr keep 2").outcome.values == {"total": 2}


def test_only_the_roller_keeps(room):
    """XR-05: by the roller alone, a storyteller neither; a Change may be a storyteller's doing."""
    room.say("alice", "xr 3d6 a1", 1, 2, 4, 4)
    assert room.refusal("bob", "xr keep 1 2 3 #1").startswith("that roll is alice's")
    assert room.refusal("gm", "xr keep 1 2 3 #1", star=True) == (
        "only the roller says which dice are the favoured ones."
    )
    assert "rerolled 4 as 6" in room.line("gm", "xr reroll 3 #1", 6, star=True)
    assert room.say("alice", "xr keep 1 2 4").outcome.values["total"] == 7


def test_a_change_rerolls_one_kept_die_once(room):
    """XR-13: neither the old double nor a new one counts; the new face takes the place of the old one."""
    room.say("alice", "xr 3d6 a1", 1, 4, 4, 6)
    answer = room.say("alice", "xr reroll 3", 6)
    assert (answer.outcome.labels, answer.record.draft.kind) == (("great_success",), "reroll")
    assert [(die.face, die.was, die.kept) for die in answer.outcome.dice] == [
        (1, None, False),
        (4, None, True),
        (6, 4, True),
        (6, None, True),
    ]
    assert room.refusal("alice", "xr reroll 3") == "the Change of that roll is spent already: one die, once."


@pytest.mark.parametrize(
    ("text", "faces", "die", "face", "labels", "value"),
    [
        ("xr 3d6", (4, 4, 6), 3, 4, ("success", "change_of_fate"), 1),
        ("xr 3d6", (5, 1, 5), 2, 5, ("success", "fates_blessing"), 1),
        ("xr 3d6", (2, 2, 6), 3, 2, ("partial_success", "balanced_portents"), 0),
        ("xr 3d6", (4, 4, 6), 1, 6, ("great_success",), 2),  # a new double 6 does not count: 16 by the ladder
        ("xr 3d6", (4, 4, 1), 1, 1, ("partial_success",), 0),  # nor does a new double 1
        ("xr 3d6", (4, 4, 6), 3, 6, ("success",), 1),  # the old double stays, and counts no more
        ("xr 3d6 simple", (4, 4, 6), 3, 4, ("success", "fate_die"), 1),  # its Change is spent; the Fate Die is not
        ("xr 3d6 simple", (4, 4, 4), 3, 6, ("success",), 1),
    ],
)
def test_what_a_change_may_come_to(room, text, faces, die, face, labels, value):
    """XR-13, XR-21: a triple made by the new die counts, a double does not."""
    room.say("alice", text, *faces)
    outcome = room.say("alice", f"xr reroll {die}", face).outcome
    assert (outcome.labels, outcome.values["success_value"]) == (labels, value)


def test_keep_then_change(room):
    """XR-05, XR-13: the dice that are kept by choice may show a double, which may be rerolled."""
    room.say("alice", "xr 3d6 a1", 5, 4, 4, 6)
    room.say("alice", "xr keep 2 3 4")
    answer = room.say("alice", "xr reroll 3", 1)
    assert answer.outcome.values["total"] == 11
    assert [die.was for die in answer.outcome.dice] == [None, None, 4, None]


def test_follow_ups_are_found_and_asked_about(room):
    """GEN-08, GEN-09: the latest roll for which it makes sense, and its odds from the present faces."""
    room.say("alice", "xr 3d6", 4, 4, 1)
    room.say("alice", "xr 1d6", 5)
    assert room.line("alice", "odds xr reroll 3") == (
        "odds xr reroll 3 on 1: Partial Success 33.3%; Success 66.7%; triple 16.7%, of it Change of Fate 16.7"
    )
    assert room.refusal("alice", "odds xr keep 1 2 3").startswith("dice are chosen after an Advantage roll alone")
    assert room.line("alice", "xr reroll 3", 2).endswith("total 10; 4 4 2, rerolled 1 as 2; xr reroll 3 on 1")


@pytest.mark.parametrize("text", ["xr 3d6 vs 3d6", "xr group 3d6; 3d6"])
def test_odds_of_a_change_in_a_contest_or_group(room, text):
    """GEN-08, XR-09, XR-10: what the Result may come to, from the present faces of the other side."""
    room.say("alice", text, 4, 4, 1, 1, 2, 5)
    assert room.line("alice", "odds xr reroll 3") == (
        "odds xr reroll 3 on 1: Partial Success 33.3%; Success 66.7%; triple 16.7%, of it Change of Fate 16.7"
    )


def test_odds_of_keep_are_certain(room):
    """GEN-08: nothing is drawn by it, so one outcome has all the chance."""
    room.say("alice", "xr 3d6 a1", 6, 4, 1, 6)
    assert room.line("alice", "odds xr keep 2 3 4").startswith("odds xr keep 2 3 4 on 1: Success 100.0%")


def test_why_nothing_can_follow(room):
    """GEN-09: the latest roll that has dice says why, not a question that was asked since."""
    room.say("gm", "xr 3d6", 4, 3, 1)
    room.say("gm", "xr damage HHL")
    assert room.refusal("gm", "xr reroll 1") == "that roll shows no double 2 to 5: there is no Change to reroll by."
    room.say("al", "xr damage HHL")
    assert room.refusal("al", "xr reroll 1") == "no dice were rolled there."


@pytest.mark.parametrize("asked", ["", "odds "])
def test_a_slip_in_the_position_changes_no_older_roll(room, asked):
    """GEN-09, XR-13: the latest roll has its Change still, so it is the one that was meant, and says what is wrong."""
    room.say("alice", "xr 3d6", 4, 4, 6)
    room.say("alice", "xr 3d6 a1", 1, 5, 5, 6)
    removed = "die 1 was dropped: reroll one of the dice kept, 2, 3 or 4."
    assert room.refusal("alice", f"{asked}xr reroll 1") == removed
    assert room.refusal("alice", f"{asked}xr reroll 5") == "that roll has 4 dice, and no die 5."
    assert room.refusal("alice", f"{asked}xr reroll 1 #2") == removed
    assert "total 12; 1 1 5 6, die 1 dropped, rerolled 5 as 1; " in room.line("alice", "xr reroll 2", 1)


def test_a_slip_among_the_dice_to_keep_changes_no_older_roll(room):
    """GEN-09, XR-05: nothing was kept of the latest roll, whatever was kept of the one before."""
    room.say("alice", "xr 3d6 a1", 1, 2, 4, 6)
    room.say("alice", "xr keep 1 2 3")
    room.say("alice", "xr 3d6 a2", 1, 2, 4, 6, 6)
    assert room.refusal("alice", "xr keep 1 2") == "that roll keeps 3 dice, you named 2."
    assert room.refusal("alice", "xr keep 1 2 9") == "that roll has 5 dice, and no die 9."
    assert room.line("alice", "xr keep 1 2 3").endswith("; xr keep 1 2 3 on 3")


def test_a_slip_in_a_group_changes_no_older_roll(room):
    """GEN-09, XR-10: one of the rolls of the line has a Change, so it is that line that was meant."""
    room.say("gm", "xr 3d6", 4, 4, 6)
    room.say("gm", "xr group 3d6; 3d6 a1", 1, 2, 4, 5, 5, 6, 1)
    assert room.refusal("gm", "xr reroll 1").startswith("the Change there is for one die")
    assert room.refusal("gm", "xr keep 1 2 3").startswith("dice are chosen after an Advantage roll alone")
    assert room.line("gm", "xr reroll 4", 2).endswith("; xr reroll 4 on 2")


def test_a_slip_behind_a_change_just_spent_changes_no_older_roll(room):
    """GEN-09, XR-13: the latest roll is meant, for which nothing more can be done."""
    room.say("alice", "xr 3d6", 4, 4, 6)
    room.say("alice", "xr 3d6", 5, 5, 6)
    room.say("alice", "xr reroll 1", 3)
    assert room.refusal("alice", "xr reroll 4") == "that roll has 3 dice, and no die 4."
    assert room.refusal("alice", "xr reroll 1") == "the Change of that roll is spent already: one die, once."


def test_a_slip_beside_a_change_of_fate_changes_no_older_roll(room):
    """GEN-09, XR-17: a Change of Fate reaches the latest roll that has dice, and says there what is wrong."""
    room.say("alice", "xr 3d6", 4, 4, 4)
    room.say("alice", "xr 2d6 d1", 1, 5, 6)
    room.say("alice", "xr damage HHL")
    assert room.refusal("alice", "xr reroll 3 fate") == "die 3 was dropped: reroll one of the dice kept, 1 or 2."
    assert room.refusal("alice", "xr reroll 4 fate") == "that roll has 3 dice, and no die 4."
    assert "rerolled 5 as 2" in room.line("alice", "xr reroll 2 fate", 2)
    assert room.refusal("alice", "xr reroll 2 fate").startswith("you hold no Change of Fate")


def test_other_games_follow_ups_stay_theirs(room):
    """GEN-09: a Crossroads follow-up never lands on another game's roll, nor another's on ours."""
    room.say("alice", "v5 3+2 h1", 6, 6, 6, 1, 2)
    assert room.refusal("alice", "xr reroll 1 #1") == '"xr reroll 1 #1" cannot follow that roll.'
    room.say("alice", "xr 3d6", 4, 4, 1)
    assert room.refusal("alice", "wp 1 #2") == '"wp 1 #2" cannot follow that roll.'
    assert room.line("alice", "wp 1", 6).startswith("alice: ")


def test_xr_13_a_change_of_another_roll_of_the_group(room):
    """XR-10, XR-13: the refusal names the dice that may still be rerolled, those in the offer before."""
    room.say("gm", "xr group 3d6; 3d6 a1; 3d6 a1", 1, 2, 4, 5, 5, 6, 1, 3, 3, 6, 1)
    assert room.refusal("gm", "xr reroll 1") == "the Change there is for one die of another roll: 4, 5 or 6."
    room.line("gm", "xr reroll 6", 4)
    assert room.refusal("gm", "xr reroll 1") == "the Change there is for one die of another roll: 8, 9 or 10."
    room.line("gm", "xr reroll 10", 4)
    assert room.refusal("gm", "xr reroll 1") == "that roll shows no double 2 to 5: there is no Change to reroll by."


def test_xr_13_the_faces_are_named_where_dice_are_only_counted(room):
    """XR-13, XR-05: past thirty dice the line has no order, so the offer has the faces."""
    said = room.line("alice", "xr 3d6 a28", *[1] * 14, 4, *[1] * 14, 4, 6)
    assert 'may reroll one: "xr reroll 15" (the 4), 30 (the 4) or 31 (the 6); total 14; ' in said
