"""Proving: the signatures of checkpoints, side by side, before they are read in their order (LED-12, LED-16)."""

import pytest

from ircdice.ledger import proving
from ircdice.ledger.check import History
from ircdice.ledger.merkle import EMPTY_ROOT
from ircdice.ledger.notes import Checkpoint, SigningKey, VerifyingKey, sign, succession

FIRST, SECOND, STRANGER = (SigningKey("dice.example/one", bytes([number]) * 32) for number in (1, 2, 3))
KEYS = FIRST.verifying, SECOND.verifying


def note(size, key, *remarks):
    """A signed checkpoint."""
    return sign(Checkpoint("dice.example/one", size, EMPTY_ROOT, remarks=remarks), key)


NOTES = [
    note(0, FIRST),
    note(1, FIRST),
    note(2, FIRST, succession(SECOND.verifying)),
    note(3, SECOND),
    note(4, STRANGER),
    "no note",
    note(5, FIRST),  # by a key that was given up
    note(6, SECOND),
]


@pytest.mark.parametrize("processes", [1, 2])
def test_led_12_what_was_proved_beforehand_is_not_proved_again(monkeypatch, processes):
    """LED-12, LED-18: a history is the same one; only what does not hold in its place is looked at once more."""
    monkeypatch.setattr(proving, "FEW", 0)
    heard = []
    proved = proving.proven(KEYS, NOTES, processes, lambda: heard.append(1))
    expected = History.of("file", NOTES, *KEYS)
    assert [checkpoint.size for checkpoint in expected.checkpoints] == [0, 1, 2, 3, 6]
    assert heard == [1]
    looked_at = []
    real = VerifyingKey.verifies
    monkeypatch.setattr(VerifyingKey, "verifies", lambda key, *given: looked_at.append(1) or real(key, *given))
    assert History.of("file", NOTES, *KEYS, proved=proved) == expected
    assert looked_at == []  # a stranger's and a given-up key's are not even tried: they have other ids


def test_led_12_few_are_proved_as_they_are_read():
    """LED-16: a small ledger starts no processes for it."""
    assert proving.proven(KEYS, NOTES, 2) == {}
