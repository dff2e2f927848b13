"""What is wrong with a line of an export, as a person reads it (LED-07)."""

import json
import re

import pytest
from evening import played
from exported import Nowhere
from hypothesis import given
from hypothesis import strategies as st

from ircdice.errors import ExportError
from ircdice.ledger.importing import take_in

LINES = list(played().exported())
LOG, RECORD = 0, 5
CHECKPOINT = next(at for at, line in enumerate(LINES) if '"type":"checkpoint"' in line)
EPOCH = next(at for at, line in enumerate(LINES) if '"type":"epoch"' in line)


def refusal(line, at):
    """What is said of the export with another line there."""
    with pytest.raises(ExportError) as told:
        take_in([*LINES[:at], line, *LINES[at + 1 :]], Nowhere())
    return str(told.value)


def changed(at, **values):
    """The line there with other values; without those that are `...`."""
    item = json.loads(LINES[at]) | values
    return json.dumps({key: value for key, value in item.items() if value is not ...})


WRONG = [
    (RECORD, "", "it is no JSON from its character 1 on"),
    (RECORD, '{"type":', "it is no JSON from its character 9 on"),
    (RECORD, "[" * 100_000, "it is no JSON that anybody has written"),
    (RECORD, "9" * 10_000, "it is no JSON that anybody has written"),
    (RECORD, "[]", "it is no object in braces"),
    (RECORD, "{}", "it lacks type"),
    (RECORD, '{"type":7}', "type, 7, is no text"),
    (RECORD, changed(RECORD, seq=...), "it lacks seq"),
    (RECORD, changed(RECORD, nick=..., who=...), "it lacks nick, who"),
    (RECORD, changed(RECORD, ts="x" * 99), f'ts, "{"x" * 39}…, is no whole number'),
    (RECORD, changed(RECORD, ts=-1), "ts, -1, is no number that a record has"),
    (RECORD, changed(RECORD, seq=2**63), f"seq, {2**63}, is no number that a record has"),
    (RECORD, changed(RECORD, kind="party"), '"party" is no kind of record here'),
    (RECORD, changed(RECORD, draws={}), "draws, {}, is no list"),
    (RECORD, changed(RECORD, draws=[[10, 9], [10]]), "draws, [10] in it, are no pairs of sides and face"),
    (RECORD, changed(RECORD, leaf="zz"), 'leaf, "zz", is no hexadecimal number'),
    (RECORD, changed(RECORD, leaf="00"), 'leaf, "00", has not 32 bytes'),
    (RECORD, changed(RECORD, more=1), "it holds what no leaf binds: more"),
    (RECORD, changed(RECORD, text=None), "text, null, is no text"),
    (LOG, changed(LOG, key="x"), 'key, "x", is no key of 32 bytes in base 64'),
    (LOG, changed(LOG, origin=...), "it lacks origin"),
    (CHECKPOINT, changed(CHECKPOINT, note=[]), "note, [], is no text"),
    (EPOCH, changed(EPOCH, seed=7), "seed, 7, is no hexadecimal number"),
    (EPOCH, changed(EPOCH, epoch="1"), 'epoch, "1", is no whole number'),
]


@pytest.mark.parametrize(("at", "line", "why"), WRONG, ids=[why for _, _, why in WRONG])
def test_led_07_a_line_that_is_none_is_told_in_words(at, line, why):
    """LED-07: with its number, and what stands there."""
    assert refusal(line, at) == f"line {at + 1} of the export is not of its form: {why}."


def test_led_07_half_a_character_is_in_no_record():
    """LED-07: JSON can hold what no text can."""
    assert refusal(changed(RECORD, text="\ud800"), RECORD).endswith("which was altered: its leaf is another.")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from([2**64, -1, "00"]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from([LOG, RECORD, RECORD + 1, CHECKPOINT, EPOCH]), st.data(), ANYTHING)
def test_led_07_whatever_stands_there_is_told_in_words(at, data, value):
    """LED-07: a sentence with the number of a line, and nothing that only a programmer reads."""
    key = data.draw(st.sampled_from(sorted(json.loads(LINES[at]))))
    said = "the export is taken in"
    try:
        take_in([*LINES[:at], changed(at, **{key: value}), *LINES[at + 1 :]], Nowhere())
    except ExportError as error:
        said = str(error)
    assert re.match("line [0-9]+ of the export (is|has|holds) |the (export|first) |no checkpoint ", said), said
    assert not re.search(r"Error\b|\bNone\b|True|False|<class|object at", said.replace(json.dumps(value), "")), said
