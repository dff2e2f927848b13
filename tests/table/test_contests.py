"""Contests with @nick, as scripts of a channel: who is asked, who answers, and how they end (GEN-06)."""

# ruff: noqa: E501 -- posted lines are as long as they are

from playing import check_script


def test_gen_06_answered_with_a_roll():
    """GEN-06: the acting side's dice are drawn when the command is read, and shown with the other's."""
    check_script(
        """
        alice: roll 6d10 h2 vs @bob # at the door | 10 10 2 5 3 1
            alice vs bob: 6d10 h2 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; "at the door"; id 1
        carol: roll 3d10 h1 | 6 7 8
            carol: 3 successes; 6 7, hunger 8; 3d10 h1; id 2
        bob: roll 5d10 h1 # no way | 7 8 2 4 9
            alice vs bob: alice wins, critical, 4 successes to 3; alice 10 10 2 5, hunger 3 1; bob 7 8 2 4, hunger 9; 6d10 h2 vs 5d10 h1 "at the door" "no way"; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 2 5.
            (bob) You may still spend Willpower: "wp #3" rerolls 2 4.
        alice: wp | 9 9
            alice vs bob: alice wins, critical, 6 successes to 3; costs alice 1 superficial Willpower; alice 10 10 9 9, hunger 3 1, rerolled 2 5 as 9 9; bob 7 8 2 4, hunger 9; wp on 3; id 4
            (bob) You may still spend Willpower: "wp #4" rerolls 2 4.
        bob: wp | 10 10
            alice vs bob: bob wins, critical, 7 successes to 6, alice bestial failure; costs bob 1 superficial Willpower; alice 10 10 9 9, hunger 3 1, rerolled 2 5 as 9 9; bob 7 8 10 10, hunger 9, rerolled 2 4 as 10 10; wp on 4; id 5
        bob: wp
            (bob) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        """,
    )


def test_gen_06_pass():
    """GEN-06: no resistance is Difficulty 1; who passes has no dice to reroll."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 3 2 1
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: pass
            alice vs bob: neither wins, alice botch and bestial failure, bob does not resist, 0 successes; 3 2, hunger 1; 3d10 h1 dc1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 2 3.
        bob: wp
        bob: FUDice: wp
            Not rolled: you have no roll here that could be changed.
        sam*: wp as bob
        alice: wp | 6 10
            alice vs bob: alice wins, bob does not resist, 2 successes; costs alice 1 superficial Willpower; 6 10, hunger 1, rerolled 3 2 as 6 10; wp on 2; id 3
        alice: roll 3d10 h1 vs @bob | 10 2 10
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 4
        bob: pass # whatever
            alice vs bob: alice wins, messy critical, bob does not resist, 4 successes; 10 2, hunger 10; 3d10 h1 dc1 "whatever"; id 5
            (alice) You may still spend Willpower: "wp #5" rerolls 2.
        """,
    )


def test_gen_10_pass_alone():
    """GEN-10: `pass` is a command for whoever is asked in an open contest, talk for everybody else."""
    check_script(
        """
        bob: pass
        alice: roll 3d10 h1 vs @bob | 6 7 8
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        alice: pass
        carol: pass
        carol: !pass
            (carol) No contest here waits for carol.
        bob: pass the salt
        bob: pass.
            alice vs bob: alice wins, bob does not resist, 3 successes; 6 7, hunger 8; 3d10 h1 dc1; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
        bob: pass
        bob: FUDice: pass
            No contest here waits for bob.
        """,
    )


def test_gen_06_lapses():
    """GEN-06: after 15 minutes, and then the acting side's dice are shown; nothing follows them."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 6 7 8
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        ... 14 min
        ... 59 s
        ... 1 s
            alice vs bob: lapsed, not answered; alice 6 7, hunger 8; 3d10 h1 vs @bob; id 2
        bob: pass
        bob: roll 3d10 h1 | 6 6 6
            bob: 3 successes; 6 6, hunger 6; 3d10 h1; id 3
        alice: wp 1
            (alice) Not rolled: #1 ended without an answer.
        ... 15 min
        """,
    )


