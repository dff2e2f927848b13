"""Contests of V5, in one line and with a nick, and Willpower in them, as scripts of a channel (V5-19)."""

# ruff: noqa: E501 -- posted lines are as long as they are

from playing import Table, check_script


def test_v5_19_in_one_line():
    """V5-19: the Difficulty is the other side's successes; equal is enough for the one who began."""
    check_script(
        """
        alice: roll 3d10 h1 vs 3d10 h1 | 6 7 2 8 9 3
            alice vs other: alice wins, 2 successes to 2, a tie; alice 6 7, hunger 2; other 8 9, hunger 3; 3d10 h1 vs 3d10 h1; id 1
            (alice) You may still spend Willpower: no die has failed, "wp 1 #1" rerolls the 6.
            (alice) You may still spend Willpower: no die has failed, "wp 1 #1 as other" rerolls the 8.
        alice: roll 3d10 h1 vs 3d10 h1 | 6 4 2 8 9 3
            alice vs other: other wins, 2 successes to 1; alice 6 4, hunger 2; other 8 9, hunger 3; 3d10 h1 vs 3d10 h1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 4.
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2 as other" rerolls the 8.
        alice: roll 3d10 h1 vs 2d10 h0 | 6 4 2 3 3
            alice vs other: alice wins, 1 success to 0; alice 6 4, hunger 2; other 3 3; 3d10 h1 vs 2d10 h0; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 4.
            (alice) You may still spend Willpower: "wp #3 as other" rerolls 3 3.
        """,
    )


def test_v5_19_at_least_difficulty_1():
    """V5-19: with no success on either side neither passes, and both may be botches."""
    check_script(
        """
        alice: roll 2d10 h1 vs 2d10 h1 | 1 2 3 4
            alice vs other: neither wins, 0 successes to 0, alice botch; alice 1, hunger 2; other 3, hunger 4; 2d10 h1 vs 2d10 h1; id 1
            (alice) You may still spend Willpower: "wp #1" rerolls 1.
            (alice) You may still spend Willpower: "wp #1 as other" rerolls 3.
        alice: roll 2d10 h1 vs 2d10 h2 | 3 1 2 1
            alice vs other: neither wins, 0 successes to 0, alice botch and bestial failure, other botch and bestial failure; alice 3, hunger 1; other hunger 2 1; 2d10 h1 vs 2d10 h2; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 3.
        alice: roll 2d10 h1 vs 2d10 h2 | 3 2 2 5
            alice vs other: neither wins, 0 successes to 0; alice 3, hunger 2; other hunger 2 5; 2d10 h1 vs 2d10 h2; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 3.
        """,
    )


def test_v5_19_each_side_is_judged():
    """V5-19: winner critical or messy, loser a bestial failure or a botch."""
    check_script(
        """
        alice: roll 6d10 h2 vs 8d10 h1 | 10 3 10 9 4 1 10 10 8 9 10 2 10 10
            alice vs other: other wins, messy critical, 11 successes to 5, alice bestial failure; alice 10 3 10 9, hunger 4 1; other 10 10 8 9 10 2 10, hunger 10; 6d10 h2 vs 8d10 h1; id 1
            (alice) You may still spend Willpower: "wp #1" rerolls 3.
            (alice) You may still spend Willpower: "wp #1 as other" rerolls 2.
        alice: roll 3d10 h1 vs 3d10 h1 | 10 10 4 10 3 1
            alice vs other: alice wins, critical, 4 successes to 1, other bestial failure; alice 10 10, hunger 4; other 10 3, hunger 1; 3d10 h1 vs 3d10 h1; id 2
            (alice) You may still spend Willpower: "wp #2 as other" rerolls 3.
        alice: roll 2d10 h0 vs 4d10 h0 | 1 4 10 10 2 2
            alice vs other: other wins, critical, 4 successes to 0, alice botch; alice 1 4; other 10 10 2 2; 2d10 h0 vs 4d10 h0; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 1 4.
            (alice) You may still spend Willpower: "wp #3 as other" rerolls 2 2.
        alice: roll 2d10 h2 vs 2d10 h2 | 6 7 10 1
            alice vs other: alice wins, 2 successes to 1, other bestial failure; alice hunger 6 7; other hunger 10 1; 2d10 h2 vs 2d10 h2; id 4
        alice: roll 2d10 h2 vs 2d10 h2 | 10 10 10 10
            alice vs other: alice wins, messy critical, 4 successes to 4, a tie; alice hunger 10 10; other hunger 10 10; 2d10 h2 vs 2d10 h2; id 5
        """,
    )


