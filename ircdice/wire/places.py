"""Places: what is heard in one place is done in order, places beside one another. Knows no message."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)
MOST_WAITING = 1000  # in one place; commands are dropped past it, never queued without end (IRC-15)

Job = Callable[[], Awaitable[None]]


class Places:
    """A queue and a task for each place where something waits; neither outlives its work."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Job]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, place: str, job: Job) -> bool:
        """Queue a job behind the others of its place; False where too many wait."""
        queue = self._waiting.get(place)
        if queue is not None:
            if len(queue) >= MOST_WAITING:
                return False
            queue.append(job)
            return True
        self._waiting[place] = deque([job])
        task = asyncio.get_running_loop().create_task(self._work(place))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    @property
    def busy(self) -> bool:
        """Whether anything waits or is being done."""
        return bool(self._waiting)

    def cancel(self) -> None:
        """Drop all that waits."""
        for task in self._tasks:
            task.cancel()
        self._waiting.clear()

    async def _work(self, place: str) -> None:
        queue = self._waiting[place]
        while queue:
            try:
                await queue[0]()
            except Exception:
                log.exception("what was heard in %s could not be answered", place)
            if queue:
                queue.popleft()
        self._waiting.pop(place, None)
