"""Medians, and tables of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import perf_counter_ns

PARTS = 10


def microseconds(work: Callable[[int], object], times: int = 5_000) -> float:
    """The median of `work(0)`, `work(1)`, … in µs, of the tenth of them that nothing else on the machine held up."""
    taken = []
    for nth in range(times):
        start = perf_counter_ns()
        work(nth)
        taken.append(perf_counter_ns() - start)
    size = max(times // PARTS, 1)
    return min(median(taken[at : at + size]) for at in range(0, times - times % size, size)) / 1_000


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of them do not pass."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table, its first column left, the others right."""
    rows = [tuple(heads), *(tuple(row) for row in rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    print(f"\n{title}")
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())
