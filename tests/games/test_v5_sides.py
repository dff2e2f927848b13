"""V5 with two sides, or a hidden one: contests in progress, and secret Difficulties."""

import pytest
from playing import check_script

import grammars
from grammars.v5 import SayHunger, Willpower
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend_odds, evaluate
from ircdice.errors import RuleError
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.v5 import GAME, pool_of

FAR = 60  # more successes than any of these throws


def outcome(successes, passes):
    return Outcome(labels=("success",) if passes else ("bestial_failure",), values={"successes": successes})


@pytest.mark.parametrize("now", range(8))
@pytest.mark.parametrize("first", range(6))
def test_dsk_07_two_verdicts_leave_no_difficulty_alone(first, now):
    """DSK-07, FW-10: a second verdict is posted if the first has settled it, or if each answer leaves several."""
    for difficulty in range(1, 10):
        left = [other for other in range(1, FAR) if (other <= first) == (difficulty <= first)]
        answers = [len([other for other in left if (other <= now) == passes]) for passes in (True, False)]
        told = 0 in answers or 1 not in answers
        covered = GAME.cover(outcome(now, difficulty <= now), outcome(first, difficulty <= first))
        assert (covered.remarks == ()) == told
        assert covered.remarks == (() if told else ("untold",))
        assert covered.labels == (() if not told else ("success",) if difficulty <= now else ("bestial_failure",))
        assert covered.values == {"successes": now}


def test_v5_19_a_contest_is_known_as_one():
    """V5-19: both sides are in the outcome, the other's judged by one success more than the acting side's."""
    found = evaluate(grammars.parse("roll 3d10 h1 vs 2d10 h0"), ScriptedDice((6, 2, 7, 8, 9)))
    assert (found.kind, found.labels, found.values) == (
        "contest",
        ("success",),
        {"successes": 2, "difficulty": 2, "margin": 0},
    )
    assert found.opponent.labels == ("failure",)
    assert found.opponent.values == {"successes": 2, "difficulty": 3, "margin": -1}


def test_v5_19_nobody_has_answered():
    """V5-19: the other side's pool is not known before it has answered, and says so."""
    node = grammars.parse("roll 3d10 h1 vs @bob")
    assert pool_of(node, "acting") == node.acting
    with pytest.raises(RuleError, match="@bob has not answered yet"):
        pool_of(node, "other")


def test_gen_06_a_pool_given_by_parts_is_answered_by_one():
    """GEN-06, V5-01: a contest opened with the parts of a pool is answered with `v5`, which every channel reads."""
    check_script(
        """
        alice: v5 3+2 h1 vs @bob | 6 2 3 4 5
            alice vs bob: v5 3+2 h1 is rolled and covered. bob: answer "v5 5 h1" or "pass" within 15 min; id 1
        """
    )


def test_gen_08_odds_of_what_changes_nothing():
    """GEN-08: an answer of the other side has no odds from the dice that lie there."""
    node = grammars.parse("roll 2d10 h0")
    earlier = Earlier(node, evaluate(node, ScriptedDice((6, 2))))
    with pytest.raises(RuleError, match="there are no odds for roll 1d10 h0"):
        amend_odds(grammars.parse("roll 1d10 h0"), earlier)


def test_led_02_what_follows_is_recorded_by_its_kind():
    """LED-02, V5-14, V5-21: a record says whether dice were thrown again or only told to be Hunger dice."""
    assert GAME.amends == {Willpower: "reroll", SayHunger: "hunger"}


def test_v5_11_v5_18_what_is_not_certain():
    """V5-11: what would follow comes after the successes."""
    check_script(
        """
        alice: roll 4d10 h3 | 10 10 1 6
            alice: 5 successes, messy critical if passed, bestial failure if failed; 10, hunger 10 1 6; 4d10 h3; id 1
        alice: roll 2d10 h1 | 6 1
            alice: 1 success, bestial failure if failed; 6, hunger 1; 2d10 h1; id 2
        """
    )


def test_gen_08_odds_of_a_follow_up_name_the_roll_and_the_side():
    """GEN-08, GEN-09: by the present id, whichever id was typed and if none was; `as NAME` if it was typed."""
    check_script(
        """
        alice: roll 2d10 h0 vs 2d10 h0 | 3 7 2 8
            alice vs other: alice wins, 1 success to 1, a tie; alice 3 7; other 2 8; 2d10 h0 vs 2d10 h0; id 1
            (alice) You may still spend Willpower: "wp #1" rerolls 3.
            (alice) You may still spend Willpower: "wp #1 as other" rerolls 2.
        alice: wp 1 as other | 9
            alice vs other: other wins, 2 successes to 1; costs other 1 superficial Willpower; alice 3 7; other 9 8,
                rerolled 2 as 9; wp 1 on 1; id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 3.
        alice: odds wp
            odds wp on 2: pass 50.0%; fail 50.0%
        alice: odds wp 1 #1
            odds wp 1 on 2: pass 50.0%; fail 50.0%
        alice: roll 2d10 h0 vs 2d10 h0 | 3 7 2 8
            alice vs other: alice wins, 1 success to 1, a tie; alice 3 7; other 2 8; 2d10 h0 vs 2d10 h0; id 3
            (alice) You may still spend Willpower: "wp #3" rerolls 3.
            (alice) You may still spend Willpower: "wp #3 as other" rerolls 2.
        alice: odds wp 1 as other
            odds wp 1 as other on 3: pass 50.0%; fail 50.0%
        alice: odds wp 1 #1 # before the last
            odds wp 1 on 2: pass 50.0%; fail 50.0%
        """
    )
