"""What is asked of the writer, and how the answer comes back to the event loop. Knows no database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.record import Draft
from ircdice.ledger.store.page import Page

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Request:
    """Something to be done under the ledger's lock: an answer, or an error, is what its future waits for.

    `given_up` is set where nobody waits any more: what has not been begun by then is not done. `until` is when that
    will be, by the loop's clock; 0 as long as nobody counts.
    """

    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    given_up: bool = field(default=False, kw_only=True)
    until: float = field(default=0.0, kw_only=True)

    def give_up(self) -> None:
        """On the loop: whoever waits is told that the record is out of reach (LED-05)."""
        self.given_up = True
        if not self.future.done():
            self.future.set_exception(LedgerUnavailable())


@dataclass(slots=True, eq=False)
class Append(Request):
    """A draft to be taken up; `key` is found again beside its record where the commit's outcome was not heard.

    `seq` is the number that the last try gave it.
    """

    draft: Draft
    key: bytes
    seq: int = 0


@dataclass(slots=True, eq=False)
class Job(Request):
    """Any other work under the lock, done once or not at all."""

    work: Callable[[Page], Any]


Answers = list[tuple[Request, Any]]  # an answer that is an exception is raised where the future is awaited


def hand_over(answers: Answers, answered: Callable[[Request, Any], None]) -> None:
    """Call `answered` with each request and its answer, on the request's own loop; one wake-up for each loop."""
    loops: dict[asyncio.AbstractEventLoop, Answers] = {}
    for request, answer in answers:
        loops.setdefault(request.loop, []).append((request, answer))
    for loop, those in loops.items():
        try:
            loop.call_soon_threadsafe(_all, answered, those)
        except RuntimeError:  # the loop is closed: what was recorded is posted after the next start (LED-06)
            log.warning("%d answers of the ledger found nobody waiting", len(those))


def _all(answered: Callable[[Request, Any], None], answers: Iterable[tuple[Request, Any]]) -> None:
    for request, answer in answers:
        answered(request, answer)
