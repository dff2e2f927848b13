"""An epoch's stream: numbers without gaps, a stir's generation, the same dice again until they are on record."""

from dataclasses import replace

import pytest

from ircdice.dice import Stamp
from ircdice.durations import HOUR
from ircdice.errors import RuleError
from ircdice.ledger import Draft, Record
from ircdice.ledger.epochs import MOST_STIRS, Epoch, Mix
from ircdice.ledger.stream import stream_key

SEED = bytes(range(32))
PLACE = "net", "#fu"
ROLL = Draft("roll", *PLACE, "alice", "alice", "roll 2d10 h0", (), "alice: …")
NOON = 1_700_000_000_000


def kept(draft, stamp, ts=NOON, **more):
    """A record of that draft, drawn at that place of the stream."""
    return Record(1, ts, replace(draft, stamp=stamp, **more), "000000")


def stir(epoch, words, who="bob", now=NOON):
    """A stir said and kept."""
    stamp = epoch.next_stir(*PLACE, now)
    epoch.take(kept(ROLL, stamp, now, kind="stir", who=who, text=f"stir {words}"))
    return stamp


def test_a_number_is_used_up_by_a_record_alone():
    """LED-05, LED-14: without a record the same dice come again; with it the next number, and no gap."""
    epoch = Epoch(1, SEED)
    first, again = epoch.begin(*PLACE), epoch.begin(*PLACE)
    assert first.stamp == again.stamp == Stamp(1, 1, 0)
    assert first.roll(5, 10) == again.roll(5, 10)
    epoch.take(kept(ROLL, first.stamp))
    assert epoch.begin(*PLACE).stamp == Stamp(1, 2, 0)
    assert epoch.begin("net", "#other").stamp == Stamp(1, 1, 0)


def test_another_epochs_record_uses_up_nothing():
    """LED-13: an epoch belongs to one process; what another drew is none of its numbers."""
    epoch = Epoch(2, SEED)
    epoch.take(kept(ROLL, Stamp(1, 7, 0)))
    assert epoch.begin(*PLACE).stamp == Stamp(2, 1, 0)


def test_a_stir_enters_the_stream():
    """LED-15: who and words are the mix of the next generation; the counter runs on."""
    epoch = Epoch(1, SEED)
    before = epoch.begin(*PLACE).roll(20, 10)
    assert stir(epoch, "our own words", "alice") == Stamp(1, 0, 1)
    after = epoch.begin(*PLACE)
    assert after.stamp == Stamp(1, 1, 1)
    assert after.roll(20, 10) != before
    assert epoch._key(PLACE) == stream_key(SEED, *PLACE, 1, b"alice:our own words")


def test_a_stir_waits_for_its_hour():
    """LED-15: once an hour, whoever says it; other channels have their own hours."""
    epoch = Epoch(1, SEED)
    stir(epoch, "one")
    with pytest.raises(RuleError, match="stirred within the hour; again in 60 min"):
        epoch.next_stir(*PLACE, NOON)
    with pytest.raises(RuleError, match="again in 1 min"):
        epoch.next_stir(*PLACE, NOON + HOUR - 1)
    assert epoch.next_stir("net", "#other", NOON).generation == 1
    assert stir(epoch, "two", now=NOON + HOUR) == Stamp(1, 0, 2)


def test_no_more_stirs_than_a_byte_counts():
    """LED-15: 255 an epoch."""
    epoch = Epoch(1, SEED)
    epoch.mixed(PLACE, Mix(MOST_STIRS, b"bob:x", NOON - HOUR))
    with pytest.raises(RuleError, match="255 times"):
        epoch.next_stir(*PLACE, NOON)


def test_what_comes_late_takes_nothing_back():
    """LED-06: records read after a restart or a doubt come in any order."""
    epoch = Epoch(1, SEED)
    epoch.count(PLACE, 9)
    epoch.count(PLACE, 3)
    epoch.mixed(PLACE, Mix(2, b"bob:two", NOON))
    epoch.mixed(PLACE, Mix(1, b"bob:one", NOON))
    assert epoch.begin(*PLACE).stamp == Stamp(1, 10, 2)


def test_the_seed_stands_in_no_repr():
    """IRC-05: what would foretell the dice is printed nowhere."""
    epoch = Epoch(1, SEED)
    epoch.begin(*PLACE)
    assert SEED.hex() not in repr(epoch)
    assert str(SEED) not in repr(epoch)
