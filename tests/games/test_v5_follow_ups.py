"""Which V5 roll a follow-up changes, Hunger said later, and their odds, as scripts of a channel (GEN-08, GEN-09, V5-21)."""

# ruff: noqa: E501 -- posted lines are as long as they are

from playing import check_script


def test_v5_21_hunger_not_said():
    """V5-21: judged as at Hunger 0 and said so; Willpower needs the Hunger first, or in the same line."""
    check_script(
        """
        alice: roll 5d10 dc3 | 10 4 3 1 10
            alice: Critical, 4 successes vs 3, margin +1; 10 4 3 1 10, hunger not said; 5d10 dc3; id 1
        alice: wp
            (alice) Not rolled: say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.
        alice: wp 2
            (alice) Not rolled: say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.
        alice: wp tens
            (alice) Not rolled: say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.
        alice: wp 2 h2 | 8 9
            alice: Messy critical, 6 successes vs 3, margin +3; costs 1 superficial Willpower; 10 8 9, hunger 1 10, rerolled 4 3 as 8 9; wp 2 h2 on 1; id 2
        alice: hunger 1
            (alice) The Hunger of #1 was given already: h2.
        alice: wp 2 h2
            (alice) Not rolled: the Hunger of #1 was given already: h2.
        """,
    )


def test_v5_21_hunger_said_afterwards():
    """V5-21: once, by the roller or a storyteller; the last min(N, pool) dice become Hunger dice."""
    check_script(
        """
        alice: roll 3d10 dc2 | 10 1 10
            alice: Critical, 4 successes vs 2, margin +2; 10 1 10, hunger not said; 3d10 dc2; id 1
        bob: hunger 2 #1
            (bob) That roll is alice's: only they or a storyteller may change it.
        alice: hunger 2
            alice: Messy critical, 4 successes vs 2, margin +2; 10, hunger 1 10; hunger 2 on 1; id 2
        alice: hunger 2
            (alice) The Hunger of #1 was given already: h2.
        alice: hunger 1 #1
            (alice) The Hunger of #1 was given already: h2.
        alice: wp tens | 7
            alice: Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 7, hunger 1 10, rerolled 10 as 7; wp tens on 2; id 3
        alice: roll 2d10 | 2 1
            alice: Botch, 0 successes; 2 1, hunger not said; 2d10; id 4
        sam*: hunger 5 #4
            alice: Botch and bestial failure, 0 successes; hunger 2 1; hunger 5 on 4; id 5
        alice: roll 2d10 h0 | 2 1
            alice: Botch, 0 successes; 2 1; 2d10 h0; id 6
        alice: hunger 1 #6
            (alice) The Hunger of #6 was given already: h0.
        alice: roll 2d10 | 6 1
            alice: 1 success; 6 1, hunger not said; 2d10; id 7
        alice: hunger 0 #last
            alice: 1 success; 6 1; hunger 0 on 7; id 8
        alice: wp | 6
            alice: 2 successes; costs 1 superficial Willpower; 6 6, rerolled 1 as 6; wp on 8; id 9
        """,
    )


def test_gen_09_the_latest_of_its_kind():
    """GEN-09: without an id it means the speaker's latest V5 pool in that channel, and never an older one."""
    check_script(
        """
        alice: roll 3d10 h1 dc2 | 3 6 7
            alice: Success, 2 successes vs 2, margin 0; 3 6, hunger 7; 3d10 h1 dc2; id 1
        alice: roll 3d10 h1 dc2 | 4 6 7
            alice: Success, 2 successes vs 2, margin 0; 4 6, hunger 7; 3d10 h1 dc2; id 2
        bob: roll 3d10 h1 dc2 | 5 6 7
            bob: Success, 2 successes vs 2, margin 0; 5 6, hunger 7; 3d10 h1 dc2; id 3
        alice in #other: roll 3d10 h1 dc2 | 1 6 7
            alice: Success, 2 successes vs 2, margin 0; 1 6, hunger 7; 3d10 h1 dc2; unofficial; id 4
        alice: rouse | 9
            alice: Hunger does not rise; rouse 9; id 5
        alice: wp 1 | 8
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 8 6, hunger 7, rerolled 4 as 8; wp 1 on 2; id 6
        ... 1 min
        alice: wp 1 | 9
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        alice in #other: wp 1 | 6
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 6 6, hunger 7, rerolled 1 as 6; wp 1 on 4; unofficial; id 7
        alice: wp 1 #nosuch
            (alice) Not rolled: there is no roll #nosuch here that could be changed.
        alice: wp 1 #4
            (alice) Not rolled: there is no roll #4 here that could be changed.
        """,
    )


