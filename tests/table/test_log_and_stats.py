"""LED-24: `log` and `stats`, from the record, in words that anyone understands."""

import asyncio
import re
from itertools import product

import pytest
from playing import CHANNEL, Table, check_script

from ircdice.bot.log import LOOKED
from ircdice.bot.statistics import FaceCounts, described
from ircdice.clock import MINUTE
from ircdice.ledger.record import from_base32


@pytest.fixture
def table():
    """Four rolls by two players, one in private, one discarded, one changed."""
    table = Table()
    table.say("alice", "roll 5d10 h2 dc3", (9, 4, 3, 8, 2))
    table.say("bob", "roll 4d6k3", (1, 2, 3, 4))
    table.say("alice", "roll 4d6k3 # in private", (6, 6, 6, 6), where="private")
    table.say("alice", "roll 2d6", (1, 1))
    table.say("alice", "discard #4")
    table.say("alice", "wp 2 #1", (10, 10))
    return table


def said(table, nick, text, faces=(), **more):
    return [reply.text for reply in table.say(nick, text, faces, **more).replies]


async def append(ledger, drafts):
    for draft in drafts:
        await ledger.append(draft)


def numbers(lines):
    """The seq of each roll that is listed, in order."""
    return [from_base32(seq) for line in lines for seq in re.findall(r"; id (\w+)-", line)]


def test_led_24_log_is_told_in_private(table):
    """LED-24, GEN-10: the channel's latest rolls with ids, newest first, to the asker; nothing discarded (SC-21)."""
    replies = table.say("sam", "!log").replies
    assert all(reply.private and reply.target == "sam" for reply in replies)
    assert numbers(reply.text for reply in replies) == [6, 2, 1]
    assert replies[0].text.startswith("22:13 UTC alice: ")


@pytest.mark.parametrize(
    ("text", "seqs"),
    [
        ("!log 1", [6]),
        ("!log 2", [6, 2]),
        ("!log alice", [6, 1]),
        ("!log Alice 1", [6]),
        ("!log bob", [2]),
        ("!log 5 #2", [2, 1]),
        ("!log alice 5 #5", [1]),
        ("FUDice: log @bob 3", [2]),
    ],
)
def test_led_24_whose_and_how_many(table, text, seqs):
    """LED-24: `log [nick] [N] [#ID]`."""
    assert numbers(said(table, "sam", text)) == seqs


def test_led_24_what_is_listed_can_be_verified(table):
    """LED-20: the lines of `log`, pasted as they are, are genuine."""
    for line in said(table, "sam", "!log"):
        assert said(table, "sam", f"!verify {line}")[0].startswith(
            "3 lines: 2 genuine; 1-n84tqh genuine, but replaced."
        )
    assert said(table, "sam", f"!verify {said(table, 'sam', '!log bob')[0]}")[0].startswith("Genuine and official: bob")


def test_led_24_in_private_ones_own_rolls_everywhere(table):
    """LED-24: in private one's own rolls of that network are listed, those in private too; nobody else's."""
    assert numbers(said(table, "alice", "log", where="private")) == [6, 3, 1]
    assert numbers(said(table, "bob", "log", where="private")) == [2]
    assert said(table, "bob", "log alice", where="private") == [
        "What alice rolled is asked in the channel where it was rolled."
    ]


def test_led_24_more_dice_than_four_lines_have_room_for(table):
    """LED-24, IRC-20: it is said that some are left out, and where they are."""
    posted = table.say("alice", "roll 10x 100d1000", (1000,) * 1000).record
    lines = said(table, "sam", f"log #{posted.id}")
    assert lines[-1].endswith(" 1000 and more, which an export has.")
    assert len(lines) == 4
    assert all(len(line.encode()) <= 400 for line in lines)


