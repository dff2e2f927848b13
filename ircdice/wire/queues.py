"""Queues: what is heard in one place is done in order, places beside one another, by turns. Knows no message."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)
MOST_WAITING = 1000  # in one place; commands are dropped past it, never queued without end (IRC-15)
MOST_IN_ALL = 4000

Job = Callable[[], Awaitable[None]]
Room = Callable[[str, int], bool]


class Queues:
    """A queue for each place where something waits, and a task for each job that is under way.

    `room` says whether a place's next job may begin while so many are under way; what it refused is asked for again
    at `wake`, which whoever made room calls.
    """

    def __init__(self, room: Room = lambda _place, _under_way: True) -> None:
        self._room = room
        self._queues: dict[str, deque[Job]] = {}  # of places where something waits or is under way
        self._turns: dict[str, None] = {}  # those that may begin, in the order of their turns
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._aside: set[asyncio.Task[None]] = set()  # under way, and nothing of their place waits for them
        self._waiting = 0

    def put(self, place: str, job: Job) -> bool:
        """Queue a job behind the others of its place; False where too many wait."""
        queue = self._queues.get(place)
        if self._waiting >= MOST_IN_ALL or (queue is not None and len(queue) >= MOST_WAITING):
            return False
        if queue is None:
            queue = self._queues[place] = deque()
            self._turns[place] = None
        queue.append(job)
        self._waiting += 1
        self._begin(place)
        return True

    def wake(self) -> None:
        """Begin what may be begun."""
        for place in tuple(self._turns):
            self._begin(place)

    def step_aside(self, place: str) -> None:
        """Called by the job of a place that is under way: the next one need not wait until it is done."""
        task = asyncio.current_task()
        if task is not None and self._under_way.get(place) is task:
            self._aside.add(task)
            self._over(place)

    @property
    def busy(self) -> bool:
        """Whether anything waits or is being done."""
        return bool(self._queues or self._aside)

    @property
    def jobs(self) -> int:
        """How many are under way, and how many places' next could be beside them."""
        return len(self._under_way) + len(self._aside) + len(self._turns)

    def waiting(self, place: str) -> int:
        """How many jobs of a place are to be done, and were not begun."""
        return len(self._queues.get(place, ()))

    def clear(self) -> int:
        """Drop all that was not begun; how much that was."""
        dropped, self._waiting = self._waiting, 0
        self._turns.clear()
        self._queues = {place: deque() for place in self._under_way}
        return dropped

    async def finish(self, seconds: float) -> None:
        """Drop what was not begun, and wait for what was: a record half written is not to be cut off (IRC-25)."""
        self.clear()
        if tasks := (*self._under_way.values(), *self._aside):
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                log.error("what was under way took too long and was cut off")
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _begin(self, place: str) -> None:
        if place in self._turns and self._room(place, len(self._under_way) + len(self._aside)):
            del self._turns[place]
            self._waiting -= 1
            job = self._queues[place].popleft()
            self._under_way[place] = asyncio.get_running_loop().create_task(self._do(place, job))

    async def _do(self, place: str, job: Job) -> None:
        try:
            await job()
        except Exception:
            log.exception("what was heard in %s could not be answered", place)
        finally:
            task = asyncio.current_task()
            if task in self._aside:
                self._aside.remove(task)
                self.wake()
            else:
                self._over(place)

    def _over(self, place: str) -> None:
        """The next of a place may begin."""
        del self._under_way[place]
        if self._queues[place]:
            self._turns[place] = None  # behind the others
        else:
            del self._queues[place]
        self.wake()
