"""Exact odds: the probability of each set of labels, and distributions. Fractions inside, floats outside."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm, sqrt
from typing import NamedTuple

from ircdice.outcome import Number, Outcome

Labels = tuple[str, ...]
RARE = Fraction(1, 1000)  # rarer values at either end of a distribution are not shown separately


class Part(NamedTuple):
    """Consecutive values of a distribution, and their total probability."""

    lowest: Number
    highest: Number
    chance: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Shares(Mapping[Number, Fraction]):
    """The probability of each value, stored as integer `weights` out of `total`; in `Odds` the values ascend.

    Rare values of an endless explosion may be missing; `cut` bounds the error of the listed probabilities.
    """

    weights: Mapping[Number, int]
    total: int
    cut: Fraction = Fraction()

    def __getitem__(self, value: Number) -> Fraction:
        return Fraction(self.weights[value], self.total)

    def __iter__(self) -> Iterator[Number]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def missing(self) -> Fraction:
        """The probability of all values not listed."""
        return Fraction(self.total - sum(self.weights.values()), self.total)

    def moment(self, power: int) -> Fraction:
        """The moment of that power, 0, 1 or 2."""
        under = lcm(*{value.denominator for value in self.weights})
        over = sum([int(value * under) ** power * weight for value, weight in self.weights.items()])
        return Fraction(over, under**power * self.total)

    @property
    def alike(self) -> bool:
        """Whether all values are equally likely."""
        return len({*self.weights.values()}) == 1

    def parts(self, most: int) -> list[Part]:
        """All values, lowest first, in at most `most` groups of about equal size.

        Very rare values at either end belong to the outermost groups.
        """
        running, values = list(accumulate(self.weights.values(), initial=0)), list(self.weights)
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


@dataclass(frozen=True, slots=True)
class Odds:
    """`together` has the probability of each possible set of labels, `values` that of each value of `name`.

    In a contest, `opponent` has the odds of the other side. `also` has distributions of further values, by name.
    """

    together: Mapping[Labels, Fraction]
    name: str | None
    values: Shares
    opponent: Odds | None = None
    also: Mapping[str, Shares] = field(default_factory=dict)
    error: Fraction = Fraction()  # bound on the total error of the listed probabilities; 0 if exact
    remarks: tuple[str, ...] = ()  # labels, as in an outcome

    @classmethod
    def over(cls, outcomes: Iterable[Outcome], of: str | None = None) -> Odds:
        """Odds from equally likely outcomes, one for each possible throw."""
        return cls.weighted(((outcome, 1) for outcome in outcomes), of)

    @classmethod
    def weighted(
        cls, outcomes: Iterable[tuple[Outcome, int]], of: str | None = None, also: tuple[str, ...] = ()
    ) -> Odds:
        """Odds from outcomes with integer weights, for the value named `of`, or the first one."""
        together: Counter[Labels] = Counter()
        spreads: defaultdict[str, Counter[Number]] = defaultdict(Counter)
        for outcome, weight in outcomes:
            together[outcome.labels] += weight
            of = of or next(iter(outcome.values), None)
            for name in (of, *also) if of else also:
                spreads[name][outcome.whole(name)] += weight
        total = together.total()
        shares = {name: Shares(dict(sorted(spread.items())), total) for name, spread in spreads.items()}
        chances = {labels: Fraction(weight, total) for labels, weight in together.items()}
        return cls(chances, of, shares.pop(of or "", Shares({}, total)), also=shares)

    @property
    def outcomes(self) -> Mapping[str, Fraction]:
        """The probability of each label; labels may occur together."""
        chances: defaultdict[str, Fraction] = defaultdict(Fraction)
        for labels, chance in self.together.items():
            for label in labels:
                chances[label] += chance
        return chances

    def any_of(self, labels: Iterable[str]) -> Fraction:
        """The probability that at least one of `labels` occurs."""
        wanted = set(labels)
        return sum((chance for some, chance in self.together.items() if not wanted.isdisjoint(some)), Fraction())

    @property
    def mean(self) -> Fraction:
        """The mean of the value."""
        return self.values.moment(1)

    @property
    def sd(self) -> float:
        """The standard deviation of the value."""
        shares, mean = self.values, self.mean
        return sqrt(shares.moment(2) - 2 * mean**2 + mean**2 * shares.moment(0))
