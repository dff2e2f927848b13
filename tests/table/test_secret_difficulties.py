"""Difficulties that nobody reads: who sets one, which roll meets it, what is told in each game (DSK-07)."""

import pytest
from playing import check_script

SET = "sam* in private: difficulty"


def test_fw_10_a_toss_under_a_secret_difficulty():
    """FW-10: total and win or fail, a dcN is an error, it is used once, and told in full at last."""
    check_script(
        """
        sam* in private: difficulty 6 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        alice: toss 3 | 5
            alice: Total 5; 5; d8; id 2
        bob: toss 3 2 dc4
            (bob) Not rolled: a secret difficulty is set for your next roll here: leave dc4 out.
        bob: sweep 3 2 dc4
            bob: No sweep, half of 14 is 7, less than twice 4 Routine; sweep d8 d6 dc4; id 3
        bob: toss 3 2 vs d4 | 4 2 3
            bob vs other: bob wins, critical, 6 to 3, margin +3; bob 4 2; other 3; d8 d6 vs d4; id 4
        BOB: toss 4 5 boon # the lock | 4 9 3
            BOB: Win; 16 from 4 9, boon 3; difficulty secret; d10 d12 boon "the lock"; id 5
            (sam) for you alone, #5: BOB: Win, critical, 16 vs 6 Straightforward, margin +10; 4 9, boon 3; d10 d12 boon
                dc6 "the lock"
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 6
        bob: reveal #5
            (bob) Only a storyteller may reveal a secret.
        sam*: reveal #5
            sam: #1 is revealed, difficulty 6 for bob; BOB: Win, critical, 16 vs 6 Straightforward, margin +10; 4 9,
                boon 3; d10 d12 boon dc6 "the lock"; salt 0; id 7
        sam*: reveal #1
            (sam) Secret #1 is revealed already.
        bob: log #5
            (bob) BOB: Win; 16 from 4 9, boon 3; difficulty secret; d10 d12 boon "the lock"; id 5
            (bob) Rolled in #fu_dice on net, 14 Nov 2023, 22:13 UTC; revealed since, in #7: difficulty 6 for bob; dice
                in the order drawn: d10 4 d12 9 d4 3
        """,
        system="fayrewood",
    )


def test_gen_18_a_secret_difficulty_by_its_word():
    """GEN-18: `difficulty hard for bob` is one of 11."""
    check_script(
        """
        sam* in private: difficulty hard for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; hard is 11; "reveal #1" there tells it; id 1
        sam*: reveal #1
            sam: #1 is revealed, difficulty 11 for bob, which nobody rolled under; salt 0; id 2
        """,
        system="fayrewood",
    )


def test_dsk_07_what_is_missing_and_who_may():
    """DSK-07, FW-10: nothing is guessed; said where all can read it, it is not set; only storytellers."""
    check_script(
        """
        sam* in private: difficulty 6 for bob
            (sam) The whole command is: difficulty NUMBER for NICK in #CHANNEL.
        sam* in private: difficulty in #FU_Dice
            (sam) The whole command is: difficulty NUMBER for NICK in #CHANNEL.
        sam* in private: secret roll 5d10
            (sam) Not rolled: the whole command is: secret COMMAND in #CHANNEL.
        sam* in private: secret in #FU_Dice
            (sam) Not rolled: the whole command is: secret COMMAND in #CHANNEL.
        sam*: difficulty 6 for bob
            (sam) Not set: all here could read that difficulty: say another one to me in private.
        sam*: FUDice: difficulty 6 for bob in #FU_Dice
            (sam) Not set: all here could read that difficulty: say another one to me in private.
        sam*: difficulty, I think it's 18
        bob: difficulty 6 for bob
        bob: !difficulty 6 for bob
            (bob) Only a storyteller may set a secret difficulty, and in private.
        bob in private: difficulty 6 for bob in #FU_Dice
            (bob) Only a storyteller of #FU_Dice may set a secret difficulty there.
        bob in private: secret toss 3 in #FU_Dice
            (bob) Not rolled: only a storyteller of #FU_Dice may roll in secret there.
        sam*: !secret toss 3 in #FU_Dice
            (sam) Not rolled: a secret roll is typed to me in private: nothing was rolled.
        sam* in private: reveal #1
            (sam) A secret is revealed in its channel, or in private as reveal #ID in #CHANNEL.
        sam*: reveal #1
            (sam) #1 is no secret of this channel: !secrets lists them to a storyteller.
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 1
        """,
        system="fayrewood",
    )


