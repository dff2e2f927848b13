"""What those are told whose drafts were not recorded. Knows no transaction."""

from __future__ import annotations

import logging

from ircdice.errors import LedgerUnavailable, NumberTaken
from ircdice.ledger.store.engine import as_told, is_altered, is_taken, why_not
from ircdice.ledger.store.requests import Answers, Append

log = logging.getLogger(__name__)


def undone(appends: list[Append], taken: list[Append]) -> Answers:
    """The answers to those that were given up before they were begun."""
    begun = {id(append) for append in taken}
    return [(append, LedgerUnavailable()) for append in appends if id(append) not in begun]


def told(fault: Exception) -> Exception:
    """What whoever waits for a draft that cannot be recorded is told."""
    if is_altered(fault):
        log.error("a draft could not be recorded: %s", why_not(fault))
        return as_told(fault)
    log.error("a draft could not be recorded", exc_info=fault)
    if not is_taken(fault):
        return fault
    taken = NumberTaken()
    taken.__cause__ = fault
    return taken