def test_led_24_how_far_log_looks_back(table):
    """LED-24: `log` does not say of older records that they do not exist."""
    alices, bobs = table.records[0].draft, table.records[1].draft
    asyncio.run(append(table.ledger, [bobs] * LOOKED))
    further = "is among the latest 1,000 records here: log #ID shows any roll."
    assert said(table, "sam", "!log 3 #1") == [f"nothing up to #1 {further}"]
    asyncio.run(append(table.ledger, [alices] * LOOKED))
    assert said(table, "sam", "!log alice 3 #1") == [f"nothing by alice up to #1 {further}"]
    assert said(table, "sam", "log #1")[0].startswith("alice: ")


def test_led_24_nothing_there(table):
    """LED-24"""
    assert said(table, "sam", "!log zoe") == ["there is no roll by zoe to list here."]
    assert said(table, "sam", "!log bob 5 #1") == ["there is no roll by bob up to #1 to list here."]
    assert said(table, "sam", "!log", where="#other") == ["there is no roll to list here."]
    assert said(table, "sam", "!stats zoe") == ["zoe has no recorded rolls in #FU_Dice."]
    assert said(table, "sam", "log #99") == ["Unknown: there is no roll #99 here; its whole id finds it anywhere."]
    assert said(table, "sam", "!log 3 #99") == ["There is no roll #99 here to go back from."]
    assert said(table, "sam", "log #4d-abc") == ['"#4d-abc" is no id.']


def test_led_24_twenty_in_four_lines():
    """IRC-20: at most four lines, then how to go on; nothing is left out on the way."""
    table = Table()
    for number in range(25):
        table.say("alice", f"roll 4d6k3 # {'x' * 60} {number}", (1, 2, 3, 4))
    seen, asked = [], "!log 20"
    while asked:
        *lines, last = said(table, "sam", asked)
        assert len(lines) < 4
        assert all(len(line.encode()) <= 400 for line in lines)
        more = re.fullmatch(r"and [0-9]+ more: (!log .*)", last)
        seen += numbers(lines if more else [*lines, last])
        asked = more[1] if more else None
    assert seen == list(range(25, 5, -1))


def test_led_24_earlier_days_have_their_date():
    """LED-24: today's rolls have the time alone, this year's a day, older ones the year."""
    table = Table()
    table.say("alice", "roll 1d6", (1,))
    for days, begins in ((0, "22:13 UTC alice"), (1, "14 Nov 22:13 UTC alice"), (60, "14 Nov 2023, 22:13 UTC alice")):
        table.now = 1_700_000_000_000 + days * 24 * 60 * MINUTE
        (line,) = said(table, "sam", "!log")
        assert line.startswith(begins)
        assert said(table, "sam", f"!verify {line}")[0].startswith("Genuine and official")


def test_led_24_one_roll_with_all_its_dice():
    """LED-24: over thirty dice are counted when posted; `log #ID` has every face in the order drawn."""
    table = Table()
    faces = tuple(range(1, 11)) * 4
    table.say("alice", "roll 40d10+2d6", (*faces, 6, 1))
    line, dice = said(table, "sam", "log #1")
    assert line == f"{table.records[0].draft.line}; id {table.records[0].id}"
    assert dice.endswith(f"dice in the order drawn: d10 {' '.join(map(str, faces))} d6 6 1")
    table.say("alice", "roll 100d100", (100,) * 100)
    assert all(len(each.encode()) <= 400 for each in said(table, "sam", "log #2"))
    table.say("alice", "discard #2")
    assert said(table, "sam", "log #3")[1].endswith("no die was drawn.")


def test_led_24_stats_counts_what_was_thrown():
    """LED-24: neither an automatic win nor a sweep is a roll: no die falls."""
    table = Table()
    assert table.say("alice", "autowin 9 dc4 h1").error is None
    assert table.say("alice", "sweep 5 5 dc5").error is None
    assert said(table, "sam", "!stats alice") == ["alice has no recorded rolls in #FU_Dice."]
    table.say("alice", "roll 2d10 h0", (3, 4))
    assert said(table, "sam", "!stats alice")[0].startswith("alice in #FU_Dice: 1 roll, 2 dice, since ")


