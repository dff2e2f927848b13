"""Portions: which of several processes looks at what of a ledger (LED-16)."""

from itertools import permutations

import pytest

from ircdice.ledger.portions import Loan, lent, portions
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
    """LED-16: by whoever reads it, whoever lends, and also in a channel that was not there at the beginning."""
    each = portions(records, of)
    assert [portion.number for portion in each] == list(range(of))
    for loan in (None, *(Loan(*pair) for pair in permutations(range(of), 2))):
        for channel in (*records, "#new"):
            said = draft(channel)
            readers = [portion for portion in each if portion.wanted(loan)("net", channel)]
            assert sum(portion.holds("net", channel) for portion in each) == 1
            assert [portion.answers_for(said, loan) for portion in readers].count(True) == 1
            assert all(portion in readers for portion in each if portion.answers_for(said, loan))
            assert all(channel not in portion.others(loan) for portion in readers)


@pytest.mark.parametrize("loan", [None, Loan(0, 1), Loan(1, 0)])
def test_led_16_a_record_without_a_place_concerns_every_judge(loan):
    """LED-16, LED-25: what hung on it cannot be judged, wherever it was; one of them looks at it."""
    each = portions({"#one": 90, "#two": 10}, 2)
    assert all(portion.wanted(loan)("", "") and portion.holds("", "") for portion in each)
    assert [portion.answers_for(draft("", ""), loan) for portion in each].count(True) == 1


@pytest.mark.parametrize(
    ("worked", "loan"),
    [([3.0, 3.0], None), ([3.0, 3.04], None), ([3.0, 4.0], Loan(1, 0)), ([5.0, 3.0, 2.0], Loan(0, 2)), ([1.0], None)],
)
def test_led_16_whoever_has_worked_most_lends_to_whoever_has_worked_least(worked, loan):
    """LED-16: or all would wait for the one whose channels play the game that takes longest."""
    assert lent(worked) == loan
