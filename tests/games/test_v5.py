"""V5-01…V5-13, V5-18, V5-20, V5-23: scripted dice, exact labels and values, and the line that is posted."""

import pytest
from playing import check_script

import grammars
from grammars.v5 import Pool
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate
from ircdice.settings import HouseRules


def thrown(text, *faces, **house):
    dice = ScriptedDice(faces)
    outcome = evaluate(grammars.parse(text, called=True), dice, HouseRules(**house))
    dice.finish()
    return outcome


def against(difficulty, successes):
    return {"successes": successes, "difficulty": difficulty, "margin": successes - difficulty}


@pytest.mark.parametrize(
    ("faces", "successes"),
    [
        # V5-02: six or more
        ((5,), 0),
        ((6,), 1),
        ((9,), 1),
        ((10,), 1),
        ((1, 2, 3, 4, 5), 0),
        ((6, 7, 8, 9), 4),
        # V5-03: each pair of tens counts four in all
        ((10, 10), 4),
        ((10, 10, 10), 5),
        ((10, 10, 10, 10), 8),
        ((10, 10, 10, 10, 10), 9),
        ((10,) * 6, 12),
        ((10, 6, 10, 3), 5),
        # V5-10: a 1 never cancels a success
        ((6, 1), 1),
        ((6, 1, 1, 1, 1), 1),
        ((10, 1, 10, 1), 4),
    ],
)
@pytest.mark.parametrize("hunger", range(6))
def test_v5_02_v5_03_v5_10_successes(faces, successes, hunger):
    """V5-02, V5-03, V5-10: what counts does not depend on which dice are Hunger dice."""
    assert thrown(f"roll {len(faces)}d10 h{hunger}", *faces).values == {"successes": successes}