def test_dsk_07_the_latest_counts():
    """DSK-07: a second difficulty takes the place of the first; one that is revealed before it is used is gone."""
    check_script(
        """
        sam* in private: difficulty 2 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        sam* in private: difficulty 8 for Bob in #FU_Dice
            (sam) a secret difficulty waits for Bob in #FU_Dice in the place of #1; "reveal #2" there tells it; id 2
        bob: toss 3 | 5
            bob: Fail; 5 from 5; difficulty secret; d8; id 3
            (sam) for you alone, #3: bob: Fail, 5 vs 8 Moderate, margin -3; 5; d8 dc8
        sam* in private: reveal #1 in #FU_Dice
            sam: #1 is revealed, difficulty 2 for bob, which nobody rolled under; salt 0; id 4
        sam* in private: difficulty 8 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #5" there tells it; id 5
        sam*: reveal #5
            sam: #5 is revealed, difficulty 8 for bob, which nobody rolled under; salt 0; id 6
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 7
        """,
        system="fayrewood",
    )


def test_dsk_07_the_latest_roll_is_no_difficulty_that_waits():
    """DSK-07, GEN-09: `reveal #last` is the latest roll's secret; an unused difficulty keeps waiting."""
    check_script(
        """
        sam*: reveal #last
            (sam) The latest line here is no secret of this channel: !secrets lists them to a storyteller.
        sam* in private: difficulty 9 for carol in #FU_Dice
            (sam) a secret difficulty waits for carol in #FU_Dice; "reveal #1" there tells it; id 1
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 2
        sam*: reveal #last
            (sam) The latest line here is no secret of this channel: !secrets lists them to a storyteller.
        sam* in private: secret toss 3 in #FU_Dice | 4
            sam: the storyteller rolls in secret; id 3
            (sam) for you alone, #3: sam: Total 4; 4; d8; "reveal #3" in #FU_Dice shows it
        sam*: reveal #last
            sam: #3 is revealed; sam: Total 4; 4; d8; sealed "toss 3; d8 4" salt 0; id 4
        carol: toss 3 | 5
            carol: Fail; 5 from 5; difficulty secret; d8; id 5
            (sam) for you alone, #5: carol: Fail, 5 vs 9 Challenging, margin -4; 5; d8 dc9
        sam*: reveal #last
            sam: #1 is revealed, difficulty 9 for carol; carol: Fail, 5 vs 9 Challenging, margin -4; 5; d8 dc9; salt 0;
                id 6
        """,
        system="fayrewood",
    )


def test_dsk_07_a_discarded_roll_has_used_its_difficulty_up():
    """DSK-07: the next roll meets none, so that nobody learns the difficulty by trying; the roll is revealed all the
    same."""
    check_script(
        """
        sam* in private: difficulty 9 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob: toss 1 1 | 2 3
            bob: Fail; 5 from 2 3; difficulty secret; d4 d4; id 2
            (sam) for you alone, #2: bob: Fail, 5 vs 9 Challenging, margin -4; 2 3; d4 d4 dc9
        bob: !discard
            bob: #2 is discarded: it does not count and is not listed; id 3
        bob: toss 5 5 | 6 6
            bob: Total 12; 6 6; d12 d12; id 4
        sam*: reveal #2
            sam: #1 is revealed, difficulty 9 for bob; bob: Fail, 5 vs 9 Challenging, margin -4; 2 3; d4 d4 dc9; salt 0;
                id 5
        """,
        system="fayrewood",
    )


