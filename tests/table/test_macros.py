"""Macros: a command under a name of one's own (DSK-05)."""

import pytest
from playing import CHANNEL, Table, check_script

from ircdice.bot import Message
from ircdice.replay import Replay


def test_dsk_05_a_macro_is_rolled_changed_shown_and_forgotten():
    """DSK-05: what follows its name is added, or replaces the clause of the same kind; the record has the command."""
    check_script("""
        alice: !macro punch = roll 3d10 h1 dc2
            alice: macro punch is "roll 3d10 h1 dc2"; id 1
        alice: !punch | 7 3 8
            alice: Success, 2 successes vs 2, margin 0; 7 3, hunger 8; 3d10 h1 dc2; id 2
        alice: FUDice: Punch dc3 # the wall | 7 3 8
            alice: Failure, 2 successes vs 3, margin -1; 7 3, hunger 8; 3d10 h1 dc3 "the wall"; id 3
        alice: !punch h0 | 7 3 8
            alice: Success, 2 successes vs 2, margin 0; 7 3 8; 3d10 h0 dc2; id 4
        alice: !odds punch
            odds 3d10 h1 dc2: pass 50.0%, of it critical 0.9, messy 1.9; fail 50.0%, of it bestial 7.5, botch 6.1
        bob: !punch
        sam*: !macro channel punch = roll 1d10 h0
            sam: macro punch is "roll 1d10 h0"; id 5
        bob: !punch | 8
            bob: 1 success; 8; 1d10 h0; id 6
        alice: !macros
            (alice) yours: punch; of the channel: punch
        alice: !macro punch
            (alice) punch: roll 3d10 h1 dc2
        alice: !macro punch =
            alice: macro punch is no more; id 7
        alice: !macro punch
            (alice) punch: roll 1d10 h0
        alice: !macro punch =
            (alice) There is no macro punch to forget: !macros lists them.
    """)


def test_dsk_05_numbers_are_those_of_the_characters_trackers():
    """DSK-05: filled in when it is rolled; a number that is not tracked is named."""
    check_script("""
        alice: !macro big punch = v5 {strength}+{brawl} h1
            alice: macro big punch is "v5 {strength}+{brawl} h1"; id 1
        alice: !track strength 2
            alice: strength 2; id 2
        alice: !big punch
            (alice) Not rolled: brawl is not tracked for alice: !track brawl 3 begins that.
        alice: !track brawl 1
            alice: brawl 1; id 3
        alice: !big punch dc1 | 7 3 8
            alice: Success, 2 successes vs 1, margin +1; 7 3, hunger 8; v5 2+1 h1 dc1; id 4
        alice: !big punch +1
            (alice) Not rolled: "+1" could change several parts of v5 2+1 h1: type the whole command.
    """)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("!macro roll = roll 5d10", '"roll" has a meaning of its own'),
        ("!macro success = roll 5d10", '"success" has a meaning of its own'),
        ("!macro punch = punch", "is no complete command"),
        ("!macro punch = roll 5d10 h7", "is no complete command"),
        ("!macro punch = help", "does not roll"),
        ("!macro punch = wp 2", "does not roll"),
        ("!macro punch = play Viktor", "does not roll"),
        ("!macro punch = v5 {} h2", "names no number"),
        ("!macro punch = v5 {bob: strength} h2", "names no number"),
        ("!macro channel punch = roll 5d10", "Only a storyteller may change the macros of the channel"),
        ("!macro punch", "There is no macro punch: !macro punch = COMMAND makes one."),
        ("!macro punch roll 3d10", "There is no macro punch roll 3d10: !macro punch = roll 3d10 makes one."),
    ],
)
def test_dsk_05_what_is_refused(text, sentence):
    """DSK-05: in one sentence, and nothing is kept."""
    table = Table()
    assert sentence.lower() in str(table.say("alice", text).error).lower()
    assert not table.records


def test_dsk_05_a_name_is_compared_as_it_is_written():
    """DSK-05: in any case, and with letters that are longer in another case."""
    table = Table()
    table.say("alice", "!macro Stoß = roll 1d10 h0")
    assert "8; 1d10 h0" in table.say("alice", "!stoß", (8,)).replies[0].text


def test_dsk_05_a_macro_of_one_person_is_nobody_elses():
    """GEN-02: the prefix and a word that somebody else keeps is talk."""
    table = Table()
    table.say("alice", "!macro punch = roll 1d10 h0")
    assert table.say("bob", "!punch").replies == ()
    assert table.say("alice", "punch").replies == ()
    assert table.say("alice", "punch dc3").replies == ()