def test_led_24_stats(table):
    """LED-24, DSK-14: a line in the channel; what came of the rolls and how the dice fell to the one who asked."""
    first, *rest = table.say("sam", "!stats alice").replies
    assert (first.target, first.text) == (
        CHANNEL, "alice in #FU_Dice: 2 rolls, 9 dice, since 14 Nov 2023, 22:13 UTC."
    )  # fmt: skip
    assert [reply.target for reply in rest] == ["sam", "sam", "sam"]
    assert rest[0].text == "V5 Hunger pools: Critical 1"
    assert rest[1].text.startswith("d10, 7 dice: 1 x0, 2 x1, 3 x1, 4 x1, 5 x0, 6 x0, 7 x0, 8 x1, 9 x1, 10 x2; 0.7 of")
    assert (
        rest[2].text == "d6, 2 dice: 1 x2, 2 x0, 3 x0, 4 x0, 5 x0, 6 x0; 0.3 of each are expected; average 1.0, fair is"
        " 3.5; too few to tell anything."
    )
    assert said(table, "alice", "stats", where="private")[0].startswith("alice on this network: 3 rolls, 13 dice")


def test_dsk_14_who_won_a_contest_is_not_counted():
    """DSK-14: only its dice are counted, and `help stats` says so."""
    check_script("""
        alice: roll 1d10 h0 vs 1d10 h0 | 9 3
            alice vs other: alice wins, 1 success to 0; alice 9; other 3; 1d10 h0 vs 1d10 h0; id 1
            (alice) You may still spend Willpower: no die has failed, "wp 1 #1" rerolls the 9.
            (alice) You may still spend Willpower: "wp #1 as other" rerolls 3.
        alice: !stats
            channel #FU_Dice: 1 roll, 2 dice, since 14 Nov 2023, 22:13 UTC.
            (alice) d10, 2 dice: 1 x0, 2 x0, 3 x1, 4 x0, 5 x0, 6 x0, 7 x0, 8 x0, 9 x1, 10 x0; 0.2 of each are expected;
                average 6.0, fair is 5.5; too few to tell anything.
        alice: !help stats
            "!stats": how the dice of this channel fell: rolls, their results (but not who won contests), and how often
                each face came up, compared with fair dice
            (alice) "!stats alice": the same of one player
    """)


def test_dsk_14_stats_of_a_channel():
    """DSK-14: everybody's; a changed roll has one outcome, a discarded one none, a covered one is not counted."""
    check_script(
        """
        sam*: !stats
            there are no recorded rolls in #FU_Dice.
        alice: roll 5d10 h2 dc3 | 9 4 3 8 2
            alice: Failure, 2 successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3; id 1
        alice: wp 1 | 7
            alice: Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; 9 4 7, hunger 8 2, rerolled 3 as
                7; wp 1 on 1; id 2
        bob: toss 3 2 dc7 | 4 5
            bob: Win, 9 vs 7 Moderate, margin +2; 4 5; d8 d6 dc7; id 3
        bob: roll 2d10 h0 | 1 2
            bob: Botch, 0 successes; 1 2; 2d10 h0; id 4
        bob: !discard
            bob: #4 is discarded: it does not count and is not listed; id 5
        bob: roll 2d10 h1 dc1 | 1 1
            bob: Botch and bestial failure, 0 successes vs 1, margin -1; 1, hunger 1; 2d10 h1 dc1; id 6
        bob: !blind roll 3d10 h0 dc1 | 9 9 9
            bob: rolls blind, for the storyteller; 3d10 h0 dc1; id 7
            (sam) for you alone, #7: bob: Success, 3 successes vs 1, margin +2; 9 9 9; 3d10 h0 dc1
        bob: xr 3d6 | 1 2 3
            bob: Partial Success or Compensating Failure (your choice); total 6; 1 2 3; 3d6; id 8
        alice: !stats
            channel #FU_Dice: 5 rolls, 15 dice, since 14 Nov 2023, 22:13 UTC.
            (alice) Crossroads: Partial Success or Compensating Failure 1; Fayrewood: Win 1; V5 Hunger pools: Success 1,
                Botch and bestial failure 1
            (alice) d10, 10 dice: 1 x3, 2 x2, 3 x1, 4 x1, 5 x0, 6 x0, 7 x1, 8 x1, 9 x1, 10 x0; 1.0 of each are expected;
                average 3.8, fair is 5.5; too few to tell anything.
            (alice) d6, 4 dice: 1 x1, 2 x1, 3 x1, 4 x0, 5 x1, 6 x0; 0.7 of each are expected; average 2.8, fair is 3.5;
                too few to tell anything. Other dice: 1 d8; !log 20 lists rolls, and log #ID has all dice of one.
        """
    )


