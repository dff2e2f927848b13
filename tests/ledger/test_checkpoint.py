"""Checkpoints as signed notes: the vector, examples of other tools, forgeries, the next key (LED-12, LED-18)."""

from base64 import b64decode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import VECTORS

from ircdice.errors import NoteError
from ircdice.ledger.checkpoint import Checkpoint, SigningKey, Trust, VerifyingKey, base64, loss, read, sign, succession

VECTOR = VECTORS["checkpoint"]
ORIGIN = "irc.example.net/ircdice"
KEY = SigningKey(ORIGIN, bytes.fromhex(VECTOR["private_key"]))
NEXT = SigningKey(ORIGIN, b"\x33" * 32)
SEVEN = Checkpoint(
    ORIGIN,
    7,
    bytes.fromhex(VECTORS["records"][-1]["root_after"]),
    epochs=((1, 1700000100000),),
    following=((2, b64decode("LyCm0waBUv7huHpqmp/Nz4cEXTGcXXKxuMS6RLfzDKY=")),),
)
# A note of C2SP's signed-note.md that is no checkpoint.
POEM = (
    "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n"
    "— quasimodo.example/salvatore "
    "NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n"
)


def test_led_12_the_vector_is_signed():
    """LED-12: the vector's note, from its private key."""
    assert sign(SEVEN, KEY) == VECTOR["note"]
    assert KEY.verifying.public == b64decode(VECTOR["public_key"])


def test_led_12_the_vector_is_read():
    """LED-12: content and signature of the vector's note."""
    assert read(VECTOR["note"]) == SEVEN
    assert Trust(VerifyingKey(ORIGIN, b64decode(VECTOR["public_key"]))).verify(VECTOR["note"]) == SEVEN


def test_led_12_keys_are_named_as_other_tools_name_them():
    """LED-12: with the key id before the signature and in `name+id+key`; the example is Go's."""
    private = b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
    neumann = SigningKey("PeterNeumann", private)
    assert str(neumann.verifying) == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    signature = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    assert neumann.verifying.id + neumann.sign(text) == b64decode(signature)


@given(
    st.integers(0, 2**63),
    st.binary(min_size=32, max_size=32),
    st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**63)), max_size=4),
    st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary(min_size=32, max_size=32)), max_size=4),
    st.lists(st.sampled_from(["lost 7 to 9", "epoch of peace", "next to nothing", "né"]), max_size=3),
)
def test_led_12_a_note_reads_back(size, root, epochs, following, remarks):
    """LED-12: every field of a checkpoint, and its remarks."""
    checkpoint = Checkpoint(ORIGIN, size, root, tuple(epochs), tuple(following), tuple(remarks))
    assert read(sign(checkpoint, KEY)) == checkpoint


@given(st.integers(0, len(VECTOR["note"]) - 1), st.sampled_from("0a \n—=+/\u200b"))
def test_led_12_a_changed_character_is_found(at, character):
    """LED-12: no character of a note can be changed."""
    forged = VECTOR["note"][:at] + character + VECTOR["note"][at + 1 :]
    if forged != VECTOR["note"]:
        with pytest.raises(NoteError):
            Trust(KEY.verifying).verify(forged)


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n",
        "a\n7\n",
        VECTOR["note"].partition("\n\n")[0],
        VECTOR["note"].rstrip("\n"),
        VECTOR["note"] + "\n",
        VECTOR["note"].replace("\n7\n", "\n07\n"),
        VECTOR["note"].replace("\n7\n", "\n-7\n"),
        VECTOR["note"].replace("\n7\n", "\n٧\n"),
        VECTOR["note"].replace("YbIdUNwja3", "YbIdUNwja"),
        VECTOR["note"].replace("epoch 1", "\nepoch 1"),
        VECTOR["note"].replace("— ", "- "),
        VECTOR["note"] + VECTOR["note"].rpartition("\n\n")[2] * 16,
        POEM,
    ],
)
def test_led_12_a_damaged_note(note):
    """LED-12: it is refused with one error."""
    with pytest.raises(NoteError):
        read(note)


