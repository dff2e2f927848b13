"""One term of generic dice: its faces, modifiers and count. A term that is not valid cannot be built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from grammars.generic.modifiers import EXPLODING, SELECTING, SPENT, UNENDING, Compare, Faces, Modifier, always
from grammars.generic.sameness import Part, dice
from grammars.generic.spans import dice_span
from grammars.tokens import LARGEST, MOST_DICE

FUDGE = (-1, 0, 1)  # GD-01
FEWEST_LISTED = 2


class UnbuildableError(ValueError):
    """Why a node cannot be built; `modifier` is the place of the modifier to blame, -1 for the dice themselves."""

    def __init__(self, sentence: str, modifier: int = -1) -> None:
        super().__init__(sentence)
        self.modifier = modifier


@dataclass(frozen=True, slots=True)
class Dice:
    """GD-01: `count` dice of `sides` sides, or of the faces `listed`; `counts` makes it a counting term (GD-07).

    `text`, `span` (lowest and highest value) and `faces` are made of the rest.
    """

    count: int
    sides: int = 0
    listed: tuple[int, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    counts: Compare | None = None
    less: Compare | None = None
    label: str = ""
    text: str = field(init=False, compare=False, repr=False)
    plain: str = field(init=False, compare=False, repr=False)  # the same without its label
    span: tuple[int, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what GD-01, GD-02, GD-05, GD-07 and GD-14 rule out."""
        for fault in chain(_dice_faults(self), _modifier_faults(self)):  # no further than the first: d0 has no faces
            raise fault
        object.__setattr__(self, "plain", _written(self))
        object.__setattr__(self, "text", self.plain + (f"[{self.label}]" if self.label else ""))
        object.__setattr__(self, "span", dice_span(self.count, self.faces, self.modifiers, self.counts, self.less))

    @property
    def faces(self) -> Faces:
        """What one of the dice can show."""
        return self.listed or range(1, self.sides + 1)

    @property
    def drawn(self) -> int:
        """Dice that are drawn for certain."""
        return self.count

    def parts(self, sign: int) -> Iterator[Part]:
        """One term of a sum (LED-22)."""
        faces = self.sides, tuple(sorted(self.listed))
        yield dice(self.count, faces, self.modifiers, (self.counts, self.less), sign)

    def __str__(self) -> str:
        return self.text


def _written(dice: Dice) -> str:
    """The term's text; a comparison behind an explosion would be the explosion's own, so that one is written out."""
    text = f"{dice.count}d{_die(dice)}"
    highest = Compare("=", max(dice.faces[0], dice.faces[-1], *dice.listed))
    last = len(dice.modifiers) - 1
    for place, modifier in enumerate(dice.modifiers):
        plainly = modifier.name in EXPLODING and modifier.compare == highest
        behind = dice.modifiers[place + 1].name if place < last else ""
        apart = behind not in EXPLODING and not (place == last and dice.counts)
        text += modifier.name if plainly and apart else str(modifier)
    return text + (str(dice.counts) if dice.counts else "") + (f"f{dice.less.short}" if dice.less else "")


def _die(dice: Dice) -> str:
    if not dice.listed:
        return str(dice.sides)
    return "F" if dice.listed == FUDGE else f"{{{','.join(map(str, dice.listed))}}}"


def _dice_faults(dice: Dice) -> Iterator[UnbuildableError]:
    """What is wrong with the dice themselves."""
    if not 1 <= dice.count <= MOST_DICE:
        yield UnbuildableError(f"one term has 1 to {MOST_DICE} dice, you wrote {short(dice.count)}")
    if dice.listed and len(dice.listed) < FEWEST_LISTED:
        yield UnbuildableError(f"a die with listed faces has at least {FEWEST_LISTED} of them")
    if any(abs(face) > LARGEST for face in dice.listed):
        yield UnbuildableError(f"faces are -{LARGEST:,} to {LARGEST:,}")
    if not dice.listed and not 1 <= dice.sides <= LARGEST:
        yield UnbuildableError(f"a die has 1 to {LARGEST:,} sides, you wrote d{short(dice.sides)}")
    if dice.less and not dice.counts:
        yield UnbuildableError("f takes away from a count, and there is none", len(dice.modifiers))


def _modifier_faults(dice: Dice) -> Iterator[UnbuildableError]:
    """What is wrong with the modifiers, the first fault first."""
    spent = ""
    for place, modifier in enumerate(dice.modifiers):
        compare = modifier.compare
        if spent and modifier.name not in SELECTING:  # GD-05
            yield UnbuildableError(f"{modifier} cannot stand behind {spent}, whose dice are no longer faces", place)
        if modifier.name in SELECTING and modifier.number < 1:  # GD-02
            yield UnbuildableError(f"{modifier.name} wants a number from 1, you wrote {modifier}", place)
        if abs(compare.number if compare else 0) > LARGEST:
            yield UnbuildableError(f"faces are -{LARGEST:,} to {LARGEST:,}", place)
        if modifier.name in UNENDING and compare and always(compare, dice.faces):  # GD-14
            yield UnbuildableError(f"{modifier} would never end: every face of {_die_named(dice)} matches", place)
        spent = modifier.name if modifier.name in SPENT else spent
    for compare in filter(None, (dice.counts, dice.less)):
        if abs(compare.number) > LARGEST:
            yield UnbuildableError(f"faces are -{LARGEST:,} to {LARGEST:,}", len(dice.modifiers))


def _die_named(dice: Dice) -> str:
    return f"a d{_die(dice)}"


def short(number: int) -> str:
    """A number as an error quotes it: not in hundreds of digits."""
    return f"{number}" if abs(number) < 10**12 else "a number of far too many digits"