def test_gen_06_contest_minutes():
    """GEN-06: `contest_minutes` of the config."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 6 7 8
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 2 min; id 1
        ... 2 min
            alice vs bob: lapsed, not answered; alice 6 7, hunger 8; 3d10 h1 vs @bob; id 2
        """,
        contest_minutes=2,
    )


def test_gen_06_withdraw():
    """GEN-06: by the one who opened it alone; a word of everyday talk, so called or with an id (GEN-13)."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 6 7 8
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        alice: withdraw
        bob: !withdraw
            (bob) You have no open contest here to withdraw.
        bob: withdraw #1
            (bob) You have no open contest here to withdraw.
        alice: !withdraw
            alice vs bob: withdrawn, not answered; alice 6 7, hunger 8; 3d10 h1 vs @bob; id 2
        alice: !withdraw
            (alice) You have no open contest here to withdraw.
        alice: roll 3d10 h1 vs @bob | 1 2 3
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        alice: withdraw #3
            alice vs bob: withdrawn, not answered; alice 1 2, hunger 3; 3d10 h1 vs @bob; id 4
        bob: pass
        """,
    )


def test_gen_06_one_at_a_time_between_the_same_two():
    """GEN-06: whoever of the two opens it; others, and another opponent, are free."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        alice: roll 2d10 h1 vs @bob
            (alice) Not rolled: a contest between you and bob is open already: #1.
        alice: roll 2d10 h1 vs @BOB
            (alice) Not rolled: a contest between you and BOB is open already: #1.
        bob: roll 2d10 h1 vs @alice
            (bob) Not rolled: a contest between you and alice is open already: #1.
        alice: roll 2d10 h1 vs @carol | 1 2
            alice vs carol: 2d10 h1 is rolled and covered. carol: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        carol: roll 2d10 h1 vs @bob | 3 4
            carol vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
            (carol) A contest still waits for your answer, #2: alice vs carol: 2d10 h1 is rolled and covered. carol: answer "roll 5d10 h1" or "pass" within 15 min.
        alice: !contests
            open contests: #1 alice vs bob, #2 alice vs carol, #3 carol vs bob
        bob: pass
            alice vs bob: alice wins, bob does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
        alice: roll 2d10 h1 vs @bob | 8 9
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 5
        """,
    )


def test_gen_06_the_oldest_is_answered_or_the_one_named():
    """GEN-06: the oldest contest that waits, unless `#ID` stands behind."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        carol: roll 2d10 h1 vs @bob | 8 9
            carol vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        dora: roll 2d10 h1 vs @bob | 10 10
            dora vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        bob: roll 2d10 h1 #2 | 5 4
            carol vs bob: carol wins, 2 successes to 0; carol 8, hunger 9; bob 5, hunger 4; 2d10 h1 vs 2d10 h1; id 4
            (carol) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 8.
            (bob) You may still spend Willpower: "wp #4" rerolls 5.
        bob: roll 2d10 h1 | 5 3
            alice vs bob: alice wins, 2 successes to 0; alice 6, hunger 7; bob 5, hunger 3; 2d10 h1 vs 2d10 h1; id 5
            (alice) You may still spend Willpower: no die has failed, "wp 1 #5" rerolls the 6.
            (bob) You may still spend Willpower: "wp #5" rerolls 5.
        bob: pass #1
            (bob) Contest #1 does not wait for bob.
        bob: pass #3
            dora vs bob: dora wins, messy critical, bob does not resist, 4 successes; 10, hunger 10; 2d10 h1 dc1; id 6
        bob: !contests
            no contest is open here.
        """,
    )


