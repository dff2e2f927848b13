"""The ladder of Success Values (XR-08): totals in, values out. Knows no doubles and no triples."""

from bisect import bisect_left

LADDER = {5: -1, 10: 0, 15: 1}  # the highest total of each Success Value
TOP_VALUE = 2  # any total above those
_HIGHEST, _VALUES = tuple(LADDER), (*LADDER.values(), TOP_VALUE)


def ladder(total: int) -> int:
    """The Success Value of a total."""
    return _VALUES[bisect_left(_HIGHEST, total)]