def counted(lines):
    """How many dice the lines of `stats` tell of."""
    by_face = [int(count) for line in lines for count in re.findall(r"^d[0-9]+, ([0-9]+) di", line)]
    named = re.search(r"Other dice: ([^;]*);", lines[-1])
    return sum(by_face) + sum(int(count) for count in re.findall(r"([0-9]+) (?:d|of)", named[1] if named else ""))


@pytest.mark.parametrize(
    ("dice", "others"),
    [
        ("3d10+2d6+2d8", None),
        ("3d10+2d6+2d8+1d20", "1 d20"),
        ("3d10+1d100", "1 d100"),
        ("1d100", "1 d100"),
        ("9d3+9d4+8d5+8d6+7d7+7d8+6d9+5d10+4d11+3d12+2d13", "8 d6, 7 d7, 7 d8, 6 d9, 5 d10, 4 d11, 5 of 2 more kinds"),
        ("99d18+98d19+97d20+9d17+8d16+7d15+6d14+5d13+4d1000000", "9 d17, 8 d16, 7 d15, 6 d14, 5 d13, 4 d1000000"),
    ],
)
def test_irc_20_stats_leaves_no_die_out(dice, others):
    """IRC-20, LED-24: all dice told of add up; those that are not told by face are counted, and where they are."""
    table = Table(system="generic")
    each = [int(count) for count in re.findall(r"([0-9]+)d", dice)]
    for _ in range(30):
        table.say("alice", f"roll {dice}", (1,) * sum(each))
    first, *lines = said(table, "sam", "!stats alice")
    assert f"30 rolls, {30 * sum(each)} dice, since" in first
    assert counted(lines) == 30 * sum(each)
    assert len(lines) < 4
    assert all(len(line.encode()) <= 400 for line in lines)
    where = "; !log alice 20 lists rolls, and log #ID has all dice of one."
    assert others is None or lines[-1].endswith(f"Other dice: {times(30, others)}{where}")
    assert others or "Other" not in lines[-1]
    assert said(table, "sam", "!log alice 20")


def times(many, others):
    """The same counts so many times over."""
    return re.sub(r"([0-9]+) (?=d|of)", lambda count: f"{many * int(count[1])} ", others)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((10,) * 10, "nothing unusual: fair dice are this uneven or more 100 times in 100."),
        ((14, 6, 12, 8, 9, 11, 10, 10, 13, 7), "nothing unusual: fair dice are this uneven or more 74 times in 100."),
        ((20, 4, 12, 8, 9, 11, 10, 10, 13, 3), "somewhat uneven: fair dice are this uneven 2 times in 100."),
        ((25, 4, 12, 8, 9, 11, 10, 10, 8, 3), "very uneven: fair dice do this only once in 5,890 times."),
        ((0,) * 9 + (1000,), "very uneven: fair dice do this only once in 1,000,000 times."),
        ((0,) * 9 + (163,), "very uneven: fair dice do this only once in 1,000,000 times."),  # once in 10**308
        ((5, 4, 5, 5, 5, 5, 5, 5, 5, 5), "too few to tell anything."),
        ((40,), "too few to tell anything."),
    ],
)
def test_led_24_p_in_words(counts, words):
    """LED-24: the p-value as how often fair dice would do that."""
    assert described(FaceCounts.of(counts)).endswith(f"; {words}")


