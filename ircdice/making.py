"""Frozen values made in a fifth of the time, where millions are made. Knows no value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from typing import Any, TypeVar, cast

T = TypeVar("T")


def maker(frozen: type[T]) -> Callable[..., T]:
    """Makes what `frozen`, a dataclass with slots and without defaults made anew, makes of all of its fields by place.

    A frozen dataclass sets each field past its own lock. Here they are set before it is locked: a value of the same
    layout becomes one of that class when it is whole.
    """

    def lock(value: Any) -> None:
        value.__class__ = frozen

    assert not hasattr(frozen, "__post_init__"), "what it makes of its fields would be left out"
    names = [each.name for each in fields(cast("Any", frozen))]
    open_yet = make_dataclass(frozen.__name__, names, slots=True, namespace={"__post_init__": lock})
    return cast("Callable[..., T]", open_yet)
