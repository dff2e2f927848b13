"""Odds of random commands against every throw, each judged as play judges it: of all games and of the dice notation.

`python -m bench every_throw` compares a few thousand, `python -m bench every_throw COUNT [SEED [THROWS]]` as many as
are wanted. Where there are more throws than that, or no end of them, those that were looked at are a bound.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, product
from typing import Any

import grammars
from bench.strings import Strings
from bench.timing import table
from grammars import catalogue
from ircdice import dispatcher
from ircdice.dice import UNSTAMPED
from ircdice.errors import Refused
from ircdice.odds import Odds
from ircdice.outcome import Outcome

COUNT, SEED, THROWS = 3_000, 20261121, 5_000
RARE = Fraction(1, 10**11)  # what is rarer need not be listed, nor thrown: play stops at 1,000 dice
AT_ONCE = 2_000  # throws of a pool that are looked at without asking anew
KINDS = ("2", "3", "4", "6", "F", "{1,2,2}", "{-1,0,3}", "{0,5}")
MODIFIERS = ("k", "kl", "dl", "dh", "!", "!>", "!!", "!p", "r", "r<", "ro", "ro>", "mi", "ma")
COUNTING = ("=", ">", "<", ">=", "<=", "<>")
GAPS = ("+", "-", "*", "/", "//", "%", " >= ", " < ", " = ")


class WantedError(Exception):
    """The throw wants so many dice more, of so many sides each."""


class Sides:
    """Dice that show the sides said beforehand, and ask for more."""

    stamp = UNSTAMPED

    def __init__(self, sides: Sequence[int]) -> None:
        self.sides, self.used, self.chances = sides, 0, 1

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        return tuple([side + 1 for side in self._next(count, sides)])

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        return self.roll(count, len(listed))

    def finish(self) -> None:
        """Nothing is left over: no more is shown than was asked for."""

    def _next(self, count: int, sides: int) -> Sequence[int]:
        shown = self.sides[self.used : self.used + count]
        self.used += count
        self.chances *= sides ** len(shown)
        if len(shown) < count:
            raise WantedError(count - len(shown), sides)
        return shown


@dataclass
class Seen:
    """The throws that were looked at: by labels and by value, for either side, how likely they are."""

    labels: dict[tuple[str, ...], Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    values: dict[Any, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    all: Fraction = Fraction()
    throws: int = 0

    @property
    def each(self) -> Mapping[str, Fraction]:
        """How likely each label is by itself."""
        found: defaultdict[str, Fraction] = defaultdict(Fraction)
        for labels, chance in self.labels.items():
            for label in labels:
                found[label] += chance
        return found


def outcomes(node: Any, throws: int) -> Iterator[tuple[Outcome, Fraction]]:
    """What the likeliest throws come to, so many of them at most."""
    order, waiting = count(), [(1, 0, ())]
    while waiting and throws > 0:
        _, _, sides = heappop(waiting)
        dice, throws = Sides(sides), throws - 1
        try:
            outcome = dispatcher.evaluate(node, dice)
        except WantedError as wanted:
            number, of = wanted.args
            at_once = next(n for n in range(number, 0, -1) if of**n <= AT_ONCE or n == 1)
            for more in product(range(of), repeat=at_once):
                heappush(waiting, (dice.chances * of**at_once, next(order), (*sides, *more)))
            continue
        yield outcome, Fraction(1, dice.chances)


def seen(node: Any, name: str | None, throws: int) -> tuple[Seen, Seen]:
    """The acting side's throws, and the other's."""
    sides = Seen(), Seen()
    counted: tuple[Counter[Any], Counter[Any]] = Counter(), Counter()
    for outcome, chance in outcomes(node, throws):
        for side, judged, found in zip(sides, (outcome, outcome.opponent), counted, strict=True):
            if judged is not None:
                value = judged.values["totals"][0] if "totals" in judged.values else judged.values.get(name)
                found[judged.labels, value, chance.denominator] += 1
                side.throws += 1
    for side, found in zip(sides, counted, strict=True):
        for (labels, value, one_in), number in found.items():
            chance = Fraction(number, one_in)
            side.labels[labels] += chance
            side.values[value] += chance
            side.all += chance
    return sides


def differing(odds: Odds, side: Seen) -> list[str]:
    """Where the odds are not what was seen, or with throws that were not, cannot be."""
    missing = 1 - side.all
    compared: list[tuple[Mapping[Any, Fraction], Mapping[Any, Fraction]]] = [(odds.outcomes, side.each)]
    if sum(odds.together.values()) <= 1:  # else each label is told for itself (XR-21)
        compared.append((odds.together, side.labels))
    if odds.name is not None:
        compared.append((odds.values, side.values))
    wrong = []
    for told, found in compared:
        for key in {*told, *found}:
            chance = told.get(key, Fraction())
            if not found.get(key, 0) - RARE <= chance <= found.get(key, 0) + missing + RARE:
                wrong.append(f"{key}: {float(chance)}, seen {float(found.get(key, 0))} and {float(missing)} not")
    return wrong


class Expressions:
    """Small expressions of the whole dice notation."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def __iter__(self) -> Iterator[str]:
        while True:
            yield f"roll {self._repeat()}{self._sum()}"

    def _repeat(self) -> str:
        return "2x " if self.chance.random() < 0.05 else ""

    def _sum(self) -> str:
        pick = self.chance.choice
        terms = [self._term() if self.chance.random() < 0.8 else str(self.chance.randint(1, 5)) for _ in range(2)]
        if self.chance.random() < 0.6:
            return self._term()
        return f"{pick(('', '', '-', '('))}{pick(GAPS).join(terms)}"

    def _term(self) -> str:
        pick, number = self.chance.choice, lambda: self.chance.choice(("", 1, 2, 2, 3, 4, 5))
        behind = [f"{pick(MODIFIERS)}{number()}" for _ in range(pick((0, 1, 1, 2, 2, 3)))]
        counting = f"{pick(COUNTING)}{pick((1, 2, 3, 4))}{pick(('', '', 'f1', 'f>2'))}" if pick((0, 0, 1)) else ""
        return f"{pick((1, 1, 2, 2, 3, 4))}d{pick(KINDS)}{''.join(behind)}{counting}"


