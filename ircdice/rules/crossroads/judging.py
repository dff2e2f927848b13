"""Judge one Skill Roll by the three dice kept, and two Skill Rolls against each other."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

LADDER = {5: -1, 10: 0, 15: 1}  # XR-08: the highest total of each Success Value
TOP_VALUE = 2  # any total above those
RESULTS = {-1: "failure", 0: "partial_success", 1: "success", 2: "great_success"}  # XR-24
LEAST_RESULT, GREATEST_RESULT = min(RESULTS), max(RESULTS)  # XR-09


class Multiple(NamedTuple):
    """Equal faces among the three dice kept: what it is called, and what it does to the Success Value."""

    label: str
    shift: int = 0
    fate_die: bool = False


_CHANGE, _CHANGE_OF_FATE = Multiple("change"), Multiple("change_of_fate")
DOUBLES = {  # XR-12…XR-14
    1: Multiple("misstep", -1),
    2: _CHANGE,
    3: _CHANGE,
    4: _CHANGE,
    5: _CHANGE,
    6: Multiple("fateful", +1),
}
DOUBLE_VALUES = (-1, 2)  # XR-12, XR-14: a double goes no further
TRIPLES = {  # XR-15…XR-19
    1: Multiple("doomed_portents", -1, fate_die=True),
    2: Multiple("balanced_portents"),
    3: _CHANGE_OF_FATE,
    4: _CHANGE_OF_FATE,
    5: Multiple("fates_blessing"),
    6: Multiple("fates_child", +1, fate_die=True),
}
TRIPLE_VALUES = (-2, 3)  # XR-15, XR-19: a triple goes further
BALANCED = 2  # XR-16: the only triple that affects the other side
SIMPLE = "simple"  # XR-21: the value of `triples` in the config


def ladder(total: int) -> int:
    """The Success Value of a total (XR-08)."""
    return (*LADDER.values(), TOP_VALUE)[bisect_left(tuple(LADDER), total)]


class Judged(NamedTuple):
    """One Skill Roll: `labels` of its multiples, and the face of its triple, 0 if it has none.

    `unopposed` are all of its labels if the roll is not opposed.
    """

    total: int
    success_value: int
    labels: tuple[str, ...]
    triple: int
    unopposed: tuple[str, ...] = ()


def judge(kept: tuple[int, ...], bonus: int, simple: bool, rerolled: bool) -> Judged:
    """Judge a Skill Roll by its three dice (XR-08, XR-11…XR-16, XR-21); after a Change no double counts (XR-13)."""
    total = max(sum(kept) + bonus, 0)  # XR-06
    value = ladder(total)
    first, second, third = kept
    if first == second == third and not simple:
        return _shifted(total, value, TRIPLES[first], TRIPLE_VALUES, first)
    if first == second == third:
        double = None if rerolled else DOUBLES[first]  # XR-21, and XR-13: a Change is had once
        return _shifted(total, value, double, DOUBLE_VALUES, 0, "fate_die")
    face = first if first in (second, third) else second if second == third else 0
    return _shifted(total, value, None if rerolled else DOUBLES.get(face), DOUBLE_VALUES, 0)


def _shifted(
    total: int, value: int, multiple: Multiple | None, limits: tuple[int, int], triple: int, *gained: str
) -> Judged:
    labels = gained
    if multiple is not None:
        least, greatest = limits
        labels = (multiple.label, "fate_die") if multiple.fate_die else (multiple.label, *gained)
        value = min(max(value + multiple.shift, least), greatest) if multiple.shift else value
    alone = 0 if triple == BALANCED else held(value)
    return Judged(total, value, labels, triple, (RESULTS[alone], *labels))


def balanced(own: Judged, other: Judged) -> bool:
    """Whether a triple 2 of either side counts and sets the Result (XR-16, XR-20, XR-27)."""
    return BALANCED in (own.triple, other.triple) and max(own.triple, other.triple) == BALANCED


def result(own: Judged, other: Judged | None) -> int:
    """The Result of a Skill Roll: unopposed its Success Value, else the difference, held to the table (XR-09)."""
    if other is None:
        return 0 if own.triple == BALANCED else own.success_value
    if balanced(own, other):
        return 0
    return held(own.success_value - other.success_value)


def held(value: int) -> int:
    """A value held between Failure and Great Success (XR-09)."""
    return min(max(value, LEAST_RESULT), GREATEST_RESULT)