def test_v5_19_botch_no():
    """V5-19, V5-09: the house rule holds for both sides."""
    check_script(
        """
        alice: roll 2d10 h0 vs 2d10 h0 | 1 2 1 3
            alice vs other: neither wins, 0 successes to 0; alice 1 2; other 1 3; 2d10 h0 vs 2d10 h0; id 1
            (alice) You may still spend Willpower: "wp #1" rerolls 1 2.
            (alice) You may still spend Willpower: "wp #1 as other" rerolls 1 3.
        """,
        botch=False,
    )


def test_v5_19_willpower_in_one_line():
    """V5-19: each side once, in either order; `as other` means the unnamed side; the standing result after each."""
    check_script(
        """
        alice: roll 3d10 h1 vs 3d10 h1 | 6 7 2 3 9 3
            alice vs other: alice wins, 2 successes to 1; alice 6 7, hunger 2; other 3 9, hunger 3; 3d10 h1 vs 3d10 h1; id 1
            (alice) You may still spend Willpower: no die has failed, "wp 1 #1" rerolls the 6.
            (alice) You may still spend Willpower: "wp #1 as other" rerolls 3.
        alice: wp as other | 8
            alice vs other: alice wins, 2 successes to 2, a tie; costs other 1 superficial Willpower; alice 6 7, hunger 2; other 8 9, hunger 3, rerolled 3 as 8; wp on 1; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
        alice: wp
            (alice) Not rolled: no normal die has failed: "wp 1" to "wp 3" reroll successes too.
        alice: wp 1 | 3
            alice vs other: other wins, 2 successes to 1; costs alice 1 superficial Willpower; alice 3 7, hunger 2, rerolled 6 as 3; other 8 9, hunger 3, rerolled 3 as 8; wp 1 on 2; id 3
        alice: wp 1 as other
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        """,
    )


def test_v5_19_hunger_said_later():
    """V5-19, V5-21: each side says its own."""
    check_script(
        """
        alice: roll 3d10 vs 3d10 | 10 10 2 10 9 10
            alice vs other: other wins, critical, 5 successes to 4; alice 10 10 2, hunger not said; other 10 9 10, hunger not said; 3d10 vs 3d10; id 1
            (alice) You may still spend Willpower: "wp hN #1", N your Hunger, 0 to 5.
            (alice) You may still spend Willpower: "wp hN #1 as other", N your Hunger, 0 to 5.
        alice: wp 1
            (alice) Not rolled: say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.
        alice: hunger 2
            alice vs other: other wins, critical, 5 successes to 4; alice 10, hunger 10 2; other 10 9 10, hunger not said; hunger 2 on 1; id 2
            (alice) You may still spend Willpower: "wp hN #2 as other", N your Hunger, 0 to 5.
        alice: hunger 1 as other
            alice vs other: other wins, messy critical, 5 successes to 4; alice 10, hunger 10 2; other 10 9, hunger 10; hunger 1 on 2; id 3
            (alice) You may still spend Willpower: no die has failed, "wp 1 #3 as other" rerolls the 9.
        alice: hunger 1
            (alice) The Hunger of #1 was given already: h2.
        alice: wp 1 as other | 1
            alice vs other: alice wins, messy critical, 4 successes to 4, a tie; costs other 1 superficial Willpower; alice 10, hunger 10 2; other 10 1, hunger 10, rerolled 9 as 1; wp 1 on 3; id 4
        """,
    )