@pytest.mark.parametrize(
    ("text", "faces", "labels", "values"),
    [
        # V5-04: exactly at, one under, one over
        ("roll 3d10 h0 dc2", (6, 7, 5), ("success",), against(2, 2)),
        ("roll 3d10 h0 dc2", (6, 5, 5), ("failure",), against(2, 1)),
        ("roll 3d10 h0 dc2", (6, 7, 8), ("success",), against(2, 3)),
        ("roll 3d10 h0 diff2", (6, 7, 5), ("success",), against(2, 2)),
        ("roll 1d10 h0 dc1", (6,), ("success",), against(1, 1)),
        ("roll 2d10 h0 dc99", (10, 10), ("failure",), against(99, 4)),
        # V5-06: passed with a pair of tens, and only if passed
        ("roll 2d10 h0 dc4", (10, 10), ("critical",), against(4, 4)),
        ("roll 2d10 h0 dc5", (10, 10), ("failure",), against(5, 4)),
        ("roll 3d10 h1 dc1", (10, 9, 8), ("success",), against(1, 3)),
        ("roll 3d10 h1 dc1", (10, 10, 9), ("critical",), against(1, 5)),
        # V5-07: one ten on a Hunger die is enough, wherever the other is
        ("roll 3d10 h1 dc1", (10, 3, 10), ("messy_critical",), against(1, 4)),
        ("roll 3d10 h2 dc1", (3, 10, 10), ("messy_critical",), against(1, 4)),
        ("roll 4d10 h1 dc1", (10, 10, 3, 10), ("messy_critical",), against(1, 5)),
        ("roll 3d10 h1 dc1", (7, 3, 10), ("success",), against(1, 2)),
        ("roll 3d10 h2 dc5", (3, 10, 10), ("failure",), against(5, 4)),
        # V5-08: not passed, and a 1 on a Hunger die; never where it passes
        ("roll 3d10 h1 dc2", (6, 3, 1), ("bestial_failure",), against(2, 1)),
        ("roll 3d10 h1 dc2", (6, 1, 3), ("failure",), against(2, 1)),
        ("roll 3d10 h2 dc1", (6, 1, 1), ("success",), against(1, 1)),
        ("roll 4d10 h2 dc1", (10, 10, 1, 1), ("critical",), against(1, 4)),
        ("roll 4d10 h2 dc1", (10, 3, 10, 1), ("messy_critical",), against(1, 4)),
        ("roll 4d10 h2 dc5", (10, 3, 10, 1), ("bestial_failure",), against(5, 4)),
        # V5-09: no success at all and a 1 on any die
        ("roll 3d10 h0 dc2", (1, 3, 4), ("botch",), against(2, 0)),
        ("roll 3d10 h1 dc2", (1, 3, 4), ("botch",), against(2, 0)),
        ("roll 3d10 h1 dc2", (2, 3, 1), ("botch", "bestial_failure"), against(2, 0)),
        ("roll 3d10 h1 dc2", (1, 6, 4), ("failure",), against(2, 1)),
        ("roll 3d10 h1 dc2", (2, 3, 4), ("failure",), against(2, 0)),
        # V5-05: min(N, pool) Hunger dice, the last ones; all of the pool
        ("roll 2d10 h5 dc1", (10, 10), ("messy_critical",), against(1, 4)),
        ("roll 2d10 h5 dc1", (1, 2), ("botch", "bestial_failure"), against(1, 0)),
        ("roll 1d10 h1 dc1", (1,), ("botch", "bestial_failure"), against(1, 0)),
        # V5-11: without a Difficulty
        ("roll 3d10 h1", (6, 7, 2), (), {"successes": 2}),
        ("roll 3d10 h1", (10, 10, 2), ("critical_if_passed",), {"successes": 4}),
        ("roll 3d10 h1", (10, 2, 10), ("messy_critical_if_passed",), {"successes": 4}),
        ("roll 3d10 h1", (6, 2, 1), ("bestial_if_failed",), {"successes": 1}),
        ("roll 3d10 h1", (6, 1, 2), (), {"successes": 1}),
        ("roll 4d10 h2", (10, 4, 10, 1), ("messy_critical_if_passed", "bestial_if_failed"), {"successes": 4}),
        ("roll 4d10 h1", (10, 10, 4, 1), ("critical_if_passed", "bestial_if_failed"), {"successes": 4}),
        ("roll 3d10 h1", (2, 3, 4), ("failure",), {"successes": 0}),
        ("roll 3d10 h1", (1, 3, 4), ("botch",), {"successes": 0}),
        ("roll 3d10 h1", (2, 3, 1), ("botch", "bestial_failure"), {"successes": 0}),
        # V5-12: neither messy nor bestial
        ("roll 3d10 willpower dc1", (10, 10, 1), ("critical",), against(1, 4)),
        ("roll 3d10 willpower dc5", (10, 10, 1), ("failure",), against(5, 4)),
        ("roll 3d10 humanity", (10, 10, 1), ("critical_if_passed",), {"successes": 4}),
        ("roll 3d10 morality dc2", (2, 3, 1), ("botch",), against(2, 0)),
        ("roll 3d10 humanity", (2, 3, 4), ("failure",), {"successes": 0}),
        # V5-21: Hunger not said is judged as if at Hunger 0
        ("roll 3d10 dc1", (10, 3, 10), ("critical",), against(1, 4)),
        ("roll 3d10 dc2", (6, 3, 1), ("failure",), against(2, 1)),
        # V5-01: the long form
        ("v5 1+1+1 h1 dc1", (10, 3, 10), ("messy_critical",), against(1, 4)),
        ("v5 3-1 h0", (6, 5), (), {"successes": 1}),
        ("v5 2", (6, 5), (), {"successes": 1}),
    ],
)
def test_v5_01_to_v5_12_labels_and_values(text, faces, labels, values):
    """V5-01..V5-12, V5-21"""
    outcome = thrown(text, *faces)
    assert outcome.labels == labels
    assert outcome.values == values


@pytest.mark.parametrize(
    ("text", "faces", "labels"),
    [
        ("roll 3d10 h0 dc2", (1, 3, 4), ("failure",)),
        ("roll 3d10 h1 dc2", (2, 3, 1), ("bestial_failure",)),
        ("roll 3d10 h1", (1, 3, 4), ("failure",)),
        ("roll 3d10 h1", (2, 3, 1), ("bestial_failure",)),
        ("roll 3d10 willpower", (2, 3, 1), ("failure",)),
    ],
)
def test_v5_09_botch_turned_off(text, faces, labels):
    """V5-09: `botch = no`"""
    assert thrown(text, *faces, botch=False).labels == labels


