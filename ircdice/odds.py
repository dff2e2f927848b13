"""Exact chances: which labels come together, and how a value is spread. Fractions inside, floats at the rim."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any

from ircdice.outcome import Outcome

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """`together`: the chance of each set of labels that can be posted; `values`: that of each value of `name`.

    In a contest `opponent` has those of the other side. `also` spreads further values, by name.
    """

    together: Mapping[Labels, Fraction]
    name: str | None
    values: Mapping[Any, Fraction]  # by whole number, or by Fraction
    opponent: Odds | None = None
    also: Mapping[str, Mapping[int, Fraction]] = field(default_factory=dict)
    error: Fraction = Fraction()  # what the chances listed may lack together; 0 where they are exact
    remarks: tuple[str, ...] = ()  # as of an outcome: what is to be said of the dice asked about

    def beside(self, opponent: Odds) -> Odds:
        """The odds of a contest: these for the acting side, `opponent` for the other."""
        return replace(self, opponent=opponent)

    @classmethod
    def over(cls, outcomes: Iterable[Outcome], of: str | None = None) -> Odds:
        """Chances over outcomes that are equally likely, each listed as often as it can be thrown."""
        return cls.weighted(((outcome, 1) for outcome in outcomes), of)

    @classmethod
    def weighted(
        cls, outcomes: Iterable[tuple[Outcome, int]], of: str | None = None, also: tuple[str, ...] = ()
    ) -> Odds:
        """Chances over outcomes with whole weights; `of` names the value that is spread, else the first there is."""
        together: defaultdict[Labels, int] = defaultdict(int)
        values: defaultdict[int, int] = defaultdict(int)
        further: dict[str, defaultdict[int, int]] = {name: defaultdict(int) for name in also}
        for outcome, weight in outcomes:
            together[outcome.labels] += weight
            of = of or next(iter(outcome.values), None)
            if of is not None:
                values[outcome.values[of]] += weight
            for name, spread in further.items():
                spread[outcome.values[name]] += weight
        total = sum(together.values())
        return cls(
            {labels: Fraction(weight, total) for labels, weight in together.items()},
            of,
            _shares(values, total),
            also={name: _shares(spread, total) for name, spread in further.items()},
        )

    @property
    def outcomes(self) -> Mapping[str, Fraction]:
        """The chance that each label is posted; labels may be posted together."""
        chances: defaultdict[str, Fraction] = defaultdict(Fraction)
        for labels, chance in self.together.items():
            for label in labels:
                chances[label] += chance
        return chances

    def any_of(self, labels: Iterable[str]) -> Fraction:
        """The chance that at least one of `labels` is posted."""
        wanted = set(labels)
        return sum((chance for some, chance in self.together.items() if not wanted.isdisjoint(some)), Fraction())

    @property
    def mean(self) -> Fraction:
        """The mean of the value."""
        return sum((value * chance for value, chance in self.values.items()), Fraction())

    @property
    def sd(self) -> float:
        """The standard deviation of the value."""
        mean = self.mean
        return sqrt(sum((chance * (value - mean) ** 2 for value, chance in self.values.items()), Fraction()))


def _shares(weights: Mapping[int, int], total: int) -> dict[int, Fraction]:
    return {value: Fraction(weights[value], total) for value in sorted(weights)}
