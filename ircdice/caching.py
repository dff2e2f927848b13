"""A cache for small values that come again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
MOST_CACHED = 1024


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """`function` with its last 1,024 answers cached. The same object is returned again, so it must be immutable."""
    return cast("Callable[P, R]", lru_cache(MOST_CACHED)(function))
