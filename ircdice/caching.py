"""Caches: for answers of few and small values, and for answers of very different sizes. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import lru_cache, update_wrapper
from typing import Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
MOST_CACHED = 1024


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """`function` with its last 1,024 answers cached: for small values, as a verdict's words are, that come again.

    The same object is given again, so it must be immutable.
    """
    return cast("Callable[P, R]", lru_cache(MOST_CACHED)(function))


class Kept(dict[Hashable, R]):
    """The last `most` answers by what was asked, but none whose `size` is more than `largest`. Thread-safe."""

    def __init__(self, size: Callable[[R], int], largest: int, most: int) -> None:
        super().__init__()
        self._size, self._largest, self._most = size, largest, most

    def keep(self, asked: Hashable, answer: R) -> None:
        """Have an answer at hand, unless it is too large."""
        if self._size(answer) <= self._largest:
            while len(self) >= self._most:
                with suppress(RuntimeError):  # another thread has changed it between the two
                    self.pop(next(iter(self), None), None)
            self[asked] = answer


class SizedCache(Generic[P, R]):
    """`function` with its last `most` answers cached, but none whose `size` is more than `largest`. Thread-safe."""

    def __init__(self, function: Callable[P, R], size: Callable[[R], int], largest: int, most: int) -> None:
        self._function, self._kept = function, Kept(size, largest, most)
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The answer, worked out if it is not at hand."""
        key = (args, *sorted(kwargs.items())) if kwargs else args
        answer = self._kept.get(key)
        if answer is None:
            answer = self._function(*args, **kwargs)
            self._kept.keep(key, answer)
        return answer

    def cache_clear(self) -> None:
        """Forget every answer."""
        self._kept.clear()
