"""Incoming: history that is played back (IRC-11), CTCP, and the queue of commands (IRC-15, IRC-22)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from typing import Protocol

from ircdice import __version__
from ircdice.bot.message import FindModes, Message, Reply
from ircdice.config import Limits
from ircdice.wire.protocol import Incoming, Line
from ircdice.wire.rate_limit import MOST_WARNED, Admission, CommandLimits

log = logging.getLogger(__name__)
MOST_WAITING = 1000  # in one place; commands past it are dropped (IRC-15)
MOST_IN_ALL = 4000


def server_time(line: Line) -> float | None:
    """Seconds since the epoch by the server's clock, if the line has a time."""
    try:
        return datetime.fromisoformat(line.tags.get("time", "")).timestamp()
    except (ValueError, OverflowError):
        return None


# What comes in a batch is history (`chathistory`, `znc.in/playback`, …), except in these.
_LIVE = frozenset({"labeled-response", "draft/multiline", "multiline"})
_MOST_BATCHES = 64  # open at a time; servers have one or two
_ZNC = "***!znc@znc.in"  # no nick that a person can have
_PLAYBACK = 60.0  # seconds: a bouncer that never ends its playback mutes no one for longer


class Playbacks:
    """Tells history that a server or a bouncer plays back from live lines."""

    def __init__(self) -> None:
        self._live: dict[str, None] = {}
        self._playing: dict[str, float] = {}

    def batch(self, line: Line) -> None:
        """`BATCH +reference type …` or `BATCH -reference`; a batch within history is history."""
        sign, reference = line.param(0)[:1], line.param(0)[1:]
        self._live.pop(reference, None)
        within = line.tags.get("batch")
        live = line.param(1) in _LIVE and (within is None or within in self._live)
        if sign == "+" and live and len(self._live) < _MOST_BATCHES:
            self._live[reference] = None

    def is_history(self, line: Line, fold: Callable[[str], str], now: float) -> bool:
        """Whether a message is played back; ZNC announces the beginning and the end in a message of its own."""
        place = fold(line.params[0])
        if line.source == _ZNC:
            self._znc(place, line.param(1), now)
        batch = line.tags.get("batch")
        return (batch is not None and batch not in self._live) or now < self._playing.get(place, now)

    def _znc(self, place: str, text: str, now: float) -> None:
        if text.startswith("Buffer Playback"):
            self._playing = {place: end for place, end in self._playing.items() if now < end}
            if len(self._playing) < _MOST_BATCHES:
                self._playing[place] = now + _PLAYBACK
        elif text.startswith("Playback Complete"):
            self._playing.pop(place, None)


_CTCP = re.compile(r"\x01([A-Za-z]+)(?: ([^\x01]*))?\x01?")
_ECHOED = 100  # bytes of a PING that are sent back


def ctcp_answer(text: str, now: float) -> str | None:
    """The answer to a CTCP request (IRC-11); None is silence. No quoting: `\\x10r` stays what it is and is no CR."""
    found = _CTCP.fullmatch(text)
    kind, argument = (found[1].upper(), found[2] or "") if found else ("", "")
    match kind:
        case "VERSION":
            answer = f"ircdice {__version__}"
        case "CLIENTINFO":
            answer = "ACTION CLIENTINFO PING SOURCE TIME VERSION"
        case "SOURCE":
            answer = _source()
        case "PING":
            answer = "".join(filter(str.isprintable, argument)).encode()[:_ECHOED].decode(errors="ignore")
        case "TIME":
            answer = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}"
        case _:
            return None
    return f"\x01{kind} {answer}\x01"


def _source() -> str:
    """Where the source is, by the package's metadata."""
    try:
        urls = metadata("ircdice").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    return urls[0].partition(", ")[2] if urls else f"ircdice {__version__}"


class CommandHandler(Protocol):
    """The bot, as the wire sees it."""

    def commands_in(self, message: Message) -> int:
        """How many commands a line may hold, without parsing it; 0 is talk, which never counts."""
        ...

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """Answer one line; () is silence."""
        ...

    async def due(self, modes: FindModes) -> tuple[Reply, ...]:
        """What the bot has to say without being asked; `modes` tells which channels are hidden (WEB-10)."""
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
        # By place, where something waits or is under way: the lines, and as how many commands each counts (GEN-17).
        self._queues: dict[str, deque[tuple[Incoming, int]]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._under_way = self._waiting = 0
        self._woken = asyncio.Event()
        self._too_late: set[str] = set()  # speakers who were warned that too much waits

    def limit(self, limits: Limits) -> None:
        """Count anew, by these limits, from now on (IRC-25)."""
        self._limits = CommandLimits(limits)

    def take(self, incoming: Incoming, now: float) -> bool:
        """Queue a line if it may be a command and is within the limits; whether so. The limits come first (GEN-16)."""
        message, caller = incoming.message, incoming.caller
        count = self._bot.commands_in(message)
        admission = self._limits.reserve(caller, now, count) if count else Admission.DROP
        if admission is Admission.WARN:
            self._refuse(message, "too many commands at once")
        if admission is not Admission.HEAR:
            return False
        if not self._waiting:
            self._too_late.clear()
        place = message.fold(message.channel or message.nick)
        if self._waiting >= MOST_IN_ALL or len(self._queues.get(place, ())) >= MOST_WAITING:
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
        self._waiting += 1
        return True

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

    async def _work(self, place: str) -> None:
        queue = self._queues[place]
        while queue:
            if not self._room(place, self._under_way):
                await self._woken.wait()
                continue
            incoming, count = queue.popleft()
            self._waiting -= 1
            self._under_way += 1
            try:
                self._begun()
                replies = await self._bot.hear(incoming.message)
                if replies:
                    self._answered()
                else:
                    self._limits.refund(incoming.caller, count)  # only an answer counts
                for reply in replies:
                    self._deliver(reply, incoming.message)
            except Exception:
                log.exception("a command in %s could not be answered", place)
            finally:
                self._under_way -= 1
                self.wake()
            await asyncio.sleep(0)  # the other places have their turn
        del self._queues[place]
