"""Exact chances: which labels come together, and how a value is spread. Fractions inside, floats at the rim."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm, sqrt
from typing import Any, NamedTuple

from ircdice.outcome import Outcome

Labels = tuple[str, ...]
RARE = Fraction(1, 1000)  # at either end of a spread, not shown by itself


@dataclass(frozen=True, slots=True, eq=False)
class Even(Mapping[Any, int]):
    """Values that are all equally likely and equally far apart, lowest first: a weight of 1 each, and none listed."""

    values_in_order: range

    def __getitem__(self, value: Any) -> int:
        if value not in self.values_in_order:
            raise KeyError(value)
        return 1

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values_in_order)

    def __len__(self) -> int:
        return len(self.values_in_order)

    def moved(self, factor: int, more: int) -> Even:
        """Every value times `factor`, not 0, and then `more` added."""
        ends = sorted((self.values_in_order[0] * factor + more, self.values_in_order[-1] * factor + more))
        step = self.values_in_order.step * abs(factor)
        return Even(range(ends[0], ends[1] + 1, step))

    def moment(self, power: int) -> int:
        """The sum of each value to that power, 0, 1 or 2."""
        first, step, n = self.values_in_order[0], self.values_in_order.step, len(self)
        steps = n * (n - 1) // 2
        sums = n, n * first + step * steps, n * first**2 + 2 * first * step * steps + step**2 * steps * (2 * n - 1) // 3
        return sums[power]


class Part(NamedTuple):
    """Some values of a spread that follow each other, and how likely they are together."""

    lowest: Any
    highest: Any
    chance: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Shares(Mapping[Any, Fraction]):
    """The chance of each value, kept as whole `weights` out of `total`: a Fraction is made of one that is looked at."""

    weights: Mapping[Any, int]
    total: int

    def __getitem__(self, value: Any) -> Fraction:
        return Fraction(self.weights[value], self.total)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)

    @classmethod
    def of(cls, chances: Mapping[Any, Fraction]) -> Shares:
        """The same, of whatever kind `chances` are."""
        if isinstance(chances, Shares):
            return chances
        total = lcm(*[chance.denominator for chance in chances.values()])
        return cls({value: c.numerator * (total // c.denominator) for value, c in chances.items()}, total)

    def moment(self, power: int) -> Fraction:
        """The sum of each value to that power, 0, 1 or 2, with its chance."""
        if isinstance(self.weights, Even):
            return Fraction(self.weights.moment(power), self.total)
        under = lcm(*{value.denominator for value in self.weights})
        if under == 1:
            return Fraction(sum([value**power * weight for value, weight in self.weights.items()]), self.total)
        over = [(v.numerator * (under // v.denominator)) ** power * weight for v, weight in self.weights.items()]
        return Fraction(sum(over), under**power * self.total)

    @property
    def alike(self) -> bool:
        """Whether each value is as likely as any other."""
        return isinstance(self.weights, Even) or len({*self.weights.values()}) == 1

    def parts(self, most: int) -> list[Part]:
        """All values, lowest first, in at most so many parts of about as many values each; what is very rare at
        either end is with the outermost of them.
        """
        running, values = self._running(), self._in_order()
        low = max(bisect_right(running, self.total * RARE) - 1, 0)
        high = min(bisect_left(running, self.total * (1 - RARE)), len(values))
        if len(values) <= most:
            low, high = 0, len(values)
        size = -(-(high - low) // most)
        cuts = [0, *range(low + size, high, size), len(values)]
        return [
            Part(values[first], values[end - 1], Fraction(running[end] - running[first], self.total))
            for first, end in pairwise(cuts)
        ]

    def _in_order(self) -> Sequence[Any]:
        return self.weights.values_in_order if isinstance(self.weights, Even) else list(self.weights)

    def _running(self) -> Sequence[int]:
        """The weights of all values before each, and of all."""
        even = isinstance(self.weights, Even)
        return range(len(self) + 1) if even else list(accumulate(self.weights.values(), initial=0))


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
        return Shares.of(self.values).moment(1)

    @property
    def sd(self) -> float:
        """The standard deviation of the value."""
        shares, mean = Shares.of(self.values), self.mean
        return sqrt(shares.moment(2) - 2 * mean**2 + mean**2 * shares.moment(0))


def _shares(weights: Mapping[int, int], total: int) -> Shares:
    return Shares({value: weights[value] for value in sorted(weights)}, total)
