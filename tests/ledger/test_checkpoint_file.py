"""The file of checkpoints: what was appended can be read, whatever was cut off after it (LED-12)."""

import resource
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import VECTORS

from ircdice.ledger.checkpoint import Checkpoint, SigningKey, read, sign
from ircdice.ledger.paths import CheckpointFile

ORIGIN = "irc.example.net/ircdice"
KEY = SigningKey(ORIGIN, bytes(32))
NOTES = [sign(Checkpoint(ORIGIN, size, bytes([size]) * 32, ((1, 5),)), KEY) for size in range(5)]


@pytest.fixture
def file(tmp_path):
    return CheckpointFile(tmp_path / "checkpoints")


def test_led_12_notes_come_back_in_order(file):
    """LED-12: each as it was appended."""
    assert (file.last(), list(file.notes())) == (None, [])
    for count, note in enumerate(NOTES, 1):
        file.append(note)
        assert file.last() == note
        assert list(file.notes()) == NOTES[:count]


def test_led_12_the_file_is_notes_and_nothing_else(file):
    """LED-12: other tools can read it; an empty line follows each note."""
    file.append(VECTORS["checkpoint"]["note"])
    file.append(NOTES[3])
    assert file.file.read_text("utf-8") == VECTORS["checkpoint"]["note"] + "\n" + NOTES[3] + "\n"


@given(st.data())
def test_led_12_a_torn_note_is_overwritten(tmp_path_factory, data):
    """LED-12: cut off anywhere, the whole notes are read, and the next one follows them."""
    file = CheckpointFile(tmp_path_factory.mktemp("torn") / "checkpoints")
    for note in NOTES:
        file.append(note)
    whole = file.file.read_bytes()
    cut = data.draw(st.integers(0, len(whole) - 1))
    file.file.write_bytes(whole[:cut])
    kept = cut // (len(whole) // len(NOTES))
    assert list(file.notes()) == NOTES[:kept]
    assert file.last() == (NOTES[kept - 1] if kept else None)
    file.append(NOTES[4])
    assert list(file.notes()) == [*NOTES[:kept], NOTES[4]]


def test_led_12_a_long_file(file):
    """LED-12: the last note is found from the end; none is lost between two pieces."""
    notes = [sign(Checkpoint(ORIGIN, size, bytes(32)), KEY) for size in range(1_000)]
    file.file.write_text("".join(f"{note}\n" for note in notes), "utf-8")
    assert file.file.stat().st_size > 150_000
    assert list(file.notes()) == notes
    assert file.last() == notes[-1]
    file.append(NOTES[0])
    assert [read(note).size for note in file.notes()] == [*range(1_000), 0]


def test_led_12_a_note_longer_than_a_piece(file):
    """LED-12: thousands of bots on one ledger, each with its epoch."""
    long = sign(Checkpoint(ORIGIN, 9, bytes(32), tuple((n, 10**12) for n in range(10_000))), KEY)
    file.append(NOTES[0])
    file.append(long)
    assert file.last() == long
    assert list(file.notes()) == [NOTES[0], long]


def test_led_12_a_full_disk(file):
    """LED-12: half a note is not read, and the next attempt overwrites it."""
    file.append(NOTES[0])
    size = file.file.stat().st_size
    limits, heard = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, limits[1]))
        with pytest.raises(OSError, match="File too large"):
            file.append(NOTES[1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, heard)
    assert list(file.notes()) == NOTES[:1]
    file.append(NOTES[1])
    assert list(file.notes()) == NOTES[:2]
