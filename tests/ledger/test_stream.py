"""Dice derived from a seed, against the specification's vectors (LED-13, LED-14, LED-15)."""

import hmac
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import PLACE, SEED, VECTORS

from ircdice.dice import RecordingDice, Stamp, picked
from ircdice.errors import DiceError
from ircdice.ledger.epochs import DerivedDice, derived, mix_of, stream_key
from ircdice.ledger.paths import commitment

KEY = bytes.fromhex(VECTORS["stream_key"])
MIXED = VECTORS["stream_key_generation_1_mix"]
STAMP = Stamp(1, 4, 0)


def words(key, counter, count):
    """The stream as LED-14 defines it, one u32 after another."""
    for j in range(-(-count // 8)):
        block = hmac.new(key, b"ircdice1:draw\0" + counter.to_bytes(8) + j.to_bytes(4), sha256).digest()
        yield from (int.from_bytes(block[i : i + 4]) for i in range(0, 32, 4))


def test_led_13_commitment():
    """LED-13: the vector."""
    assert commitment(VECTORS["epoch"], SEED).hex() == VECTORS["commitment"]
    assert commitment(VECTORS["epoch"] + 1, SEED).hex() != VECTORS["commitment"]


def test_led_14_stream_key():
    """LED-14: the vectors, unstirred and stirred."""
    assert stream_key(SEED, *PLACE, 0, b"") == KEY
    assert stream_key(SEED, *PLACE, 1, bytes.fromhex(MIXED["mix"])).hex() == MIXED["key"]


def test_led_15_the_mix_names_the_speaker():
    """LED-15: mix = `who:WORDS`."""
    assert mix_of("alice", "our own words").hex() == MIXED["mix"]
    assert mix_of("bob", "our own words") != mix_of("alice", "our own words")


@pytest.mark.parametrize("changed", range(5))
def test_led_14_a_stream_for_each_channel_and_stir(changed):
    """LED-14: seed, network, channel, generation and mix all enter."""
    parts = [SEED, "net", "#a", 1, b"mix"]
    others = [bytes(32), "nets", "#b", 2, b"max"]
    assert stream_key(*parts) != stream_key(*parts[:changed], others[changed], *parts[changed + 1 :])


@pytest.mark.parametrize("draw", VECTORS["draws"], ids=lambda draw: f"{draw['counter']}-d{draw['sides']}")
def test_led_14_draws(draw):
    """LED-14: the vectors' faces, also of a die that rejects three numbers in ten."""
    stamp = Stamp(1, draw["counter"], 0)
    faces = tuple(draw["faces"])
    assert DerivedDice(KEY, stamp).roll(len(faces), draw["sides"]) == faces
    assert derived(KEY, stamp, tuple((draw["sides"], face) for face in faces))


@given(
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from([1, 2, 6, 10, 3_000_000_000, 2**31 + 1, 2**32])), max_size=8)
)
def test_led_14_each_die_takes_the_next_fair_number(throws):
    """LED-14: however a command asks for its dice; numbers past the last whole multiple are skipped."""
    dice, stream = DerivedDice(KEY, STAMP), words(KEY, 4, 2_000)
    for count, sides in throws:
        fair = 2**32 - 2**32 % sides
        expected = [next(x for x in stream if x < fair) % sides + 1 for _ in range(count)]
        assert dice.roll(count, sides) == tuple(expected)


@given(st.lists(st.tuples(st.integers(1, 30), st.sampled_from([6, 10, 2_147_483_649])), min_size=1, max_size=5))
def test_led_16_recorded_draws_are_proved(throws):
    """LED-16: the draws of the stream are recognised, and one changed face anywhere is found."""
    recording = RecordingDice(DerivedDice(KEY, STAMP))
    for count, sides in throws:
        recording.roll(count, sides)
    draws = recording.draws
    assert recording.stamp == STAMP
    assert derived(KEY, STAMP, draws)
    assert not derived(KEY, Stamp(1, 5, 0), draws) or all(sides == 1 for sides, _ in draws)
    for at, (sides, face) in enumerate(draws):
        assert not derived(KEY, STAMP, (*draws[:at], (sides, face % sides + 1), *draws[at + 1 :]))


def test_led_16_a_die_without_sides_is_not_the_streams():
    """LED-16: an export may contain anything."""
    assert not derived(KEY, STAMP, ((0, 1),))
    assert not derived(KEY, STAMP, ((2**32 + 1, 1),))


def test_led_14_listed_faces():
    """GD-05: a die of listed faces has a side for each."""
    sides = DerivedDice(KEY, STAMP).roll(20, 3)
    assert picked(DerivedDice(KEY, STAMP), 20, (-1, 0, 1)) == tuple(side - 2 for side in sides)


@pytest.mark.parametrize("listed", [(2, 2), (1, 3, 5, 5), (5, 1, 5, 5)])
def test_led_16_faces_that_are_listed_twice_are_proved(listed):
    """LED-16: `3d{1,3,5,5}` (GD-01) is proved by its sides, whatever they show."""
    dice = RecordingDice(DerivedDice(KEY, STAMP))
    picked(dice, 20, listed)
    assert derived(KEY, STAMP, dice.draws)


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1])
def test_led_14_a_die_with_too_many_sides(sides):
    """LED-14: a u32 has 2³² values."""
    with pytest.raises(DiceError, match="sides"):
        DerivedDice(KEY, STAMP).roll(1, sides)


def test_led_14_a_command_without_dice_has_no_stamp():
    """LED-14: it uses up no counter."""
    recording = RecordingDice(DerivedDice(KEY, STAMP))
    recording.finish()
    assert recording.stamp == Stamp()
    assert recording.draws == ()
