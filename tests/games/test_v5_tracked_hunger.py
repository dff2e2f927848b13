"""A Hunger that is tracked, in rolls (V5-22, DSK-04)."""

import pytest
from playing import Table, check_script

import grammars
from ircdice import dispatcher
from ircdice.dice import ScriptedDice
from ircdice.errors import RuleError
from ircdice.replay import Replay

SCRIPT = """
    alice: roll 5d10 h dc3
        (alice) Not rolled: no hunger is tracked for alice: !track hunger 2 begins that, or say h0 to h5.
    alice: !track hunger 2
        alice: hunger 2; id 1
    alice: roll 5d10 h dc3 # over the wall | 1 2 3 4 5
        alice: Botch, 0 successes vs 3, margin -3; 1 2 3, hunger 4 5; 5d10 h2 dc3 "over the wall"; id 2
    alice: v5 3+2 h for fun | 1 2 3 4 5
        alice: Botch, 0 successes; 1 2 3, hunger 4 5; v5 3+2 h2 "fun"; id 3
    alice: !5d10 h | 1 2 3 4 5
        alice: Botch, 0 successes; 1 2 3, hunger 4 5; 5d10 h2; id 4
    alice: odds roll 5d10 h dc3
        odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1
    alice: 2x roll 2d10 h # x | 2 3 4 5
        alice: Failure, 0 successes; hunger 2 3; 2d10 h2 "x"; id 5
        alice: Failure, 0 successes; hunger 4 5; 2d10 h2 "x"; id 6
    alice: !again | 2 3
        alice: Failure, 0 successes; hunger 2 3; 2d10 h2 "x"; id 7
    alice: roll 2d10 h willpower
        (alice) Not rolled: leave the h without a number out.
    alice: roll 2d10 h vs 2d10 h
        (alice) Not rolled: h after vs is the other side's Hunger: write its number.
    alice: roll 2d10 h vs @bob | 3 4
        alice vs bob: 2d10 h2 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 8
    bob: !track hunger 1
        bob: hunger 1; id 9
    bob: roll 2d10 h | 3 4
        alice vs bob: neither wins, 0 successes to 0; alice hunger 3 4; bob 3, hunger 4; 2d10 h2 vs 2d10 h1; id a
        (bob) You may still spend Willpower: "wp #a" rerolls 3.
    sam*: !npc Ghoul
        sam: Ghoul is a character of this channel; id b
    sam*: !track hunger 3 as Ghoul
        Ghoul: hunger 3; id c
    sam*: roll 3d10 h as Ghoul | 2 3 4
        Ghoul (sam): Failure, 0 successes; hunger 2 3 4; 3d10 h3; id d
"""
AUTO = """
    alice: !track hunger 2
        alice: hunger 2; id 1
    alice: roll 2d10 | 3 4
        alice: Failure, 0 successes; hunger 3 4; 2d10 h2; id 2
    bob: roll 2d10 | 3 4
        bob: Failure, 0 successes; 3 4, hunger not said; 2d10; id 3
    alice: roll 2d10 willpower | 3 4
        alice: Failure, 0 successes; 3 4; 2d10 willpower; id 4
    alice: roll 2d10 h0 | 3 4
        alice: Failure, 0 successes; 3 4; 2d10 h0; id 5
"""


def test_v5_22_h_alone_is_the_tracked_hunger():
    """V5-22, DSK-04: of whoever acts, in every command that rolls."""
    check_script(SCRIPT)


def test_dsk_04_a_channel_may_use_it_without_being_asked():
    """DSK-04: `auto_hunger = yes`, and never in the place of what is typed."""
    check_script(AUTO, auto_hunger=True)


@pytest.mark.parametrize(("script", "auto"), [(SCRIPT, False), (AUTO, True)])
def test_dsk_04_the_record_holds_the_number(script, auto):
    """DSK-04, LED-16: a record is judged from itself."""
    table = Table(auto_hunger=auto)
    for line in script.strip().splitlines():
        if not line.startswith("     "):
            table.heard(line.strip())
    replay = Replay()
    assert [why for record in table.records if (why := replay.fault(record))] == []
    texts = [record.draft.text for record in table.records if record.draft.kind == "roll"]
    assert not [text for text in texts if text.endswith("h") or " h " in text]


def test_gen_06_the_named_contest_is_answered_with_the_tracked_hunger():
    """GEN-06, DSK-04: the later of two, in the record too."""
    check_script(
        """
        bob: !track hunger 2
            bob: hunger 2; id 1
        alice: roll 3d10 h1 vs @bob | 4 5 6
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        carol: roll 3d10 h1 vs @bob | 4 5 6
            carol vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        bob: roll 3d10 h #3 | 7 7 1
            carol vs bob: bob wins, 2 successes to 1; carol 4 5, hunger 6; bob 7, hunger 7 1; 3d10 h1 vs 3d10 h2; id 4
            (carol) You may still spend Willpower: "wp #4" rerolls 4 5.
            (bob) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 7.
        """
    )


def test_v5_22_nothing_is_judged_without_the_number():
    """V5-22: where there is no table."""
    node = grammars.parse("roll 5d10 h vs 5d10 h1")
    with pytest.raises(RuleError, match="write it, as h2"):
        dispatcher.evaluate(node, ScriptedDice(()))
    with pytest.raises(RuleError, match="write it, as h2"):
        dispatcher.odds(grammars.parse("roll 5d10 h"))