def test_v5_19_the_other_side_first():
    """V5-19: Willpower in either order; the initiator is asked first, each in private."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 3 7 2
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 3d10 h1 | 4 8 9
            alice vs bob: bob wins, 2 successes to 1; alice 3 7, hunger 2; bob 4 8, hunger 9; 3d10 h1 vs 3d10 h1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 3.
            (bob) You may still spend Willpower: "wp #2" rerolls 4.
        bob: wp | 6
            alice vs bob: bob wins, 3 successes to 1; costs bob 1 superficial Willpower; alice 3 7, hunger 2; bob 6 8, hunger 9, rerolled 4 as 6; wp on 2; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 3.
        alice: wp | 6
            alice vs bob: bob wins, 3 successes to 2; costs alice 1 superficial Willpower; alice 6 7, hunger 2, rerolled 3 as 6; bob 6 8, hunger 9, rerolled 4 as 6; wp on 3; id 4
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        bob: wp 1
            (bob) Not rolled: Willpower was spent on #1 already: once a roll.
        """,
    )


def test_v5_16_v5_19_pools_without_hunger_dice_in_a_contest():
    """V5-16, V5-19: a willpower pool may contest, and is not rerolled."""
    check_script(
        """
        alice: roll 3d10 willpower vs @bob | 3 7 2
            alice vs bob: 3d10 willpower is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 3d10 h1 | 4 2 9
            alice vs bob: alice wins, 1 success to 1, a tie; alice 3 7 2; bob 4 2, hunger 9; 3d10 willpower vs 3d10 h1; id 2
            (bob) You may still spend Willpower: "wp #2" rerolls 2 4.
        alice: wp
        alice: wp 1
            (alice) Not rolled: willpower rolls hold no Hunger dice, and cannot be rerolled with Willpower.
        bob: wp 2 | 7 8
            alice vs bob: bob wins, 3 successes to 1; costs bob 1 superficial Willpower; alice 3 7 2; bob 7 8, hunger 9, rerolled 4 2 as 7 8; wp 2 on 2; id 3
        """,
    )


def test_gen_06_a_storyteller_spends_for_a_side():
    """V5-15, V5-19: `as NICK` names whose Willpower it is."""
    check_script(
        """
        alice: roll 2d10 h1 vs @guard | 3 7
            alice vs guard: 2d10 h1 is rolled and covered. guard: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        sam*: roll 2d10 h1 as guard | 4 8
            alice vs guard: alice wins, 1 success to 1, a tie; alice 3, hunger 7; guard 4, hunger 8; 2d10 h1 vs 2d10 h1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 3.
            (guard) You may still spend Willpower: "wp #2" rerolls 4.
        sam*: wp as guard | 9
            alice vs guard: guard wins, 2 successes to 1; costs guard 1 superficial Willpower; alice 3, hunger 7; guard 9, hunger 8, rerolled 4 as 9; wp on 2; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 3.
        sam*: wp as alice | 10
            alice vs guard: alice wins, 2 successes to 2, a tie; costs alice 1 superficial Willpower; alice 10, hunger 7, rerolled 3 as 10; guard 9, hunger 8, rerolled 4 as 9; wp on 3; id 4
        sam*: wp 1 as alice
            (sam) Not rolled: Willpower was spent on #1 already: once a roll.
        """,
    )


def test_v5_25_close_a_contest():
    """V5-25: `close #ID` ends Willpower on a contest that is answered, and one that waits altogether."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 3 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 2d10 h1 | 4 8
            alice vs bob: alice wins, 1 success to 1, a tie; alice 3, hunger 7; bob 4, hunger 8; 2d10 h1 vs 2d10 h1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 3.
            (bob) You may still spend Willpower: "wp #2" rerolls 4.
        sam*: close #2
            sam: #1 is closed, no more Willpower on it; id 3
        alice: wp
            (alice) Not rolled: #1 is closed: no more Willpower on it.
        bob: wp 1
            (bob) Not rolled: #1 is closed: no more Willpower on it.
        alice: roll 2d10 h1 vs @bob | 3 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 4
        bob: close #4
            (bob) Only a storyteller may close a roll.
        sam*: close #4
            alice vs bob: closed, not answered; alice 3, hunger 7; 2d10 h1 vs @bob; id 5
        bob: pass
        """,
    )


