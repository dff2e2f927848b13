"""The clock of records and waits, over a machine's clock that is set."""

import pytest

from ircdice.clock import Clock

SECOND = 1_000_000_000  # ns
MINUTE = 60_000  # ms


class Machine:
    """The machine's two clocks."""

    def __init__(self):
        self.wall, self.steady = 1_700_000_000 * SECOND, 5 * SECOND
        self.clock = Clock(lambda: self.wall, lambda: self.steady)

    def passes(self, minutes):
        self.wall += minutes * 60 * SECOND
        self.steady += minutes * 60 * SECOND

    def is_set(self, minutes):
        self.wall += minutes * 60 * SECOND


@pytest.fixture
def machine():
    return Machine()


def test_it_goes_with_the_machines(machine):
    """LED-02: ms since 1970, and forward with it at once."""
    assert machine.clock() == 1_700_000_000_000
    machine.passes(1)
    assert machine.clock() == 1_700_000_000_000 + MINUTE
    machine.is_set(60)
    assert machine.clock() == 1_700_000_000_000 + 61 * MINUTE


def test_set_back_it_goes_on_more_slowly_until_the_other_is_there(machine):
    """LED-02, GEN-06: it neither goes back nor stands; twice the time that was lost, and both are one again."""
    before = machine.clock()
    machine.is_set(-60)
    assert machine.clock() == before
    for minutes in (10, 50, 60):
        machine.passes(minutes)
        told = machine.clock()
    assert told == before + 60 * MINUTE
    assert told == machine.wall // 1_000_000
    machine.passes(1)
    assert machine.clock() == before + 61 * MINUTE


def test_it_is_asked_often(machine):
    """LED-02: what is too short to be told is not lost."""
    machine.clock()
    machine.is_set(-60)
    before = machine.clock()
    for _ in range(1_000):
        machine.steady += 300_000
        machine.clock()
    assert machine.clock() == before + 150


def test_it_begins_no_earlier_than_the_last_record(machine):
    """LED-02: a bot that is started on a machine whose clock was set back."""
    machine.clock.reach(machine.clock() + 5 * MINUTE)
    first = machine.clock()
    machine.passes(2)
    assert machine.clock() == first + MINUTE
    machine.clock.reach(0)
    assert machine.clock() == first + MINUTE
