"""`pass` and `withdraw` said twice, as a tap on a telephone is: one contest is meant, and no second one (GEN-06)."""

import pytest
from playing import check_script


def test_gen_06_pass_said_twice_by_mistake():
    """GEN-06: within half a minute it is no wish to pass the next contest too, which cannot be undone."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 1 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        carol: roll 2d10 h1 vs @bob | 1 7
            carol vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        dora: roll 2d10 h1 vs @bob | 1 7
            dora vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        bob: pass
            alice vs bob: alice wins, bob does not resist, 1 success; 1, hunger 7; 2d10 h1 dc1; id 4
            (alice) You may still spend Willpower: "wp #4" rerolls 1.
        bob: pass
            (bob) #1 was passed a moment ago; for the next one say "pass #2".
        bob: pass #2
            carol vs bob: carol wins, bob does not resist, 1 success; 1, hunger 7; 2d10 h1 dc1; id 5
            (carol) You may still spend Willpower: "wp #5" rerolls 1.
        ... 29 s
        bob: !pass
            (bob) #2 was passed a moment ago; for the next one say "pass #3".
        ... 1 s
        bob: pass
            dora vs bob: dora wins, bob does not resist, 1 success; 1, hunger 7; 2d10 h1 dc1; id 6
            (dora) You may still spend Willpower: "wp #6" rerolls 1.
        """
    )


def test_gen_06_a_storyteller_passes_twice_for_somebody():
    """GEN-06, DSK-06: for the same name that is a slip as well, for two names it is not; nor is what bob says then."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        carol: roll 2d10 h1 vs @bob | 6 7
            carol vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        alice: roll 2d10 h1 vs @dora | 6 7
            alice vs dora: 2d10 h1 is rolled and covered. dora: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        sam*: pass as bob
            alice vs bob: alice wins, bob does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
        sam*: pass as bob
            (sam) #1 was passed a moment ago; for the next one say "pass #2 as bob".
        sam*: pass as dora
            alice vs dora: alice wins, dora does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1; id 5
            (alice) You may still spend Willpower: no die has failed, "wp 1 #5" rerolls the 6.
        bob: pass
            carol vs bob: carol wins, bob does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1; id 6
            (carol) You may still spend Willpower: no die has failed, "wp 1 #6" rerolls the 6.
        """
    )


def test_gen_06_withdraw_said_twice_by_mistake():
    """GEN-06, GEN-09: the latest ends, the one before it stays open; what lapsed meanwhile was nobody's word."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        ... 14 min
        alice: roll 2d10 h1 vs @carol | 6 7
            alice vs carol: 2d10 h1 is rolled and covered. carol: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        alice: roll 2d10 h1 vs @dora | 6 7
            alice vs dora: 2d10 h1 is rolled and covered. dora: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        ... 1 min
            alice vs bob: lapsed, not answered; alice 6, hunger 7; 2d10 h1 vs @bob; id 4
        alice: !withdraw
            alice vs dora: withdrawn, not answered; alice 6, hunger 7; 2d10 h1 vs @dora; id 5
        alice: !withdraw
            (alice) #3 was withdrawn a moment ago; for the next one say "withdraw #2".
        alice: withdraw #2
            alice vs carol: withdrawn, not answered; alice 6, hunger 7; 2d10 h1 vs @carol; id 6
        alice: !withdraw
            (alice) You have no open contest here to withdraw.
        """
    )


@pytest.mark.parametrize("seconds", [0, 5])
def test_gen_06_how_long_twice_is(seconds):
    """GEN-06: `twice_seconds`."""
    check_script(
        f"""
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        alice: roll 2d10 h1 vs @carol | 6 7
            alice vs carol: 2d10 h1 is rolled and covered. carol: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        alice: !withdraw
            alice vs carol: withdrawn, not answered; alice 6, hunger 7; 2d10 h1 vs @carol; id 3
        ... {seconds} s
        alice: !withdraw
            alice vs bob: withdrawn, not answered; alice 6, hunger 7; 2d10 h1 vs @bob; id 4
        """,
        twice_seconds=seconds,
    )


def test_gen_06_what_was_opened_since():
    """GEN-06: whoever asks again behind a `pass` or `withdraw` gets a word of its own."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        alice: !withdraw
            alice vs bob: withdrawn, not answered; alice 6, hunger 7; 2d10 h1 vs @bob; id 2
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        alice: !withdraw
            alice vs bob: withdrawn, not answered; alice 6, hunger 7; 2d10 h1 vs @bob; id 4
        """
    )


def test_gen_06_what_ended_otherwise_was_not_withdrawn():
    """GEN-06, SC-21: behind a contest that one discarded, or closed as a storyteller, `withdraw` is said once."""
    check_script(
        """
        sam: roll 2d10 h1 vs @bob | 6 7
            sam vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: roll 1d10 h1 | 5
            sam vs bob: sam wins, 2 successes to 0; sam 6, hunger 7; bob hunger 5; 2d10 h1 vs 1d10 h1; id 2
            (sam) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
        sam: roll 2d10 h1 vs @carol | 6 7
            sam vs carol: 2d10 h1 is rolled and covered. carol: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        sam: roll 2d10 h1 vs @dora | 6 7
            sam vs dora: 2d10 h1 is rolled and covered. dora: answer "roll 5d10 h1" or "pass" within 15 min; id 4
        sam*: discard #2
            sam: #2 is discarded: it does not count and is not listed; id 5
        sam*: close #3 # she left
            sam vs carol: closed, not answered; sam 6, hunger 7; 2d10 h1 vs @carol; "she left"; id 6
        sam: !withdraw
            sam vs dora: withdrawn, not answered; sam 6, hunger 7; 2d10 h1 vs @dora; id 7
        """
    )
