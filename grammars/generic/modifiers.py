"""What stands behind dice in a term: comparisons and modifiers, and which of them do what. Knows no dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any

Faces = tuple[int, ...] | range  # what one die can show

TESTS: Mapping[str, Callable[[Any, Any], bool]] = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge, "<>": ne}  # GD-03
SELECTING = ("k", "kl", "dl", "dh")  # GD-02
EXPLODING = ("!", "!!", "!p")  # GD-05
CLAMPING = ("mi", "ma")  # GD-06
UNENDING = ("r", *EXPLODING)  # as long as a new die matches, so does the next
SPENT = ("!!", "!p")  # GD-05: nothing that looks at faces may stand behind these


@dataclass(frozen=True, slots=True)
class Compare:
    """GD-03: a comparison with a whole number."""

    sign: str
    number: int

    def matches(self, value: Any) -> bool:
        """Whether `value` is what was asked for."""
        return TESTS[self.sign](value, self.number)

    def among(self, values: Sequence[Any]) -> int:
        """How many of `values` match."""
        if self.sign == "=":
            return values.count(self.number)
        test, number = TESTS[self.sign], self.number
        return len([value for value in values if test(value, number)])

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"

    @property
    def short(self) -> str:
        """As it stands behind a modifier, where a number alone means "equal"."""
        return str(self.number) if self.sign == "=" and self.number >= 0 else str(self)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier: `number` for those that keep, drop or clamp, `compare` for those that draw."""

    name: str
    number: int = 0
    compare: Compare | None = None

    def __str__(self) -> str:
        behind = self.compare.short if self.compare else str(self.number)
        # `!=` would be "not equal", or nothing: the other spelling has no such trouble.
        return f"{'e' if self.name == '!' and behind[0] == '=' else self.name}{behind}"


def always(compare: Compare, faces: Faces) -> bool:
    """Whether every one of `faces` matches; of a range, its ends and what lies at the number tell."""
    if isinstance(faces, tuple):
        return all(map(compare.matches, faces))
    near = (faces[0], faces[-1], compare.number)
    return all(compare.matches(face) for face in near if face in faces)
