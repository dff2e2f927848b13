"""Until when each request waits: one timer for all of them, as each waits as long as the others. Knows no database."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ircdice.ledger.store.requests import Request


class Deadlines:
    """Calls `give_up`, on the event loop, with each request that nobody has answered in `seconds`.

    All that is asked at one time is asked from one loop; another may follow it.
    """

    def __init__(self, seconds: float, give_up: Callable[[Request], None]) -> None:
        self._seconds, self._give_up = seconds, give_up
        self._asked: deque[Request] = deque()  # the one that is given up the soonest first
        self._counts: asyncio.AbstractEventLoop | None = None  # the one that is about to let their time begin
        self._loop: asyncio.AbstractEventLoop | None = None  # that of the timer

    def begin(self, request: Request) -> None:
        """It is asked now; its time begins in the next round of the loop, when the writer hears of it too."""
        self._asked.append(request)
        if self._counts is not request.loop:
            self._counts = request.loop
            request.loop.call_soon(self._count)

    def _count(self) -> None:
        loop, self._counts = self._counts, None
        assert loop is not None, "called without having been asked"
        end = loop.time() + self._seconds
        for request in reversed(self._asked):
            if request.until:
                break
            request.until = end
        if self._asked and self._loop is not loop:
            self._loop = loop
            loop.call_at(end, self._look)

    def forget_answered(self) -> None:
        """Let go of those that wait no longer; they are answered in about the order in which they asked."""
        asked = self._asked
        while asked and asked[0].future.done():
            asked.popleft()

    def _look(self) -> None:
        self.forget_answered()
        loop, self._loop = self._loop, None
        while self._asked and loop is not None and 0 < self._asked[0].until <= loop.time():
            self._give_up(self._asked.popleft())
            self.forget_answered()
        if self._asked and loop is not None and self._asked[0].until:
            self._loop = loop
            loop.call_at(self._asked[0].until, self._look)