def test_dsk_07_v5():
    """DSK-07: V5's Difficulty the same; Willpower's odds and verdict tell nothing that would leave one number alone."""
    check_script(
        """
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob: rouse | 9
            bob: Hunger does not rise; rouse 9; id 2
        bob: roll 5d10 | 9 8 3 1 2
            bob: Failure, 2 successes; 9 8 3 1 2, hunger not said; difficulty secret; 5d10; id 3
            (sam) for you alone, #3: bob: Failure, 2 successes vs 3, margin -1; 9 8 3 1 2, hunger not said; 5d10 dc3
        bob: hunger 2
            bob: Bestial failure, 2 successes; 9 8 3, hunger 1 2; difficulty secret; hunger 2 on 3; id 4
            (sam) for you alone, #4: bob: Bestial failure, 2 successes vs 3, margin -1; 9 8 3, hunger 1 2; 5d10 h2 dc3
        bob: odds wp 1
            odds wp 1 on 4: bestial failure if failed 100.0%; successes 2: 50%, 3: 50%; average 2.5
        bob: wp 1 | 7
            bob: 3 successes; costs 1 superficial Willpower; 9 8 7, hunger 1 2, rerolled 3 as 7, whether it passes is
                told on reveal; difficulty secret; wp 1 on 4; id 5
            (sam) for you alone, #5: bob: Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; 9 8 7,
                hunger 1 2, rerolled 3 as 7; 5d10 h2 dc3
        sam*: reveal #3
            sam: #1 is revealed, difficulty 3 for bob; bob: Success, 3 successes vs 3, margin 0; costs 1 superficial
                Willpower; 9 8 7, hunger 1 2, rerolled 3 as 7; 5d10 h2 dc3; salt 0; id 6
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #7" there tells it; id 7
        bob: roll 5d10 h2 | 10 10 3 10 10
            bob: Success, 8 successes; 10 10 3, hunger 10 10; difficulty secret; 5d10 h2; id 8
            (sam) for you alone, #8: bob: Messy critical, 8 successes vs 3, margin +5; 10 10 3, hunger 10 10; 5d10 h2
                dc3
        sam*: reveal #7
            sam: #7 is revealed, difficulty 3 for bob; bob: Messy critical, 8 successes vs 3, margin +5; 10 10 3, hunger
                10 10; 5d10 h2 dc3; salt 0; id 9
        bob: wp | 7
            bob: Messy critical, 9 successes vs 3, margin +6; costs 1 superficial Willpower; 10 10 7, hunger 10 10,
                rerolled 3 as 7; wp on 8; id a
        """
    )


def test_dsk_07_strike_and_cinder():
    """DSK-07: Strike & Cinder's DC the same, attacks and the encounter's tracking among it; salt bypasses any."""
    check_script(
        """
        sam* in private: difficulty 4 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob: sc strike 3 vs spirit salt | 1 2 4
            bob: Hit, Failure, 1 pass, DC bypassed, drains 1 Luck; 1 2 4; strike 3 vs spirit salt; id 2
        bob: sc strike 4 | 4 4 4 1
            bob: Failure, 3 passes; 4 4 4 1; difficulty secret; strike 4; id 3
            (sam) for you alone, #3: bob: Failure, 3 passes vs DC 4; 4 4 4 1; strike 4 dc4
        sam*: sc encounter open Encounter luck 6
            sam: the encounter opens, Encounter Luck 6/6; id 4
        bob: sc strike 5 vs Encounter
            (bob) Not rolled: Encounter has no Defense DC: say it, as dc3. Did you mean: sc strike 5 vs Encounter dc3
        sam* in private: difficulty 4 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #6" there tells it; id 6
        bob: sc strike 5 vs Encounter | 4 4 4 4 1
            bob: Hit, Complete Success, 4 passes, drains 1 Luck, Encounter Luck 5/6; 4 4 4 4 1; difficulty secret;
                strike 5 vs Encounter; id 7
            (sam) for you alone, #7: bob: Hit, Complete Success, 4 passes vs DC 4, drains 1 Luck, Encounter Luck 5/6; 4
                4 4 4 1; strike 5 vs Encounter dc4
        bob: sc tracking
            (bob) [note]bob [strike] hit, Complete Success, 4 passes vs. a secret DC[/note]
            (bob) [footnote]Encounter [luck] 5/6[/footnote]
        sam*: reveal #7
            sam: #6 is revealed, difficulty 4 for bob; bob: Hit, Complete Success, 4 passes vs DC 4, drains 1 Luck,
                Encounter Luck 5/6; 4 4 4 4 1; strike 5 vs Encounter dc4; salt 0; id 8
        bob: sc tracking
            (bob) [note]bob [strike] hit, Complete Success, 4 passes vs. DC4[/note]
            (bob) [footnote]Encounter [luck] 5/6[/footnote]
        """,
        system="strike_cinder",
    )


@pytest.mark.parametrize("system", ["v5", "fayrewood", "strike_cinder", "crossroads", "beat_eight", "generic"])
def test_dsk_07_a_storyteller_hears_where_no_roll_meets_a_difficulty(system):
    """DSK-07: in a channel whose game has no difficulties it waits for a roll of another game."""
    none = (
        ""
        if system in {"v5", "fayrewood", "strike_cinder"}
        else "; rolls of SYSTEM, which is played there, have no difficulty"
    )
    check_script(
        f"""
        sam* in private: difficulty 9 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it{none}; id 1
        """.replace("SYSTEM", system),
        system=system,
    )


