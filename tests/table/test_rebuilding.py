"""What a channel remembers: a fold over its records (GEN-09), rebuilt after a restart or forgotten when it is old."""

import asyncio
from dataclasses import replace

import pytest
from playing import CHANNEL, START, Table

from ircdice.bot import Message
from ircdice.clock import DAY, MINUTE
from ircdice.dice import RecordingDice, ScriptedDice
from ircdice.errors import LedgerUnavailable
from ircdice.settings import HouseRules
from ircdice.table import KEPT


def test_gen_06_a_contest_whose_answer_was_altered_is_not_open(caplog):
    """GEN-06, LED-16: it is left out whole, so that nobody answers it again and it does not lapse."""
    table = Table()
    table.say("alice", "roll 2d10 h1 vs @bob", (3, 4))
    table.say("bob", "roll 2d10 h1", (5, 6))
    answer = table.ledger.records[1]
    table.ledger.records[1] = replace(answer, draft=replace(answer.draft, draws=()))
    table.restart()
    (reply,) = table.say("alice", "!contests").replies
    assert "#1" not in reply.text
    assert "cannot be judged" in caplog.text
    table.now += DAY
    assert asyncio.run(table.bot.due()) == ()


def test_led_10_a_whole_id_must_have_its_tag():
    """LED-10, GEN-09: the number alone is enough; with a tag it must be the right one, in any case."""
    table = Table()
    first = table.say("alice", "roll 2d10 h1", (3, 4)).record.id
    assert table.say("alice", "wp 1 #1-zzzzzz").error
    assert table.say("alice", f"wp 1 #{first.upper()}", (7,)).error is None


def test_led_10_a_tag_is_read_as_verify_reads_it():
    """LED-10, LED-20: letters that look like digits are those, whatever the id is said behind."""
    table, heard = Table(), str.maketrans("01", "OI")
    rolls = [table.say("alice", "roll 2d10 h1", (3, 4)).record for _ in range(5)]
    seals = [table.say("sam", "difficulty 3 for bob in #FU_Dice", star=True, where="private").record for _ in range(5)]
    roll, seal = (next(r for r in records if {*r.tag} & {*"01"}) for records in (rolls, seals))
    assert table.say("alice", f"wp 1 #{roll.id.translate(heard)}", (7,)).error is None
    assert table.say("sam", f"reveal #{seal.id.translate(heard)}", star=True).error is None


def test_gen_09_an_id_of_another_channel_is_not_known_here():
    """GEN-09"""
    table = Table()
    first = table.say("alice", "roll 2d10 h1", (3, 4), where="#elsewhere").record.id
    assert "no roll" in str(table.say("alice", f"wp 1 #{first}").error)


def test_gen_09_names_are_compared_as_the_server_does():
    """GEN-09, IRC-09: in rfc1459 `[` is the capital of `{`, in ascii it is not; channels likewise."""
    for casemapping, error in (("rfc1459", None), ("ascii", "no roll")):
        table = Table()
        table.say("Al[x]", "roll 2d10 h1", (3, 4), casemapping=casemapping)
        answer = table.say("aL{X}", "wp 1", () if error else (7,), casemapping=casemapping)
        assert answer.error is None if error is None else error in str(answer.error)


def test_v5_15_an_account_is_somebody_whatever_the_nick():
    """V5-15: the roller under another nick, and nobody else under the roller's."""
    table = Table()
    table.say("alice", "roll 3d10 h1", (3, 4, 5), account="Alice")
    assert table.say("alice", "wp 1 #1", account="mallory").error
    assert table.say("alice", "wp 1 #1").error
    assert table.say("alice_away", "wp 1", (7,), account="alice").error is None


def test_v5_15_logging_in_after_the_roll_changes_nobody():
    """V5-15: the same nick, now with an account, still has its roll."""
    table = Table()
    table.say("alice", "roll 3d10 h1", (3, 4, 5))
    assert table.say("alice", "wp 1", (7,), account="alice").error is None


