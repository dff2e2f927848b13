"""What may stand behind verify, and who is answered where: ids, and lines as people paste them (LED-10, LED-20)."""

import re

import pytest
from playing import CHANNEL
from posted import ROLLED, roll, said

from ircdice.ledger.record import base32
from ircdice.wire.outgoing import guarded


@pytest.mark.parametrize("asked", ["!verify #1", "!verify #last", "verify {}", "FUDice: verify #{}", "!verify #1."])
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


@pytest.mark.parametrize("nick", ["[id]|x-1", "`tick`", "_under_", "|a"])
@pytest.mark.parametrize("way", ["{}", "12:34 <FUDice> {}", "> {}", "{}."])
def test_led_20_the_word_that_the_bot_puts_before_a_nick(table, nick, way):
    """LED-20, IRC-20: `to ` before a nick that another bot would take for a command is the bot's own decoration."""
    posted = guarded(roll(table, nick))
    assert posted.startswith(f"to {nick}: ")
    assert said(table, "sam", f"!verify {way.format(posted)}").startswith(f"Genuine and official: {nick} rolled it")


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


def test_dsk_11_help_names_what_every_game_has(table):
    """DSK-11: whoever asks for help finds verify and the storyteller's words as well as the games'."""
    answer = said(table, "sam", "!help commands")
    for word in ("verify", "log", "stats", "odds", "fair", "contests", "difficulty", "secret", "discard"):
        assert f" {word} " in answer.replace(".", " ")
    assert "rolls nothing" not in said(table, "sam", "!help fw") + said(table, "sam", "!help r")


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


def test_led_20_a_short_id_is_its_own_channels(table):
    """LED-20, GEN-07: in private a short id with its channel is told how to be asked; a whole one needs no channel."""
    posted = roll(table)
    refused = said(table, "bob", f"verify #1 in {CHANNEL}", where="private")
    assert refused == ("A short id counts in its own channel: say verify #1 there, or the whole id here.")
    whole = posted.rpartition(" ")[2]
    assert said(table, "bob", f"verify {whole} in {CHANNEL}", where="private").startswith("Genuine and official: alice")