@pytest.mark.parametrize(
    ("dice", "hunger", "normal"), [(5, 0, 5), (5, 2, 3), (5, 5, 0), (3, 5, 0), (1, 1, 0), (9, 5, 4)]
)
def test_v5_05_hunger_dice_are_drawn_last(dice, hunger, normal):
    """V5-05: min(N, pool) of the dice are Hunger dice, the last that were drawn."""
    drawn = thrown(f"roll {dice}d10 h{hunger}", *range(1, dice + 1)).dice
    assert [die.face for die in drawn] == list(range(1, dice + 1))
    assert [die.role for die in drawn] == ["normal"] * normal + ["hunger"] * (dice - normal)


@pytest.mark.parametrize(
    ("faces", "labels", "risen"),
    [
        ((5,), ("hunger_rises",), 1),
        ((6,), (), 0),
        ((1,), ("hunger_rises",), 1),
        ((10, 10), (), 0),
        ((1, 1), ("hunger_rises",), 2),
        ((5, 6, 10, 2), ("hunger_rises",), 2),
    ],
)
def test_v5_13_v5_23_rouse(faces, labels, risen):
    """V5-13, V5-23: each die on its own; no critical, no botch, nothing but how far Hunger rises."""
    outcome = thrown(f"rouse {len(faces)}", *faces)
    assert (outcome.labels, outcome.values) == (labels, {"hunger_gained": risen})
    assert {die.role for die in outcome.dice} == {"normal"}


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("autowin 6 dc3 h2", True),
        ("autowin 6 dc3 h0", True),
        ("autowin 5 dc3 h2", False),
        ("autowin 6 dc3 h3", False),
        ("autowin 5 dc3 h3", False),
        ("autowin 3+4-1 dc3 h1", True),
        ("autowin 2 dc1 h2", True),
        ("autowin 1 dc1 h0", False),
    ],
)
def test_v5_18_automatic_win(text, won):
    """V5-18: at least twice the Difficulty, and Hunger 2 at most; it rolls nothing."""
    outcome = thrown(text)
    assert outcome.labels == (("automatic_win",) if won else ("no_automatic_win",))
    assert (outcome.kind, outcome.dice) == ("check", ())


def test_v5_18_which_condition_fails():
    """V5-18: the reply names what fails, and asks for the Hunger if there is none."""
    check_script("""
        alice: autowin 6 dc3 h2
            alice: Automatic win if the storyteller agrees, never in combat or distraction; autowin 6 dc3 h2; id 1
        alice: autowin 5 dc3 h2
            alice: No automatic win, pool 5 is less than twice 3; autowin 5 dc3 h2; id 2
        alice: autowin 6 dc3 h3
            alice: No automatic win, Hunger 3 is over 2; autowin 6 dc3 h3; id 3
        alice: autowin 5 dc3 h4
            alice: No automatic win, pool 5 is less than twice 3, Hunger 4 is over 2; autowin 5 dc3 h4; id 4
        alice: autowin 6 dc3
            (alice) "autowin 6 dc3" needs the hunger, as h0. For example: autowin 9 dc4 h1
        alice: autowin 6 h1
            (alice) "autowin 6 h1" needs the difficulty, as dc2. For example: autowin 9 dc4 h1
    """)  # posted lines are as long as they are


@pytest.mark.parametrize(
    "pool",
    [{"dice": 0}, {"dice": 101}, {"dice": 5, "hunger": 6}, {"dice": 5, "hunger": -1}, {"dice": 5, "difficulty": 0}],
)
def test_v5_01_v5_04_v5_05_an_invalid_pool_cannot_be_built(pool):
    """V5-01, V5-04, V5-05: what cannot be valid cannot be built."""
    with pytest.raises(ValueError, match=r"is (0|1) (to|or)"):
        Pool(**pool)


