"""`#last`, the latest roll of the channel: where that was made in secret nothing can follow it (LED-10, DSK-07)."""

import pytest
from playing import Table, true

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
    true(
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
    true(
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
    true(
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