def test_led_12_the_signature_of_a_witness_is_ignored():
    """LED-12 (C2SP): a witness may sign as well; a wrong signature in the key's own name spoils the note."""
    note, key = VECTOR["note"], KEY.verifying
    text = note.rpartition("— ")[0]
    witness = f"— witness.example {base64(b'abcd' + bytes(64))}\n"
    forged = f"— {ORIGIN} {base64(key.id + bytes(64))}\n"
    assert Trust(key).verify(note + witness) == SEVEN
    for spoiled in (text + witness, note + forged, text + forged):
        with pytest.raises(NoteError, match="not signed by"):
            Trust(key).verify(spoiled)


def test_led_12_only_the_trusted_key_of_that_ledger_counts():
    """LED-12: not another key, nor a checkpoint of another ledger by the same key."""
    assert Trust(KEY.verifying).verify(VECTOR["note"]) == SEVEN
    with pytest.raises(NoteError, match="not signed by"):
        Trust(NEXT.verifying).verify(VECTOR["note"])
    with pytest.raises(NoteError, match=r"of other\.example"):
        Trust(KEY.verifying).verify(sign(replace(SEVEN, origin="other.example"), KEY))


def test_led_18_a_checkpoint_names_the_next_key():
    """LED-18: from the next checkpoint on the new key signs, and the old one no longer does."""
    trust = Trust(KEY.verifying)
    trust.verify(sign(SEVEN, KEY))
    handover = replace(SEVEN, size=8, remarks=(succession(NEXT.verifying),))
    assert trust.verify(sign(handover, KEY)).successor == NEXT.verifying
    with pytest.raises(NoteError):
        trust.verify(sign(replace(SEVEN, size=9), KEY))
    assert trust.verify(sign(replace(SEVEN, size=9), NEXT)).size == 9


def test_led_18_a_key_cannot_name_itself():
    """LED-18: a handover that the old key did not sign changes nothing."""
    trust = Trust(KEY.verifying)
    with pytest.raises(NoteError):
        trust.verify(sign(replace(SEVEN, remarks=(succession(NEXT.verifying),)), NEXT))
    assert trust.keys == (KEY.verifying,)


def test_led_18_all_keys_verify_the_notes_of_any_time():
    """LED-18: also of a file that begins after a handover; in order only."""
    trust = Trust(KEY.verifying, NEXT.verifying)
    with pytest.raises(NoteError):  # another's note uses up no key
        trust.verify(sign(SEVEN, SigningKey(ORIGIN, b"\x55" * 32)))
    assert trust.verify(sign(SEVEN, KEY)).size == 7
    assert trust.verify(sign(replace(SEVEN, size=9), NEXT)).size == 9
    with pytest.raises(NoteError):
        trust.verify(sign(SEVEN, KEY))


def test_led_12_an_accepted_loss_is_in_the_checkpoint():
    """LED-12: its first record voids earlier checkpoints of as many."""
    assert read(sign(replace(SEVEN, remarks=("peace", loss(8, 12), loss(9, 9))), KEY)).lost == 8
    assert SEVEN.lost is None


def test_led_18_a_damaged_successor():
    """LED-18: the id must be the key's."""
    named = succession(NEXT.verifying).replace(NEXT.verifying.id.hex(), "00000000")
    with pytest.raises(NoteError, match="damaged"):
        Trust(KEY.verifying).verify(sign(replace(SEVEN, remarks=(named,)), KEY))


@pytest.mark.parametrize("name", ["", "two words", "a+b", "line\nfeed", "zero\u200bwidth"])
def test_led_12_an_origin_that_no_note_can_hold(name):
    """LED-12: C2SP's key names have no spaces and no plus."""
    with pytest.raises(NoteError, match="origin"):
        SigningKey(name, bytes(32))


def test_led_12_a_private_key_is_not_shown():
    """IRC-05: not in a traceback or a log."""
    assert KEY.private.hex() not in repr(KEY)
    assert repr(KEY.private) not in repr(KEY)
