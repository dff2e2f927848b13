"""Exact odds, by the judges that play uses (GEN-08). Explosions are never cut off: closed forms and recurrences.

One die's passes have the generating function (3 + 2z)/(6 - z), under the full moon of Cinder (3 + z)/(6 - 2z).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, zip_longest
from math import prod, sqrt

from grammars import Command
from grammars.strike_cinder_nodes import Assist, Mind, Pool, Resist, Roll
from ircdice.errors import RuleError
from ircdice.odds import Labels, Odds, Shares
from ircdice.rules.strike_cinder.judging import (
    COMPLETE,
    CRITICAL,
    EXPLODES,
    SIDES,
    degree,
    explodes_from,
    judge,
    verdict,
)
from ircdice.settings import HouseRules

TAIL = 12  # values are listed until less than 10^-12 is left


@dataclass(frozen=True, slots=True)
class PassOdds(Odds):
    """Odds of passes: the list of values ends somewhere, so mean and variance are stated."""

    true_mean: Fraction = Fraction()
    variance: Fraction = Fraction()

    @property
    def mean(self) -> Fraction:
        """The mean of the passes."""
        return self.true_mean

    @property
    def sd(self) -> float:
        """The standard deviation of the passes."""
        return sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class Passes:
    """The passes of `dice` dice: exactly `weights[k] / 6**(dice + k)` for each k."""

    dice: int
    moon: bool

    def weights(self) -> Iterator[int]:
        """The coefficients of f(z)^dice, each with its power of six taken out, without end.

        f' times numerator and denominator is a constant, hence a recurrence over two terms.
        """
        n = self.dice
        before, now = 0, 3**n
        for k in count():
            yield now
            grown = 12 * n if self.moon else 15 * n - 9 * k
            before, now = now, (grown * now + 12 * (k - 1) * before) // (3 * (k + 1))

    def chances(self, least: int) -> list[Fraction]:
        """The chances of 0, 1, … passes: at least `least` of them, until those left are less likely than the tail."""
        found: list[Fraction] = []
        scale, summed, limit = SIDES**self.dice, 0, 10**TAIL
        for k, weight in enumerate(self.weights()):
            summed = summed * SIDES + weight
            found.append(Fraction(weight, scale))
            if k + 1 >= least and (scale - summed) * limit < scale:
                break
            scale *= SIDES
        return found

    def at_least(self, passes: int) -> Fraction:
        """The chance of `passes` or more."""
        return 1 - self.below(passes)

    def below(self, passes: int) -> Fraction:
        """The chance of fewer than `passes`."""
        summed = 0
        for _, weight in zip(range(passes), self.weights(), strict=False):
            summed = summed * SIDES + weight
        return Fraction(summed, SIDES ** (self.dice + passes - 1)) if passes else Fraction()

    @property
    def mean(self) -> Fraction:
        """3/5 a die, 3/4 under the moon."""
        return self.dice * (Fraction(3, 4) if self.moon else Fraction(3, 5))

    @property
    def variance(self) -> Fraction:
        """f''(1) + f'(1) - f'(1)^2 for each die."""
        return self.dice * (Fraction(15, 16) if self.moon else Fraction(12, 25))


def of_pool(pool: Pool, fullmoon: bool) -> Passes:
    """The passes of a pool."""
    return Passes(pool.size, explodes_from(pool.kind, fullmoon) != EXPLODES)


def odds(node: Command, _house: HouseRules) -> Odds:
    """The odds of a command that rolls."""
    if isinstance(node, Mind):
        return _mind(node)
    if not isinstance(node, Roll | Assist | Resist):
        raise RuleError(f"there are no odds for {node}.")
    one_sided = node
    decided = max(CRITICAL, node.defense or 0, node.dc or 0) if isinstance(node, Roll) else CRITICAL
    return _judged(of_pool(node.pool, node.fullmoon), decided, lambda k: judge(one_sided, k)[0])


def _judged(passes: Passes, decided: int, labels: Callable[[int], Labels]) -> PassOdds:
    """Odds of one side; its labels are the same for all passes from `decided` on."""
    together: defaultdict[Labels, Fraction] = defaultdict(Fraction)
    bounds = [k for k in range(1, decided + 1) if labels(k) != labels(k - 1)]
    below = Fraction()
    for bound in bounds:
        upto = passes.below(bound)
        together[labels(bound - 1)] += upto - below
        below = upto
    together[labels(decided)] += 1 - below
    return _spread(passes, {some: chance for some, chance in together.items() if chance})


def _spread(passes: Passes, together: dict[Labels, Fraction]) -> PassOdds:
    values = Shares.of(dict(enumerate(passes.chances(1))))
    return PassOdds(together, "passes", values, true_mean=passes.mean, variance=passes.variance)


def _mind(node: Mind) -> Odds:
    """Both throws of a contest (SC-16), in closed form."""
    attack = of_pool(node.pool, node.fullmoon)
    if node.against is not None:
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as sc mind 7 vs 5.")
    if node.other is None:
        labels = (lambda k: verdict(k, None)) if node.human else (lambda k: (degree(k),))
        return _judged(attack, CRITICAL, labels)
    other = of_pool(node.other, node.fullmoon)
    failed = {verdict(k, None): chance for k, chance in enumerate(attack.chances(COMPLETE)[:COMPLETE])}
    mine, theirs = attack.chances(COMPLETE), other.chances(COMPLETE)
    # Resisted: the attack has succeeded, and the other side's passes are as many or more.
    held = 1 - exceeds(attack, other)
    resisted = held - sum((mine[a] * other.at_least(a) for a in range(COMPLETE)), Fraction())
    # Aware: enough passes, and yet fewer than the attack's.
    few = sum((theirs[r] * attack.below(r + 1) for r in range(COMPLETE)), Fraction())
    aware = other.at_least(COMPLETE) - (held - few)
    overcome = attack.at_least(COMPLETE) - resisted - aware
    together = failed | {("overcome",): overcome, ("overcome", "aware"): aware, ("resisted",): resisted}
    return _spread(attack, {labels: chance for labels, chance in together.items() if chance})


def exceeds(one: Passes, other: Passes) -> Fraction:
    """The exact chance that `one` has more passes than `other`, both without end.

    In F(z)·G(1/z) the powers above 0 belong to the pole of F. Around it, with u = 1 - z/pole, the product is
    u^-n times a power series; its first n coefficients are the partial fractions, and these are summed at z = 1.
    """
    n, m = one.dice, other.dice
    if one.moon:  # pole 3: F = (2 - u)/2u, G(1/z) = (10 - 9u)/(16 - 18u), and at z = 1 the sum's ratio is 3/2
        factors, ratio = (((2, -1), n), ((10, -9), m), ((16, -18), -m)), Fraction(3, 2)
    else:  # pole 6: F = (5 - 4u)/2u, G(1/z) = (20 - 18u)/(35 - 36u), and the ratio is 6/5
        factors, ratio = (((5, -4), n), ((20, -18), m), ((35, -36), -m)), Fraction(6, 5)
    series = _series(factors, n)
    summed = [c * (Fraction(ratio ** (n - i)) - 1) for i, c in enumerate(series)]
    return sum(summed, Fraction()) / (1 << n)


def _series(factors: tuple[tuple[tuple[int, int], int], ...], length: int) -> list[Fraction]:
    """The first coefficients in u of the product of (a + bu)^p over `factors`.

    With D the product of all a + bu, and Q the sum of p·b times the product of the others, D·G' = Q·G.
    """
    below, above = [1], [0]
    for (a, b), power in factors:
        above = _plus(_times(above, (a, b)), [power * b * c for c in below])
        below = _times(below, (a, b))
    found = [prod([Fraction(Fraction(a) ** power) for (a, _), power in factors], start=Fraction(1))]
    for k in range(1, length):
        total = sum((c * found[k - 1 - j] for j, c in enumerate(above) if j < k), Fraction())
        total -= sum((c * (k - j) * found[k - j] for j, c in enumerate(below) if 0 < j < k), Fraction())
        found.append(total / (below[0] * k))
    return found


def _times(polynomial: list[int], factor: tuple[int, int]) -> list[int]:
    a, b = factor
    return _plus([a * c for c in polynomial], [0, *(b * c for c in polynomial)])


def _plus(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip_longest(one, other, fillvalue=0)]