def test_gen_09_an_older_roll_needs_its_id():
    """GEN-09, V5-15, V5-21: Willpower or Hunger said again is refused with the reason, however much later."""
    check_script(
        """
        alice: roll 3d10 h1 dc2 | 3 6 7
            alice: Success, 2 successes vs 2, margin 0; 3 6, hunger 7; 3d10 h1 dc2; id 1
        alice: roll 3d10 h1 dc2 | 4 6 7
            alice: Success, 2 successes vs 2, margin 0; 4 6, hunger 7; 3d10 h1 dc2; id 2
        alice: wp | 8
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 8 6, hunger 7, rerolled 4 as 8; wp on 2; id 3
        alice: wp
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        alice: !wp
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        ... 29 s
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        alice: wp 1 #1 | 9
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 9 6, hunger 7, rerolled 3 as 9; wp 1 on 1; id 4
        alice: roll 3d10 | 3 6 7
            alice: 2 successes; 3 6 7, hunger not said; 3d10; id 5
        alice: roll 3d10 | 4 6 7
            alice: 2 successes; 4 6 7, hunger not said; 3d10; id 6
        alice: hunger 2
            alice: 2 successes; 4, hunger 6 7; hunger 2 on 6; id 7
        alice: hunger 2
            (alice) The Hunger of #6 was given already: h2.
        ... 30 s
        alice: hunger 2
            (alice) The Hunger of #6 was given already: h2.
        """,
    )


def test_gen_09_what_does_not_hide_a_pool():
    """GEN-09, GEN-08: a rouse check, a Willpower pool and another game's roll in between hide no pool, nor its odds."""
    check_script(
        """
        alice: roll 6d10 h2 dc6 | 2 3 4 8 9 6
            alice: Failure, 3 successes vs 6, margin -3; 2 3 4 8, hunger 9 6; 6d10 h2 dc6; id 1
        alice: roll 6d10 h2 dc6 | 2 3 4 8 9 6
            alice: Failure, 3 successes vs 6, margin -3; 2 3 4 8, hunger 9 6; 6d10 h2 dc6; id 2
        alice: rouse | 4
            alice: Hunger rises by 1; rouse 4; id 3
        alice: roll 2d10 willpower | 6 6
            alice: 2 successes; 6 6; 2d10 willpower; id 4
        alice: autowin 6 dc2 h0
            alice: Automatic win if the storyteller agrees, never in combat or distraction; autowin 6 dc2 h0; id 5
        alice: b8 t4 | 3 3
            alice: Success, 10 beats 8; 3 3, trait +4; b8 t4; id 6
        alice: odds wp 1
            odds wp 1 on 2: fail 100.0%
        alice: wp 1 | 7
            alice: Failure, 4 successes vs 6, margin -2; costs 1 superficial Willpower; 7 3 4 8, hunger 9 6, rerolled 2 as 7; wp 1 on 2; id 7
        alice: rouse | 8
            alice: Hunger does not rise; rouse 8; id 8
        alice: wp 3
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        alice: odds wp 2
            (alice) Willpower was spent on #2 already: once a roll.
        alice: wp 3 #1 | 7 8 9
            alice: Success, 6 successes vs 6, margin 0; costs 1 superficial Willpower; 7 8 9 8, hunger 9 6, rerolled 2 3 4 as 7 8 9; wp 3 on 1; id 9
        """
    )


def test_gen_09_refused_with_the_reason():
    """GEN-09: where the latest pool is discarded, closed, covered or too old, the one before it stays as it is."""
    check_script(
        """
        alice: roll 2d10 h1 | 2 6
            alice: 1 success; 2, hunger 6; 2d10 h1; id 1
        alice: roll 2d10 h1 | 3 6
            alice: 1 success; 3, hunger 6; 2d10 h1; id 2
        alice: discard #2
            alice: #2 is discarded: it does not count and is not listed; id 3
        alice: wp 1
            (alice) Not rolled: roll #2 is discarded: it does not count any more.
        alice: wp
            (alice) Not rolled: roll #2 is discarded: it does not count any more.
        alice: odds wp 1
            (alice) Roll #2 is discarded: it does not count any more.
        alice: roll 2d10 h1 | 4 6
            alice: 1 success; 4, hunger 6; 2d10 h1; id 4
        sam*: close #4
            sam: #4 is closed, no more Willpower on it; id 5
        alice: wp 1
            (alice) Not rolled: #4 is closed: no more Willpower on it.
        alice: hunger 1
            (alice) The Hunger of #4 was given already: h1.
        alice: roll 2d10 h1 vs @bob | 5 6
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 6
        alice: wp 1
            (alice) Not rolled: #6 is covered until @bob has answered.
        ... 16 min
            alice vs bob: lapsed, not answered; alice 5, hunger 6; 2d10 h1 vs @bob; id 7
        alice: wp 1
            (alice) Not rolled: #6 ended without an answer.
        ... 20 min
        alice: wp 1 #1
            (alice) Not rolled: #1 is more than 30 minutes old: no more Willpower on it.
        """
    )


