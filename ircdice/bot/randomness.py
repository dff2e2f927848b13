"""The sources of a command's dice, and what the dice are bound to."""

from __future__ import annotations

from typing import Protocol

from ircdice.dice import DiceSource, Stamp
from ircdice.errors import RuleError


class Randomness(Protocol):
    """Where dice come from: one source for each command, by the place where it was typed."""

    async def ready(self, network: str, place: str) -> None:
        """Prepare the dice of a place for a roll or a stir (LED-15). LedgerUnavailable."""
        ...

    def begin(self, network: str, place: str) -> DiceSource:
        """The dice for one command; none in a place that is not `ready`."""
        ...

    def stirred(self, network: str, place: str, now: int) -> tuple[Stamp, int]:
        """The stamp of a `stir` that is made now, and when the bot was started, in seconds since 1970.

        RuleError if it is too soon.
        """
        ...

    def statement(self) -> str:
        """What the dice are bound to, and where that can be checked, in one line."""
        ...

    def news(self) -> str | None:
        """The statement, once, when it has changed; it is for the channels where it is posted unasked."""
        ...


class UnprovenRandomness:
    """`Randomness` without proofs: the system's dice, or given ones."""

    async def ready(self, _network: str, _place: str) -> None:
        """There is nothing to prepare."""

    def stirred(self, _network: str, _place: str, _now: int) -> tuple[Stamp, int]:
        """Nothing to stir."""
        raise RuleError("these dice come from the operating system: there is nothing to stir.")

    def statement(self) -> str:
        """Nothing to check."""
        return "these dice come from the operating system: nothing was committed to that could be checked."

    def news(self) -> str | None:
        """None, ever."""
        return None
