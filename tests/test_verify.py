"""LED-21…LED-23: verdicts and notes on posted lines, as the bot tells them in a channel and in private."""

import asyncio
import re
from dataclasses import replace

import pytest
from playing import CHANNEL, Table

from ircdice.bot.allowance import Allowance
from ircdice.ledger import Draft, Record
from ircdice.ledger.ids import base32
from ircdice.wire.speech import guarded

DAY = "14 Nov 2023, 22:13 UTC"  # where the tables' clock starts
ROLLED = "alice: Failure, 2 successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3"


@pytest.fixture
def table():
    return Table()


def said(table, nick, text, faces=(), **more):
    """What is answered to a line, everything in one string."""
    return "\n".join(reply.text for reply in table.say(nick, text, faces, **more).replies)


def roll(table, nick="alice", text="roll 5d10 h2 dc3", faces=(9, 4, 3, 8, 2), **more):
    """The line that is posted for a roll."""
    return table.say(nick, text, faces, **more).replies[0].text


def alter(table, seq, **fields):
    """What a database editor does to a record."""
    records = table.ledger._records
    records[seq - 1] = replace(records[seq - 1], draft=replace(records[seq - 1].draft, **fields))


def test_led_21_genuine(table):
    """LED-21: genuine, official, by whom, where and when; in one line to the channel."""
    posted = roll(table)
    answer = table.say("sam", f"!verify [22:13] <@FUDice> {posted}")
    (reply,) = answer.replies
    assert reply.text == f"Genuine and official: alice rolled it in #fu_dice on net, {DAY}."
    assert (reply.target, reply.private, answer.kind) == (CHANNEL, False, "check")


@pytest.mark.parametrize("asked", ["verify #1", "verify #last", "!verify {}", "FUDice: verify #{}", "verify #1."])
def test_led_20_an_id_alone_shows_the_line(table, asked):
    """LED-10, LED-20: `#4d` is enough in a channel, and `#last`; the line is read out."""
    name = roll(table)[-8:]
    assert said(table, "sam", asked.format(name)).endswith(f"It reads: {ROLLED}")


def test_led_10_a_short_id_counts_in_its_channel_alone(table):
    """LED-10: elsewhere only the whole id, which nobody can guess, finds a roll."""
    name = roll(table)[-8:]
    for where in ("#other", "private"):
        assert said(table, "sam", "!verify #1", where=where).startswith("Unknown: there is no roll #1 here")
        assert said(table, "sam", f"!verify {name}", where=where).startswith("Genuine and official: alice")


def test_led_21_altered(table):
    """LED-21: what differs is said in the channel, and the line as it was, that marked, to the asker."""
    posted = roll(table).replace("2 successes", "4 successes").replace("Failure", "Success")
    first, second = table.say("sam", f"!verify {posted}").replies
    assert first.text == (
        f"Altered: this is not what was posted in #fu_dice on net, {DAY}."
        ' "Success" should be "Failure". "4" should be "2".'
    )
    assert second.text.endswith("alice: *Failure*, *2* successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3")
    assert (second.target, second.private) == ("sam", True)


@pytest.mark.parametrize("asked", ["1-abcdef", "9z-27b5pk", "#2", f"{ROLLED}; id 1-abcdef", "4u-27b5pk"])
def test_led_21_unknown(table, asked):
    """LED-21: no such roll; a wrong tag shows nothing of the record that has its number."""
    roll(table, faces=(1, 1, 1, 1, 1))
    answer = said(table, "sam", f"!verify {asked}")
    assert answer.startswith("Unknown: there is no roll ")
    assert "alice" not in answer


def test_led_21_lost(table, caplog):
    """LED-21: the tag is right and the record is gone: the operator's log is alarmed."""
    posted = roll(table)
    table.ledger._records.clear()
    assert said(table, "sam", f"!verify <FUDice> {posted}").startswith("Lost: the id 1-")
    assert [r.levelname for r in caplog.records] == ["CRITICAL"]
    forged = posted.replace("2 successes", "5 successes")
    assert said(table, "sam", f"!verify {forged}").startswith("Unknown")


