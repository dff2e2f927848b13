"""Ten million d10 of the system's dice against a chi-square test."""

from __future__ import annotations

from collections import Counter
from math import erfc, sqrt
from time import perf_counter

from bench.timing import table
from ircdice.dice import SystemDice

ROLLS, SIDES, AT_ONCE = 10_000_000, 10, 1_000


def p_value(chi_square: float, freedom: int) -> float:
    """The chance of a chi-square at least as large (Wilson and Hilferty's approximation)."""
    z = ((chi_square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))
    return erfc(z / sqrt(2)) / 2


def main() -> None:
    """Print counts, chi-square and p; fair dice stay above 0.001 but once in a thousand runs."""
    dice, counts = SystemDice(), Counter[int]()
    start = perf_counter()
    for _ in range(ROLLS // AT_ONCE):
        counts.update(dice.roll(AT_ONCE, SIDES))
    taken = perf_counter() - start
    expected = ROLLS / SIDES
    chi_square = sum((counts[face] - expected) ** 2 / expected for face in range(1, SIDES + 1))
    p = p_value(chi_square, SIDES - 1)
    rows = [
        (f"{ROLLS:,} d{SIDES}", f"{chi_square:.2f}", f"{p:.3f}", "fair" if p > 0.001 else "NOT FAIR", f"{taken:.1f}")
    ]
    table("Chi-square, 9 degrees of freedom", ("dice", "chi-square", "p", "", "seconds"), rows)
