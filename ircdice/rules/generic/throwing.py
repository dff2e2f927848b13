"""Throwing one term: the pool, then its modifiers in the order written (GD-08). Knows dice, no arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from grammars.generic import Compare, Dice, Modifier
from grammars.generic.values import SELECTING
from grammars.tokens import MOST_DRAWN
from ircdice.caching import cached
from ircdice.dice import DiceSource, picked
from ircdice.outcome import Die, Tossed, pool

Faces = tuple[int, ...]


class Budget:
    """How many more dice this command may draw beyond those that were known beforehand (GD-14)."""

    __slots__ = ("left", "stopped")

    def __init__(self, known: int) -> None:
        self.left = MOST_DRAWN - known
        self.stopped = False

    def take(self, wanted: int) -> int:
        """As many of `wanted` as may still be drawn."""
        granted = min(wanted, self.left)
        self.left -= granted
        self.stopped = self.stopped or granted < wanted
        return granted


def toss(term: Dice, source: DiceSource, budget: Budget) -> Tossed:
    """Draw a term's pool, then let its modifiers have their way."""
    faces = picked(source, term.count, term.listed) if term.listed else source.roll(term.count, term.sides)
    if not term.modifiers:
        return Tossed(term, counted(term, faces), _laid(term.sides, faces), faces)
    modifier = term.modifiers[0]
    if len(term.modifiers) == 1 and modifier.name in SELECTING:
        return _selected(term, faces, modifier)
    if len(term.modifiers) == 1 and modifier.name == "!" and modifier.compare:
        return _burst(term, faces, modifier.compare, source, budget)
    return _modified(term, faces, source, budget)


def _selected(term: Dice, faces: tuple[int, ...], modifier: Modifier) -> Tossed:
    """A pool of which some dice are kept, and nothing else: what is rolled most of all."""
    dice, values, dropped = _parted(faces, term.sides, modifier.name, modifier.number)
    return Tossed(term, counted(term, values), dice, values, (), dropped)


@cached
def _parted(faces: tuple[int, ...], sides: int, name: str, number: int) -> tuple[tuple[Die, ...], Faces, Faces]:
    """The dice, the values kept and those dropped: small throws, `4d6k3`, come again and again."""
    kept = set(chosen(Modifier(name, number), range(len(faces)), faces))
    dice = [die if place in kept else fallen(die) for place, die in enumerate(_laid(sides, faces))]
    values = tuple([face for place, face in enumerate(faces) if place in kept])
    return tuple(dice), values, tuple([face for place, face in enumerate(faces) if place not in kept])


def _burst(term: Dice, faces: Sequence[int], compare: Compare, source: DiceSource, budget: Budget) -> Tossed:
    """A pool whose dice explode, and nothing else (GD-05): each that matches draws one more."""
    drawn, further = list(faces), faces
    while wanted := compare.among(further):
        further = more(term, budget.take(wanted), source)
        drawn += further
    return Tossed(term, counted(term, drawn), _laid(term.sides, drawn), drawn)


def more(term: Dice, count: int, source: DiceSource) -> Sequence[int]:
    """`count` new faces of a term's dice; the source is not asked for none."""
    if not count:
        return ()
    return picked(source, count, term.listed) if term.listed else source.roll(count, term.sides)


@lru_cache(maxsize=4096)
def fallen(die: Die) -> Die:
    """The same die, not kept."""
    return die._replace(kept=False)


def chosen(modifier: Modifier, dice: Sequence[int], values: Sequence[int]) -> list[int]:
    """GD-02: of equal faces the leftmost is kept, and the rightmost dropped."""
    number = modifier.number if modifier.name in ("k", "kl") else max(len(dice) - modifier.number, 0)
    # Sorting is stable, turned round as well: equal dice stay as they lie.
    order = sorted(dice, key=values.__getitem__, reverse=modifier.name in ("k", "dl"))
    return order[:number]


def _laid(sides: int, faces: Sequence[int]) -> tuple[Die, ...]:
    """Dice showing `faces`; those with listed faces have no number of sides."""
    return pool(faces, sides) if sides else tuple([Die(0, face) for face in faces])


def counted(term: Dice, values: Sequence[int]) -> int:
    """GD-07: the dice that match, less those that `f` takes away."""
    if term.counts is None:
        return sum(values)
    return term.counts.among(values) - (term.less.among(values) if term.less else 0)