def games(chance: random.Random) -> Iterator[str]:
    """Commands of the games, their examples with other numbers, and what is like them."""
    strings = Strings(chance)

    def number(found: re.Match[str]) -> str:
        return str(chance.randint(1, 4)) if chance.random() < 0.7 else found[0]

    def renumbered() -> str:
        return re.sub(r"(?<![d#])[0-9]+", number, chance.choice(strings.commands))

    while True:
        yield chance.choice((renumbered, renumbered, renumbered, strings._mutated, strings._spliced))()


@dataclass
class Compared:
    """What came of it."""

    became: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    throws: int = 0


def compare(text: str, system: str, throws: int, found: Compared) -> None:
    """One line, if it rolls and may be read."""
    try:
        node = grammars.parse(text, system, called=True)
    except Refused:
        found.became["no command"] += 1
        return
    if not dispatcher.rolls(node):
        found.became["no roll"] += 1
        return
    name = dispatcher.owner(node)
    try:
        odds = dispatcher.odds(node)
        acting, other = seen(node, odds.name, throws)
    except Refused as refusal:
        found.became[f"{name}: {str(refusal)[:60]}"] += 1
        return
    found.became[f"{name}, {'every throw' if acting.all == 1 else 'a bound'}"] += 1
    found.throws += acting.throws
    wrong = differing(odds, acting) + (differing(odds.opponent, other) if odds.opponent and other.throws else [])
    if odds.error > Fraction(1, 10**9):
        wrong.append(f"to within {float(odds.error)}")
    found.wrong += [f"{text!r} ({system}): {each}" for each in wrong[:3]]


def compared(number: int, seed: int, throws: int) -> Compared:
    """So many lines, half of them of the dice notation."""
    chance, found = random.Random(seed), Compared()
    lines, others, systems = iter(Expressions(chance)), games(chance), catalogue.system_names()
    for nth in range(number):
        if nth % 2:
            compare(next(others), chance.choice(systems), throws, found)
        else:
            compare(next(lines), "generic", throws, found)
    return found


def main() -> None:
    """Compare them and print what came of it; the program ends with 1 where any odds were wrong."""
    options = argparse.ArgumentParser(prog="python -m bench every_throw")
    for name, usual in (("count", COUNT), ("seed", SEED), ("throws", THROWS)):
        options.add_argument(name, type=int, nargs="?", default=usual)
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["every_throw"] else sys.argv[1:])
    found = compared(chosen.count, chosen.seed, chosen.throws)
    rows = [(kind, str(times)) for kind, times in found.became.most_common()]
    table(f"{chosen.count} lines, seed {chosen.seed}: {found.throws} throws", ("became", "lines"), rows)
    print(f"\n{len(found.wrong)} went wrong.")
    print("\n".join(found.wrong[:50]))
    if found.wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
