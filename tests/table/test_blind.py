"""Rolls that only storytellers see: `blind`, `secrets`, and a storyteller's `log #ID` (DSK-07)."""

import pytest
from playing import CHANNEL, Table, check_script

from ircdice.bot import Present
from ircdice.replay import Replay


def test_dsk_07_a_blind_roll():
    """DSK-07: the storyteller sees it at once and later, nobody else before it is revealed, and nothing follows it."""
    check_script(
        """
        sam*: !secrets
            (sam) nothing here is secret.
        alice: blind roll 5d10
        alice: !blind roll 5d10 h2 dc2 # who sees; me | 9 4 3 8 2
            alice: rolls blind, for the storyteller; 5d10 h2 dc2 "who sees, me"; id 1
            (sam) for you alone, #1: alice: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "who
                sees, me"
        alice: !blind roll 5d10 h7
            (alice) Not rolled: hunger is 0 to 5, you wrote h7.
        alice: !blind roll 5d10 vs @bob
            (alice) Not rolled: a contest with @nick is covered until it is answered: open it in the channel.
        alice in private: blind roll 5d10
            (alice) Not rolled: that is for a channel: say it there.
        alice: wp #1
            (alice) Not rolled: there is no roll #1 here that could be changed.
        alice: odds wp #1
            (alice) There is no roll #1 here that could be changed.
        alice: !again
            (alice) Not rolled: your latest roll, #1, was made in secret, and cannot be repeated: type another command.
        alice: !log
            (alice) there is no roll to list here.
            (alice) 1 secret of this channel is not revealed.
        alice: !stats
            there are no recorded rolls in #FU_Dice.
        alice: !stats alice
            alice has no recorded rolls in #FU_Dice.
        sam*: log #1
            (sam) for you alone, #1: alice: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "who
                sees, me"
        alice: reveal #1
            (alice) Only a storyteller may reveal a secret.
        sam*: reveal #1
            sam: #1 is revealed; alice: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "who sees,
                me"; sealed "roll 5d10 h2 dc2 # who sees; me; d10 9 4 3 8 2" salt 0; id 2
        alice: !log
            (alice) 22:13 UTC sam: #1 is revealed; alice: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10
                h2 dc2 "who sees, me"; sealed "roll 5d10 h2 dc2 # who sees; me; d10 9 4 3 8 2" salt 0; id 2
        """
    )


def test_dsk_07_secrets_are_listed_for_storytellers():
    """DSK-07: with what was met; a difficulty that waits is no secret that the channel is told of."""
    check_script(
        """
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        alice: !log
            (alice) there is no roll to list here.
        alice: !secrets
            (alice) Only a storyteller of #FU_Dice may read its secrets.
        sam* in private: secrets
            (sam) In private say where: secrets in #CHANNEL.
        sam* in private: log #1 in #FU_Dice
            (sam) for you alone, #1: difficulty 3 for bob, unused
        bob: roll 5d10 h1 | 9 8 2 1 1
            bob: Bestial failure, 2 successes; 9 8 2 1, hunger 1; difficulty secret; 5d10 h1; id 2
            (sam) for you alone, #2: bob: Bestial failure, 2 successes vs 3, margin -1; 9 8 2 1, hunger 1; 5d10 h1 dc3
        sam* in private: secret roll 2d10 h1 in #FU_Dice | 9 4
            sam: the storyteller rolls in secret; id 3
            (sam) for you alone, #3: sam: 1 success; 9, hunger 4; 2d10 h1; "reveal #3" in #FU_Dice shows it
        carol: !blind rouse | 4
            carol: rolls blind, for the storyteller; rouse; id 4
            (sam) for you alone, #4: carol: Hunger rises by 1; rouse 4
        sam* in private: secrets in #FU_Dice
            (sam) not revealed: #1 difficulty 3 for bob (#2), #3 secret roll, #4 blind roll of carol; log #ID shows one
                to you
        bob: !log bob 1
            (bob) 22:13 UTC bob: Bestial failure, 2 successes; 9 8 2 1, hunger 1; difficulty secret; 5d10 h1; id 2
            (bob) 3 secrets of this channel are not revealed.
        bob in private: log #2 in #FU_Dice
            (bob) Only a storyteller of #FU_Dice may read its log in private.
        bob: log #2
            (bob) bob: Bestial failure, 2 successes; 9 8 2 1, hunger 1; difficulty secret; 5d10 h1; id 2
            (bob) Rolled in #fu_dice on net, 14 Nov 2023, 22:13 UTC; dice in the order drawn: d10 9 8 2 1 1
        """
    )


