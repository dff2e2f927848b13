"""Seeds that should be published and are not: kept back, taken out of the table, or gone (LED-13, LED-16)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ircdice.durations import MINUTE
from ircdice.errors import KeysError
from ircdice.ledger.examining import Finding
from ircdice.ledger.keys import SeedFiles
from ircdice.ledger.shift import GRACE

if TYPE_CHECKING:
    from ircdice.ledger.store.owed import Owed

_SOON = MINUTE  # within which a bot that plays has published what it may


def kept_back(owing: Iterable[Owed], seeds: SeedFiles) -> tuple[list[Finding], list[str]]:
    """What is wrong, and what is a note: a seed that is here would be published by any start, another is no more."""
    wrong, notes = list[Finding](), list[str]()
    for each in owing:
        try:
            seeds.kept(each.number, each.commitment)
        except KeysError as error:
            notes.append(f"epoch {each.number} cannot be proved: {str(error).removesuffix('.')}")
            continue
        if each.since is not None and each.seen > each.since + GRACE + _SOON:
            why = f"the seed of epoch {each.number} is not published, and the bot has drawn from the next one for long"
            wrong.append(Finding(0, "missing", why))
    return wrong, notes