def test_led_16_macros_and_their_rolls_are_judged_again():
    """LED-16: the record of a roll has the whole command."""
    table = Table()
    table.say("alice", "!macro punch = roll 2d10 h0 dc2")
    table.say("alice", "!punch dc1 # ouch", (7, 3))
    table.say("alice", "!macro punch =")
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * 3
    assert table.records[1].draft.text == "roll 2d10 h0 dc1 # ouch"


def test_dsk_05_the_sides_of_a_die_may_be_a_number_that_is_tracked():
    """DSK-05: `d{` and a name is one, `d{1,3,5}` a die with these faces."""
    check_script(
        """
        alice: !macro throw = roll {count}d{sides}
            alice: macro throw is "roll {count}d{sides}"; id 1
        alice: !macro odd = roll 2d{1,3,5,5}
            alice: macro odd is "roll 2d{1,3,5,5}"; id 2
        alice: !throw
            (alice) Not rolled: count is not tracked for alice: !track count 3 begins that.
        alice: !track count 2
            alice: count 2; id 3
        alice: !track sides 6
            alice: sides 6; id 4
        alice: !throw | 3 4
            alice: 7; 2d6 3 4; 2d6; id 5
        """,
        system="generic",
    )


def test_dsk_05_a_macro_is_repeated_and_rolled_in_secret():
    """DSK-05, DSK-07, GEN-17: a macro is the command that it stands for; without one the line is another bot's."""
    check_script("""
        alice: !macro punch = roll 1d10 h0
            alice: macro punch is "roll 1d10 h0"; id 1
        alice: !2x punch dc1 | 7 3
            alice: Success, 1 success vs 1, margin 0; 7; 1d10 h0 dc1; id 2
            alice: Failure, 0 successes vs 1, margin -1; 3; 1d10 h0 dc1; id 3
        alice: !2x kick
        bob: !2x punch
        alice: 2x punch
        sam*: !macro slam = roll 1d10 h0
            sam: macro slam is "roll 1d10 h0"; id 4
        alice: !blind punch dc1 | 7
            alice: rolls blind, for the storyteller; 1d10 h0 dc1; id 5
            (sam) for you alone, #5: alice: Success, 1 success vs 1, margin 0; 7; 1d10 h0 dc1
        sam* in private: secret slam in #FU_Dice | 3
            sam: the storyteller rolls in secret; id 6
            (sam) for you alone, #6: sam: Failure, 0 successes; 3; 1d10 h0; "reveal #6" in #FU_Dice shows it
    """)


def test_gen_07_a_macro_that_cannot_roll_is_not_rolled():
    """GEN-07, DSK-05: the error says "Not rolled", as for the command in the macro; for its odds it does not."""
    check_script("""
        alice: !macro kick = roll 5d10 h
            alice: macro kick is "roll 5d10 h"; id 1
        alice: !kick
            (alice) Not rolled: no hunger is tracked for alice: !track hunger 2 begins that, or say h0 to h5.
        alice: !2x kick
            (alice) Not rolled: no hunger is tracked for alice: !track hunger 2 begins that, or say h0 to h5.
        alice: !odds kick
            (alice) No hunger is tracked for alice: !track hunger 2 begins that, or say h0 to h5.
    """)


def test_gen_02_another_bots_command_takes_nothing_of_a_limit():
    """GEN-02, IRC-15: a word that is no command here counts as talk; the name of a macro or tracker counts."""
    table = Table()
    table.say("alice", "!macro punch = roll 5d10")
    table.say("alice", "!track doom 3")
    said = "!seen bob", "!punch", "!doom", "roll 5d10", "seen bob"
    assert [table.bot.commands_in(Message("net", CHANNEL, "alice", text)) for text in said] == [0, 1, 1, 1, 0]


def test_gen_17_a_macro_is_no_repeat():
    """DSK-05, GEN-17: a macro rolls once, and is repeated when it is called."""
    check_script("""
        alice: !macro x = 3x roll {a}d10 h0
            (alice) A macro rolls once: type !macro x = roll {a}d10 h0, and then !3x x.
        alice: !macro x = 3x wp
            (alice) "3x wp" does not roll: a macro is a command that rolls.
        alice: !macro x = roll 1d10 h0
            alice: macro x is "roll 1d10 h0"; id 1
        alice: !2x x | 5 4
            alice: Failure, 0 successes; 5; 1d10 h0; id 2
            alice: Failure, 0 successes; 4; 1d10 h0; id 3
    """)
