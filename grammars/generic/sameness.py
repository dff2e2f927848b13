"""When two expressions roll the same thing (LED-22): parts in another order, added up, or labelled. Knows no node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from grammars.generic.modifiers import Modifier
from grammars.generic.spans import Exact

Key = tuple[object, ...]
Part = tuple[Key, int, Exact]  # what it is, 1 or -1 as it is added or taken away, and how many of it
CONSTANT: Key = ()
KEPT = {"k": (True, False), "kl": (False, False), "dl": (True, True), "dh": (False, True)}  # of the highest; dropped


def summed(parts: Iterable[Part]) -> Key:
    """What all the parts come to, whatever their order: the constant, and what is rolled so many times."""
    constant: Exact = 0
    rolled: Counter[tuple[Key, int]] = Counter()
    for key, sign, many in parts:
        if key == CONSTANT:
            constant += sign * many
        else:
            rolled[key, sign] += int(many)
    return constant, frozenset(rolled.items())


def product(factors: Sequence[tuple[str, Key]]) -> Key:
    """Factors behind their operators; where all are multiplied, whatever their order."""
    if all(operator == "*" for operator, _ in factors):
        return ("*", frozenset(Counter(factors).items()))
    return tuple(factors)


def dice(
    count: int, faces: tuple[int, tuple[int, ...]], modifiers: tuple[Modifier, ...], counted: Key, sign: int
) -> Part:
    """So many dice where each counts for itself, else all of them as one thing; `counted` is how they are compared."""
    held = _held(count, modifiers)
    return ((count, faces, held, counted), sign, 1) if held or any(counted) else (faces, sign, count)


def between(lowest: int, highest: int) -> Key:
    """One whole number of many, as a die and what is added to it."""
    return summed([(CONSTANT, 1, lowest - 1), ((highest - lowest + 1, ()), 1, 1)])


def _held(count: int, modifiers: tuple[Modifier, ...]) -> Key:
    """Modifiers; where dice are only kept or dropped, how many are kept: `4d6k3` is `4d6dl1`."""
    if len(modifiers) != 1 or modifiers[0].name not in KEPT:
        return modifiers
    highest, dropped = KEPT[modifiers[0].name]
    number = min(modifiers[0].number, count)
    kept = count - number if dropped else number
    return () if kept == count else (highest, kept)
