"""Lines that only the moment makes commands, and what the moment says against them (GEN-06, GEN-10, GEN-19)."""

# ruff: noqa: E501 -- posted lines are as long as they are

import asyncio
from dataclasses import replace

import pytest
from playing import CHANNEL, Table, check_script

from ircdice.bot import Message
from ircdice.dice import RecordingDice, ScriptedDice
from ircdice.errors import LedgerUnavailable


def test_gen_19_wp_behind_a_rouse_rerolls_the_pool():
    """GEN-10, GEN-19: a word alone means the latest pool, which a rouse or a Willpower pool does not hide."""
    check_script(
        """
        alice: roll 3d10 h1 | 3 6 7
            alice: 2 successes; 3 6, hunger 7; 3d10 h1; id 1
        alice: rouse | 8
            alice: Hunger does not rise; rouse 8; id 2
        alice: roll 2d10 willpower | 6 6
            alice: 2 successes; 6 6; 2d10 willpower; id 3
        alice: wp | 9
            alice: 3 successes; costs 1 superficial Willpower; 9 6, hunger 7, rerolled 3 as 9; wp on 1; id 4
        alice: wp
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: wp for luck
        bob: wp
        """
    )


def test_gen_19_silent_without_a_pool():
    """GEN-19: where there is no pool that could be meant within `wp_minutes`, a word alone and a score are talk."""
    check_script(
        """
        alice: rouse | 8
            alice: Hunger does not rise; rouse 8; id 1
        alice: wp
        alice: wp 4
        bob: wp 2
        bob: hunger 3
        bob: rouse 200
            (bob) Not rolled: the number of rouse checks is 1 to 100, you wrote 200.
        bob: roll 5
        bob: roll 7 2
        alice: !wp
            (alice) Not rolled: rouse rolls hold no Hunger dice, and cannot be rerolled with Willpower.
        alice: roll 3d10 h1 | 3 6 7
            alice: 2 successes; 3 6, hunger 7; 3d10 h1; id 2
        ... 31 min
        alice: wp
        alice: wp 4
        alice: !wp
            (alice) Not rolled: #2 is more than 30 minutes old: no more Willpower on it.
        """
    )


def test_gen_19_a_bare_follow_up_is_refused_in_private():
    """GEN-19, V5-14, V5-27: after a pool the limits are named; scores stay talk."""
    check_script(
        """
        alice: roll 3d10 h1 | 3 6 7
            alice: 2 successes; 3 6, hunger 7; 3d10 h1; id 1
        alice: wp 4
            (alice) Not rolled: the number of dice that wp rerolls is 1 to 3, you wrote 4.
        alice: hunger 7
            (alice) Hunger is 0 to 5, you wrote 7.
        alice: wp all, gg
        alice: wp 100
        alice: gg wp
        alice: wp?
        bob: wp 4
        bob: rouse 2 guards
        """,
        hinting=True,
    )


def test_gen_06_dice_alone_answer_a_contest():
    """GEN-06: the user who is asked may leave the command word out, no other may, and what is no answer is not rolled."""
    check_script(
        """
        bob: 5d10 h1
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        carol: 5d10 h1
        bob: 2d10 h1 dc3
            (bob) Not rolled: that is no answer to contest #1: with vs the other side's successes are the difficulty: leave dc3 out.
        bob: 5d6
            (bob) Not rolled: that is no answer to contest #1: a V5 pool is rolled with d10, you wrote 5d6.
        bob: 5d10 vs @alice
            (bob) Not rolled: that is no answer to contest #1: a roll has two sides at most: leave the second vs out.
        bob: 2d10 h7
            (bob) Not rolled: hunger is 0 to 5, you wrote h7.
        bob: 5d6 is what I need
        bob: 10d10 is a lot
        bob: 5d10 for a start
        bob: 5d10?
        bob: d10?
        bob: 2d10 h1?
        bob: 2d10 h1 dodging | 3 8
            alice vs bob: alice wins, 2 successes to 1; alice 6, hunger 7; bob 3, hunger 8; 2d10 h1 vs 2d10 h1 "dodging"; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
            (bob) You may still spend Willpower: "wp #2" rerolls 3.
        bob: 5d10 h1
        alice: v5 2 h1 vs @bob | 6 7
            alice vs bob: v5 2 h1 is rolled and covered. bob: answer "v5 5 h1" or "pass" within 15 min; id 3
        bob: 2d10 h1 | 3 8
            alice vs bob: alice wins, 2 successes to 1; alice 6, hunger 7; bob 3, hunger 8; v5 2 h1 vs 2d10 h1; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
            (bob) You may still spend Willpower: "wp #4" rerolls 3.
        """
    )


