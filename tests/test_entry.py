"""Records as their rows have them, for whoever goes through all: the same as made ones, in all that is proved."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import TAG_KEY, VECTORS, draft_of

from ircdice.dice import RecordedDice, RecordedFaces
from ircdice.errors import DiceError
from ircdice.ledger import Sealed
from ircdice.ledger.canonical import complete, fields, kept_leaf
from ircdice.ledger.entry import Entry
from ircdice.ledger.packing import alike, is_packed, pack, unpack

DRAFT = draft_of(VECTORS["records"][0])
NUMBERS = st.one_of(st.integers(1, 20), st.integers(1, 2**32 - 1))
ALIKE = st.tuples(NUMBERS, st.lists(NUMBERS, max_size=12)).map(lambda t: tuple((t[0], face) for face in t[1]))
DRAWS = st.one_of(ALIKE, st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8).map(tuple))


@given(DRAWS, st.booleans())
def test_led_11_an_entry_has_the_leaf_of_its_record(draws, is_sealed):
    """LED-11: to the byte, whatever the dice, and of a sealed value the hash; and it is that record."""
    draft = replace(DRAFT, draws=draws, sealed=Sealed("5", b"s" * 16) if is_sealed else None)
    record = complete(draft, 7, 1_700_000_000_000, b"b" * 16, "1.0.0", TAG_KEY)
    entry = Entry.of(record)
    assert kept_leaf(entry, fields(entry)) == record.leaf
    assert entry.record == record


@given(st.binary(max_size=12))
def test_led_02_what_is_packed_can_be_unpacked(packed):
    """LED-16: of bytes that draws were not packed to none are made; those of dice of one kind are their faces."""
    if not is_packed(packed):
        with pytest.raises(ValueError, match="end in the middle"):
            unpack(packed)
    elif alike(packed):
        assert unpack(packed) == tuple((packed[1], face) for face in packed[2:])


@given(ALIKE, st.lists(st.tuples(st.integers(0, 4), st.integers(1, 20)), max_size=4))
def test_led_16_faces_of_one_kind_are_drawn_again_as_any(draws, throws):
    """LED-16: the same dice, and the same said where the rules would throw others than were recorded."""
    packed = pack(draws)
    if not alike(packed):
        return
    told = []
    for dice in (RecordedDice(draws), RecordedFaces(packed[1], packed[2:])):
        try:
            found = [dice.roll(count, draws[0][0] if sides > 10 else sides) for count, sides in throws]
            dice.finish()
        except DiceError as error:
            found = str(error)
        told.append(found)
    assert told[0] == told[1]
