"""Answers that are worked out once, as long as they are small. Knows nothing of what they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Kept(Generic[P, R]):
    """`function`, its last `most` answers kept; one of more than `largest` by `size` is given, and forgotten."""

    def __init__(self, function: Callable[P, R], size: Callable[[R], int], largest: int, most: int) -> None:
        self._function, self._size, self._largest, self._most = function, size, largest, most
        self._answers: dict[Hashable, R] = {}
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The answer, worked out if it is not at hand."""
        key = (args, *sorted(kwargs.items()))
        answer = self._answers.get(key)
        if answer is None:
            answer = self._function(*args, **kwargs)
            if self._size(answer) <= self._largest:
                while len(self._answers) >= self._most:  # several threads may be at it
                    self._answers.pop(next(iter(self._answers), None), None)
                self._answers[key] = answer
        return answer

    def cache_clear(self) -> None:
        """Forget every answer."""
        self._answers.clear()