def test_gen_06_dice_alone_answer_in_every_game():
    """GEN-06: after the word that opened the contest."""
    check_script(
        """
        alice: xr 3d6 vs @bob | 6 5 4
            alice vs bob: 3d6 is rolled and covered. bob: answer "xr 3d6" or "pass" within 15 min; id 1
        bob: 2d6
            (bob) Not rolled: that is no answer to contest #1: only Skill Rolls, 3d6, oppose and are opposed.
        bob: 3d6 a1 | 1 2 3 4
            alice vs bob: Success, result 1 is 1 less 0; alice 15 from 6 5 4; bob 9 from 1 2 3 4, die 1 dropped; 3d6 vs 3d6 a1; id 2
        """,
        system="crossroads",
    )


def test_gen_06_pass_is_a_word_alone():
    """GEN-06, GEN-10: `pass for me on linux` loses no contest."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: pass for me on linux
        bob: pass 2, fail 13
        bob: pass as bob for now
        bob: pass # for me
            alice vs bob: alice wins, bob does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1 "for me"; id 2
            (alice) You may still spend Willpower: no die has failed, "wp 1 #2" rerolls the 6.
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        bob: pass #3
            alice vs bob: alice wins, bob does not resist, 2 successes; 6, hunger 7; 2d10 h1 dc1; id 4
            (alice) You may still spend Willpower: no die has failed, "wp 1 #4" rerolls the 6.
        """
    )


def test_dsk_06_a_reminder_that_a_contest_waits():
    """DSK-06: who rolls something else is reminded in private, once for each contest."""
    check_script(
        """
        alice: roll 2d10 h1 vs @bob | 6 7
            alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        ... 5 min
        bob: roll 2d10 h1 dc3 | 3 8
            bob: Failure, 1 success vs 3, margin -2; 3, hunger 8; 2d10 h1 dc3; id 2
            (bob) A contest still waits for your answer, #1: alice vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 10 min.
        bob: rouse | 9
            bob: Hunger does not rise; rouse 9; id 3
        carol: roll 2d10 h1 vs @bob | 6 7
            carol vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 4
        bob: rouse | 9
            bob: Hunger does not rise; rouse 9; id 5
            (bob) A contest still waits for your answer, #4: carol vs bob: 2d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min.
        bob: roll 2d10 h1 | 3 8
            alice vs bob: alice wins, 2 successes to 1; alice 6, hunger 7; bob 3, hunger 8; 2d10 h1 vs 2d10 h1; id 6
            (alice) You may still spend Willpower: no die has failed, "wp 1 #6" rerolls the 6.
            (bob) You may still spend Willpower: "wp #6" rerolls 3.
        bob: roll 2d10 h1 | 3 8
            carol vs bob: carol wins, 2 successes to 1; carol 6, hunger 7; bob 3, hunger 8; 2d10 h1 vs 2d10 h1; id 7
            (carol) You may still spend Willpower: no die has failed, "wp 1 #7" rerolls the 6.
            (bob) You may still spend Willpower: "wp #7" rerolls 3.
        bob: rouse | 9
            bob: Hunger does not rise; rouse 9; id 8
        """
    )