def test_gen_06_against_oneself_or_the_bot():
    """GEN-06: the other side is another player, in a channel."""
    check_script(
        """
        alice: roll 2d10 h1 vs @alice
            (alice) Not rolled: @alice cannot be the other side: name another player.
        alice: roll 2d10 h1 vs @Alice
            (alice) Not rolled: @Alice cannot be the other side: name another player.
        alice: roll 2d10 h1 vs @FUDice
            (alice) Not rolled: @FUDice cannot be the other side: name another player.
        alice in private: roll 2d10 h1 vs @bob
            (alice) Not rolled: a contest with @nick is played in a channel, where both can see it.
        """,
    )


def test_gen_06_a_storyteller_answers():
    """GEN-06: `as NICK`, for a roll and for `pass`; nobody else may."""
    check_script(
        """
        alice: roll 2d10 h1 vs @guard | 6 7
            alice vs guard: 2d10 h1 is rolled and covered. guard: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 2d10 h1 as guard
            (bob) Not rolled: only a storyteller may answer for somebody else.
        bob: pass as guard
            (bob) Only a storyteller may answer for somebody else.
        sam*: roll 2d10 h2 as guard | 10 10
            alice vs guard: guard wins, messy critical, 4 successes to 2; alice 6, hunger 7; guard hunger 10 10; 2d10 h1 vs 2d10 h2; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
        sam*: wp as guard
            (sam) Not rolled: every die of that roll is a Hunger die: none can be rerolled.
        alice: roll 2d10 h1 vs @guard | 6 7
            alice vs guard: 2d10 h1 is rolled and covered. guard: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        sam*: pass as guard
            alice vs guard: alice wins, guard does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
        sam*: roll 2d10 h1 as alice | 6 7
            alice (sam): 2 successes; 6, hunger 7; 2d10 h1; id 5
        sam*: pass as nobody
        """,
    )


def test_gen_06_only_a_pool_answers():
    """GEN-06: the same command less its `vs`; a roll with a Difficulty or a rouse check is another matter."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 2d10 h1 dc1 | 6 7
            bob: Success, 2 successes vs 1, margin +1; 6, hunger 7; 2d10 h1 dc1; id 2
            (bob) A contest still waits for your answer, #1: alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min.
        bob: rouse | 6
            bob: Hunger does not rise; rouse 6; id 3
        bob: v5 1+1 h1 | 8 3
            alice vs bob: alice wins, 2 successes to 1; alice 6, hunger 7; bob 8, hunger 3; 2d10 h1 vs 1+1 h1; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
            (bob) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 8.
        """,
    )


def test_gen_06_covered_until_answered():
    """GEN-06: nothing is rerolled, and no odds are told, of dice that nobody has seen."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 3 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        alice: wp
            (alice) Not rolled: #1 is covered until @bob has answered.
        alice: wp 1
            (alice) Not rolled: #1 is covered until @bob has answered.
        alice: odds wp 1
            (alice) #1 is covered until @bob has answered.
        alice: hunger 2
            (alice) #1 is covered until @bob has answered.
        sam*: wp 1 #1
            (sam) Not rolled: #1 is covered until @bob has answered.
        """,
    )


def test_gen_06_answered_too_late():
    """GEN-06: a contest is over when its time is, even where a restart kept its lapse from being posted."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 6 7 8
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        ... restart
        ... 16 min
        bob: pass
        bob: roll 3d10 h1 | 1 2 3
            bob: Botch, 0 successes; 1 2, hunger 3; 3d10 h1; id 2
        ... 1 s
            alice vs bob: lapsed, not answered; alice 6 7, hunger 8; 3d10 h1 vs @bob; id 3
        """,
    )


def test_gen_06_the_answer_that_is_asked_for_works_where_other_dice_are_played():
    """GEN-06: where `roll` is the dice notation's, a pool is `v5`, and so is its answer."""
    check_script(
        """
        alice: v5 3d10 h1 vs @bob | 6 7 2
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "v5 5d10 h1" or "pass" within 15 min; id 1
        bob: v5 5d10 h1 | 2 3 4 5 3
            alice vs bob: alice wins, 2 successes to 0; alice 6 7, hunger 2; bob 2 3 4 5, hunger 3; 3d10 h1 vs 5d10 h1; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
            (bob) You may still spend Willpower: "wp #2" rerolls 2 3 4.
        """,
        system="generic",
    )