def test_dsk_07_nothing_follows_a_secret_roll():
    """GEN-09, DSK-07: a storyteller's roll in secret is the latest, and no older one is changed in its place."""
    check_script(
        """
        sam*: roll 2d10 h1 | 2 6
            sam: 1 success; 2, hunger 6; 2d10 h1; id 1
        sam* in private: secret roll 2d10 h1 in #FU_Dice | 3 4
            sam: the storyteller rolls in secret; id 2
            (sam) for you alone, #2: sam: Failure, 0 successes; 3, hunger 4; 2d10 h1; "reveal #2" in #FU_Dice shows it
        sam*: wp 1
            (sam) Not rolled: your latest roll, #2, was made in secret, and nothing can follow it: name an older one by its id.
        sam*: wp 1 #1 | 7
            sam: 2 successes; costs 1 superficial Willpower; 7, hunger 6, rerolled 2 as 7; wp 1 on 1; id 3
        """
    )


def test_gen_09_said_again_in_a_contest():
    """GEN-09, V5-19: Willpower that the other side spent in between does not open an older roll to it."""
    check_script(
        """
        alice: roll 3d10 h1 dc2 | 3 6 7
            alice: Success, 2 successes vs 2, margin 0; 3 6, hunger 7; 3d10 h1 dc2; id 1
        alice: roll 2d10 h1 vs @bob | 3 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        bob: roll 2d10 h1 | 2 9
            alice vs bob: alice wins, 1 success to 1, a tie; alice 3, hunger 7; bob 2, hunger 9; 2d10 h1 vs 2d10 h1; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 3.
            (bob) You may still spend Willpower: "wp #3" rerolls 2.
        alice: wp | 4
            alice vs bob: alice wins, 1 success to 1, a tie; costs alice 1 superficial Willpower; alice 4, hunger 7, rerolled 3 as 4; bob 2, hunger 9; wp on 3; id 4
            (bob) You may still spend Willpower: "wp #4" rerolls 2.
        bob: wp | 5
            alice vs bob: alice wins, 1 success to 1, a tie; costs bob 1 superficial Willpower; alice 4, hunger 7, rerolled 3 as 4; bob 5, hunger 9, rerolled 2 as 5; wp on 4; id 5
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #2 already: once a roll.
        """,
    )


def test_gen_09_the_side_rolled_last():
    """GEN-09: an answer to an old contest is a later roll than one made since the contest was opened; DSK-06."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 2d10 h1 dc1 | 3 8
            bob: Success, 1 success vs 1, margin 0; 3, hunger 8; 2d10 h1 dc1; id 2
            (bob) A contest still waits for your answer, #1: alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min.
        bob: roll 2d10 h1 | 2 9
            alice vs bob: alice wins, 2 successes to 1; alice 6, hunger 7; bob 2, hunger 9; 2d10 h1 vs 2d10 h1; id 3
            (alice) You may still spend Willpower: no die has failed, "wp 1 #3" rerolls the 6.
            (bob) You may still spend Willpower: "wp #3" rerolls 2.
        bob: wp 1 | 5
            alice vs bob: alice wins, 2 successes to 1; costs bob 1 superficial Willpower; alice 6, hunger 7; bob 5, hunger 9, rerolled 2 as 5; wp 1 on 3; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
        ... 1 min
        bob: wp 1 | 7
            (bob) Not rolled: Willpower was spent on #1 already: once a roll.
        """,
    )


def test_gen_10_wp_alone():
    """GEN-10: `wp` alone counts where one's own latest roll may still be changed by it, or where the bot was called."""
    check_script(
        """
        alice: wp
        alice: gg wp
        alice: WP!
        alice: roll 3d10 h1 dc2 | 3 6 7
            alice: Success, 2 successes vs 2, margin 0; 3 6, hunger 7; 3d10 h1 dc2; id 1
        bob: wp
        bob: wp # gg
        alice: wp! | 9
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 9 6, hunger 7, rerolled 3 as 9; wp on 1; id 2
        alice: wp
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: roll 3d10 h1 dc2 | 3 6 7
            alice: Success, 2 successes vs 2, margin 0; 3 6, hunger 7; 3d10 h1 dc2; id 3
        alice: wp # please | 4
            alice: Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 4 6, hunger 7, rerolled 3 as 4; wp on 3 "please"; id 4
        alice: roll 2d10 willpower | 6 6
            alice: 2 successes; 6 6; 2d10 willpower; id 5
        alice: wp
            (alice) Not rolled: Willpower was spent on #3 already: once a roll.
        bob: !wp
            (bob) Not rolled: you have no roll here that could be changed.
        bob: FUDice: wp
            Not rolled: you have no roll here that could be changed.
        bob in private: wp
            (bob) Not rolled: you have no roll here that could be changed.
        """,
    )


