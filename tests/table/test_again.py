"""`again` at the table: what it repeats, what it refuses, and what the record holds (DSK-13)."""

import pytest
from playing import Table, check_script

from ircdice.replay import Replay


def test_dsk_13_again():
    """DSK-13: the speaker's last roll here, changed or not, from the latest on; after a restart too."""
    check_script(
        """
        alice: !again
            (alice) Not rolled: you have no roll here to repeat.
        alice: roll 5d10 h2 # thugs | 9 4 3 8 2
            alice: 2 successes; 9 4 3, hunger 8 2; 5d10 h2 "thugs"; id 1
        bob: roll 2d10 h0 | 1 2
            bob: Botch, 0 successes; 1 2; 2d10 h0; id 2
        alice: again
        alice: !again | 9 4 3 8 2
            alice: 2 successes; 9 4 3, hunger 8 2; 5d10 h2 "thugs"; id 3
        alice: !again h3 dc 2 for the door | 9 4 3 8 2
            alice: Success, 2 successes vs 2, margin 0; 9 4, hunger 3 8 2; 5d10 h3 dc2 "the door"; id 4
        alice: wp 1 | 7
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 9 7, hunger 3 8 2, rerolled 4 as
                7; wp 1 on 4; id 5
        alice: !again dc1 | 1 1 1 1 1
            alice: Botch and bestial failure, 0 successes vs 1, margin -1; 1 1, hunger 1 1 1; 5d10 h3 dc1 "the door"; id
                6
        alice: !discard
            alice: #6 is discarded: it does not count and is not listed; id 7
        alice: FUDice: again dc2 | 1 1 1 1 6
            alice: Bestial failure, 1 success vs 2, margin -1; 1 1, hunger 1 1 6; 5d10 h3 dc2 "the door"; id 8
        alice: !again h7
            (alice) Not rolled: hunger is 0 to 5, you wrote h7.
        alice: !again #2
            (alice) Not rolled: again repeats only your latest roll: leave #2 out.
        alice: !again h3 #last
            (alice) Not rolled: again repeats only your latest roll: leave #last out.
        alice: !again as alice on #4
            (alice) Not rolled: again repeats only your latest roll: leave #4 out.
        alice: !again #thugs | 1 1 1 1 6
            alice: Bestial failure, 1 success vs 2, margin -1; 1 1, hunger 1 1 6; 5d10 h3 dc2 "thugs"; id 9
        alice: !again for the #2 door | 1 1 1 1 6
            alice: Bestial failure, 1 success vs 2, margin -1; 1 1, hunger 1 1 6; 5d10 h3 dc2 "the #2 door"; id a
        alice: !again vs @bob
            (alice) Not rolled: with vs the other side's successes are the difficulty: leave dc2 out.
        """
    )


def test_dsk_13_what_is_not_repeated():
    """DSK-13: contests, secret and private rolls; never an older roll in their place (GEN-09)."""
    check_script(
        """
        alice: roll 3d10 h1 | 9 4 3
            alice: 1 success; 9 4, hunger 3; 3d10 h1; id 1
        alice: !again vs @bob
            (alice) Not rolled: "roll 3d10 h1 vs @bob" is no roll of your own: type the whole command.
        alice: roll 3d10 h1 vs 2d10 h0 | 9 4 3 1 2
            alice vs other: alice wins, 1 success to 0, other botch; alice 9 4, hunger 3; other 1 2; 3d10 h1 vs 2d10 h0;
                id 2
            (alice) You may still spend Willpower: "wp #2" rerolls 4.
            (alice) You may still spend Willpower: "wp #2 as other" rerolls 1 2.
        alice: !again
            (alice) Not rolled: your latest roll, #2, was in a contest: type another command.
        alice in private: again
            (alice) Not rolled: that is for a channel: say it there.
        sam: roll 2d10 h0 | 1 2
            sam: Botch, 0 successes; 1 2; 2d10 h0; id 3
        sam* in private: secret roll 2d10 h1 in #FU_Dice | 1 2
            sam: the storyteller rolls in secret; id 4
            (sam) for you alone, #4: sam: Botch, 0 successes; 1, hunger 2; 2d10 h1; "reveal #4" in #FU_Dice shows it
        sam: !again
            (sam) Not rolled: your latest roll, #4, was made in secret, and cannot be repeated: type another command.
        """
    )


def test_dsk_13_in_a_channel_that_plays_another_game_now():
    """DSK-13: what is repeated is read as it would be if it were typed now."""
    table = Table()
    table.say("alice", "roll 3d10 h1", (9, 4, 3))
    table.settings = Table(system="fayrewood", systems=("fayrewood",)).settings
    answer = table.say("alice", "!again")
    assert answer.replies[0].text.startswith("Not rolled: ")


@pytest.mark.parametrize(
    ("game", "text", "faces", "again", "more", "whole"),
    [
        ("generic", "roll 1d20+5", (7,), "!again adv", (7, 9), "roll 1d20+5 adv"),
        ("fayrewood", "toss 3 2 boon dc7", (4, 5, 3), "!again bane", (4, 5, 3), "toss 3 2 bane dc7"),
        ("crossroads", "xr 3d6 a1", (1, 2, 3, 4), "!again d1", (1, 2, 3, 4), "xr 3d6 d1"),
        ("beat_eight", "b8 t4 a1", (3, 4), "!again severe", (3, 4), "b8 t4 a1 severe"),
        ("strike_cinder", "sc strike 2", (4, 4), "!again dc2", (4, 4), "sc strike 2 dc2"),
    ],
)
def test_led_02_the_record_is_the_whole_command(game, text, faces, again, more, whole):
    """DSK-13, LED-02: what the player could have typed by hand, judged again as that."""
    table = Table(system=game)
    table.say("alice", text, faces)
    assert table.say("alice", again, more).error is None
    last = table.records[-1]
    assert (last.draft.kind, last.draft.text) == ("roll", whole)
    replay = Replay()
    assert [fault for record in table.records if (fault := replay.fault(record))] == []


def test_dsk_13_h_alone_takes_the_place_of_a_number():
    """DSK-13, DSK-04: the tracked Hunger, after a roll that said another."""
    check_script("""
        alice: !track hunger 4
            alice: hunger 4; id 1
        alice: roll 3d10 h2 dc1 | 2 3 4
            alice: Failure, 0 successes vs 1, margin -1; 2, hunger 3 4; 3d10 h2 dc1; id 2
        alice: !again h | 2 3 4
            alice: Failure, 0 successes vs 1, margin -1; hunger 2 3 4; 3d10 h4 dc1; id 3
        alice: !again h1 | 2 3 4
            alice: Failure, 0 successes vs 1, margin -1; 2 3, hunger 4; 3d10 h1 dc1; id 4
    """)