def test_led_21_another_record_in_its_place(table, caplog):
    """LED-21: a ledger that was cut off and went on: the old line's tag is right, its number another roll's."""
    posted = roll(table)
    table.ledger._records.clear()
    roll(table, "bob", faces=(1, 1, 1, 1, 1))
    assert said(table, "sam", f"!verify {posted}").startswith("Lost")
    assert caplog.records


def test_led_21_a_record_that_was_altered(table, caplog):
    """LED-21, LED-30: a line is changed in the database: the true one is no forgery, and the new one no proof."""
    posted = roll(table)
    alter(table, 1, line=ROLLED.replace("Failure, 2", "Critical, 9"))
    assert said(table, "sam", f"!verify {posted}").startswith("Lost")
    assert said(table, "sam", f"!verify {posted.replace('Failure, 2', 'Critical, 9')}").startswith("Lost")
    assert said(table, "sam", "!verify #1").startswith("Lost")
    assert len(caplog.records) == 3


def test_led_21_a_covered_contest_is_withheld(table):
    """LED-21, GEN-06: until it is answered nothing of a contest is told, to the one who opened it neither."""
    posted = roll(table, text="roll 5d10 h2 vs @bob")
    for nick in ("alice", "bob", "sam"):
        for asked in ("#1", "#last", posted):
            assert "is a contest that waits for its answer" in said(table, nick, f"!verify {asked}")
    result = said(table, "bob", "pass").splitlines()[0]
    assert "The answer to it is 2-" in said(table, "sam", f"!verify {posted}")
    assert said(table, "sam", f"!verify {result}").startswith("Genuine and official: bob answered it")


def test_led_21_an_altered_waiting_line(table):
    """LED-21: what was posted of a contest is known, and may be compared."""
    posted = roll(table, text="roll 5d10 h2 vs @bob").replace("5d10", "9d10")
    assert said(table, "sam", f"!verify {posted}").startswith("Altered")


def test_led_21_a_private_roll_is_withheld(table):
    """LED-21: a roll in private is its roller's; to anybody else it tells neither line nor whose it is."""
    posted = roll(table, where="private")
    name = posted[-8:]
    for asked in (posted, name, posted.replace("2 successes", "5 successes")):
        answer = said(table, "sam", f"!verify {asked}")
        assert answer == f"Withheld: {name} is a roll made in private, for whoever made it."
    assert said(table, "sam", "!verify #1", where="private").startswith("Unknown")
    assert said(table, "alice", f"!verify {posted}").startswith("Genuine, but unofficial: alice rolled it in private")
    assert "It reads: alice" in said(table, "alice", "verify #1", where="private")


def test_led_21_a_private_roll_is_its_rollers_on_that_network(table):
    """LED-21: the same name on another network is another person."""
    posted = roll(table, where="private")
    alter(table, 1, network="elsewhere")
    record = table.ledger._records[0]
    moved = table.ledger.tag_of(1, "elsewhere", record.draft.channel, "alice", record.draft.line)
    table.ledger._records[0] = replace(record, tag=moved)
    assert said(table, "alice", f"!verify {posted[:-6]}{moved}").startswith("Withheld")


def test_led_25_redacted(table):
    """LED-25: what was taken away answers withheld."""
    posted = roll(table)
    record = table.ledger._records[0]
    table.ledger._records[0] = Record.withheld(1, record.ts, b"", "redacted")
    for asked in (posted, posted[-8:]):
        assert said(table, "sam", f"!verify {asked}").startswith("Withheld: 1-")


def seal(table, kind="seal", ref=0):
    draft = Draft(kind, "net", "#fu_dice", "sam", "~sam", "difficulty 9 for alice", (), "sam: a secret", ref)
    return asyncio.run(table.ledger.append(draft))


def test_led_17_sealed(table):
    """LED-17, LED-21: a sealed value is withheld until it is revealed, and its words are never told."""
    record = seal(table)
    for asked in (
        f"!verify {record.id}",
        f"log #{record.id}",
        "verify #last",
        f"!verify sam: a secret; id {record.id}",
    ):
        answer = said(table, "sam", asked)
        assert "is sealed until it is revealed" in answer
        assert "9" not in answer.replace(record.id, "")
    seal(table, "reveal", 1)
    assert said(table, "alice", f"!verify {record.id}").startswith("Genuine, but unofficial: sam sealed it")