@pytest.mark.parametrize(
    ("present", "told"),
    [
        (None, "Not rolled: I cannot tell who is a storyteller here: nobody could read a blind roll."),
        ((), "no storyteller is here now: !log #1 shows it to one later."),
        ((Present("Sam", "sam"), Present("dee", "dee")), "for you alone, #1: alice: 17; 4d6k3"),
    ],
)
def test_irc_14_who_is_told(present, told):
    """DSK-07, IRC-14: all storytellers who are there, none by nick; refused where none could ever read it."""
    table = Table(system="generic")
    answer = table.say(
        "alice", "!blind roll 4d6k3", (6, 6, 5, 2) if present is not None else (), storytellers=lambda _channel: present
    )
    private = [reply for reply in answer.replies if reply.private]
    assert [reply.target for reply in private] == [each.nick for each in present or ()] or ["alice"]
    assert all(reply.text.startswith(told) for reply in private)


@pytest.mark.parametrize("present", [(), (Present("dee", "dee"),), (Present("sam", "another"),)])
def test_dsk_07_the_setter_alone_is_told(present):
    """DSK-07: who set a difficulty is told of the roll under it, if they are there, and no other storyteller."""
    table = Table(system="fayrewood")
    table.say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private", account="sam")
    replies = table.say("bob", "toss 3 2", (4, 5), storytellers=lambda _channel: present).replies
    assert [reply.private for reply in replies] == [False]
    table.say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private", account="sam")
    here = (Present("sam_", "sam"), *present)
    _, told = table.say("bob", "toss 3 2", (4, 5), storytellers=lambda _channel: here).replies
    assert (told.target, told.text) == (
        "sam_",
        "for you alone, #4: bob: Win, 9 vs 9 Challenging, margin 0; 4 5; d8 d6 dc9",
    )


def test_led_16_a_blind_roll_is_judged_again():
    """LED-16, LED-17: its reveal comes to the same line, and the record of it has no face."""
    table = Table()
    for line in ("alice: !blind roll 3d10 h1 | 9 4 3", "sam*: reveal #1"):
        assert table.heard(line)
    assert (table.records[0].draft.text, table.records[0].draft.draws) == ("blind roll 3d10 h1", ())
    replay = Replay()
    assert [fault for record in table.records if (fault := replay.fault(record))] == []


def test_dsk_07_what_is_not_rolled_blind_says_so():
    """DSK-07: initiative and what the table keeps are rolled in the open."""
    check_script("""
        sam*: sc encounter open Hydra luck 6 dc3
            sam: the encounter opens, Hydra Luck 6/6, DC 3; id 1
        alice: !blind init +3
            (alice) Not rolled: "init +3" cannot be made in secret: say it in the open.
        alice: !blind sc strike 2 vs Hydra
            (alice) Not rolled: that roll would change or use what is kept here, as an encounter's Luck: make it in the
                open, or without.
    """)


def test_gen_19_a_follow_up_to_a_blind_roll_is_refused_with_the_reason():
    """DSK-07: also uncalled, while the roll is young; it may mean no other one."""
    check_script("""
        sam*: roll 1d6 | 2
            sam: 2; 1d6 2; 1d6; id 1
        alice: wp
        alice: !blind roll 2d10 h1 | 4 2
            alice: rolls blind, for the storyteller; 2d10 h1; id 2
            (sam) for you alone, #2: alice: Failure, 0 successes; 4, hunger 2; 2d10 h1
        alice: wp
            (alice) Not rolled: your latest roll, #2, was made in secret, and nothing can follow it.
        alice: wp 2
            (alice) Not rolled: your latest roll, #2, was made in secret, and nothing can follow it.
        alice: wp all, gg
        ... 31 min
        alice: wp
        alice: wp 2
        alice: !wp
            (alice) Not rolled: your latest roll, #2, was made in secret, and nothing can follow it.
    """)


def test_gen_03_as_nobody_is_a_comment_on_a_blind_roll():
    """GEN-03, DSK-07: `as` before a name that the channel does not know; another's roll is refused."""
    check_script("""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        bob: !blind roll 2d10 h0 as planned | 5 4
            bob: rolls blind, for the storyteller; 2d10 h0 "as planned"; id 2
            (sam) for you alone, #2: bob: Failure, 0 successes; 5 4; 2d10 h0 "as planned"
        bob: !blind roll 2d10 h0 as Thug
            (bob) Not rolled: "roll 2d10 h0 as Thug" is no roll of your own: only those are made in secret.
    """)
