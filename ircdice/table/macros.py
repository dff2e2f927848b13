"""Macros, as the desk has them (DSK-05). The key is `OWNER macro NAME`; the owner is a person or a channel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grammars.macros import Macro
from ircdice.table.desk import Desk, folded, key_of


class Called(NamedTuple):
    """A macro, and what is typed after its name."""

    macro: Macro
    rest: str


def macro_key(owner: str, name: str) -> str:
    """The key of a macro."""
    return key_of(owner, "macro", name)


def macros(desk: Desk, owner: str) -> Iterator[Macro]:
    """Those of a person or a channel, in the order of their names."""
    return (kept.node for kept in desk.of(owner, "macro") if isinstance(kept.node, Macro))


def find(desk: Desk, channel: str, who: str, name: str) -> Macro | None:
    """The macro of that name: one's own goes before the channel's."""
    return next((one for one in all_of(desk, channel, who) if folded(one.name) == folded(name)), None)


def called(desk: Desk, channel: str, who: str, plain: str) -> Called | None:
    """The macro that a line begins with, the one of the longest name."""
    found = [one for one in all_of(desk, channel, who) if _begins_with(plain, one.name)]
    longest = max(found, key=lambda one: len(one.name), default=None)
    return Called(longest, plain[len(longest.name) :].strip()) if longest else None


def all_of(desk: Desk, channel: str, who: str) -> list[Macro]:
    """A person's own, then the channel's."""
    return [*macros(desk, who), *(macros(desk, channel) if channel != who else ())]


def _begins_with(plain: str, name: str) -> bool:
    return folded(plain[: len(name)]) == folded(name) and not plain[len(name) :][:1].isalnum()