def test_gen_09_what_was_admitted_stands_under_new_settings():
    """GEN-09, V5-25: a reroll of its time is not undone by shorter wp_minutes, and can be followed."""
    table = Table()
    table.say("alice", "roll 2d10 vs 2d10 h0", (3, 4, 5, 6))
    table.now += 20 * MINUTE
    table.say("alice", "wp 1 as other", (7,))
    table.settings = type(table.settings)(official=True, house=HouseRules(wp_minutes=1))
    table.restart()
    answer = table.say("alice", "hunger 1")
    assert answer.error is None
    assert [die.face for die in answer.outcome.opponent.dice] == [7, 6]


def test_gen_09_many_rolls_and_a_restart():
    """GEN-09: a roll that may still be changed is known however many came after it, after a restart too."""
    table = Table()
    table.say("alice", "roll 2d10 h1", (3, 4))
    for _ in range(3 * KEPT):
        table.say("bob", "rouse", (6,))
    table.restart()
    table.now += 30 * MINUTE
    assert table.say("alice", "wp 1", (9,)).error is None


def test_gen_09_old_rolls_are_let_go():
    """GEN-09: once nothing can follow them, so that a channel's memory does not grow without end."""
    table = Table()
    for _ in range(2 * KEPT):
        table.say("bob", "rouse", (6,))
        table.now += MINUTE
    chains = list(table.bot.places.ready["net", CHANNEL.lower()].table.chains())
    assert len(chains) == KEPT
    assert chains[0].root.seq == 2 * KEPT


def test_gen_09_what_is_let_go_is_nobodys_roll_any_more():
    """GEN-09: whoever comes back to a roll that is let go has none, by its id and without."""
    table = Table()
    first = table.say("alice", "roll 2d10 h1", (3, 4)).record.id
    for _ in range(KEPT):
        table.say("bob", "rouse", (6,))
        table.now += MINUTE
    assert str(table.say("alice", "!wp 1").error) == "you have no roll here that could be changed."
    assert "there is no roll" in str(table.say("alice", f"wp 1 #{first}").error)


def test_gen_06_what_was_said_of_rolls_since_a_moment():
    """GEN-06, V5-15: what follows one, answers or ends it, by its own time, newest first; no roll is among that."""
    table = Table()
    table.say("alice", "roll 2d10 h1", (3, 4))
    table.now += MINUTE
    table.say("alice", "roll 2d10 h1 vs @bob", (3, 4))
    since = table.now
    for nick, text, dice in (("alice", "wp 1 #1", (7,)), ("bob", "pass", ()), ("alice", "discard #1", ())):
        table.now += 1
        table.say(nick, text, dice)
    table.say("carol", "rouse", (6,))
    kept = table.bot.places.ready["net", CHANNEL.lower()].table
    told = [[(record.seq, chain.root.seq) for record, chain in kept.followed_since(since + ms)] for ms in (0, 1, 2, 3)]
    assert told == [[(5, 1), (4, 2), (3, 1)], [(5, 1), (4, 2)], [(5, 1)], []]


def test_gen_06_a_contest_is_not_let_go_before_it_ended():
    """GEN-06: however much was rolled before anybody looked whether its time is over, it lapses, and once."""
    table = Table()
    contest = table.say("alice", "roll 2d10 h1 vs @carol", (3, 4)).record.id
    for _ in range(2 * KEPT):
        table.say("bob", "rouse", (6,))
        table.now += MINUTE
    (lapse,) = asyncio.run(table.bot.due())
    assert lapse.text.startswith("alice vs carol: lapsed, not answered; alice 3, hunger 4;"), contest
    table.now += MINUTE
    assert asyncio.run(table.bot.due()) == ()


