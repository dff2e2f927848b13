"""The ladder of Success Values (XR-08): totals in, values out. Knows no doubles and no triples."""

LADDER = {5: -1, 10: 0, 15: 1}  # the highest total of each Success Value
TOP_VALUE = 2  # any total above those


def ladder(total: int) -> int:
    """The Success Value of a total."""
    return next((value for highest, value in LADDER.items() if total <= highest), TOP_VALUE)
