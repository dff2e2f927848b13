"""Scenes, and what was rolled in them, ready to paste (DSK-08)."""

import re

import pytest
from playing import Table, check_script

from ircdice.replay import Replay


def test_dsk_08_a_scene_holds_what_was_rolled_in_it():
    """DSK-08: in the order of play; nothing discarded, no secret, and nothing from before or after."""
    check_script("""
        alice: roll 1d10 h0 | 3
            alice: Failure, 0 successes; 3; 1d10 h0; id 1
        alice: !log scene
            (alice) There was no scene at all here.
        sam*: !scene Harbour
            sam: scene 1, Harbour, opens; id 2
        alice: !scene
            scene 1, Harbour, is open.
        alice: roll 2d10 h0 | 7 3
            alice: 1 success; 7 3; 2d10 h0; id 3
        bob: roll 2d10 h0 | 8 3
            bob: 1 success; 8 3; 2d10 h0; id 4
        bob: discard #4
            bob: #4 is discarded: it does not count and is not listed; id 5
        alice: wp 1 | 9
            alice: 2 successes; costs 1 superficial Willpower; 7 9, rerolled 3 as 9; wp 1 on 3; id 6
        sam*: !scene end
            sam: scene 1, Harbour, is over; !log scene gives what was rolled; id 7
        alice: roll 1d10 h0 | 8
            alice: 1 success; 8; 1d10 h0; id 8
        alice: !log scene
            (alice) Harbour (#FU_Dice, scene 1)
            (alice) alice: 1 success; 7 3; 2d10 h0; id 3
            (alice) alice: 2 successes; costs 1 superficial Willpower; 7 9, rerolled 3 as 9; wp 1 on 3; id 6
        alice: !log scene harbour bbcode
            (alice) [b]Harbour (#FU_Dice, scene 1)[/b]
            (alice) [code]
            (alice) alice: 1 success; 7 3; 2d10 h0; id 3
            (alice) alice: 2 successes; costs 1 superficial Willpower; 7 9, rerolled 3 as 9; wp 1 on 3; id 6
            (alice) [/code]
        sam*: !scene Harbour
            sam: scene 2, Harbour, opens; id 9
        alice: !log scene Harbour md
            (alice) nothing was rolled in scene 2, Harbour.
        alice: !log scene 1 md
            (alice) ## Harbour (#FU_Dice, scene 1)
            (alice) - `alice: 1 success; 7 3; 2d10 h0; id 3`
            (alice) - `alice: 2 successes; costs 1 superficial Willpower; 7 9, rerolled 3 as 9; wp 1 on 3; id 6`
        alice: !log scene Docks
            (alice) There was no scene Docks here.
    """)


def test_dsk_08_an_encounter_is_a_scene():
    """DSK-08: with Luck (SC-26); it ends the scene that is open, as another scene does."""
    script = """
        sam*: !scene Harbour
            sam: scene 1, Harbour, opens; id 1
        sam*: sc encounter open Hydra luck 6 dc3
            sam: the encounter opens, Hydra Luck 6/6, DC 3; id 2
        alice: !scene
            scene 2, Hydra, is open.
        alice: sc strike 2 | 1 2
            alice: Critical Failure, 0 passes; 1 2; strike 2; id 4
        sam*: sc encounter close
            sam: the encounter is over; id 5
        alice: !scene
            no scene is open here.
        alice: sc strike 3 | 1 2 3
            alice: Critical Failure, 0 passes; 1 2 3; strike 3; id 7
        alice: !log scene Hydra
            (alice) Hydra (#FU_Dice, scene 2)
            (alice) alice: Critical Failure, 0 passes; 1 2; strike 2; id 4
        sam*: sc encounter open Hydra luck 6
            sam: the encounter opens, Hydra Luck 6/6; id 8
        sam*: !scene Docks
            sam: scene 4, Docks, opens; scene 3, Hydra, is over; id a
        sam*: sc encounter close
            sam: the encounter is over; id b
        alice: !scene
            scene 4, Docks, is open.
        """
    check_script(script, system="strike_cinder")
    table = Table(system="strike_cinder")
    for line in (line.strip() for line in script.splitlines() if re.match(" {8}[a-z]", line)):
        table.heard(line)
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * len(table.records)


def test_dsk_08_what_is_refused():
    """DSK-08: only storytellers open and end a scene."""
    check_script("""
        alice: !scene Harbour
            (alice) Only a storyteller may open a scene.
        alice: !scene stop
            (alice) A scene is opened by !scene NAME, and ended by !scene end.
        sam*: !scene end
            (sam) No scene is open here: !scene NAME opens one.
        sam*: !scene Success
            (sam) "Success" has a meaning of its own: choose another name.
        alice in private: !scene
            (alice) That is for a channel: say it there.
    """)


def test_led_16_scenes_are_judged_again():
    """LED-16"""
    table = Table()
    for text in ("!scene Harbour", "!scene Docks", "!scene end", "!scene Harbour"):
        assert table.say("sam", text, star=True).record
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * 4
    assert [record.draft.text for record in table.records][-1] == "scene 3: Harbour"


def test_dsk_08_a_long_name_is_repeated_in_short():
    """GEN-15: a reply has at most 400 bytes, whatever was typed."""
    (reply,) = Table().say("alice", f"!log scene {'ü' * 380}").replies
    assert reply.text == f"There was no scene {'ü' * 37}... here."


@pytest.mark.parametrize(
    "line", ["scene of the crime", "scene", "scene end", "scene Harbour", "log scene", "log scene 3"]
)
def test_gen_13_scenes_count_only_when_the_bot_is_called(line):
    """GEN-13"""
    assert Table().say("sam", line, star=True).replies == ()


def test_gen_13_the_words_that_open_and_end_a_scene():
    """GEN-13, DSK-08: `open` may stand before the name; what ends none says how it ends."""
    check_script("""
        sam*: !scene open Harbour
            sam: scene 1, Harbour, opens; id 1
        sam*: !scene open
            (sam) A scene is opened by !scene NAME, and ended by !scene end.
        sam*: !scene stop
            (sam) A scene is opened by !scene NAME, and ended by !scene end.
        sam*: !scene close
            (sam) A scene is opened by !scene NAME, and ended by !scene end.
        sam*: !scene end
            sam: scene 1, Harbour, is over; !log scene gives what was rolled; id 2
    """)


def test_dsk_08_the_log_of_the_last_scene_in_private():
    """DSK-08: `in #CHANNEL` is no name of a scene."""
    check_script("""
        sam*: !scene Harbour
            sam: scene 1, Harbour, opens; id 1
        sam* in private: log scene in #FU_Dice
            (sam) nothing was rolled in scene 1, Harbour.
    """)