def test_gen_06_a_contest_of_two_days_ago_is_let_go():
    """GEN-06: that nobody ended it while no bot was there does not keep it, and all rolls behind it, for ever."""
    table = Table()
    table.say("alice", "roll 2d10 h1 vs @carol", (3, 4))
    table.now += 2 * DAY
    for _ in range(KEPT):
        table.say("bob", "rouse", (6,))
    assert asyncio.run(table.bot.due()) == ()


def test_led_02_a_record_has_what_was_said_and_drawn():
    """LED-02: the text as typed behind address and prefix, every draw, the line without its id, what it refers to."""
    table = Table()
    table.say("alice", "FUDice: roll  2d10 H1 # hm", (3, 10), account="Ali")
    table.say("alice", "!wp 1", (7,), account="Ali")
    first, second = (record.draft for record in table.records)
    assert (first.kind, first.text, first.draws) == ("roll", "roll  2d10 H1 # hm", ((10, 3), (10, 10)))
    assert (first.network, first.channel, first.nick, first.who) == ("net", "#fu_dice", "alice", "ali")
    assert first.line == '''alice: 1 success; 3, hunger 10; 2d10 h1 "hm"'''
    assert (second.kind, second.text, second.draws, second.ref) == ("reroll", "wp 1", ((10, 7),), 1)
    assert [record.ts for record in table.records] == [START, START]


def test_led_05_a_channel_hears_no_databases_words():
    """LED-05: one sentence, whatever keeps the record from being written; why is in the log."""
    table = Table()

    async def append_all(_drafts, _seen):
        raise LedgerUnavailable("the ledger cannot be read: UNIQUE constraint failed: records.nick.")

    table.ledger.append_all = append_all
    table.dice = RecordingDice(ScriptedDice((6,)))
    (reply,) = asyncio.run(table.bot.hear(Message("net", CHANNEL, "alice", "rouse")))
    assert reply.text == "Not rolled: the record is out of reach."


@pytest.mark.parametrize("fault", [RuntimeError("disk"), OSError("away")])
def test_led_03_nothing_is_posted_that_is_not_recorded(fault, caplog):
    """LED-03: a ledger that fails costs the roll, and the channel hears one calm sentence without its result."""
    table = Table()

    async def append_all(_drafts, _seen):
        raise fault

    table.ledger.append_all = append_all
    table.dice = RecordingDice(ScriptedDice((6,)))
    (reply,) = asyncio.run(table.bot.hear(Message("net", CHANNEL, "alice", "rouse")))
    assert reply.text.startswith("Something went wrong here")
    assert "a command failed" in caplog.text


def test_irc_09_what_a_game_remembers_is_found_by_the_servers_own_letters():
    """IRC-09, XR-18: under rfc1459 `{` is the small letter of `[`, and a blessing is theirs; under ascii another's."""
    for casemapping, alike in (("rfc1459", True), ("ascii", False)):
        table = Table(system="crossroads")
        table.say("Al[x]", "xr 3d6", (5, 5, 5), casemapping=casemapping)
        for nick, theirs in (("aL[x]", True), ("al{x}", alike)):
            (reply,) = table.say(nick, "odds xr 3d6", casemapping=casemapping).replies
            assert ("Fate's Blessing adds a1" in reply.text) is theirs


@pytest.mark.parametrize("resumed", [True, False])
def test_irc_09_what_a_start_takes_up_before_the_server_has_said_how_it_compares(resumed):
    """IRC-09, GEN-09: a blessing on a network of ascii's is no other nick's, and still its own."""
    table = Table(system="crossroads")
    table.say("Al[x]", "xr 3d6", (5, 5, 5), casemapping="ascii")
    table.restart()
    if resumed:
        table.plays = lambda _network, _channel: True
        asyncio.run(table.bot.resume())
    for nick, theirs in (("al{x}", False), ("aL[x]", True)):
        (reply,) = table.say(nick, "odds xr 3d6", casemapping="ascii").replies
        assert ("Fate's Blessing adds a1" in reply.text) is theirs
