"""What the odds of one question may take (GD-14): counted before each heavy step from the sizes at hand, by no clock.

The ways to the odds say beforehand about how long they take. Beside that every loop of theirs that may be long pays
here for what it is about to do, so that a price that was too low is found out; the same question always pays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Generic, TypeVar

from ircdice.caching import Kept
from ircdice.rules.generic.refusing import too_much

MOST = 800_000_000  # steps: about a second
A_VALUE, A_COMB = 150, 3_000  # steps of looking a value up and adding to it, and of a binomial
DIGIT, SHORT = 30, 70  # bits of a digit of CPython's, and digits up to which it multiplies each with each

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class _Purse:
    """The steps that are left to one question."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST


_purse: ContextVar[_Purse | None] = ContextVar("purse", default=None)


class bounded:  # noqa: N801  # used as a function is; made by contextmanager it takes three times as long
    """What is worked out within may take MOST steps, each about a nanosecond. RuleError where that is not enough."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = _purse.set(_Purse())

    def __exit__(self, *_: object) -> None:
        _purse.reset(self._before)


def spend(steps: float) -> None:
    """Pay for so many steps that are about to be taken. RuleError where so many are not left."""
    purse = _purse.get()
    if purse is not None:
        purse.left -= int(steps)
        if purse.left < 0:
            raise too_much()


def left() -> int:
    """The steps that are not spent yet; all, where nothing is counted."""
    purse = _purse.get()
    return purse.left if purse else MOST


def of_product(bits: float, others: float) -> float:
    """The steps of multiplying two whole numbers of so many bits; dividing takes as many."""
    short, long = bits / DIGIT + 1, others / DIGIT + 1
    if long < short:
        short, long = long, short
    if short <= SHORT:
        return 40 + 1.1 * short * long
    steps: float = 40 + 1.1 * SHORT * long * (short / SHORT) ** 0.585
    return steps


def of_sum(bits: float) -> float:
    """The steps of adding or shifting so many bits."""
    return 60 + bits / 40


class Charged(Generic[K, R]):
    """`function`, its answers kept: one that is at hand costs what it cost, or the order of questions would matter."""

    def __init__(self, function: Callable[[K], R], size: Callable[[R], int], largest: int, most: int) -> None:
        self._function = function
        self._kept: Kept[tuple[R, int]] = Kept(lambda answer: size(answer[0]), largest, most)

    def __call__(self, asked: K) -> R:
        """The answer, paid for."""
        kept = self._kept.get(asked)
        if kept is not None:
            spend(kept[1])
            return kept[0]
        before = left()
        answer = self._function(asked)
        self._kept.keep(asked, (answer, before - left()))
        return answer

    def cache_clear(self) -> None:
        """Forget every answer."""
        self._kept.clear()
