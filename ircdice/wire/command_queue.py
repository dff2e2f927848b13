"""Command queue: commands in order by place, limited by sender (IRC-15) and by what can be sent (IRC-22)."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from ircdice.bot.message import FindModes, Message, Reply
from ircdice.config import Limits
from ircdice.wire.effects import Incoming
from ircdice.wire.rate_limit import MOST_WARNED, Admission, CommandLimits

log = logging.getLogger(__name__)
MOST_WAITING = 1000  # in one place; commands past it are dropped (IRC-15)
MOST_IN_ALL = 4000


class Hearer(Protocol):
    """The bot, as the wire sees it."""

    def wants(self, message: Message) -> int:
        """How many commands a line may hold, without parsing it; 0 is talk, which never counts."""
        ...

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """Answer one line; () is silence."""
        ...

    async def due(self, modes: FindModes) -> tuple[Reply, ...]:
        """What the bot has to say without being asked; `modes` tells which channels are hidden (WEB-10)."""
        ...


@dataclass(frozen=True, slots=True)
class _Waiting:
    incoming: Incoming
    heard: float
    count: int = 1  # as which it counts (GEN-17)


class CommandQueue:
    """Passes the commands of a network to the bot: one at a time for each place, when there is `room` to answer.

    `room(place, under_way)` says whether one more answer to `place` can be sent; `wake` asks again. `deliver` takes
    the replies, `refuse` is called once for each speaker whose command was dropped, `begun` and `answered` for each
    command that was.
    """

    def __init__(
        self,
        bot: Hearer,
        limits: Limits,
        room: Callable[[str, int], bool],
        deliver: Callable[[Reply, Message | None], None],
        refuse: Callable[[Message, str], None],
        begun: Callable[[], None] = lambda: None,
        answered: Callable[[], None] = lambda: None,
    ) -> None:
        self._bot, self._room, self._deliver, self._refuse = bot, room, deliver, refuse
        self._begun, self._answered = begun, answered
        self._config, self._limits = limits, CommandLimits(limits)
        self._queues: dict[str, deque[_Waiting]] = {}  # of places where something waits or is under way
        self._workers: set[asyncio.Task[None]] = set()
        self._under_way = self._waiting = 0
        self._woken = asyncio.Event()
        self._too_late: set[str] = set()  # speakers who were told that too much waits

    def limit(self, limits: Limits) -> None:
        """Count by other limits from now on (IRC-25)."""
        if limits != self._config:
            self._config, self._limits = limits, CommandLimits(limits)

    def take(self, incoming: Incoming, now: float) -> bool:
        """Queue a line if it may be a command and is within the limits; whether so. The limits come first (GEN-16)."""
        message, caller = incoming.message, incoming.caller
        count = self._bot.wants(message)
        if not count:
            return False
        match self._limits.reserve(caller, now, count):
            case Admission.WARN:
                self._refuse(message, "too many commands at once")
            case Admission.HEAR if self._put(_Waiting(incoming, now, count)):
                return True
            case Admission.HEAR:
                self._limits.refund(caller, count)
                if caller.speaker not in self._too_late and len(self._too_late) < MOST_WARNED:
                    self._too_late.add(caller.speaker)
                    self._refuse(message, "too much waits")
        return False

    def wake(self) -> None:
        """There may be room again."""
        self._woken.set()
        self._woken = asyncio.Event()

    def __len__(self) -> int:
        """How many commands wait."""
        return self._waiting

    @property
    def busy(self) -> bool:
        """Whether anything waits or is under way."""
        return bool(self._queues)

    def clear(self) -> int:
        """Drop what was not begun; how much that was."""
        dropped, self._waiting = self._waiting, 0
        for queue in self._queues.values():
            queue.clear()
        self.wake()
        return dropped

    async def finish(self, seconds: float) -> None:
        """Drop what was not begun, and wait for what was, so that no record is cut off (IRC-25)."""
        self.clear()
        if self._workers:
            _, late = await asyncio.wait(self._workers, timeout=seconds)
            for task in late:
                log.error("a command took too long and was cut off")
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _put(self, waiting: _Waiting) -> bool:
        if not self._waiting:
            self._too_late.clear()
        message = waiting.incoming.message
        place = message.fold(message.channel or message.nick)
        queue = self._queues.get(place)
        if self._waiting >= MOST_IN_ALL or (queue is not None and len(queue) >= MOST_WAITING):
            return False
        if queue is None:
            queue = self._queues[place] = deque()
            worker = asyncio.get_running_loop().create_task(self._work(place, queue))
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)
        queue.append(waiting)
        self._waiting += 1
        return True

    async def _work(self, place: str, queue: deque[_Waiting]) -> None:
        while queue:
            if not self._room(place, self._under_way):
                await self._woken.wait()
                continue
            self._waiting -= 1
            self._under_way += 1
            try:
                await self._answer(queue.popleft())
            except Exception:
                log.exception("a command in %s could not be answered", place)
            finally:
                self._under_way -= 1
                self.wake()
            await asyncio.sleep(0)  # the other places have their turn
        del self._queues[place]

    async def _answer(self, waiting: _Waiting) -> None:
        self._begun()
        message = waiting.incoming.message
        replies = await self._bot.hear(replace(message, heard_at=waiting.heard))
        if replies:
            self._answered()
        else:
            self._limits.refund(waiting.incoming.caller, waiting.count)  # only an answer counts
        for reply in replies:
            self._deliver(reply, message)
