"""Whether a roll is written where the event loop stands: by how long the last ones took, and nothing else."""

import pytest

from ircdice.ledger.store.pace import LENT, REST, SLOW, Pace

QUICK, LATE, LONG = SLOW / 2, SLOW * 2, LENT * 2
OFTEN = int(LENT / LATE)  # late ones that need no rest
THREAD, HERE = False, True


def test_led_03_of_a_disk_that_was_never_written_to_nobody_knows():
    """LED-03: the first roll is the thread's."""
    assert not Pace(10).allows(0.0)


@pytest.mark.parametrize(
    ("commits", "asked", "allowed"),
    [
        ([(THREAD, QUICK)], 0.0, True),
        ([(THREAD, SLOW)], 0.0, True),
        ([(THREAD, LATE)], 0.0, False),
        ([(THREAD, LATE)], 1_000_000.0, False),  # however long ago that was
        ([(THREAD, LATE), (THREAD, QUICK)], 0.0, True),
        ([(THREAD, QUICK), (HERE, QUICK)], 0.0, True),
        ([(THREAD, QUICK), (HERE, LATE)], 0.0, False),
        ([(THREAD, QUICK), (HERE, LATE), (THREAD, QUICK)], 0.0, True),  # one that was late
        ([(THREAD, QUICK), (HERE, LATE), (THREAD, LATE)], 0.0, False),
        ([(THREAD, QUICK), (HERE, LATE)], REST * LATE, False),  # nobody has seen it quick again
        ([(HERE, LATE)] * OFTEN + [(THREAD, QUICK)], 0.0, True),
        ([(HERE, LATE)] * (OFTEN + 1) + [(THREAD, QUICK)], REST * LATE * 0.9, False),
        ([(HERE, LATE)] * (OFTEN + 1) + [(THREAD, QUICK)], REST * LATE * 1.1, True),
        ([(HERE, LONG), (THREAD, QUICK)], REST * (LONG - LENT) * 0.9, False),
        ([(HERE, LONG), (THREAD, QUICK)], REST * (LONG - LENT) * 1.1, True),
        ([(HERE, LONG), (THREAD, LATE)], REST * LONG, False),
    ],
)
def test_led_03_a_slow_commit_is_the_threads_as_long_as_it_may_come_again(commits, asked, allowed):
    """LED-03: a disk that is always slow never holds up the loop; one that is so often does for a thirtieth of the
    time, and one that was late once is tried by the thread, no more."""
    pace = Pace(10)
    for here, seconds in commits:
        pace.took(seconds, 0.0, here=here)
    assert pace.allows(asked) is allowed


@pytest.mark.parametrize("most", [0, 1, 3])
def test_led_03_after_some_the_next_is_the_threads(most):
    """LED-03: for the thread carries the log into the file; where none may be made here, all of them are."""
    pace = Pace(most)
    pace.took(QUICK, 0.0, here=THREAD)
    for _ in range(2):
        for _ in range(most):
            assert pace.allows(0.0)
            pace.took(QUICK, 0.0, here=HERE)
        assert not pace.allows(0.0)
        pace.took(QUICK, 0.0, here=THREAD)
