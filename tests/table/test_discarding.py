"""`discard` without an id means the latest roll and never an older one (SC-21, GEN-09)."""

import pytest
from playing import Table, check_script


def test_gen_09_discard_never_reaches_an_older_roll():
    """GEN-09, SC-21: said again it is refused, at once and much later; an older roll needs its id."""
    check_script(
        """
        carol: roll 2d6 | 1 2
            carol: 3; 2d6 1 2; 2d6; id 1
        dora: roll 2d6 | 3 4
            dora: 7; 2d6 3 4; 2d6; id 2
        carol: roll 3d10 h1 | 3 6 7
            carol: 2 successes; 3 6, hunger 7; 3d10 h1; id 3
        carol: wp 1 | 8
            carol: 3 successes; costs 1 superficial Willpower; 8 6, hunger 7, rerolled 3 as 8; wp 1 on 3; id 4
        carol: !discard
            carol: #4 is discarded: it does not count and is not listed; id 5
        carol: !discard
            (carol) Roll #4 is discarded already.
        dora: !discard
            dora: #2 is discarded: it does not count and is not listed; id 6
        dora: !discard
            (dora) Roll #2 is discarded already.
        ... 10 min
        carol: !discard
            (carol) Roll #4 is discarded already.
        carol: discard #1
            carol: #1 is discarded: it does not count and is not listed; id 7
        """
    )


def test_gen_09_discard_behind_a_new_roll():
    """GEN-09: what was rolled since is the latest, and discarded at once; so is the roll before, where it is named."""
    check_script(
        """
        carol: roll 2d6 | 1 2
            carol: 3; 2d6 1 2; 2d6; id 1
        carol: roll 2d6 | 1 2
            carol: 3; 2d6 1 2; 2d6; id 2
        carol: !discard
            carol: #2 is discarded: it does not count and is not listed; id 3
        carol: roll 2d6 | 1 2
            carol: 3; 2d6 1 2; 2d6; id 4
        carol: !discard
            carol: #4 is discarded: it does not count and is not listed; id 5
        carol: discard #1
            carol: #1 is discarded: it does not count and is not listed; id 6
        """
    )


def test_gen_09_discarded_by_a_storyteller_meanwhile():
    """GEN-09: two who discard the same roll at once discard no other."""
    check_script(
        """
        carol: roll 2d6 | 1 2
            carol: 3; 2d6 1 2; 2d6; id 1
        carol: roll 2d6 | 1 2
            carol: 3; 2d6 1 2; 2d6; id 2
        sam*: discard #last
            sam: #2 is discarded: it does not count and is not listed; id 3
        carol: !discard
            (carol) Roll #2 is discarded already.
        """
    )


def test_gen_09_discard_means_the_side_rolled_last():
    """GEN-09: as Willpower does: an answer to an old contest is a later roll than one made since that was opened."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 2d6 | 1 2
            bob: 3; 2d6 1 2; 2d6; id 2
            (bob) A contest still waits for your answer, #1: alice vs bob: 2d10 h1 is rolled and covered.
                bob: answer "roll 5d10 h1" or "pass" within 15 min.
        bob: roll 2d10 h1 | 2 9
            alice vs bob: alice wins, 2 successes to 1; alice 6, hunger 7; bob 2, hunger 9; 2d10 h1 vs 2d10 h1; id 3
            (alice) You may still spend Willpower: no die has failed, "wp 1 #3" rerolls the 6.
            (bob) You may still spend Willpower: "wp #3" rerolls 2.
        bob: !discard
            (bob) #3 is a contest, and alice's as well: only a storyteller may discard it.
        """
    )


def test_sc_21_neither_side_discards_a_contest():
    """SC-21, DSK: a player has a say in what is their own; whoever lost has none in what the other side rolled."""
    check_script(
        """
        alice: roll 6d10 h2 vs @bob | 6 7 8 9 2 2
            alice vs bob: 6d10 h2 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 3d10 h1 | 1 2 3
            alice vs bob: alice wins, 4 successes to 0, bob botch; alice 6 7 8 9, hunger 2 2; bob 1 2, hunger 3;
                6d10 h2 vs 3d10 h1; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
            (bob) You may still spend Willpower: "wp #2" rerolls 1 2.
        bob: !discard
            (bob) #2 is a contest, and alice's as well: only a storyteller may discard it.
        alice: discard #1
            (alice) #2 is a contest, and bob's as well: only a storyteller may discard it.
        carol: discard #2
            (carol) That roll is alice's: only they or a storyteller may discard it.
        sam*: discard #2
            sam: #2 is discarded: it does not count and is not listed; id 3
        """
    )


def test_sc_21_a_contest_in_which_one_alone_rolled():
    """SC-21: whose dice all of it is may discard it: nobody resisted, nobody was asked by name, or nobody answered."""
    check_script(
        """
        alice: roll 2d10 h2 vs @bob | 6 7
            alice vs bob: 2d10 h2 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: pass
            alice vs bob: alice wins, bob does not resist, 2 successes; hunger 6 7; 2d10 h2 dc1; id 2
        bob: discard #2
            (bob) That roll is alice's: only they or a storyteller may discard it.
        alice: !discard
            alice: #2 is discarded: it does not count and is not listed; id 3
        alice: roll 1d10 h1 vs 1d10 h1 | 6 7
            alice vs other: alice wins, 1 success to 1, a tie; alice hunger 6; other hunger 7; 1d10 h1 vs 1d10 h1; id 4
        alice: !discard
            alice: #4 is discarded: it does not count and is not listed; id 5
        alice: roll 2d10 h2 vs @bob | 6 7
            alice vs bob: 2d10 h2 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 6
        alice: !withdraw
            alice vs bob: withdrawn, not answered; alice hunger 6 7; 2d10 h2 vs @bob; id 7
        alice: !discard
            alice: #6 is discarded: it does not count and is not listed; id 8
        """
    )