def test_led_22_unofficial(table):
    """LED-22: a roll of another channel is unofficial, and the channel is named."""
    posted = roll(table, where="#other")
    assert posted.endswith(posted[-8:])
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.startswith("Genuine, but unofficial: alice rolled it in #other on net")


def test_led_22_discarded(table):
    """LED-22: discarded, and what was said of the roll before as well."""
    posted = roll(table)
    changed = roll(table, text="wp 1", faces=(5,))
    said(table, "alice", "discard #1")
    assert said(table, "sam", f"!verify {posted}").startswith("Genuine, but discarded and replaced: alice")
    assert said(table, "sam", f"!verify {changed}").startswith("Genuine, but discarded: alice")


def test_led_22_replaced_and_replaces(table):
    """LED-22: Willpower's roll takes the place of the first, and both say so."""
    posted = roll(table)
    changed = roll(table, text="wp 1", faces=(7,))
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.startswith("Genuine, but replaced: alice rolled it")
    assert answer.endswith(f"It was changed later: {changed[-8:]} counts now.")
    assert said(table, "sam", f"!verify {changed}").endswith(
        f"alice rerolled it in #fu_dice on net, {DAY}. It replaces {posted[-8:]}."
    )


def test_led_22_hunger_said_later(table):
    """LED-22: Hunger said later replaces the roll."""
    posted = roll(table, text="roll 5d10")
    changed = roll(table, text="hunger 2", faces=())
    assert f"{changed[-8:]} counts now" in said(table, "sam", f"!verify {posted}")


def test_led_22_roll_k_of_n(table):
    """LED-22: the same thing, wording apart, in any channel or in private, within ten minutes of it."""
    first = roll(table)
    roll(table, text="roll 5d10 dc3 h2 # again", where="#other")
    roll(table, text="v5 5d10 h2 difficulty 3", where="private")
    roll(table, text="roll 5d10 h2 dc4")
    roll(table, "bob")
    table.now += 9 * 60_000
    last = roll(table)
    assert "Roll 1 of 4: alice rolled the same thing 4 times within 10 minutes." in said(
        table, "sam", f"!verify {first}"
    )
    assert "Roll 4 of 4" in said(table, "sam", f"!verify {last}")
    table.now += 2 * 60_000
    late = roll(table)
    assert "Roll 2 of 2" in said(table, "sam", f"!verify {late}")
    table.now += 11 * 60_000
    alone = roll(table)
    assert "Roll " not in said(table, "sam", f"!verify {alone}")


def test_led_22_the_window_is_the_channels():
    """LED-22: `window` minutes."""
    table = Table(window=2)
    roll(table)
    table.now += 3 * 60_000
    posted = roll(table)
    assert "Roll " not in said(table, "sam", f"!verify {posted}")
    again = roll(table)
    assert "2 times within 2 minutes" in said(table, "sam", f"!verify {again}")


def test_led_22_a_reroll_of_the_best_of_three(table):
    """LED-22: a changed roll is still one of several."""
    for _ in range(3):
        roll(table)
    changed = roll(table, text="wp 1", faces=(7,))
    assert "Roll 3 of 3" in said(table, "sam", f"!verify {changed}")


@pytest.mark.parametrize(
    ("way", "another"),
    [
        ("<@FUDice> {}", False),
        ("FUDice_: {}", False),
        ("<alice> {}", False),
        ("<mallory> {}", True),
        ("mallory: {}", True),
        ("12:34 <discord> <mallory> {}", True),
    ],
)
def test_led_22_posted_by_another(table, way, another):
    """LED-22: whom the paste shows to say it, where that is neither the bot nor the roller."""
    answer = said(table, "sam", f"!verify {way.format(roll(table))}")
    assert answer.startswith("Genuine and official: alice")
    assert ("Here it is mallory who says it." in answer) == another


