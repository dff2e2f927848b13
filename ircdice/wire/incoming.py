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
MOST_WAITING = 1000  # in one place; further commands are dropped (IRC-15)
MOST_IN_ALL = 4000


def server_time(line: Line) -> float | None:
    """The time tag of a line, in seconds since the epoch by the server's clock; None without one."""
    try:
        return datetime.fromisoformat(line.tags.get("time", "")).timestamp()
    except (ValueError, OverflowError):
        return None


# Lines in a batch are history (`chathistory`, `znc.in/playback`, …), except in these.
_LIVE = frozenset({"labeled-response", "draft/multiline", "multiline"})
_MOST_BATCHES = 64  # open at a time; servers use one or two
_ZNC = "***!znc@znc.in"  # not a valid nick for a user
_PLAYBACK = 60.0  # seconds: the longest that an unfinished playback can mute the bot


class Playbacks:
    """Tells history played back by a server or bouncer from live lines."""

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
    """The answer to a CTCP request (IRC-11); None is silence. There is no quoting: `\\x10r` is not a CR."""
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
    """The URL of the source, from the package's metadata."""
    try:
        urls = metadata("ircdice").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    return urls[0].partition(", ")[2] if urls else f"ircdice {__version__}"


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
        self._under_way = self._waiting = 0
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
        """Try again: there may be room."""
        self._woken.set()
        self._woken = asyncio.Event()

    def __len__(self) -> int:
        """The number of waiting commands."""
        return self._waiting

    @property
    def busy(self) -> bool:
        """Whether any command is waiting or running."""
        return bool(self._queues)

    def clear(self) -> int:
        """Drop the commands not yet started; return their number."""
        dropped, self._waiting = self._waiting, 0
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
            self._waiting -= 1
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