def test_sc_21_the_log_of_a_discarded_roll():
    """SC-21, LED-24: asked for by its id it is shown, and said to be discarded; so is what had replaced it."""
    table = Table()
    table.heard("carol: roll 3d10 h1 | 3 6 7")
    assert "discarded" not in told(table, "log #1")
    table.heard("carol: wp 1 | 8")
    table.heard("dora: roll 2d6 | 3 4")
    table.heard("carol: !discard")
    where = "Rolled in #fu_dice on net, 14 Nov 2023, 22:13 UTC; "
    with_it = f" replaced: {table.records[1].id} was discarded with it;"
    for asked, dice, replaced in (("#1", "3 6 7", with_it), (table.records[0].id, "3 6 7", with_it), ("#2", "8", "")):
        assert told(table, f"log {asked}").endswith(
            f"{where}discarded: it does not count;{replaced} dice in the order drawn: d10 {dice}"
        )
    assert told(table, "log #3").endswith(f"{where}dice in the order drawn: d6 3 4")


def test_led_22_the_log_of_a_roll_that_was_replaced():
    """LED-22, LED-24: which roll counts now; that one, and a roll that nothing replaced, are told as they are."""
    table = Table()
    table.heard("carol: roll 3d10 dc2 | 3 6 7")
    table.heard("carol: hunger 1")
    table.heard("carol: wp 1 | 8")
    latest = table.records[2].id
    replaced = f"22:13 UTC; replaced: {latest} counts now; "
    assert told(table, "log #1").endswith(f"{replaced}dice in the order drawn: d10 3 6 7")
    assert told(table, "log #2").endswith(f"{replaced}no die was drawn.")
    assert told(table, "log #3").endswith("22:13 UTC; dice in the order drawn: d10 8")


def told(table, text):
    return "\n".join(reply.text for reply in table.heard(f"dora: {text}"))


def test_dsk_07_discard_behind_a_secret_roll():
    """GEN-09, DSK-07: the latest roll is the secret one; nobody's older roll is discarded in its place by surprise."""
    check_script(
        """
        sam*: roll 2d6 | 1 2
            sam: 3; 2d6 1 2; 2d6; id 1
        dora: roll 2d6 | 3 4
            dora: 7; 2d6 3 4; 2d6; id 2
        sam* in private: secret roll 2d10 in #FU_Dice | 3 4
            sam: the storyteller rolls in secret; id 3
            (sam) for you alone, #3: sam: Failure, 0 successes; 3 4, hunger not said; 2d10; "reveal #3" in #FU_Dice
                shows it
        sam*: !discard
            (sam) Your latest roll, #3, was made in secret, and cannot be discarded: name an older one by its id.
        sam*: discard #3
            (sam) Roll #3 was made in secret, and cannot be discarded.
        dora: !discard
            dora: #2 is discarded: it does not count and is not listed; id 4
        sam*: discard #1
            sam: #1 is discarded: it does not count and is not listed; id 5
        ... 1 min
        sam*: !discard
            (sam) Your latest roll, #3, was made in secret, and cannot be discarded: name an older one by its id.
        sam*: roll 2d6 | 1 2
            sam: 3; 2d6 1 2; 2d6; id 6
        sam*: !discard
            sam: #6 is discarded: it does not count and is not listed; id 7
        """
    )


@pytest.mark.parametrize("said", ["discard #sad", "close #fail", "withdraw #gold", "reveal #yes", "pass #salty"])
def test_gen_13_a_tag_is_no_id(said):
    """GEN-13: a word of letters behind `#` that no roll here has for its id is talk, called it is told."""
    table = Table()
    table.say("alice", "roll 2d6", (1, 2))
    for storyteller in (False, True):
        assert table.say("alice", said, star=storyteller).replies == ()
        assert table.say("alice", f"!{said}", star=storyteller).error is not None
    assert table.say("alice", "discard #7x").replies[0].text == "There is no roll #7x here to discard."
    assert table.say("alice", "discard #zz").replies[0].text == "There is no roll #zz here to discard."
    assert table.say("alice", "discard #last").error is None


def test_dsk_14_a_reason_is_kept():
    """DSK-14, GEN-13: posted and recorded; in plain words only called, or it may be talk."""
    check_script(
        """
        bob: roll 2d10 h0 | 1 2
            bob: Botch, 0 successes; 1 2; 2d10 h0; id 1
        bob: discard #1 the wrong pool
        bob: !discard the wrong pool
            (bob) "the" is unknown. For example: discard #4d
        bob: !discard #1 the "wrong" pool; sorry
            bob: #1 is discarded: it does not count and is not listed; "the 'wrong' pool, sorry"; id 2
        bob: roll 2d10 h0 | 1 2
            bob: Botch, 0 successes; 1 2; 2d10 h0; id 3
        bob: discard #3 # wrong pool
            bob: #3 is discarded: it does not count and is not listed; "wrong pool"; id 4
        bob: log #4
            (bob) bob: #3 is discarded: it does not count and is not listed; "wrong pool"; id 4
            (bob) Rolled in #fu_dice on net, 14 Nov 2023, 22:13 UTC; no die was drawn.
        """
    )
