"""A line that begins with no command word: which command was probably meant. Knows every grammar there is."""

from __future__ import annotations

import re

from grammars import catalogue
from grammars.choosing import complete
from grammars.spelling import SHORTEST, one_letter_off
from grammars.tokens import MOST_CHARACTERS, NDX
from grammars.verify import asked_about

_WORD = re.compile(r"[^\W\d_]\w*")  # of any alphabet


def misspelt(plain: str, start: int, system: str, *, called: bool) -> tuple[str, str] | None:
    """The first word, and the complete command that a line would be if that were spelt right; None where there is no
    such command. Uncalled, one with `NdX` only."""
    typed = _WORD.match(plain, start)
    if typed is None or not (called or NDX.search(plain, typed.end())):
        return None
    written = typed[0].lower()
    for word in catalogue.claims():
        right = f"{word}{plain[typed.end() :]}"
        if len(word) < SHORTEST or not one_letter_off(written, word) or catalogue.command_word(right) != word:
            continue
        if reading := complete(right, system):
            return typed[0], reading.hint
    return None


def offered(plain: str, start: int, system: str) -> str:
    """The command to show to whoever called the bot and said none."""
    asked = asked_about(plain)
    further = None if asked and "-" in asked else _further_on(plain, start, system)
    return further or (f"verify {asked}" if asked else "help")


def _further_on(plain: str, start: int, system: str) -> str | None:
    """The complete command that a line holds behind other words, `please roll 5d10`."""
    for blank in re.finditer(r"\s", plain[start:MOST_CHARACTERS]):
        reading = complete(plain, system, start + blank.end())
        if reading and not reading.alone:
            return reading.hint
    return None