def test_gen_13_verify_of_a_number_that_is_none_here():
    """GEN-13: uncalled, `verify #12` may be about anything that has a number."""
    check_script(
        """
        alice: roll 3d10 h1 | 3 6 7
            alice: 2 successes; 3 6, hunger 7; 3d10 h1; id 1
        bob: verify #12
        bob: !verify #12
            Unknown: there is no roll #12 here; its whole id finds it anywhere.
        bob in private: verify #last
            (bob) Unknown: there is no roll #last here: it is the latest line of a channel with an id.
        bob in #other: verify #1
        bob: fair #1
        bob: contests #1
        bob: hints off #1
        bob: reveal it
        bob: close 1
        """
    )
    table = Table()
    table.say("alice", "roll 3d10 h1", (3, 6, 7))
    (reply,) = table.say("bob", "!verify #1").replies
    assert reply.text.startswith("Genuine and official: alice rolled it")


class BrokenError(Exception):
    """A mistake that no player made."""


@pytest.mark.parametrize(
    ("line", "told"),
    [("rouse", True), ("wp", True), ("!rouse", True), ("FUDice: hello", True), ("they threw 5d10", False)],
)
def test_gen_19_a_failure_is_told_of_a_command_alone(caplog, line, told):
    """GEN-19: one calm sentence for a line that was called or is a command; of any other the log knows alone."""
    table = Table()
    table.say("alice", "roll 3d10 h1", (3, 6, 7))

    class Broken(tuple):
        def __bool__(self):
            raise BrokenError

    async def lost(_draft):
        raise BrokenError

    if line in ("rouse", "wp", "!rouse"):
        table.ledger.append = lost
        faces = (9,)
    else:
        table.settings = replace(table.settings, systems=Broken())
        faces = ()
    table.dice = RecordingDice(ScriptedDice(faces))
    message = Message("net", CHANNEL, "alice", line)
    assert table.bot.commands_in(message)
    replies = asyncio.run(table.bot.hear(message))
    assert len(replies) == told
    assert all(reply.text.startswith("Something went wrong here") for reply in replies)
    assert "BrokenError" in caplog.text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("!log 3 #zz", "There is no roll #zz here to go back from."),
        ("!withdraw", "You have no open contest here to withdraw."),
        ("!close 3", '"3" is not an id: ids begin with #, as #3.'),
        ("!discard", "You have no roll here to discard."),
        ("pass #zz", "Contest #zz does not wait for alice."),
        ("!reveal #zz", "Only a storyteller may reveal a secret."),
        (
            "!hunger 3",
            "You have no roll here that could be changed. Nor is hunger tracked for alice: !track hunger 3"
            " begins that.",
        ),
        ("odds wp 1", "You have no roll here that could be changed."),
        ("odds roll 5d10 h7", "Hunger is 0 to 5, you wrote h7."),
        ("!help XR-99", "There is no rule XR-99. Did you mean: !help XR-27"),
        ("!sc luck Ghoul", "No encounter is open here: sc encounter open Encounter luck 6."),
        ("!wp 1", "Not rolled: you have no roll here that could be changed."),
        ("roll 5d10 h7", "Not rolled: hunger is 0 to 5, you wrote h7."),
        ("FUDice: rol 5d10", 'Not rolled: "rol" is unknown. Did you mean: roll 5d10'),
        ("secret roll 5d10", "Not rolled: a secret roll is typed to me in private: nothing was rolled."),
    ],
)
def test_gen_07_not_rolled_stands_before_what_would_have_rolled(line, told):
    """GEN-07: and before nothing else that is refused."""
    (reply,) = Table().say("alice", line if line[0] != "s" else f"FUDice: {line}").replies
    assert reply.text == told


@pytest.mark.parametrize(("line", "told"), [("5d10 rocks", 0), ("log 3", 0), ("wp", 0), ("rouse", 1), ("!wp", 1)])
def test_led_05_talk_hears_nothing_of_a_record_out_of_reach(line, told):
    """GEN-19, LED-05: only a command is answered if the table cannot be asked what the moment is."""
    table = Table()

    async def unavailable(*_place):
        raise LedgerUnavailable

    table.ledger.of_channel = unavailable
    assert len(table.say("alice", line).replies) == told


def test_gen_10_what_throws_no_dice_is_talk_where_it_is_not_complete():
    """GEN-10: `sweep 1` and `sweep 3`, of rooms, where Fayrewood is played too."""
    table = Table(system="fayrewood")
    assert table.say("alice", "sweep 1").replies == table.say("alice", "sweep 3").replies == ()