QUESTIONS = (
    "!log", "!log alice", "!log 20", "log #last", "!stats", "!stats alice", "!stats bob", "verify #last", "!contests",
    *(f"{word} #{number}" for word in ("log", "verify") for number in range(1, 8)),
)  # fmt: skip


def answers(covered, private):
    """All that three people are told while a contest is covered and a private roll is made, ids taken out."""
    table = Table()
    table.say("alice", "roll 5d10 h2 dc3", (9, 4, 3, 8, 2))
    waiting = table.say("alice", "roll 6d10 h2 vs @bob", covered).replies[0].text
    secret = table.say("alice", "roll 6d10 h2", private, where="private").replies[0].text
    told = []
    for nick, where in product(("bob", "sam", "alice"), (CHANNEL, "private")):
        if (nick, where) == ("alice", "private"):
            continue  # she may see her own
        hers = () if nick == "alice" else (f"!verify {secret[-8:]}", f"log #{secret[-8:]}")
        for question in (*QUESTIONS, f"!verify {waiting}", *hers):
            told += [(nick, where, question, *said(table, nick, question, where=where))]
    return [tuple(re.sub(r"\b([0-9a-z]+)-[0-9a-z]{6}\b", r"\1-TAG", text) for text in each) for each in told]


def test_led_21_nothing_covered_shows():
    """LED-21, GEN-06: whatever is asked, the answers are the same whatever faces are covered or private."""
    one = answers((1, 1, 1, 1, 1, 1), (10, 10, 10, 10, 10, 10))
    other = answers((10, 10, 9, 9, 10, 10), (2, 3, 4, 2, 3, 4))
    assert one == other
    assert len(one) > 100


def test_led_21_a_covered_roll_counts_once_it_is_answered():
    """LED-24: then its dice are told like any others."""
    table = Table()
    table.say("alice", "roll 6d10 h2 vs @bob", (1,) * 6)
    assert said(table, "sam", "!stats alice") == ["alice has no recorded rolls in #FU_Dice."]
    table.say("bob", "pass")
    assert said(table, "sam", "!stats alice")[0].startswith("alice in #FU_Dice: 1 roll, 6 dice")


def test_dsk_01_log_and_stats_of_a_character():
    """DSK-01, LED-24: lines are posted under that name, whoever rolled."""
    check_script("""
        bob: !play Ann
            bob: plays Ann; id 1
        bob: roll 1d6 | 2
            Ann (bob): 2; 1d6 2; 1d6; id 3
        bob: !play off
            bob: no longer Ann; id 4
        bob: roll 1d6 | 3
            bob: 3; 1d6 3; 1d6; id 5
        bob: !play Ann
            bob: plays Ann; id 6
        alice: !log Ann
            (alice) 22:13 UTC Ann (bob): 2; 1d6 2; 1d6; id 3
        alice: !stats Ann
            Ann in #FU_Dice: 1 roll, 1 die, since 14 Nov 2023, 22:13 UTC.
            (alice) d6, 1 die: 1 x0, 2 x1, 3 x0, 4 x0, 5 x0, 6 x0; 0.2 of each are expected; average 2.0, fair is
                3.5; too few to tell anything.
    """)


def test_led_24_log_shows_one_roll_at_a_time():
    """A second id is refused, and not ignored as a comment."""
    check_script("""
        alice: roll 1d6 | 2
            alice: 2; 1d6 2; 1d6; id 1
        alice: roll 1d6 | 3
            alice: 3; 1d6 3; 1d6; id 2
        alice: !log #1 #2
            (alice) Log shows one roll at a time: log #2 shows the next.
    """)
