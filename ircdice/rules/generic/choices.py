"""Which of a term's dice its choices leave (GD-02), and which of its modifiers may change any."""

from __future__ import annotations

from collections.abc import Sequence

from grammars.generic import Dice, Modifier
from grammars.generic.values import SELECTING
from ircdice.rules.generic.gains import fresh, parted

SUMMING = ("!", "!p")  # behind these there may be more dice


def effective(dice: Dice) -> tuple[int, tuple[Modifier, ...]]:
    """How many dice a term has left in the end, or at least one, and those of its modifiers that may change any."""
    found: list[Modifier] = []
    left = dice.count
    for place, modifier in enumerate(dice.modifiers):
        if modifier.name in SUMMING:
            return left, (*found, *dice.modifiers[place:])
        if modifier.name in SELECTING:
            start, end = stretch([modifier], left)
            if end - start == left or (place == 0 and _idle(dice, end - start)):
                continue
            left = end - start
        found.append(modifier)
    return left, tuple(found)


def _idle(dice: Dice, kept: int) -> bool:
    """Whether it says nothing that a term keeps so many of its highest dice first: only the highest face explodes then,
    and of all that lie there no more are kept. Had it left fewer of those that explode, all of them would show it.
    """
    if len(dice.modifiers) < 3:
        return False
    choice, burst, again = dice.modifiers[:3]
    if choice.name not in ("k", "dl") or burst.name not in SUMMING or again.name != "k":
        return False
    matching, _ = parted(fresh(dice), burst)
    return {*matching} == {max(dice.faces)} and again.number <= kept


def stretch(choices: Sequence[Modifier], count: int) -> tuple[int, int]:
    """GD-02: which of the sorted dice are left, lowest first."""
    start, end = 0, count
    for modifier in choices:
        number = modifier.number
        if modifier.name in ("k", "kl"):
            number = max(end - start - number, 0)  # so many are dropped at the other end
        number = min(number, end - start)
        if modifier.name in ("k", "dl"):
            start += number
        else:
            end -= number
    return start, end