def test_gen_07_errors():
    """GEN-07: told in private, in the channel where the bot was called by name, and nothing is drawn or recorded."""
    check_script(
        """
        alice: roll 5d10 h7
            (alice) Not rolled: hunger is 0 to 5, you wrote h7.
        alice: !roll 5d10 h7
            (alice) Not rolled: hunger is 0 to 5, you wrote h7.
        alice: FUDice: roll 5d10 h7
            Not rolled: hunger is 0 to 5, you wrote h7.
        alice: FUDice, wp 1
            Not rolled: you have no roll here that could be changed.
        alice: `wp 1
            (alice) Not rolled: you have no roll here that could be changed.
        alice in private: roll 5d10 h7
            (alice) Not rolled: hunger is 0 to 5, you wrote h7.
        alice: roll 2d10 h1 | 6 7
            alice: 2 successes; 6, hunger 7; 2d10 h1; id 1
        """,
    )


def test_gen_08_odds_of_a_follow_up():
    """GEN-08: from the present faces; nothing is rolled or spent."""
    check_script(
        """
        alice: odds wp 1
            (alice) You have no roll here that could be changed.
        alice: roll 3d10 h1 dc2 | 3 6 1
            alice: Bestial failure, 1 success vs 2, margin -1; 3 6, hunger 1; 3d10 h1 dc2; id 1
        alice: odds wp
            odds wp on 1: pass 50.0%; fail 50.0%, of it bestial 50.0
        alice: odds wp 2
            odds wp 2 on 1: pass 25.0%, of it critical 1.0; fail 75.0%, of it bestial 75.0, botch 25.0
        alice: odds roll 5d10 h2 dc3
            odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1
        alice: odds 5d10 h2 dc3
            odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1
        alice: odds rouse
            odds rouse: Hunger rises 50.0%; hunger gained 0: 50%, 1: 50%; average 0.5
        alice: odds wp 1 #nosuch
            (alice) There is no roll #nosuch here that could be changed.
        alice: wp | 5
            alice: Bestial failure, 1 success vs 2, margin -1; costs 1 superficial Willpower; 5 6, hunger 1, rerolled 3 as 5; wp on 1; id 2
        alice: rouse | 3
            alice: Hunger rises by 1; rouse 3; id 3
        alice: odds wp
            (alice) Willpower was spent on #1 already: once a roll.
        """,
    )


def test_gen_08_odds_of_saying_hunger():
    """GEN-08: of `hunger N` too, where nothing is left to chance."""
    check_script(
        """
        alice: roll 3d10 dc1 | 10 10 3
            alice: Critical, 4 successes vs 1, margin +3; 10 10 3, hunger not said; 3d10 dc1; id 1
        alice: odds hunger 2
            odds hunger 2 on 1: pass 100.0%, of it messy 100.0
        alice: odds wp h2
            (alice) The normal dice show tens only: say "wp tens h2" to reroll those.
        alice: hunger 2
            alice: Messy critical, 4 successes vs 1, margin +3; 10, hunger 10 3; hunger 2 on 1; id 2
        """,
    )


def test_sc_21_discarded_is_what_counted():
    """SC-21: the line names the id that stood last, not the one that the roll had at first."""
    check_script(
        """
        alice: roll 3d10 | 3 6 7
            alice: 2 successes; 3 6 7, hunger not said; 3d10; id 1
        alice: hunger 2
            alice: 2 successes; 3, hunger 6 7; hunger 2 on 1; id 2
        alice: discard #1
            alice: #2 is discarded: it does not count and is not listed; id 3
        alice: discard #2
            (alice) Roll #2 is discarded already.
        """
    )


def test_v5_25_a_closed_pool_stays_closed_after_its_hunger_is_said():
    """V5-21, V5-25: Hunger may still be said, and takes no Willpower either."""
    check_script(
        """
        alice: roll 4d10 dc2 | 9 4 3 8
            alice: Success, 2 successes vs 2, margin 0; 9 4 3 8, hunger not said; 4d10 dc2; id 1
        sam*: close #1
            sam: #1 is closed, no more Willpower on it; id 2
        alice: hunger 2
            alice: Success, 2 successes vs 2, margin 0; 9 4, hunger 3 8; hunger 2 on 1; id 3
        alice: wp 1
            (alice) Not rolled: #1 is closed: no more Willpower on it.
        """
    )
