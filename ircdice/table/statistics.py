"""Counts of faces, with a chi-square test on them, and of verdicts (LED-24, WEB-05)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from math import erfc, exp, lgamma, log, sqrt

from ircdice import dispatcher
from ircdice.dice import Draws
from ircdice.ledger.record import AMENDING, ROLLING, Record
from ircdice.ledger.verify import begun_by

THROWN = ROLLING | AMENDING | {"answer"}  # kinds of record that may hold dice
MOST_OUTCOMES = 12
_FIGURES = re.compile("[;,(]")  # after the verdict: figures and remarks
LEAST_EXPECTED = 5  # dice for each face: with fewer, the test is not meaningful


@dataclass(frozen=True, slots=True)
class FaceCounts:
    """Counts of the faces of one kind of die, from 1 to `sides`."""

    sides: int
    counts: tuple[int, ...]

    @property
    def dice(self) -> int:
        """The number of dice."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The average face."""
        return sum(face * count for face, count in enumerate(self.counts, 1)) / self.dice

    @property
    def p(self) -> float:
        """The p-value: the probability that fair dice are at least this uneven."""
        expected = self.dice / self.sides
        return p_value(sum((count - expected) ** 2 for count in self.counts) / expected, self.sides - 1)

    @property
    def words(self) -> str:
        """The p-value in words."""
        if self.sides < 2 or self.dice < LEAST_EXPECTED * self.sides:
            return "too few to tell anything"
        p = self.p
        if p >= 0.05:
            return f"nothing unusual: fair dice are this uneven or more {round(100 * p)} times in 100"
        if p >= 0.01:
            return f"somewhat uneven: fair dice are this uneven {round(100 * p)} times in 100"
        odds = min(round(1 / p), 1_000_000) if p > 0 else 1_000_000
        return f"very uneven: fair dice do this only once in {odds:,} times"


def face_counts(throws: Iterable[Draws], most_sides: int) -> list[FaceCounts]:
    """Count the faces by kind of die, the most frequent kind first; dice with more sides are left out."""
    thrown = Counter(chain.from_iterable(throws))
    kinds = {sides for sides, _ in thrown if sides <= most_sides}
    counted = [FaceCounts(sides, tuple(thrown[sides, face] for face in range(1, sides + 1))) for sides in kinds]
    return sorted(counted, key=lambda kind: (-kind.dice, kind.sides))


def p_value(chi_square: float, freedom: int) -> float:
    """The exact probability of a chi-square at least as large, with `freedom` degrees of freedom.

    The upper incomplete gamma function at integers and half-integers is a finite sum.
    """
    x = chi_square / 2
    if x <= 0:
        return 1.0
    start = 0.5 if freedom % 2 else 0.0
    total = erfc(sqrt(x)) if freedom % 2 else 0.0
    for step in range(freedom // 2):
        power = start + step
        total += exp(power * log(x) - x - lgamma(power + 1))
    return min(total, 1.0)


def outcomes(rolls: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Count the verdicts of each game, without figures, most frequent first; a changed roll counts once, as it is."""
    latest: dict[int, Record] = {}
    for record in sorted(rolls, key=lambda record: record.seq):
        latest[begun_by(record)] = record
    words = {name: {word.lower() for word in game.words.values()} for name, game in dispatcher.systems().items()}
    by_game: dict[str, Counter[str]] = {}
    for record in latest.values():
        name = record.draft.game or record.draft.terms.system
        head = _FIGURES.split(record.draft.line.partition(": ")[2], maxsplit=1)[0].rstrip()
        if set(head.lower().split(" and ")) <= words.get(name, set()):
            by_game.setdefault(name, Counter())[head] += 1
    return {name: dict(counts.most_common(MOST_OUTCOMES)) for name, counts in sorted(by_game.items())}