def test_v5_25_minutes_run_from_the_answer():
    """V5-25: a contest's 30 minutes run from when its dice were seen."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 3 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        ... 10 min
        bob: roll 2d10 h1 | 4 8
            alice vs bob: alice wins, 1 success to 1, a tie; alice 3, hunger 7; bob 4, hunger 8; 2d10 h1 vs 2d10 h1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 3.
            (bob) You may still spend Willpower: "wp #2" rerolls 4.
        ... 30 min
        alice: wp | 8
            alice vs bob: alice wins, 2 successes to 1; costs alice 1 superficial Willpower; alice 8, hunger 7, rerolled 3 as 8; bob 4, hunger 8; wp on 2; id 3
            (bob) You may still spend Willpower: "wp #3" rerolls 4.
        ... 1 s
        bob: wp
        bob: wp 1
            (bob) Not rolled: #1 is more than 30 minutes old: no more Willpower on it.
        """,
    )


def test_gen_05_v5_19_what_cannot_stand_behind_vs():
    """GEN-05, V5-19: a lone number is asked about, and a Difficulty does not go with `vs`."""
    check_script(
        """
        alice: !roll 3d10 vs 3
            (alice) Not rolled: is "vs 3" a difficulty, dc3, or a pool? For a pool write vs 3d10.
        alice: !roll 3d10 dc2 vs 3d10
            (alice) Not rolled: with vs the other side's successes are the difficulty: leave dc2 out.
        alice: !roll 3d10 vs 3d10 dc2
            (alice) Not rolled: with vs the other side's successes are the difficulty: leave dc2 out.
        alice: !roll 3d10 vs @bob dc2
            (alice) Not rolled: dc2 after @nick is for the other side to type: leave it out.
        alice: !roll 3d10 vs 2d10 vs 1d10
            (alice) Not rolled: a roll has two sides at most: leave the second vs out.
        alice: !roll 3d10 vs @bob h2
            (alice) Not rolled: h2 after @nick is for the other side to type: leave it out. Did you mean: roll
                3d10 h2 vs @bob
        alice: !roll 3d10 vs
            (alice) Not rolled: "roll 3d10 vs" needs a pool, as 5d10, or @nick. For example: roll 5d10 h2 dc3
        """,
    )


def test_v5_19_who_was_answered_for_has_that_side():
    """V5-15, V5-19, GEN-06: the dice are those of the nick that was asked, among their other rolls; not the teller's."""
    check_script(
        """
        guard: roll 3d10 h1 | 3 7 9
            guard: 2 successes; 3 7, hunger 9; 3d10 h1; id 1
        alice: roll 2d10 h1 vs @guard | 3 7
            alice vs guard: 2d10 h1 is rolled and covered. guard: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        sam*: roll 2d10 h1 as guard | 4 8
            alice vs guard: alice wins, 1 success to 1, a tie; alice 3, hunger 7; guard 4, hunger 8; 2d10 h1 vs 2d10 h1; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 3.
            (guard) You may still spend Willpower: "wp #3" rerolls 4.
        sam: !wp
            (sam) Not rolled: you have no roll here that could be changed.
        guard: wp | 9
            alice vs guard: guard wins, 2 successes to 1; costs guard 1 superficial Willpower; alice 3, hunger 7; guard 9, hunger 8, rerolled 4 as 9; wp on 3; id 4
            (alice) You may still spend Willpower: "wp #4" rerolls 3.
        ... 31 s
        guard: !wp | 10
            (guard) Not rolled: Willpower was spent on #2 already: once a roll.
        """,
    )


def test_a_pool_of_traits_is_posted_as_it_was_typed():
    """V5-19, V5-27: the waiting line names `v5 7`, and not a number alone."""
    table = Table(system="v5")
    reply = table.say("alice", "v5 7 vs @kim", (1, 2, 3, 4, 5, 6, 7)).replies[0].text
    assert reply.startswith('alice vs kim: v5 7 is rolled and covered. kim: answer "v5 5 h1" or "pass"')