class _Hand:
    """The dice of one term while its modifiers are applied: `values` by die, `alive` the dice that are kept."""

    __slots__ = ("alive", "budget", "draws", "faces", "lowered", "raised", "rerolled", "source", "term", "values")

    def __init__(self, term: Dice, faces: Sequence[int], source: DiceSource, budget: Budget) -> None:
        self.term, self.source, self.budget = term, source, budget
        self.faces, self.values = list(faces), list(faces)
        self.alive = list(range(len(faces)))
        self.draws = [[place] for place in self.alive]  # by die: what of `faces` it is made of
        self.rerolled: list[int] = []
        self.raised: list[int] = []
        self.lowered: list[int] = []

    def matching(self, compare: Compare) -> list[int]:
        """The kept dice whose value matches, left to right."""
        matches, values = compare.matches, self.values
        return [die for die in self.alive if matches(values[die])]

    def draw(self, wanted: int) -> Sequence[int]:
        """New faces, fewer than `wanted` where the limit is reached."""
        faces = more(self.term, self.budget.take(wanted), self.source)
        self.faces += faces
        return faces


def _select(hand: _Hand, modifier: Modifier) -> None:
    """GD-02."""
    hand.alive = sorted(chosen(modifier, hand.alive, hand.values))


def _reroll(hand: _Hand, modifier: Modifier) -> None:
    """GD-04: `r` until no die matches, `ro` once."""
    compare = modifier.compare
    if compare is None:
        return
    again = hand.matching(compare)
    while again:
        start = len(hand.faces)
        faces = hand.draw(len(again))
        for place, (die, face) in enumerate(zip(again, faces, strict=False), start):
            hand.rerolled.append(hand.values[die])
            hand.values[die], hand.draws[die] = face, [place]
        again = [die for die, face in zip(again, faces, strict=False) if compare.matches(face)]
        if modifier.name == "ro":
            return


def _explode(hand: _Hand, modifier: Modifier) -> None:
    """GD-05: each matching die draws one more; behind `!p` each further die counts one less."""
    compare, less = modifier.compare, modifier.name == "!p"
    if compare is None:
        return
    wanted = len(hand.matching(compare))
    while wanted:
        start, die = len(hand.faces), len(hand.values)
        faces = hand.draw(wanted)
        hand.values += [face - less for face in faces]
        hand.draws += [[place] for place in range(start, start + len(faces))]
        hand.alive += range(die, die + len(faces))
        wanted = compare.among(faces)  # by its face, before one is taken away


def _compound(hand: _Hand, modifier: Modifier) -> None:
    """GD-05: new faces are added to the die that exploded, which stays one die."""
    compare = modifier.compare
    if compare is None:
        return
    again = hand.matching(compare)
    while again:
        start = len(hand.faces)
        faces = hand.draw(len(again))
        for place, (die, face) in enumerate(zip(again, faces, strict=False), start):
            hand.values[die] += face
            hand.draws[die].append(place)
        again = [die for die, face in zip(again, faces, strict=False) if compare.matches(face)]


def _clamp(hand: _Hand, modifier: Modifier) -> None:
    """GD-06."""
    raising = modifier.name == "mi"
    changed = hand.raised if raising else hand.lowered
    for die in hand.alive:
        value = hand.values[die]
        if value < modifier.number if raising else value > modifier.number:
            changed.append(value)
            hand.values[die] = modifier.number


_APPLIED: Mapping[str, Callable[[_Hand, Modifier], None]] = {
    "k": _select,
    "kl": _select,
    "dl": _select,
    "dh": _select,
    "r": _reroll,
    "ro": _reroll,
    "!": _explode,
    "!p": _explode,
    "!!": _compound,
    "mi": _clamp,
    "ma": _clamp,
}


def _modified(term: Dice, faces: Sequence[int], source: DiceSource, budget: Budget) -> Tossed:
    hand = _Hand(term, faces, source, budget)
    for modifier in term.modifiers:
        _APPLIED[modifier.name](hand, modifier)
    values, alive = hand.values, hand.alive
    kept = [values[die] for die in alive]
    dropped: list[int] = []
    dice = _laid(term.sides, hand.faces)
    if len(alive) < len(values) or hand.rerolled:
        standing = set(alive)
        dropped = [value for die, value in enumerate(values) if die not in standing]
        used = {place for die in alive for place in hand.draws[die]}
        dice = tuple([die if place in used else fallen(die) for place, die in enumerate(dice)])
    shown = _shown(hand) if any(modifier.name == "!!" for modifier in term.modifiers) else ()
    value = counted(term, kept)
    return Tossed(term, value, dice, kept, shown, dropped, hand.rerolled, hand.raised, hand.lowered)


def _shown(hand: _Hand) -> list[str]:
    """Compounded dice by what they are made of, `6+6+3`; the first face as it was raised or lowered."""
    shown = []
    for die in hand.alive:
        further = [hand.faces[place] for place in hand.draws[die][1:]]
        shown.append("+".join(map(str, (hand.values[die] - sum(further), *further))))
    return shown
