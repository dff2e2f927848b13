"""Until when each request waits: one timer for all of them, as each waits as long as the others. Knows no database."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ircdice.ledger.store.requests import Request


class Patience:
    """Calls `give_up`, on the event loop, with each request that nobody has answered in `seconds`.

    All that is asked at one time is asked from one loop; another may follow it.
    """

    def __init__(self, seconds: float, give_up: Callable[[Request], None]) -> None:
        self._seconds, self._give_up = seconds, give_up
        self._asked: deque[tuple[float, Request]] = deque()  # with when it is given up, the soonest first
        self._loop: asyncio.AbstractEventLoop | None = None  # that of the timer

    def begin(self, request: Request) -> None:
        """It is asked now."""
        loop = request.loop
        end = loop.time() + self._seconds
        self._asked.append((end, request))
        if self._loop is not loop:
            self._loop = loop
            loop.call_at(end, self._look)

    def forget_answered(self) -> None:
        """Let go of those that wait no longer; they are answered in about the order in which they asked."""
        asked = self._asked
        while asked and asked[0][1].future.done():
            asked.popleft()

    def _look(self) -> None:
        self.forget_answered()
        loop, self._loop = self._loop, None
        while self._asked and loop is not None and self._asked[0][0] <= loop.time():
            self._give_up(self._asked.popleft()[1])
            self.forget_answered()
        if self._asked and loop is not None:
            self._loop = loop
            loop.call_at(self._asked[0][0], self._look)