def test_led_20_several_lines(table):
    """LED-20: several at once: one line for all, and each that cannot be relied on to the asker."""
    good, bad = roll(table), roll(table, "bob", faces=(1, 1, 1, 1, 1))
    first, *rest = table.say("sam", f"!verify {good} {bad.replace('0 succ', '5 succ')} {good[:-6]}zzzzzz").replies
    assert re.fullmatch(r"3 lines: 1 genuine; 2-\w{6} altered; 1-zzzzzz unknown\.", first.text)
    assert [reply.private for reply in rest] == [True, True]


def test_led_20_behind_a_relay_it_is_said_where_they_read(table):
    """IRC-13: nobody behind a relay can be whispered to."""
    posted = roll(table).replace("2 successes", "4 successes")
    answer = table.say("bridge", f"<zed> !verify {posted}", relay=True)
    assert [reply.target for reply in answer.replies] == [CHANNEL, CHANNEL]


def test_led_21_no_reply_is_taken_for_a_line(table):
    """LED-21: the bot's own answers, pasted again, prove nothing."""
    posted = roll(table)
    for asked in ("verify #1", f"!verify {posted}", f"!verify {posted.replace('9 4', '9 5')}"):
        assert "; id" not in said(table, "sam", asked)


@pytest.mark.parametrize("nick", ["[id]|x-1", "`tick`", "_under_", "|a"])
@pytest.mark.parametrize("way", ["{}", "12:34 <FUDice> {}", "> {}", "look: {}"])
def test_led_20_the_word_that_the_bot_puts_before_a_nick(table, nick, way):
    """LED-20, IRC-20: `to ` before a nick that another bot would take for a command is the bot's own decoration."""
    posted = guarded(roll(table, nick))
    assert posted.startswith(f"to {nick}: ")
    assert said(table, "sam", f"!verify {way.format(posted)}").startswith(f"Genuine and official: {nick} rolled it")


def test_led_21_a_comment_that_was_left_out(table):
    """LED-21: what has quote marks of its own stands between others."""
    posted = roll(table, text="roll 5d10 h2 dc3 # for real")
    assert (
        said(table, "sam", "!verify " + posted.replace(' "for real"', ""))
        .splitlines()[0]
        .endswith("'\"for real\"' was left out.")
    )


def test_led_21_to_before_another_name_is_added(table):
    """LED-21: nothing is put before a name that begins with a letter."""
    assert said(table, "sam", f"!verify to {roll(table)}").startswith("Altered")


@pytest.mark.parametrize(
    ("false", "turned"),
    [("\u202e3 4 9\u202c", True), ("9 \u200f4 \u200f3", True), ("\x03889 4 3", False), ("\u20669 4 3\u2069", False)],
)
def test_led_21_what_looks_otherwise_is_read_out(table, false, turned):
    """LED-21: marks of direction and colours are taken out before comparing; the answer says what was compared."""
    posted = roll(table).replace("9 4 3", false if "3 4 9" not in false else "\u202e9 4 3\u202c")
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.startswith("Genuine and official: alice")
    assert answer.endswith(f"It reads: {ROLLED}")
    assert ("Signs in it turn the order of what is read." in answer) == turned


@pytest.mark.parametrize(
    "way",
    [
        "{} Critical hit, really 12 passes",
        "bob: Critical hit, 9 passes; 6 6 6 6; 4d6\n{}",
        "{}\nbob: Critical hit, 9 passes; 6 6 6 6; 4d6",
        "he had a critical here: {}",
    ],
)
def test_led_21_what_stands_beside_a_line_is_not_genuine_with_it(table, way):
    """LED-21: words before or behind a line are passed over, and the answer says which part it is about."""
    answer = said(table, "sam", f"!verify {way.format(roll(table))}")
    assert answer.startswith("Genuine and official: alice")
    assert answer.endswith(f"Of what was pasted only this is genuine: {ROLLED}")


@pytest.mark.parametrize("way", ["{}", "[12:34] <@FUDice> {}", "> {}", "**{}**", "{}   [12:34]", "[b]{}[/b]", "({})."])
def test_led_20_decoration_is_nothing_beside_it(table, way):
    """LED-20: what clients and forums put around a line is passed over without a word."""
    assert said(table, "sam", f"!verify {way.format(roll(table))}").endswith(f"{DAY}.")


