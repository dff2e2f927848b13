"""Sources of chance (design: dice): unbiased by construction, scripts that complain, records that replay."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.dice import RecordedDice, RecordingDice, ScriptedDice, SystemDice, picked
from ircdice.errors import DiceError

EVERY_BYTE = bytes(range(256))


class Entropy:
    """Chance from a script, over and over; counts the bytes that were fetched."""

    def __init__(self, script):
        self.script, self.fetched = script, 0

    def __call__(self, count):
        start, self.fetched = self.fetched, self.fetched + count
        return bytes(self.script[i % len(self.script)] for i in range(start, start + count))


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 10, 12, 20, 100, 128, 200, 255])
def test_every_face_comes_from_as_many_bytes(sides):
    """V5-01: fed every byte value once, each face comes equally often: no modulo bias, the rest is thrown away."""
    each = 256 // sides
    faces = SystemDice(Entropy(EVERY_BYTE)).roll(each * sides, sides)
    assert Counter(faces) == dict.fromkeys(range(1, sides + 1), each)
    assert faces == tuple(value % sides + 1 for value in range(each * sides))


@pytest.mark.parametrize(("sides", "fair"), [(10, 250), (6, 252), (100, 200), (255, 255), (200, 200)])
def test_bytes_past_the_last_whole_multiple_are_rejected(sides, fair):
    """V5-01: the first value that would favour the low faces is not used, the last fair one is."""
    script = bytes([fair, 255, fair - 1, 255, 0])
    assert SystemDice(Entropy(script)).roll(4, sides) == ((fair - 1) % sides + 1, 1) * 2


def test_dice_of_different_sides_do_not_share_what_is_buffered():
    """V5-01: nor does a roll come twice."""
    dice = SystemDice(Entropy(EVERY_BYTE))
    first, other, second = dice.roll(5, 10), dice.roll(3, 6), dice.roll(5, 10)
    assert first == (1, 2, 3, 4, 5)
    assert second == (6, 7, 8, 9, 10)
    assert all(1 <= face <= 6 for face in other)


def test_a_roll_larger_than_the_buffer():
    """V5-01: faces go on where the buffer ended, none lost and none twice."""
    dice = SystemDice(Entropy(EVERY_BYTE))
    faces = dice.roll(9_000, 10) + dice.roll(1_000, 10)
    assert faces == tuple(i % 250 % 10 + 1 for i in range(10_000))


class Below:
    """Chance that shows, one draw after another, the whole multiple of `sides` and its neighbours."""

    def __init__(self, sides, offsets):
        self.sides, self.offsets, self.calls = sides, list(offsets), 0

    def __call__(self, count):
        fair = 256**count - 256**count % self.sides
        self.calls += 1
        return (fair + self.offsets[self.calls - 1]).to_bytes(count)


@pytest.mark.parametrize("sides", [257, 1_000, 65_537, 1_000_000])
def test_large_dice_are_rejected_exactly(sides):
    """V5-01: dice with more sides than a byte: what is past the last whole multiple is drawn again."""
    source = Below(sides, (0, 0, -1))
    assert SystemDice(source).roll(1, sides) == (sides,)
    assert source.calls == 3
    assert SystemDice(Below(sides, (-sides,))).roll(1, sides) == (1,)


@pytest.mark.parametrize("sides", [256, 65_536])
def test_large_dice_that_divide_chance_evenly_reject_nothing(sides):
    """V5-01"""
    source = Entropy(b"\xff")
    assert SystemDice(source).roll(3, sides) == (sides,) * 3


@pytest.mark.parametrize("sides", [0, -1])
def test_a_die_has_a_side(sides):
    """V5-01"""
    with pytest.raises(DiceError, match="at least one side"):
        SystemDice().roll(1, sides)


def test_the_systems_own_chance_shows_every_face():
    """V5-01: all faces and no others; that one is missing in 3,000 dice has a chance of 1 in 10^136."""
    assert set(SystemDice().roll(3_000, 10)) == set(range(1, 11))


def test_listed_faces_are_picked_by_side():
    """GD-05: a die of listed faces has a side for each."""
    assert picked(SystemDice(Entropy(EVERY_BYTE)), 4, (-1, 0, 1)) == (-1, 0, 1, -1)


@pytest.mark.parametrize("listed", [(5, 5), (1, 3, 5, 5), (5, 1, 5, 5), (-1, 0, 1)])
def test_led_02_what_is_kept_of_a_die_is_its_side_whatever_that_shows(listed):
    """LED-02, GD-05: of two sides that show the same, the one that came up; drawn again they show what they showed."""
    sides = tuple(range(1, len(listed) + 1))
    dice = RecordingDice(SystemDice(Entropy(bytes(side - 1 for side in sides) * 8)))
    faces = picked(dice, len(sides), listed)
    assert faces == listed
    assert dice.draws == tuple((len(listed), side) for side in sides)
    assert picked(RecordedDice(dice.draws), len(sides), listed) == faces


def test_scripts_run_out_or_over():
    """GEN-07: too few, too many."""
    dice = ScriptedDice((3, 4, 5))
    assert dice.roll(2, 10) == (3, 4)
    with pytest.raises(DiceError, match=r"too many dice: 3 were given, 1 of them"):
        dice.finish()
    with pytest.raises(DiceError, match=r"too few dice: 3 were given"):
        dice.roll(2, 10)


@pytest.mark.parametrize("face", [0, 11, -1])
def test_scripts_hold_faces_that_the_die_has(face):
    """GEN-07"""
    with pytest.raises(DiceError, match=f"a d10 has no face {face}"):
        ScriptedDice((face,)).roll(1, 10)


def test_a_script_that_fits_finishes():
    """GEN-07"""
    dice = ScriptedDice((1, 10))
    assert dice.roll(2, 10) == (1, 10)
    dice.finish()


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from([2, 6, 10, 300]))))
def test_what_is_recorded_replays(throws):
    """LED-02: draws are kept as (sides, face) in order, and drawn again they are the same throws."""
    recording = RecordingDice(SystemDice())
    first = [recording.roll(count, sides) for count, sides in throws]
    assert [face for _, face in recording.draws] == [face for faces in first for face in faces]
    replayed = RecordedDice(recording.draws)
    assert [replayed.roll(count, sides) for count, sides in throws] == first
    replayed.finish()


def test_a_record_of_other_dice_is_refused():
    """LED-02: a d6 is no d10, and none may be missing or left over."""
    with pytest.raises(DiceError):
        RecordedDice(((6, 3),)).roll(1, 10)
    with pytest.raises(DiceError):
        RecordedDice(((10, 3),)).roll(2, 10)
    with pytest.raises(DiceError):
        RecordedDice(((10, 3),)).finish()


def test_a_recording_asks_its_source_whether_all_is_well():
    """GEN-07"""
    with pytest.raises(DiceError, match="too many"):
        RecordingDice(ScriptedDice((1,))).finish()