def test_dsk_01_a_difficulty_for_a_character():
    """DSK-01, FW-10: it waits for whoever rolls for that character, the storyteller too; another's roll leaves it."""
    check_script(
        """
        bob: !play Oak
            bob: plays Oak; id 1
        sam*: !npc Wolf
            sam: Wolf is a character of this channel; id 3
        sam* in private: difficulty 9 for oak in #FU_Dice
            (sam) a secret difficulty waits for oak in #FU_Dice; "reveal #4" there tells it; id 4
        sam* in private: difficulty 3 for Wolf in #FU_Dice
            (sam) a secret difficulty waits for Wolf in #FU_Dice; "reveal #5" there tells it; id 5
        alice: toss 3 | 5
            alice: Total 5; 5; d8; id 6
        sam*: toss 3 | 5
            sam: Total 5; 5; d8; id 7
        sam*: toss 3 as Wolf | 5
            Wolf (sam): Win; 5 from 5; difficulty secret; d8; id 8
            (sam) for you alone, #8: Wolf (sam): Win, 5 vs 3 Routine, margin +2; 5; d8 dc3
        bob: toss 3 | 5
            Oak (bob): Fail; 5 from 5; difficulty secret; d8; id 9
            (sam) for you alone, #9: Oak (bob): Fail, 5 vs 9 Challenging, margin -4; 5; d8 dc9
        bob: toss 3 | 5
            Oak (bob): Total 5; 5; d8; id a
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #b" there tells it; id b
        bob: toss 3 | 5
            Oak (bob): Win; 5 from 5; difficulty secret; d8; id c
            (sam) for you alone, #c: Oak (bob): Win, 5 vs 3 Routine, margin +2; 5; d8 dc3
        """,
        system="fayrewood",
    )


def test_dsk_07_a_secret_difficulty_is_cancelled():
    """DSK-07, FW-10: it is cancelled as secretly as it is set; the next roll then has none, after a restart too."""
    check_script(
        """
        sam* in private: difficulty off for bob in #FU_Dice
            (sam) No secret difficulty waits for bob in #FU_Dice.
        sam* in private: difficulty 9 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob in private: difficulty off for bob in #FU_Dice
            (bob) Only a storyteller of #FU_Dice may set a secret difficulty there.
        sam* in private: difficulty none for bob in #FU_Dice
            (sam) #1 is cancelled: no difficulty waits for bob in #FU_Dice; id 2
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 3
        sam*: !secrets
            (sam) nothing here is secret.
        sam*: !log #2
            (sam) for you alone, #2: difficulty off for bob
        sam*: reveal #2
            (sam) Secret #2 only cancelled a difficulty.
        sam* in private: difficulty 4 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #4" there tells it; id 4
        bob: toss 3 | 5
            bob: Win; 5 from 5; difficulty secret; d8; id 5
            (sam) for you alone, #5: bob: Win, 5 vs 4 Routine, margin +1; 5; d8 dc4
        """,
        system="fayrewood",
    )


def test_dsk_07_a_difficulty_is_not_cancelled_in_the_channel():
    """DSK-07, FW-10: it waits until that is said in private."""
    check_script("""
        sam* in private: difficulty 4 for alice in #FU_Dice
            (sam) a secret difficulty waits for alice in #FU_Dice; "reveal #1" there tells it; id 1
        sam*: !difficulty off for alice
            (sam) Not cancelled: a difficulty is cancelled in private, as difficulty off for alice in #FU_Dice: it still
                waits.
        sam* in private: difficulty off for alice in #FU_Dice
            (sam) #1 is cancelled: no difficulty waits for alice in #FU_Dice; id 2
    """)


def test_gen_18_a_difficulty_by_a_word_of_the_game():
    """GEN-18: only where the channel's game has that word; its number is told to the storyteller."""
    said = "sam* in private: difficulty hard for bob in #FU_Dice"
    check_script(f"""
        {said}
            (sam) Hard is no difficulty of v5, which is played there: say its number.
    """)
    check_script(
        f"""
        {said}
            (sam) a secret difficulty waits for bob in #FU_Dice; hard is 11; "reveal #1" there tells it; id 1
        """,
        system="fayrewood",
    )
