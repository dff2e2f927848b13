"""Charts as geometry, which the templates draw as SVG (WEB-14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Literal

Mode = Literal["exactly", "least", "most"]
MODES: Mapping[Mode, str] = {"exactly": "exactly", "least": "at least", "most": "at most"}
WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 72, 10, 34, 36
MOST_BARS = 60  # values, or ranges of values if there are more
MOST_TICKS = 15
Number = int | float


@dataclass(frozen=True, slots=True)
class Bar:
    """One value of one command: its place in the chart and its probability."""

    x: float
    y: float
    width: float
    height: float
    label: str
    chance: float


@dataclass(frozen=True, slots=True)
class Series:
    """One command: its name, its bars, and the points of its line."""

    name: str
    bars: tuple[Bar, ...]

    @property
    def points(self) -> str:
        """The points in the format of SVG's `points`."""
        return " ".join(f"{bar.x + bar.width / 2:.1f},{bar.y:.1f}" for bar in self.bars)


@dataclass(frozen=True, slots=True)
class Chart:
    """All series, the ticks of both axes (place and text), and the data as a table."""

    series: tuple[Series, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    here: float | None = None  # the position of the line through the marked bar
    at: int | None = None  # the index of that bar
    width: int = WIDTH
    height: int = HEIGHT
    floor: int = HEIGHT - BOTTOM


def chart(
    spreads: Mapping[str, Sequence[tuple[Number, float]]], mode: Mode, here: Number | None = None
) -> Chart | None:
    """A chart of probabilities by the name of each command; `here` is a value to mark."""
    values = sorted({value for spread in spreads.values() for value, _ in spread})
    if len(values) < 2:
        return None
    size = ceil(len(values) / MOST_BARS)
    groups = [values[at : at + size] for at in range(0, len(values), size)]
    labels = [f"{group[0]:g}" if len(group) == 1 else f"{group[0]:g} to {group[-1]:g}" for group in groups]
    table = {name: _summed(dict(spread), groups, mode) for name, spread in spreads.items()}
    top = max(max(chances) for chances in table.values()) or 1.0
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25) if top / step <= 5 or step == 0.25)
    ceiling = ceil(top / step - 1e-9) * step
    wide, high = (WIDTH - LEFT - RIGHT) / len(groups), HEIGHT - TOP - BOTTOM
    series = tuple(
        Series(name, tuple(_bar(nth, chance, wide, high, ceiling, labels[nth]) for nth, chance in enumerate(chances)))
        for name, chances in table.items()
    )
    every = ceil(len(groups) / MOST_TICKS)
    marked = next((nth for nth, group in enumerate(groups) if here is not None and group[0] <= here <= group[-1]), None)
    return Chart(
        series,
        tuple((LEFT + (nth + 0.5) * wide, f"{groups[nth][0]:g}") for nth in range(0, len(groups), every)),
        tuple(
            (TOP + high * (1 - nth * step / ceiling), f"{nth * step:.0%}") for nth in range(round(ceiling / step) + 1)
        ),
        tuple((label, tuple(table[name][nth] for name in table)) for nth, label in enumerate(labels)),
        None if marked is None else LEFT + (marked + 0.5) * wide,
        marked,
    )


def _summed(spread: Mapping[Number, float], groups: Sequence[Sequence[Number]], mode: Mode) -> list[float]:
    chances = [sum(spread.get(value, 0.0) for value in group) for group in groups]
    if mode == "most":
        return [min(total, 1.0) for total in accumulate(chances)]
    if mode == "least":
        return [min(total, 1.0) for total in accumulate(chances[::-1])][::-1]
    return chances


def _bar(nth: int, chance: float, wide: float, high: float, ceiling: float, label: str) -> Bar:
    tall = high * chance / ceiling
    return Bar(LEFT + nth * wide + wide * 0.12, TOP + high - tall, wide * 0.76, tall, label, chance)
