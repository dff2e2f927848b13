"""Ids and tags, against the specification's vectors (LED-10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import TAG_KEY as KEY
from vectors import VECTORS

from ircdice.ledger.record import base32, from_base32, tag


@pytest.mark.parametrize("record", VECTORS["records"], ids=lambda record: record["id"])
def test_led_10_tags(record):
    """LED-10: the vectors' tags and ids, to the letter."""
    made = tag(KEY, record["seq"], record["network"], record["channel"], record["nick"], record["line"])
    assert made == record["tag"]
    assert f"{base32(record['seq'])}-{made}" == record["id"]


@pytest.mark.parametrize("changed", ["seq", "network", "channel", "nick", "line"])
def test_led_10_a_tag_depends_on_all_it_is_made_of(changed):
    """LED-10: number, place, nick and line."""
    record = VECTORS["records"][0]
    fields = [record[name] for name in ("seq", "network", "channel", "nick", "line")]
    place = ["seq", "network", "channel", "nick", "line"].index(changed)
    fields[place] = fields[place] + (1 if changed == "seq" else "x")
    assert tag(KEY, *fields) != record["tag"]
    assert tag(b"\x12" * 32, *fields) != tag(KEY, *fields)


def test_led_10_lengths_keep_fields_apart():
    """LED-10: the end of one field is never taken for the begin of the next."""
    assert tag(KEY, 1, "net", "#a", "bc", "line") != tag(KEY, 1, "net", "#ab", "c", "line")


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0"), (1, "1"), (31, "z"), (32, "10"), (141, "4d"), (2**64 - 1, "fzzzzzzzzzzzz")]
)
def test_led_10_base32(number, shown):
    """LED-10: Crockford's alphabet in lower case, without i, l, o, u."""
    assert base32(number) == shown
    assert from_base32(shown) == number


@given(st.integers(0, 2**64 - 1))
def test_led_10_base32_reads_back(number):
    """LED-10: in any case, and with the letters that look like digits."""
    shown = base32(number)
    assert from_base32(shown.upper()) == number
    assert from_base32(shown.replace("0", "o").replace("1", "l")) == number
    assert from_base32(shown.replace("1", "i")) == number


@pytest.mark.parametrize("typed", ["", "u", "4-d", "z" * 14, "é", "٣", " 4d"])
def test_led_10_what_is_no_number(typed):
    """LED-10: anything but one to thirteen of its digits."""
    assert from_base32(typed) is None