def test_sc_26_the_encounter_resists_with_its_own_dice():
    """SC-16, SC-26, SC-27: a storyteller answers for it, nobody else, and not where an attack names no one either."""
    check_script(
        """
        sam*: sc encounter open Hydra luck 6 cinder 3
            sam: the encounter opens, Hydra Luck 6/6, Cinder 3; id 1
        bob: sc mind 7 | 4 4 4 4 1 1 1
            bob: Complete Success, 4 passes; 4 4 4 4 1 1 1; mind 7; id 3
        bob: sc resist as Hydra
            (bob) Not rolled: only a storyteller may answer for somebody else.
        sam*: sc resist as Hydra # stubborn | 4 4 4
            bob vs Hydra: Overcome, Hydra aware, 4 passes to 3; bob 4 4 4 4 1 1 1; Hydra 4 4 4; mind 7 vs 3
                "stubborn"; id 4
        bob: sc mind 7 vs @Hydra | 4 4 4 4 1 1 1
            bob vs Hydra: mind 7 is rolled and covered. Hydra: answer "sc resist 5" or "pass" within 15 min; id 5
        bob: sc resist as Hydra
            (bob) Not rolled: only a storyteller may answer for somebody else.
        sam*: sc resist 5 as Hydra | 4 4 4 4 1
            bob vs Hydra: Resisted, 4 passes to 4; bob 4 4 4 4 1 1 1; Hydra 4 4 4 4 1; mind 7 vs 5; id 6
        sam*: sc tracking
            (sam) [note]Hydra [cinder], Complete Success, overcome
            (sam) Hydra [cinder], Complete Success, resisted[/note]
            (sam) [footnote]Hydra [luck] 6/6[/footnote]
        sam*: sc encounter close
            sam: the encounter is over; id 7
        sam*: sc encounter open Rat luck 6
            sam: the encounter opens, Rat Luck 6/6; id 9
        bob: sc mind 7 vs @Rat | 4 4 4 4 1 1 1
            bob vs Rat: mind 7 is rolled and covered. Rat: answer "sc resist 5" or "pass" within 15 min; id b
        sam*: sc resist as Rat
            (sam) Not rolled: Rat has no Cinder dice of its own: say how many, as sc resist 5 as Rat.
        """,
        system="strike_cinder",
    )


def test_gen_06_a_storyteller_withdraws_a_contest_and_discards_a_roll_of_another():
    """Rights: `as NAME`, by nick or character; never something of the storyteller's own in its place."""
    check_script("""
        bob: !play Brok
            bob: plays Brok; id 1
        bob: roll 3d10 h1 vs @alice | 4 1 1
            Brok (bob) vs alice: 3d10 h1 is rolled and covered. alice: answer "roll 5d10 h1" or "pass" within 15 min;
                id 3
        sam*: roll 1d10 h1 vs @alice | 4
            sam vs alice: 1d10 h1 is rolled and covered. alice: answer "roll 5d10 h1" or "pass" within 15 min; id 4
        alice: !withdraw as bob
            (alice) Only bob or a storyteller may withdraw a contest of Brok.
        sam*: !withdraw as bob
            Brok (bob) vs alice: withdrawn, not answered; Brok (bob) 4 1, hunger 1; 3d10 h1 vs @alice; id 5
        sam*: !withdraw as Brok
            (sam) Brok has no open contest here to withdraw.
        alice: roll 2d10 h1 | 2 3
            sam vs alice: neither wins, 0 successes to 0; sam hunger 4; alice 2, hunger 3; 1d10 h1 vs 2d10 h1; id 6
            (alice) You may still spend Willpower: "wp #6" rerolls 2.
        bob: roll 1d10 h1 | 7
            Brok (bob): 1 success; hunger 7; 1d10 h1; id 7
        sam*: roll 2d10 h1 | 2 3
            sam: Failure, 0 successes; 2, hunger 3; 2d10 h1; id 8
        sam*: !discard as alice
            sam: #6 is discarded: it does not count and is not listed; id 9
        sam*: !discard as bob
            sam: #7 is discarded: it does not count and is not listed; id a
        bob: !discard as alice
            (bob) Only alice or a storyteller may discard a roll of alice.
    """)


