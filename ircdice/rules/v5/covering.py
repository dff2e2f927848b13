"""What may be told of a pool under a Difficulty that nobody may read (FW-10, for V5). Pure, as judging is."""

from __future__ import annotations

from math import inf

from ircdice.outcome import Covered, Outcome
from ircdice.rules.v5.texts import PASSED, UNTOLD

SMALLEST = 1  # V5-04


def cover(outcome: Outcome, first: Outcome) -> Covered:
    """Successes, and whether they pass: no margin, no critical. A failure's own words say nothing of the Difficulty.

    After Willpower the two verdicts together might: then it is not said whether the new dice pass.
    """
    passed = _passes(outcome)
    if not _may_be_told(first.values["successes"], _passes(first), outcome.values["successes"]):
        return Covered.of(outcome, (), ("successes",))._replace(remarks=(*outcome.remarks, UNTOLD))
    return Covered.of(outcome, ("success",) if passed else outcome.labels, ("successes",))


def _passes(outcome: Outcome) -> bool:
    return not set(PASSED).isdisjoint(outcome.labels)


def _may_be_told(first: int, passed: bool, now: int) -> bool:
    """Whether neither answer would leave one Difficulty alone, of those that the first throw left."""
    lowest, highest = (SMALLEST, first) if passed else (first + 1, inf)
    if_passed = max(0, min(now, highest) - lowest + 1)
    if_failed = max(0, highest - max(now + 1, lowest) + 1)
    certain = not if_passed or not if_failed
    return certain or 1 not in (if_passed, if_failed)
