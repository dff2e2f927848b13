"""What is said in the place of odds that would take too long, or have no end (GD-14)."""

from __future__ import annotations

from grammars.tokens import MOST_DRAWN
from ircdice.errors import RuleError


def too_much() -> RuleError:
    """What is said where exact odds would keep the bot from answering anybody else."""
    return RuleError("the exact odds of that would take too long, over a second: ask for fewer dice, or smaller ones.")


def never_ending() -> RuleError:
    """What is said where GD-14 may end explosions and rerolls: odds are for those that end by themselves."""
    return RuleError(f"that may well go on past {MOST_DRAWN} dice, where a roll stops, and has no exact odds.")


def too_many(values: int | str, most: int) -> RuleError:
    """What is said where the answer itself is too large."""
    return RuleError(
        f"that has {values} values, and exact odds are for at most {most}: ask for fewer dice, or smaller ones."
    )
