"""Incoming: CTCP (IRC-11), and the queue of commands (IRC-15, IRC-22)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib.metadata import metadata
from typing import Protocol

from ircdice import __version__
from ircdice.bot.message import FindModes, Message, Reply
from ircdice.config import Limits
from ircdice.wire.protocol import Incoming
from ircdice.wire.rate_limit import MOST_WARNED, Admission, CommandLimits

log = logging.getLogger(__name__)
MOST_WAITING = 1000  # in one place; further commands are dropped (IRC-15)
MOST_IN_ALL = 4000
_CTCP = re.compile(r"\x01([A-Za-z]+)(?: ([^\x01]*))?\x01?")
_ECHOED = 100  # bytes of a PING that are sent back


def ctcp_answer(text: str, now: float) -> str | None:
    """The answer to a CTCP request (IRC-11); None is silence. There is no quoting: `\\x10r` is not a CR."""
    request = _CTCP.fullmatch(text)
    kind, argument = (request[1].upper(), request[2] or "") if request else ("", "")
    match kind:
        case "VERSION":
            answer = f"ircdice {__version__}"
        case "CLIENTINFO":
            answer = "ACTION CLIENTINFO PING SOURCE TIME VERSION"
        case "SOURCE":
            answer = metadata("ircdice")["Project-URL"].partition(", ")[2]
        case "PING":
            answer = "".join(filter(str.isprintable, argument)).encode()[:_ECHOED].decode(errors="ignore")
        case "TIME":
            answer = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}"
        case _:
            return None
    return f"\x01{kind} {answer}\x01"


class CommandHandler(Protocol):
    """The bot, as the wire sees it."""

    def commands_in(self, message: Message) -> int:
        """The number of commands a line may hold, without parsing it; 0 is talk, which is never limited."""
        ...

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """Answer one line; () is silence."""
        ...

    async def due(self, modes: FindModes) -> tuple[Reply, ...]:
        """Messages that the bot sends unprompted; `modes` tells which channels are hidden (WEB-10)."""
        ...


class CommandQueue:
    """Passes commands on to `answer`: one at a time for each place, when there is `room` to answer.

    `answer(message)` returns whether it was answered. `room(place, under_way)` says whether one more answer to `place`
    can be sent, in addition to those under way; `wake` asks again.
    """

    def __init__(
        self, limits: Limits, room: Callable[[str, int], bool], answer: Callable[[Message], Awaitable[bool]]
    ) -> None:
        self._limits, self._room, self._answer = CommandLimits(limits), room, answer
        # By place with waiting or running commands: the lines, and the number of commands in each (GEN-17).
        self._queues: dict[str, deque[tuple[Incoming, int]]] = {}
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._under_way = 0
        self._woken = asyncio.Event()
        self._too_late: set[str] = set()  # speakers already warned that the queue is full

    def limit(self, limits: Limits) -> None:
        """Switch to these limits and start counting afresh (IRC-25)."""
        self._limits = CommandLimits(limits)

    def take(self, incoming: Incoming, count: int, now: float) -> Admission:
        """Queue a line of `count` commands, unless there are too many (IRC-15)."""
        place, caller = incoming.message.place, incoming.caller
        admission = self._limits.reserve(caller, now, count)
        if admission is not Admission.HEARD:
            return admission
        waiting = len(self)
        if not waiting:
            self._too_late.clear()
        if waiting >= MOST_IN_ALL or len(self._queues.get(place, ())) >= MOST_WAITING:
            self._limits.refund(caller, count)
            if caller.speaker in self._too_late or len(self._too_late) >= MOST_WARNED:
                return Admission.DROPPED
            self._too_late.add(caller.speaker)
            return Admission.TOO_LATE
        if place not in self._queues:
            self._queues[place] = deque()
            self._workers[place] = asyncio.get_running_loop().create_task(self._work(place))
        self._queues[place].append((incoming, count))
        return Admission.HEARD

    def wake(self) -> None:
        """Try again: there may be room."""
        self._woken.set()
        self._woken = asyncio.Event()

    def __len__(self) -> int:
        """The number of waiting commands."""
        return sum(map(len, self._queues.values()))

    @property
    def busy(self) -> bool:
        """Whether any command is waiting or running."""
        return bool(self._queues)

    def clear(self) -> int:
        """Drop the commands not yet started; return their number."""
        dropped = len(self)
        for queue in self._queues.values():
            queue.clear()
        self.wake()
        return dropped

    async def finish(self, seconds: float) -> None:
        """Drop the commands not yet started and finish the running ones, so that no record is lost (IRC-25)."""
        self.clear()
        if self._workers:
            _, late = await asyncio.wait(self._workers.values(), timeout=seconds)
            for task in late:
                log.error("a command took too long and was cut off")
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _work(self, place: str) -> None:
        queue = self._queues[place]
        while queue:
            if not self._room(place, self._under_way):
                await self._woken.wait()
                continue
            incoming, count = queue.popleft()
            self._under_way += 1
            try:
                if not await self._answer(incoming.message):
                    self._limits.refund(incoming.caller, count)  # only answered lines count
            except Exception:
                log.exception("a command in %s could not be answered", place)
            finally:
                self._under_way -= 1
                self.wake()
            await asyncio.sleep(0)  # give the other places a turn
        del self._queues[place], self._workers[place]
