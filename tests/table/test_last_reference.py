"""`#last`, the latest roll of the channel: where that was made in secret nothing can follow it (LED-10, DSK-07)."""

import pytest
from playing import Table, check_script

SECRET = (
    "the latest roll here, #{}, was made in secret, and nothing can follow it: name the one that you mean by its id."
)
ROLLS = {
    "v5": ("roll 3d10 h1 dc2 | 3 6 7", ("wp 1 #last", "hunger 2 #last", "odds wp 1 #last")),
    "crossroads": ("xr 3d6 a1 | 2 2 4 5", ("xr keep 1 2 3 #last", "xr reroll 1 #last", "xr reroll 1 fate #last")),
    "fayrewood": ("toss 3 2 | 4 5", ()),
    "strike_cinder": ("sc strike 5 | 4 4 4 4 1", ()),
}


@pytest.mark.parametrize("restarting", [False, True])
@pytest.mark.parametrize("game", ROLLS)
def test_dsk_07_last_is_a_secret_roll(game, restarting):
    """DSK-07, GEN-09: no follow-up, discard or close goes on to the roll before it, before a restart or after."""
    roll, follow_ups = ROLLS[game]
    table = Table(system=game)
    table.heard(f"bob: {roll}")
    table.heard("sam* in private: secret roll 2d10 in #FU_Dice | 3 4")
    for revealed in (False, True):
        if revealed:
            assert table.heard("sam*: reveal #last")
        for said in (*follow_ups, "discard #last", "close #last", "FUDice: pass #last", "withdraw #last"):
            if restarting:
                table.restart()
            (reply,) = table.heard(f"sam*: {said}")
            told = SECRET.format("2")
            assert reply.text in (f"Not rolled: {told}", told[0].upper() + told[1:])
    assert [record.draft.kind for record in table.records] == ["roll", "seal", "reveal"]


def test_dsk_07_a_roll_since_is_the_last():
    """DSK-07, LED-10: what was rolled or changed behind it is the latest again; verify and log mean the same roll."""
    check_script(
        f"""
        bob: roll 3d10 h1 dc2 | 3 6 7
            bob: Success, 2 successes vs 2, margin 0; 3 6, hunger 7; 3d10 h1 dc2; id 1
        sam* in private: secret roll 2d10 in #FU_Dice | 3 4
            sam: the storyteller rolls in secret; id 2
            (sam) for you alone, #2: sam: Failure, 0 successes; 3 4, hunger not said; 2d10; "reveal #2" in #FU_Dice
                shows it
        bob: wp 1 #last
            (bob) Not rolled: {SECRET.format("2")}
        bob: wp 1 #1 | 8
            bob: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 8 6, hunger 7, rerolled 3 as 8;
                wp 1 on 1; id 3
        sam*: close #last
            sam: #1 is closed, no more Willpower on it; id 4
        bob: discard #last
            bob: #3 is discarded: it does not count and is not listed; id 5
        """
    )


def test_dsk_07_a_difficulty_that_waits_is_no_roll():
    """DSK-07: nobody rolled by it: the latest roll is the one before."""
    check_script(
        """
        bob: toss 3 2 | 4 5
            bob: Total 9; 4 5; d8 d6; id 1
        sam* in private: difficulty 9 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #2" there tells it; id 2
        bob: discard #last
            bob: #1 is discarded: it does not count and is not listed; id 3
        """,
        system="fayrewood",
    )


def test_gen_06_an_answer_that_names_a_secret_roll():
    """GEN-06, DSK-07: `#last` behind an answer names no contest then; behind any other roll it is a comment."""
    told = f"T{SECRET.format('2')[1:]}"
    check_script(
        f"""
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        sam* in private: secret roll 2d10 in #FU_Dice | 3 4
            sam: the storyteller rolls in secret; id 2
            (sam) for you alone, #2: sam: Failure, 0 successes; 3 4, hunger not said; 2d10; "reveal #2" in #FU_Dice
                shows it
        bob: roll 2d10 h1 #last
            (bob) Not rolled: {SECRET.format("2")}
        bob: pass #last
            (bob) {told}
        alice: withdraw #last
            (alice) {told}
        carol: roll 2d10 h1 #last | 6 7
            carol: 2 successes; 6, hunger 7; 2d10 h1 "last"; id 3
        """
    )


def test_led_10_last_is_the_latest_line_of_whatever_kind():
    """LED-10, GEN-09, DSK-15: a draw, an initiative or a tracked number is no roll, and no older roll stands in."""
    told = "is no roll: name the one that you mean by its id."
    check_script(
        f"""
        bob: roll 2d10 h0 | 6 7
            bob: 2 successes; 6 7; 2d10 h0; id 1
        sam*: !deck add cards = a | b | c
            sam: the deck cards has 3 cards; id 2
        bob: !deck cards | 2
            bob: cards: b, 2 left; 2 of 3; deck cards; id 4
        bob: discard #last
            (bob) The latest line here, #4, "bob: cards: b, 2 left", {told}
        bob: !verify #last
            Genuine and official: bob said it in #fu_dice on net, 14 Nov 2023, 22:13 UTC. It reads: bob: cards: b, 2
                left; 2 of 3; deck cards
        bob: wp 1 #last
            (bob) Not rolled: the latest line here, #4, "bob: cards: b, 2 left", {told}
        bob: !init +3 | 7 50
            bob: initiative 10; 7+3; tie-break 50; init +3; id 6
        sam*: close #last
            (sam) The latest line here, #6, "bob: initiative 10", {told}
        bob in private: deck cards in #FU_Dice | 2 1 1 1 1
            bob: cards: a card that nobody else sees, 1 left; deck cards; id 7
            (bob) for you alone, #7: cards: c; "reveal #7" in #FU_Dice shows it
        bob: discard #last
            (bob) The latest line here, #7, "bob: cards: a card that nobody else sees, 1 left", {told}
        bob: reveal #last
            bob: #7 is revealed; bob drew cards: c; sealed "cards: c; d2 2" salt 0; id 9
        bob: !track hunger 2
            bob: hunger 2; id a
        bob: !undo #last
            bob: hunger is no longer tracked; id b
        bob: discard #1
            bob: #1 is discarded: it does not count and is not listed; id c
        """
    )


def test_sc_26_an_encounters_luck_cannot_be_discarded():
    """SC-26, GEN-09: `discard #last` names what it cannot discard, and the roll before it stays."""
    check_script(
        """
        sam*: !sc encounter open Hydra luck 6
            sam: the encounter opens, Hydra Luck 6/6; id 1
        bob: roll 2d10 | 6 7
            bob: 13; 2d10 6 7; 2d10; id 3
        sam*: !sc luck Hydra -1
            sam: Hydra Luck 5/6 (was 6); id 4
        sam*: discard #last
            (sam) #4, "sam: Hydra Luck 5/6 (was 6)", cannot be discarded.
        """,
        system="strike_cinder",
    )