def test_v5_12_a_pool_without_hunger_dice_takes_none():
    """V5-12"""
    with pytest.raises(ValueError, match="never hold Hunger dice"):
        Pool(4, hunger=2, kind="willpower")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("v5 3-5", 4),  # V5-01
        ("roll 4d10 h2 humanity", 11),  # V5-12
        ("wp 4", 4),  # V5-14
        ("wp 0", 4),  # V5-14
        ("roll 5d10 dc2 vs 3d10", 15),  # V5-19
    ],
)
def test_v5_01_v5_12_v5_19_v5_22_errors_have_their_column(text, column):
    """V5-01, V5-04, V5-05, V5-12, V5-14, V5-19, V5-22: an error says where, and changes no number (GEN-11)."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, called=True)
    assert caught.value.column == column
    assert caught.value.hint is None
    assert not caught.value.guess


def test_v5_20_only_an_official_channel_makes_official_results():
    """V5-20: anywhere else the reply says unofficial, before the id, and so does the line that is recorded."""
    check_script("""
        alice: roll 3d10 h1 dc2 | 6 7 8
            alice: Success, 3 successes vs 2, margin +1; 6 7, hunger 8; 3d10 h1 dc2; id 1
        alice in #pub: roll 3d10 h1 dc2 | 6 7 8
            alice: Success, 3 successes vs 2, margin +1; 6 7, hunger 8; 3d10 h1 dc2; unofficial; id 2
        alice in private: roll 3d10 h1 dc2 | 6 7 8
            (alice) alice: Success, 3 successes vs 2, margin +1; 6 7, hunger 8; 3d10 h1 dc2; unofficial; id 3
        alice in #pub: roll 3d10 h1 vs 2d10 h0 | 6 7 8 1 2
            alice vs other: alice wins, 3 successes to 0, other botch; alice 6 7, hunger 8; other 1 2; 3d10 h1 vs 2d10 h0; unofficial; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
            (alice) You may still spend Willpower: "wp #4 as other" rerolls 1 2.
        alice in #pub: roll 3d10 h1 vs @bob | 6 7 8
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; unofficial; id 5
        bob in #pub: pass
            alice vs bob: alice wins, bob does not resist, 3 successes; 6 7, hunger 8; 3d10 h1 dc1; unofficial; id 6
            (alice) You may still spend Willpower: no die has failed, "wp 1 #6" rerolls the 6.
        alice in #pub: wp 1 | 9
            alice vs bob: alice wins, bob does not resist, 3 successes; costs alice 1 superficial Willpower; 9 7, hunger 8, rerolled 6 as 9; wp 1 on 6; unofficial; id 7
    """)  # noqa: E501  # posted lines are as long as they are


def test_v5_20_the_record_says_unofficial():
    """V5-20"""
    check_script(
        """
        alice: rouse | 6
            alice: Hunger does not rise; rouse 6; unofficial; id 1
        """,
        official=False,
    )


def test_v5_26_help_says_what_the_storyteller_may_make_of_it():
    """V5-26: two lines each, the first in the channel, the second in private (IRC-24)."""
    check_script("""
        alice: !help messy
            A messy critical is a critical with at least one of its tens on a Hunger die.
            (alice) It succeeds, as the Beast would do it: storyteller and player may agree on stains, a breach of the Masquerade, a lost dot of an Advantage, or a mess to clean up.
        alice: !help bestial
            A roll that does not pass and shows a 1 on a Hunger die is a bestial failure.
            (alice) It may be a Compulsion acted out, an Advantage lost, aggravated damage, or Hunger rising by one.
        alice: !help botch
            House rule: no success at all and a 1 on any die is a botch, unless the channel has botch = no.
            (alice) It may be an injury, a tool damaged or lost, unwanted attention, or what a bestial failure brings.
        alice: !help willpower
            Willpower: once per roll, for one superficial damage, by who rolled it or a storyteller.
            (alice) "wp" rerolls up to 3 of the lowest dice that failed, "wp 2" the two lowest; never Hunger dice. | "wp tens" rerolls up to 3 tens that are not on Hunger dice; no die is rerolled twice. | Rouse, willpower and humanity rolls have no Hunger dice by their kind and cannot be rerolled; a pool at h0 can.
    """)  # noqa: E501  # posted lines are as long as they are