def test_led_21_of_several_lines_those_are_read_out_that_look_otherwise(table):
    """LED-21: several lines at once: whoever looks otherwise is read out, and words between them are told of."""
    first, second = roll(table), roll(table, "bob", faces=(1, 2, 3, 4, 5))
    turned = first.replace("9 4 3", "\u202e9 4 3\u202c")
    summary, *rest = said(table, "sam", f"!verify {turned}\nbob had 9\n{second}").splitlines()
    assert summary == "2 lines: 2 genuine. What stands beside them was not looked at."
    assert rest == [f"{first[-8:]} reads: {ROLLED}"]


def test_led_10_a_number_that_no_record_has(table):
    """LED-10: past 64 bits, or no base 32 at all: there is no such roll, and it is named as it was asked for."""
    for name in ("fzzzzzzzzzzzz-zzzzzz", "4u-27b5pk"):
        assert said(table, "sam", f"!verify {name}") == f"Unknown: there is no roll {name}."


@pytest.mark.parametrize("name", ["10-tmhqss", "8f-pzgvks", "z-mtnbww", "2-9nbj2f", "re-te5ted"])
def test_led_20_a_whole_id_needs_no_call(table, name):
    """LED-20: a whole id is meant wherever it is typed, whichever signs its tag has."""
    assert said(table, "sam", f"verify {name}") == f"Unknown: there is no roll {name}."


@pytest.mark.parametrize("talk", ["self-esteem", "re-tested", "10-minute", "well-liked", "10-fold", "non-violet"])
def test_gen_13_a_hyphen_makes_no_id(table, talk):
    """GEN-13: words with a hyphen are talk."""
    assert said(table, "sam", f"verify {talk}") == ""


def test_led_22_what_replaced_a_discarded_roll_does_not_count(table):
    """LED-22: of a roll that was changed and then discarded nothing counts."""
    posted = roll(table)
    changed = roll(table, text="wp 1", faces=(5,))[-8:]
    said(table, "alice", "discard #1")
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.endswith(f"It was changed later: {changed} was discarded with it.")
    assert "counts now" not in answer


def test_led_24_a_whole_id_of_any_channel(table):
    """LED-24: `log` shows the roll of a whole id, with `#` and without it, wherever it was rolled."""
    name = roll(table)[-8:]
    for asked in (f"log {name}", f"log #{name}", f"!log {name}"):
        assert said(table, "sam", asked, where="#other").startswith(f"{ROLLED}; id {name}"), asked
    assert said(table, "sam", "!log alice 1").endswith(f"{ROLLED}; id {name}")


def test_gen_11_a_posted_line_alone_in_private(table):
    """GEN-11: whoever pastes a line to the bot and forgets the word is told it, with the line's id."""
    posted = roll(table)
    for pasted in (posted, f"12:34 <FUDice> {posted}", posted.replace("; id 1-", "; id 1\u2011")):
        answer = said(table, "sam", f"FUDice: {pasted}")
        assert answer.endswith(f"Did you mean: verify {posted[-8:]}"), pasted


def test_led_20_a_telephones_hyphen_in_the_id(table):
    """LED-20: a hyphen that breaks no line is a hyphen in a pasted line's id."""
    posted = roll(table).replace("; id 1-", "; id 1\u2011")
    assert said(table, "sam", f"!verify {posted}").startswith("Genuine")


def test_dsk_11_help_names_what_every_game_has(table):
    """DSK-11: whoever asks for help finds verify and the storyteller's words as well as the games'."""
    answer = said(table, "sam", "!help")
    for word in ("verify", "log", "stats", "odds", "fair", "contests", "difficulty", "secret", "discard"):
        assert f" {word} " in answer.replace(".", " ")
    assert "rolls nothing" not in said(table, "sam", "help fw") + said(table, "sam", "help r")


def test_gen_13_talk_is_silent(table):
    """GEN-13: a line behind `verify` is free words: a command only when the bot is called."""
    posted = roll(table)
    for talk in ("verify that please", f"verify {posted}", "log off", "log 5", "stats alice"):
        assert said(table, "sam", talk) == ""