def test_gen_06_a_storyteller_answers_as_the_character_of_the_nick_that_was_asked():
    """A roll and `pass`, by either name, whichever of them was asked."""
    check_script("""
        bob: !play Brok
            bob: plays Brok; id 1
        alice: roll 2d10 h1 vs @bob | 4 1
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        sam*: roll 2d10 h1 as Brok | 7 8
            alice vs Brok (sam): Brok wins, 2 successes to 0, alice botch and bestial failure; alice 4, hunger 1; Brok
                7, hunger 8; 2d10 h1 vs 2d10 h1; id 4
            (alice) You may still spend Willpower: "wp #4" rerolls 4.
            (sam) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 7.
        alice: roll 2d10 h1 vs @bob | 4 1
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 5
        sam*: pass as Brok
            alice vs Brok (sam): neither wins, alice botch and bestial failure, Brok does not resist, 0 successes; 4,
                hunger 1; 2d10 h1 dc1; id 6
            (alice) You may still spend Willpower: "wp #6" rerolls 4.
        alice: roll 2d10 h1 vs @Brok | 4 1
            alice vs Brok: 2d10 h1 is rolled and covered. Brok: answer "roll 5d10 h1" or "pass" within 15 min; id 7
        sam*: pass as bob
            alice vs Brok (sam): neither wins, alice botch and bestial failure, Brok does not resist, 0 successes; 4,
                hunger 1; 2d10 h1 dc1; id 8
            (alice) You may still spend Willpower: "wp #8" rerolls 4.
        alice: roll 2d10 h1 vs @bob | 4 1
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 9
        sam*: !npc Thug
            sam: Thug is a character of this channel; id a
        sam*: roll 2d10 h1 as Thug | 7 8
            Thug (sam): 2 successes; 7, hunger 8; 2d10 h1; id b
        bob: pass
            alice vs Brok (bob): neither wins, alice botch and bestial failure, Brok does not resist, 0 successes; 4,
                hunger 1; 2d10 h1 dc1; id c
            (alice) You may still spend Willpower: "wp #c" rerolls 4.
    """)


def test_gen_06_a_contest_with_a_character_is_not_for_a_nick_of_that_name():
    """GEN-06, DSK-01: `@NAME` is a character first; a user with that nick just rolls."""
    check_script("""
        bob: !play Viktor
            bob: plays Viktor; id 1
        alice: roll 2d10 h1 vs @Viktor | 6 7
            alice vs Viktor: 2d10 h1 is rolled and covered. Viktor: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        Viktor: roll 3d10 h1 | 6 7 8
            Viktor: 3 successes; 6 7, hunger 8; 3d10 h1; id 4
        Viktor: !pass
            (Viktor) No contest here waits for Viktor.
    """)


def test_sc_16_a_closed_attack_is_not_resisted():
    """SC-16: anyone may resist an attack on a mind that names no target, until a storyteller closes it."""
    check_script(
        """
        alice: sc mind 5 | 4 4 4 1 1
            alice: Complete Success, 3 passes; 4 4 4 1 1; mind 5; id 1
        sam*: close #1 # too late
            sam: #1 is closed; "too late"; id 2
        bob: sc resist 3 | 4 4 1
            bob: Partial Failure, 2 passes; 4 4 1; resist 3; id 3
        """,
        system="strike_cinder",
    )
