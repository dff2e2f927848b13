"""Leaves (LED-11) and sealed values (LED-17), against the specification's vectors."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import TAG_KEY, VECTORS, draft_of

from ircdice.dice import Stamp
from ircdice.ledger import Draft, Sealed
from ircdice.ledger.checkpoint import Tree
from ircdice.ledger.record import complete, leaf, length_prefixed, plain, seal_text, sealed_hash

FIRST = VECTORS["records"][0]
SEALED = Sealed(VECTORS["sealed"]["text"], bytes.fromhex(VECTORS["sealed"]["salt"]))
DRAFT = replace(draft_of(FIRST), sealed=SEALED, ref=7)


def completed(record):
    blind = bytes.fromhex(record["blind"])
    return complete(draft_of(record), record["seq"], record["ts"], blind, record["rules"], TAG_KEY)


@pytest.mark.parametrize("record", VECTORS["records"], ids=lambda record: record["id"])
def test_led_11_leaves(record):
    """LED-10, LED-11: tag, id and leaf of each of the vectors' records."""
    made = completed(record)
    assert (made.tag, made.id, made.leaf.hex()) == (record["tag"], record["id"], record["leaf"])
    assert leaf(made) == made.leaf


@pytest.mark.parametrize(
    "record", [one for one in VECTORS["records"] if "bytes" in one], ids=lambda record: record["id"]
)
def test_led_11_bytes(record):
    """LED-11: the record's bytes."""
    assert leaf(completed(record)) == sha256(bytes.fromhex("00" + record["bytes"])).digest()


def test_led_11_roots():
    """LED-11: the root after each of the vectors' records."""
    tree = Tree()
    for record in VECTORS["records"]:
        tree.append(completed(record).leaf)
        assert tree.root().hex() == record["root_after"]


def test_led_17_the_sealed_hash():
    """LED-17: the vector's salt and text."""
    assert sealed_hash(SEALED).hex() == VECTORS["sealed"]["hash"]


def test_led_17_a_seal_is_salted():
    """LED-17: the same text has another hash each time, or a difficulty could be found by trying."""
    first, second = seal_text("9"), seal_text("9")
    assert len(first.salt) == len(second.salt) == 16
    assert sealed_hash(first) != sealed_hash(second)


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "contest"},
        {"ref": 8},
        {"network": "irc.example.com"},
        {"channel": "#fa"},
        {"nick": "Alice"},
        {"who": "~alice"},
        {"text": "roll 5d10 h2 dc4"},
        {"draws": ((10, 9), (10, 6), (10, 7), (10, 8), (10, 3))},
        {"draws": ((10, 9), (10, 6), (10, 7), (10, 8), (9, 2))},
        {"line": "alice: Failure"},
        {"stamp": Stamp(2, 1, 0)},
        {"stamp": Stamp(1, 2, 0)},
        {"stamp": Stamp(1, 1, 1)},
        {"sealed": None},
        {"sealed": replace(SEALED, text="10")},
        {"sealed": replace(SEALED, salt=bytes(16))},
    ],
    ids=str,
)
def test_led_11_every_field_enters_the_leaf(changed):
    """LED-11: no field can change without the leaf."""
    leaves = {complete(draft, 1, 2, bytes(16), "1", TAG_KEY).leaf for draft in (DRAFT, replace(DRAFT, **changed))}
    assert len(leaves) == 2


@pytest.mark.parametrize(
    ("position", "value"), [(0, 3), (1, 3), (2, b"\1" * 16), (3, "2"), (4, bytes(32))], ids=lambda value: str(value)[:8]
)
def test_led_11_what_the_ledger_adds_enters_the_leaf(position, value):
    """LED-11: seq, time, blind, rules and tag."""
    added = [1, 2, bytes(16), "1", TAG_KEY]
    changed = [*added[:position], value, *added[position + 1 :]]
    assert complete(DRAFT, *added).leaf != complete(DRAFT, *changed).leaf


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("roll 5d10", "roll 5d10"),
        ("cafe\u0301", "caf\u00e9"),
        ("\x02bold\x02 \x1ditalic\x1d \x1funder\x1f", "bold italic under"),
        ("\x1estruck\x1e \x11mono\x11 \x16turned\x16\x0f", "struck mono turned"),
        ("\x034,12red\x03 \x0304red\x03,5 \x03x", "red red,5 x"),
        ("\x04ff0000red\x04", "red"),
        ("e\x02\u0301", "\u00e9"),
        ("\u200bzero width stays", "\u200bzero width stays"),
        ("tab\tand\x01ctcp", "tab\tand\x01ctcp"),
        ("half \ud83d, NUL \0", "half \ufffd, NUL \ufffd"),
        ("🎲 — “так”", "🎲 — “так”"),
    ],
)
def test_led_11_text_is_composed_and_bare(typed, kept):
    """LED-11: NFC, without IRC formatting; nothing else is removed."""
    assert plain(typed) == kept


@given(st.text())
def test_led_11_plain_text_stays(text):
    """LED-11: text that was made plain once does not change again."""
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize("field", ["network", "channel", "nick", "who", "text", "line"])
def test_led_11_what_is_kept_is_what_was_hashed(field):
    """LED-11: a record has its texts in the form that leaf and tag were made of."""
    typed, composed = (replace(DRAFT, **{field: text}) for text in ("\x02Zoe\u0308\x0f", "Zo\u00eb"))
    first, second = (complete(draft, 1, 2, bytes(16), "1", TAG_KEY) for draft in (typed, composed))
    assert first == second
    assert getattr(first.draft, field) == "Zo\u00eb"


def test_led_11_a_field_that_is_too_long_is_refused():
    """LED-11: lengths are u16; nothing is cut."""
    assert length_prefixed("a" * 65_535)[:2] == b"\xff\xff"
    with pytest.raises(OverflowError):
        length_prefixed("a" * 65_536)


def test_led_11_the_largest_throw_fits():
    """LED-11: 1,000 dice, the most that a command draws (GD-14), and the largest die."""
    draws = ((2**32 - 1, 2**32 - 1),) * 1000
    draft = Draft("roll", "n", "#c", "a", "a", "t", draws, "l")
    other = replace(draft, draws=(*draws[:-1], (2**32 - 1, 2**32 - 2)))
    assert leaf(complete(draft, 1, 1, bytes(16), "1", TAG_KEY)) != leaf(complete(other, 1, 1, bytes(16), "1", TAG_KEY))
