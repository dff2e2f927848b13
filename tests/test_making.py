"""Frozen values made soon: they are what their class makes."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from ircdice.dice import Stamp
from ircdice.making import maker

STAMP = maker(Stamp)(7, 3, 1)


def test_a_value_is_of_its_class():
    """LED-16: equal to what the class makes, with its hash, and the same when it went to another process."""
    assert type(STAMP) is Stamp
    assert (STAMP, hash(STAMP), repr(STAMP)) == (Stamp(7, 3, 1), hash(Stamp(7, 3, 1)), repr(Stamp(7, 3, 1)))
    assert pickle.loads(pickle.dumps(STAMP)) == STAMP


def test_a_value_is_frozen():
    """Style: whoever has it cannot alter it."""
    with pytest.raises(FrozenInstanceError):
        STAMP.epoch = 8
