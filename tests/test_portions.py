"""Portions: which of several processes looks at what of a ledger (LED-16)."""

from collections import Counter

import pytest

from ircdice.ledger.portions import PARTS, portions
from ircdice.ledger.record import Draft


def draft(channel, network="net"):
    """A roll there."""
    return Draft("roll", network, channel, "alice", "alice", "roll 5d10", (), "")


LEDGERS = [
    {"#one": 100},
    {"#one": 90, "#two": 10},
    {"#one": 50, "#two": 50},
    {f"#{number}": 10 for number in range(10)},
    {"#one": 70, "#two": 20, "@bob": 10, "": 1},
    {},
]


@pytest.mark.parametrize("records", LEDGERS)
@pytest.mark.parametrize("of", [1, 2, 3, 5])
def test_led_16_each_record_is_looked_at_once_and_judged_once(records, of):
    """LED-16: by whoever reads it, in every stretch, and also in a channel that was not there at the beginning."""
    each = portions(records, of)
    assert [portion.number for portion in each] == list(range(of))
    for stretch in range(2 * PARTS):
        for channel in (*records, "#new"):
            said = draft(channel)
            readers = [portion for portion in each if portion.wanted(stretch)("net", channel)]
            assert sum(portion.holds("net", channel) for portion in each) == 1
            assert [portion.answers_for(said, stretch) for portion in readers].count(True) == 1
            assert all(portion in readers for portion in each if portion.answers_for(said, stretch))
            assert all(channel not in portion.others(stretch) for portion in readers)


def test_led_16_a_record_without_a_place_concerns_every_judge():
    """LED-16, LED-25: what hung on it cannot be judged, wherever it was; one of them looks at it."""
    each = portions({"#one": 90, "#two": 10}, 2)
    assert all(portion.wanted(stretch)("", "") for portion in each for stretch in range(PARTS))
    assert [portion.answers_for(draft("", ""), 0) for portion in each] == [True, False]


@pytest.mark.parametrize(
    ("records", "lent"),
    [({"#one": 100}, {1: PARTS}), ({"#one": 50, "#two": 50}, {}), ({"#one": 60, "#two": 40}, {0: 8, 1: 8})],
)
def test_led_16_of_a_channel_that_one_has_too_much_with_the_others_take_a_part(records, lent):
    """LED-16: as long as that leaves less for whoever has most to do; where all have as much nobody lends."""
    assert Counter(portions(records, 2)[0].parts) == lent
