"""`Nx COMMAND` at the table: a record and an id for each roll (GEN-17)."""

import re

import pytest
from playing import check_script
from posted import said

from ircdice.bot import Message
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import MemoryLedger
from ircdice.replay import Replay
from ircdice.wire.outgoing import BETWEEN


def test_gen_17_a_group_of_three():
    """GEN-17: N records, each of the plain command; follow-ups mean the last, or name one."""
    check_script(
        """
        sam: 3x roll 5d10 h2 dc2 # thugs | 9 4 3 8 2 1 1 1 7 7 10 10 9 9 9
            sam: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "thugs"; id 1
            sam: Success, 2 successes vs 2, margin 0; 1 1 1, hunger 7 7; 5d10 h2 dc2 "thugs"; id 2
            sam: Critical, 7 successes vs 2, margin +5; 10 10 9, hunger 9 9; 5d10 h2 dc2 "thugs"; id 3
        sam: wp 1 #2 | 6
            sam: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 6 1 1, hunger 7 7, rerolled 1
                as 6; wp 1 on 2; id 4
        sam: !2x rouse | 5 6
            sam: Hunger rises by 1; rouse 5; id 5
            sam: Hunger does not rise; rouse 6; id 6
        sam: 2x toss 3 2
        sam: !2x wp
            (sam) Not rolled: "wp" is no roll of its own: only those are repeated.
        sam: 2x roll 5d10 h7
            (sam) Not rolled: hunger is 0 to 5, you wrote h7.
        """
    )


def test_gen_17_it_answers_no_contest():
    """GEN-06, GEN-17: who is asked in a contest is reminded once, and the contest waits."""
    check_script(
        """
        alice: roll 3d10 h1 vs @bob | 9 4 3
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 1
        bob: 2x roll 3d10 h0 | 1 2 3 4 5 6
            bob: Botch, 0 successes; 1 2 3; 3d10 h0; id 2
            bob: 1 success; 4 5 6; 3d10 h0; id 3
            (bob) A contest still waits for your answer, #1: alice vs bob: 3d10 h1 is rolled and covered. bob: answer
                "roll 5d10 h1" or "pass" within 15 min.
        """
    )


def test_gen_17_a_secret_difficulty_is_for_the_first():
    """FW-10, GEN-17: each is a roll by itself."""
    check_script(
        """
        sam* in private: difficulty 9 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob: !2x toss 3 2 | 4 5 6 3
            bob: Win; 9 from 4 5; difficulty secret; d8 d6; id 2
            bob: Total 9; 6 3; d8 d6; id 3
            (sam) for you alone, #2: bob: Win, 9 vs 9 Challenging, margin 0; 4 5; d8 d6 dc9
        """,
        system="fayrewood",
    )


def test_gen_17_as_somebody_who_is_not_there():
    """GEN-03, GEN-17: refused as the command itself would be."""
    check_script(
        """
        sam*: sc encounter open Ghost luck 9
            sam: the encounter opens, Ghost Luck 9/9; id 1
        bob: !2x sc strike 5 as Nobody vs Ghost dc3
            (bob) Not rolled: nobody here is called Nobody. Did you mean: !2x sc strike 5 vs Ghost dc3 # as Nobody
        bob: 2x sc strike 5d6 vs Ghost dc3 | 4 4 4 4 1 4 4 1 1 1
            bob: Hit, Complete Success, 4 passes vs DC 3, drains 1 Luck, Ghost Luck 8/9; 4 4 4 4 1; strike 5 vs Ghost
                dc3; id 3
            bob: Miss, 2 passes vs DC 3; 4 4 1 1 1; strike 5 vs Ghost dc3; id 4
        """,
        system="strike_cinder",
    )


def test_led_20_each_line_of_a_shared_one_is_found(table):
    """GEN-17, LED-20: what the bot posts in one line is verified line by line, and the replay judges each."""
    replies = table.say("alice", "3x roll 5d10 h2", (9, 4, 3, 8, 2, 1, 1, 1, 1, 2, 10, 10, 9, 9, 9)).replies
    assert [reply.joins for reply in replies] == [True, True, False]
    assert [record.draft.text for record in table.records] == ["roll 5d10 h2"] * 3
    assert [record.draft.draws[0] for record in table.records] == [(10, 9), (10, 1), (10, 10)]
    pasted = BETWEEN.join(reply.text for reply in replies)
    assert said(table, "bob", f"!verify {pasted}").startswith("3 lines: 3 genuine")
    altered = pasted.replace("7 successes", "8 successes")
    assert re.match("3 lines: 2 genuine; 3-.{6} altered", said(table, "bob", f"!verify {altered}"))
    replay = Replay()
    assert [fault for record in table.records if (fault := replay.fault(record))] == []


def test_gen_17_eval_lists_each(evaluate):
    """cli.md, GEN-17: `rolls` has each; the keys of a roll are those of the first."""
    answer = evaluate({"text": "2x roll 2d10 h0", "dice": [9, 4, 3, 8]})
    assert [[die["face"] for die in roll["dice"]] for roll in answer["rolls"]] == [[9, 4], [3, 8]]
    assert answer["rolls"][0] == {key: answer[key] for key in answer["rolls"][0]}
    assert "error" in evaluate({"text": "2x roll 2d10 h0", "dice": [9, 4, 3, 8, 1]})


class Once(MemoryLedger):
    """A ledger that is away after one record."""

    async def append(self, draft):
        if self.records:
            raise LedgerUnavailable
        return await super().append(draft)


def test_led_05_what_was_recorded_is_posted(table):
    """LED-05, GEN-17: a roll that is in the ledger stands; the speaker hears that the others were not made."""
    table.ledger = Once(lambda: table.now, key=b"\x11" * 32)
    table.restart()
    replies = table.say("alice", "3x roll 2d10 h0", (9, 4, 3, 8)).replies
    assert [reply.text.partition("; id")[0] for reply in replies] == [
        "alice: 1 success; 9 4; 2d10 h0",
        "Rolled 1 of 3: the record is out of reach.",
    ]
    assert [reply.private for reply in replies] == [False, True]


@pytest.mark.parametrize(("text", "count"), [("!12x rouse", 10), ("3x roll 5d10", 3), ("roll 5d10", 1), ("hello", 0)])
def test_irc_15_counted_as_often_as_it_is_rolled(table, text, count):
    """GEN-16, GEN-17, IRC-15: known before anything is parsed; never more than may be rolled."""
    assert table.bot.commands_in(Message("net", "#FU_Dice", "al", text)) == count
