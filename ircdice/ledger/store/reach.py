"""Whether the ledger can be written to, and what the operator's log is told of it (LED-05). Knows no database."""

from __future__ import annotations

import logging
import time
from threading import Lock

log = logging.getLogger(__name__)
_PAUSE, _LONGEST_PAUSE = 0.02, 0.5  # s between two tries while it is away


class Reach:
    """Told once when it goes, and once when it is back: when something was written, be it much or little.

    For the writer's thread and the event loop: one hears of it where the other hangs in the database's call. Whoever
    waits does so for `wait` seconds.
    """

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._lock = Lock()
        self._lost = False
        self.why: str | None = None  # what was wrong when it was last tried, as long as it is
        self.pause = 0.0  # s until the next try; more than 0 behind one that failed
        self.here_since = 0.0  # since when the event loop itself is writing; 0 while it is not

    @property
    def away(self) -> bool:
        """Whether it is out of reach, as far as anybody knows."""
        return self._lost

    @property
    def doubtful(self) -> bool:
        """Whether it is, or may be."""
        return self._lost or self.pause > 0

    def failed(self, sentence: str, trace: BaseException | None) -> None:
        """A try came to nothing: told if the next does too, or at once with the `trace` of what nobody has foreseen."""
        self.why = sentence
        if self.pause or trace is not None:
            self._lose(sentence, trace)
        self.pause = min(self.pause * 2 or _PAUSE, _LONGEST_PAUSE)

    def unheard(self) -> None:
        """Whoever waits has waited in vain, and no try has failed: its disk may be frozen."""
        self._lose(f"the ledger is out of reach: nothing was heard of it for {self._wait:g} s", None)

    def look(self) -> None:
        """In the thread: does the event loop hang in the database?"""
        since = self.here_since
        if since and time.monotonic() - since > self._wait:
            self.unheard()

    def wrote(self) -> None:
        """Something was written and committed."""
        self.pause, self.why = 0.0, None
        with self._lock:
            was, self._lost = self._lost, False
        if was:
            log.warning("the ledger is in reach again")

    def _lose(self, sentence: str, trace: BaseException | None) -> None:
        with self._lock:
            was, self._lost = self._lost, True
        if not was:
            log.error("%s", sentence, exc_info=trace)
