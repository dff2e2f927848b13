"""What is longer than any record can have it, where somebody altered the database: numbers, names (LED-16)."""

from dataclasses import replace

import pytest
from playing import CHANNEL, Table

from ircdice.ledger import Sealed
from ircdice.ledger.record import DEFAULT_TERMS, tag, terms_of
from ircdice.replay import Replay
from ircdice.table import Table as Remembered

LONG = "9" * 5_000  # digits: Python reads no such number
NAME = "n" * 70_000  # characters: `LP` holds 65,535 bytes


def checked(records):
    """What a check finds, by number."""
    replay = Replay()
    return {record.seq: why for record in records if (why := replay.fault(record))}


def test_led_16_how_long_a_contest_waits():
    """LED-16, GEN-06: its line is another, and the check goes on behind it."""
    table = Table()
    table.say("alice", "roll 2d10 h1 vs @bob", (3, 4))
    table.say("bob", "roll 2d10 h1", (3, 4))
    opened, answered = table.records
    opened = replace(opened, draft=replace(opened.draft, line=f"alice vs bob: within {LONG} min"))
    alone = replace(answered, draft=replace(answered.draft, kind="roll", ref=0))
    assert list(checked([opened, alone])) == [1, 2]


@pytest.mark.parametrize("name", ["wp_minutes", "luck_rank_for_two", "modifier_limit"])
def test_led_02_what_a_channel_is_set_to(name):
    """LED-02: what nobody can have set has its default."""
    assert terms_of(f"system=v5 official=yes {name}={LONG}") == replace(DEFAULT_TERMS, official=True)


@pytest.mark.parametrize("sealed", [f"roll 2d10; d{LONG} 3 7", f"roll 2d10; d10 3 {LONG}"])
def test_led_17_the_faces_of_a_secret_roll(sealed):
    """LED-17: a table takes it in, and a check comes to its end; it is only not to be revealed."""
    table = Table()
    seal = table.say("sam", f"secret roll 2d10 in {CHANNEL}", (3, 7), star=True, where="private").record
    table.ledger.records[0] = altered = replace(seal, draft=replace(seal.draft, sealed=Sealed(sealed, bytes(16))))
    assert checked([altered]) == {}  # its leaf tells
    Remembered(table.settings).apply(altered)
    table.restart()
    assert "does not hold" in str(table.say("sam", "reveal #1", star=True).error)


def test_led_10_a_name_in_what_is_verified():
    """LED-10, LED-21: no id is of such a record, and whoever asks about it hears that it is lost."""
    assert tag(bytes(32), 1, "net", NAME, "alice", "alice: 7") == ""
    table = Table()
    posted = table.say("alice", "roll 2d10 h1", (3, 4)).record
    table.ledger.records[0] = replace(posted, draft=replace(posted.draft, nick=NAME))
    (reply,) = table.say("sam", f"!verify {posted.id}").replies
    assert reply.text.startswith("Lost: ")
