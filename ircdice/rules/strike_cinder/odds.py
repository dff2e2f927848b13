"""Odds of every Strike & Cinder command that rolls, by the judges that play uses (GEN-08)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import count

from grammars import Command
from grammars.strike_cinder import Assist, Mind, Pool, Resist, Roll
from ircdice.errors import RuleError
from ircdice.odds import Labels, Odds, Shares
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder.judging import (
    CRITICAL,
    EXPLODES,
    SIDES,
    defense,
    degree,
    explodes_from,
    judge,
    verdict,
)
from ircdice.settings import HouseRules

TAIL = Fraction(1, 10**12)  # numbers of passes are listed until less is left


def passes_of(pool: Pool, fullmoon: bool, least: int = 0) -> list[Fraction]:
    """The exact chances of 0, 1, … passes: up to `least`, and then until those left are less likely than TAIL.

    One die's passes have the generating function (3 + 2z)/(6 - z), under the full moon of Cinder (3 + z)/(6 - 2z). The
    derivative times numerator and denominator is a constant, hence a recurrence over two terms.
    """
    n, moon = pool.size, explodes_from(pool.kind, fullmoon) != EXPLODES
    found: list[Fraction] = []
    left, before, now = Fraction(1), 0, 3**n
    for k in count():
        found.append(Fraction(now, SIDES ** (n + k)))
        left -= found[-1]
        if k >= least and left < TAIL:
            return found
        grown = 12 * n if moon else 15 * n - 9 * k
        before, now = now, (grown * now + 12 * (k - 1) * before) // (3 * (k + 1))
    raise AssertionError("the passes never become rare")


def odds(node: Command, _house: HouseRules) -> Odds:
    """The odds of a command that rolls."""
    if isinstance(node, Mind):
        return _mind(node)
    if not isinstance(node, Roll | Assist | Resist):
        raise RuleError(f"there are no odds for {node}.")
    one_sided = node
    decided = max(CRITICAL, defense(node) or 0, node.dc or 0) if isinstance(node, Roll) else CRITICAL
    return _judged(passes_of(node.pool, node.fullmoon, decided), lambda k: judge(one_sided, k)[0])


def _judged(passes: list[Fraction], labels: Callable[[int], Labels]) -> Odds:
    """Odds of one side; more passes than are listed have the labels of the last ones."""
    together: dict[Labels, Fraction] = defaultdict(Fraction)
    for k, chance in enumerate(passes):
        together[labels(k)] += chance
    together[labels(len(passes))] += 1 - sum(passes)
    together = {some: chance for some, chance in together.items() if chance}
    return Odds(together, "passes", Shares.of(dict(enumerate(passes))))


def _mind(node: Mind) -> Odds:
    """Both throws of a contest (SC-16)."""
    if node.against is not None:
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as sc mind 7 vs 5.")
    attack = passes_of(node.pool, node.fullmoon, CRITICAL)
    if node.other is None:
        return _judged(attack, (lambda k: verdict(k, None)) if node.human else (lambda k: (degree(k),)))
    mine, theirs = (Shares.of(dict(enumerate(each))) for each in (attack, passes_of(node.other, node.fullmoon)))
    both = (
        (Outcome(labels=verdict(passes, resisting), values={"passes": passes}), weight * other)
        for passes, weight in enumerate(mine.weights.values())
        for resisting, other in enumerate(theirs.weights.values())
    )
    return replace(Odds.weighted(both, of="passes"), error=2 * TAIL)