def test_gen_15_several_long_lines(table):
    """LED-20: what is pasted may be longer than a command."""
    posted = [roll(table, text=f"roll 5d10 h2 dc3 # {'x' * 80}") for _ in range(5)]
    assert said(table, "sam", f"!verify {' '.join(posted)}").startswith("5 lines: 5 genuine")
    assert "at most 2000 characters" in said(table, "sam", f"!verify {' '.join(posted * 5)}")


@pytest.mark.parametrize("count", [1, 5])
def test_led_23_twenty_a_minute(count):
    """LED-23: 20 lines a minute for each asker; what is refused counts for nothing."""
    allowance = Allowance()
    assert [allowance.wait("sam", count, at) for at in range(20 // count)] == [0] * (20 // count)
    assert allowance.wait("sam", 1, 30_000) == 30_000
    assert allowance.wait("alice", 20, 30_000) == 0
    assert allowance.wait("sam", 1, 59_999) == 1
    assert allowance.wait("sam", 1, 60_000) == 0


def test_led_23_two_hundred_in_all():
    """LED-23: 200 a minute, whoever asks."""
    allowance = Allowance()
    assert all(allowance.wait(f"n{number}", 20, number) == 0 for number in range(10))
    assert allowance.wait("another", 1, 100) == 60_000 - 100
    assert allowance.wait("another", 1, 60_000) == 0


def test_led_23_more_than_ever_are_allowed():
    """LED-23: 21 lines at once never fit."""
    assert Allowance().wait("sam", 21, 0) > 0


def test_led_23_is_told(table):
    """LED-23: past the limit the asker is told when to ask again."""
    table.allowance = Allowance()
    table.restart()
    posted = roll(table)
    for _ in range(20):
        assert said(table, "sam", f"!verify {posted}").startswith("Genuine")
    assert said(table, "sam", f"!verify {posted}") == "Not verified: that was asked too often. Ask again in 60 seconds."
    assert said(table, "bob", f"!verify {posted}").startswith("Genuine")
    table.now += 60_000
    assert said(table, "sam", f"!verify {posted}").startswith("Genuine")


def test_led_21_every_verdict_survives_a_restart(table):
    """GEN-09: what is answered comes from the ledger, and not from what the table has at hand."""
    posted = roll(table)
    roll(table, text="wp 1", faces=(7,))
    before = said(table, "sam", f"!verify {posted}")
    table.restart()
    assert said(table, "sam", f"!verify {posted}") == before


def test_led_10_the_id_of_every_kind_of_line(table):
    """LED-21: each line that is posted with an id is found again: rolls, rerolls, contests, lapses, discards."""
    lines = [
        roll(table),
        roll(table, text="wp 1", faces=(7,)),
        roll(table, text="roll 4d6k3", faces=(1, 2, 3, 4)),
        roll(table, text="rouse", faces=(4,)),
        roll(table, text="roll 5d10 h2 vs @bob"),
        roll(table, "bob", "roll 3d10 h1", faces=(1, 2, 3)),
        roll(table, text="roll 2d10 h1 vs @bob", faces=(1, 2)),
        roll(table, text="!withdraw", faces=()),
        roll(table, text="discard #1", faces=()),
    ]
    for seq, line in enumerate(lines, 1):
        assert f"; id {base32(seq)}-" in line
        assert said(table, "sam", f"!verify {line}").startswith("Genuine"), line


def test_led_17_what_was_sealed_is_told_once_it_is_revealed(table):
    """LED-17, LED-22: verify of a seal that was revealed says what it sealed, which the reveal has told."""
    said(table, "sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
    said(table, "sam", "reveal #1", star=True)
    assert said(table, "alice", "verify #1") == (
        f'Genuine and official: sam sealed it in #fu_dice on net, {DAY}. It sealed "difficulty for bob: 9".'
    )


def test_led_20_a_short_id_is_its_own_channels(table):
    """LED-20, GEN-07: in private a short id with its channel is told how to be asked; a whole one needs no channel."""
    posted = roll(table)
    refused = said(table, "bob", f"verify #1 in {CHANNEL}", where="private")
    assert refused == (
        "Not rolled: a short id is asked about in its own channel: say verify #1 there, or the whole id here."
    )
    whole = posted.rpartition(" ")[2]
    assert said(table, "bob", f"verify {whole} in {CHANNEL}", where="private").startswith("Genuine and official: alice")
