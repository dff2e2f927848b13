"""Incoming: CTCP (IRC-11), the limits on commands and their queue (IRC-15, IRC-22, IRC-28)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from importlib.metadata import metadata
from typing import Protocol

from ircdice import __version__
from ircdice.bot.message import FindModes, Message, Reply
from ircdice.config import Limits
from ircdice.wire.outgoing import Bucket
from ircdice.wire.protocol import Caller, Incoming

log = logging.getLogger(__name__)
MOST_WAITING = 1000  # in one place; further commands are dropped (IRC-15)
MOST_IN_ALL = 4000
HOST_SHARE = 5  # the users of one host together get this many times the limit of one user (IRC-28)
MOST_BUCKETS = 60_000  # past it, all new speakers share one, and so do hosts and places
MOST_WARNED = 1000  # speakers, for one bucket until it has refilled
_FORGET_EVERY = 60.0  # seconds
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


class Admission(Enum):
    """Result of checking a command against the limits."""

    HEAR = "hear"
    WARN = "warn"  # drop it and tell the sender
    DROP = "drop"


class CommandLimits:
    """Three buckets for each command: of its speaker, of the host, and of the place.

    A speaker who finds one empty is warned once until it has refilled. Full buckets are forgotten.
    """

    def __init__(self, limits: Limits) -> None:
        self._sizes = (  # burst and interval, in the order of `Caller`
            (limits.user_burst, limits.user_interval),
            (limits.user_burst * HOST_SHARE, limits.user_interval / HOST_SHARE),
            (limits.channel_burst, limits.channel_interval),
        )
        self._buckets: dict[tuple[int, str], tuple[Bucket, set[str]]] = {}  # with the speakers who were warned
        self._forget_at = 0.0

    def reserve(self, caller: Caller, now: float, count: int = 1) -> Admission:
        """Check the next command; HEAR takes `count` tokens from each bucket (GEN-17)."""
        if now >= self._forget_at:
            self._buckets = {key: entry for key, entry in self._buckets.items() if not entry[0].full(now)}
            self._forget_at = now + _FORGET_EVERY
        taken: list[Bucket] = []
        for kind, name in enumerate(caller):
            bucket, warned = self._buckets.get((kind, name)) or self._added(kind, name)
            if warned and bucket.full(now):
                warned.clear()
            if not bucket.take(now, count):
                for other in taken:
                    other.give(count)
                if caller.speaker in warned or len(warned) >= MOST_WARNED:
                    return Admission.DROP
                warned.add(caller.speaker)
                return Admission.WARN
            taken.append(bucket)
        return Admission.HEAR

    def refund(self, caller: Caller, count: int = 1) -> None:
        """Return the tokens: the line got no answer."""
        for kind, name in enumerate(caller):
            if entry := self._buckets.get((kind, name)) or self._buckets.get((kind, "")):
                entry[0].give(count)

    def __len__(self) -> int:
        return len(self._buckets)

    def _added(self, kind: int, name: str) -> tuple[Bucket, set[str]]:
        """The bucket for a new name, or the one that all share if there are too many."""
        key = (kind, name if len(self._buckets) < MOST_BUCKETS else "")
        return self._buckets.setdefault(key, (Bucket(*self._sizes[kind]), set()))


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
    """Passes the commands of a network to the bot: one at a time for each place, when there is `room` to answer.

    `room(place, under_way)` says whether one more answer to `place` can be sent; `wake` asks again. `deliver` takes
    the replies, `refuse` is called once for each speaker whose command was dropped, `begun` and `answered` for each
    command that was.
    """

    def __init__(
        self,
        bot: CommandHandler,
        limits: Limits,
        room: Callable[[str, int], bool],
        deliver: Callable[[Reply, Message | None], None],
        refuse: Callable[[Message, str], None],
        begun: Callable[[], None] = lambda: None,
        answered: Callable[[], None] = lambda: None,
    ) -> None:
        self._bot, self._room, self._deliver, self._refuse = bot, room, deliver, refuse
        self._begun, self._answered = begun, answered
        self._limits = CommandLimits(limits)
        # By place with waiting or running commands: the lines, and the number of commands in each (GEN-17).
        self._queues: dict[str, deque[tuple[Incoming, int]]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._under_way = 0
        self._woken = asyncio.Event()
        self._too_late: set[str] = set()  # speakers already warned that the queue is full

    def limit(self, limits: Limits) -> None:
        """Switch to these limits and start counting afresh (IRC-25)."""
        self._limits = CommandLimits(limits)

    def take(self, incoming: Incoming, now: float) -> bool:
        """Queue a line if it is within the limits and may be a command; return whether it was queued (GEN-16)."""
        message, caller = incoming.message, incoming.caller
        count = self._bot.commands_in(message)
        admission = self._limits.reserve(caller, now, count) if count else Admission.DROP
        if admission is Admission.WARN:
            self._refuse(message, "too many commands at once")
        if admission is not Admission.HEAR:
            return False
        if not len(self):
            self._too_late.clear()
        place = message.place
        if len(self) >= MOST_IN_ALL or len(self._queues.get(place, ())) >= MOST_WAITING:
            self._limits.refund(caller, count)
            if caller.speaker not in self._too_late and len(self._too_late) < MOST_WARNED:
                self._too_late.add(caller.speaker)
                self._refuse(message, "too much waits")
            return False
        if place not in self._queues:
            self._queues[place] = deque()
            worker = asyncio.get_running_loop().create_task(self._work(place))
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)
        self._queues[place].append((incoming, count))
        return True

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
            _, late = await asyncio.wait(self._workers, timeout=seconds)
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
                self._begun()
                replies = await self._bot.hear(incoming.message)
                if replies:
                    self._answered()
                else:
                    self._limits.refund(incoming.caller, count)  # only answered lines count
                for reply in replies:
                    self._deliver(reply, incoming.message)
            except Exception:
                log.exception("a command in %s could not be answered", place)
            finally:
                self._under_way -= 1
                self.wake()
            await asyncio.sleep(0)  # give the other places a turn
        del self._queues[place]
