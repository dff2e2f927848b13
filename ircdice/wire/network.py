"""Networks: each connects, listens, answers and reconnects for as long as the bot runs (IRC-01, IRC-06, IRC-25).

`attempt` tries a network once, for `config check --connect`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from time import monotonic, time

from ircdice.bot.message import ChannelModes, Message, Reply
from ircdice.config import Config, Limits, NetworkConfig
from ircdice.dice import entropy
from ircdice.metrics import Metrics
from ircdice.settings import Settings
from ircdice.wire.channels import Rejoins, changed_channels
from ircdice.wire.connection import Connection, Event, Timeouts, connect_failure
from ircdice.wire.incoming import CommandHandler, CommandQueue, ctcp_answer
from ircdice.wire.outgoing import MOST_WITH_ASIDES, Entry, Outbox, Settled, worded
from ircdice.wire.protocol import PRIVATE, CtcpQuery, Incoming, KeepTls, Line, Note, Support, is_target
from ircdice.wire.rate_limit import Admission, Bucket, CommandLimits
from ircdice.wire.sts import Endpoint

log = logging.getLogger("ircdice.wire")
FAREWELL = "the dice rest"
RECONNECTING = "back in a moment"
TOO_FAST = "Not rolled: too many commands at once, wait a little."
_CTCP = Limits(user_burst=4, user_interval=10.0, channel_burst=10, channel_interval=2.0)  # commands have others
_POLL = 0.02
_DUE_EVERY = 1.0  # seconds
MOST_NAMED = 10  # channels of a network in its status
_LOG_BURST, _LOG_INTERVAL = 3000, 0.2  # of one network; a start in 500 channels causes some hundred
_LONGEST_DETAIL = 500  # characters
_GOOD = 300.0  # seconds after which a connection counts as good and the pauses are reset
_THROTTLED = re.compile(r"throttl|too (?:fast|many)|[a-z]-?lined?\b|banned|reconnect", re.IGNORECASE)
_THROTTLED_LEAST = 60.0
_LONGEST_TRIAL = 60.0  # seconds
_GOOD_EVENTS = ("welcome", "logged in", "identified", "STS")


_MAY_CHANGE = frozenset(
    ("channels", "defaults", "settings", "relays", "ignore", "accept_invites", "nick", "alternate_nicks")
) | {"flood_burst", "flood_interval", "reconnect_first", "reconnect_longest"}  # these change without a new connection


class Backoff:
    """Pauses that double, each drawn between zero and its ceiling (full jitter)."""

    _ceiling = 0.0

    def pause(
        self, config: NetworkConfig, lasted: float, jitter: float, reason: str, *, error: bool, final: bool
    ) -> float:
        """Seconds to wait after a connection of this duration; `jitter` is from 0 up to 1.

        `error` means that the server ended it, and `reason` is what it said; `final` is as in Close.
        """
        first, longest = config.reconnect_first, config.reconnect_longest
        if final:
            return longest
        ceiling = first if lasted >= _GOOD else max(self._ceiling, first)
        if error:
            ceiling *= 2
        if _THROTTLED.search(reason):  # reconnecting soon would make it worse
            ceiling = max(ceiling, _THROTTLED_LEAST)
        ceiling = min(ceiling, longest)
        self._ceiling = ceiling * 2
        return ceiling * jitter


def needs_reconnect(old: NetworkConfig, new: NetworkConfig) -> bool:
    """Whether the change of config requires a new connection."""
    before = asdict(old)
    changed = {name for name, value in asdict(new).items() if value != before[name]}
    return not changed <= _MAY_CHANGE


class Network:
    """One `[network NAME]`."""

    def __init__(self, config: NetworkConfig, fleet: Networks) -> None:
        self.name, self._config, self._fleet = config.name, config, fleet
        self._timeouts, self._metrics = fleet.timeouts, fleet.metrics
        self._outbox = Outbox(self._event, Support())
        self._commands = CommandQueue(fleet.config.limits, self._outbox.room, self._answer)
        self._ctcp_limits = CommandLimits(_CTCP)
        self._rejoins = Rejoins()
        self._backoff = Backoff()
        self._endpoint = Endpoint(config.data)
        self._connection: Connection | None = None
        self._leaving = False
        self._at_once = asyncio.Event()  # set to end the pause before the next connection
        self._sent_away = False  # the server sent ERROR
        self._refused = False  # the last connection ended with a final Close
        self._log_limit = Bucket(_LOG_BURST, _LOG_INTERVAL)
        self._not_logged = 0
        self._metrics.follow(
            self.name,
            connected=lambda: self._connection is not None and self._connection.ready,
            channels=lambda: len(self._connection.session.roster.joined) if self._connection else 0,
            lines_waiting=lambda: self._outbox.undelivered,
            commands_waiting=lambda: len(self._commands),
        )

    async def run(self) -> None:
        """Stay connected until `leave` is called (IRC-06); a fault is logged and costs one connection."""
        if not self._config.tls:
            self._note(Note("no TLS", "tls = no: everything is sent in plain text", level=logging.WARNING))
        loop = asyncio.get_running_loop()
        while not self._leaving:
            began = loop.time()
            try:
                why = await self._connect()
            except Exception as error:
                log.exception("%s: the connection failed", self.name)
                why = str(error)
            if not self._leaving:
                await self._rest(loop.time() - began, why)
        await self._commands.finish(self._timeouts.leave)
        self._metrics.forget(self.name)

    async def leave(self) -> None:
        """Send what is queued, within bounds, and QUIT (IRC-25)."""
        if not self._leaving:
            self._leaving = True
            # No command starts until the queue is sent: its record might never be posted.
            self._outbox.most = min(self._outbox.most, 1)
            self._at_once.set()
            await self._quit(FAREWELL)

    def say(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Send a reply made `age` seconds ago, now or after reconnecting."""
        if not is_target(reply.target):
            self._note(Note("not sent", f"to {reply.target}, record {reply.seq}", level=logging.WARNING))
            return
        lane = self._outbox.support.lane(reply.target)
        channel = None if reply.private or lane == PRIVATE else reply.target
        settings = self._fleet.config.channel(self.name, channel, self._outbox.support.casemapping)
        command, text = worded(reply, heard, settings)
        same_place = heard is not None and reply.target == (heard.channel or heard.nick)
        msgid = heard.msgid if heard and same_place else ""
        entry = Entry(text, reply.target, command, monotonic() - age, (reply,), msgid)
        if self._connection is not None:
            self._connection.say(entry)
        else:
            self._outbox.keep([entry])

    @property
    def busy(self) -> bool:
        """Whether any command or line waits, or a command is running."""
        return self._commands.busy or bool(self._outbox)

    def modes(self, channel: str) -> ChannelModes | None:
        """Whether a channel is secret, private or has a key (WEB-10); None if that is not known."""
        joined = self._connection.session.roster.joined if self._connection else {}
        name = self._outbox.support.fold(channel)
        hiding = joined[name].hiding if name in joined else None
        return None if hiding is None else ChannelModes(name, bool(hiding))

    def status(self) -> str:
        """One line of status."""
        connection = self._connection
        names = sorted(channel.name for channel in connection.session.roster.joined.values()) if connection else []
        where = f"connected as {connection.session.roster.me}" if connection and connection.ready else "not connected"
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        channels = ", ".join(names[:MOST_NAMED]) + more
        waits = f"{self._outbox.undelivered} lines and {len(self._commands)} commands wait"
        return f"{self.name}: {where}; in {channels or 'no channel'}; {waits}"

    async def change(self, config: NetworkConfig) -> None:
        """Switch to another config (IRC-25); reconnect only if necessary."""
        old, self._config = self._config, config
        self._commands.limit(self._fleet.config.limits)
        connection = self._connection
        if needs_reconnect(old, config):
            self._note(Note("changed", "by a new connection"))
            self._at_once.set()
            await self._quit(RECONNECTING)
        elif connection is not None:
            connection.change(config, self._fleet.config)
            for line in changed_channels(old, config, connection.session.support) if connection.ready else ():
                connection.put(line)

    async def _connect(self) -> str:
        """Run one connection to its end; return the reason."""
        self._metrics.connections.labels(self.name).inc()
        config = self._endpoint.config(self._config, time())
        connection = self._connection = Connection(
            config, self._fleet.config, self._rejoins, self._outbox, self._timeouts, self._event
        )
        try:
            await connection.open()
            return await connection.lost
        except OSError as error:
            return connect_failure(error, config)
        finally:
            self._connection, self._sent_away = None, bool(connection.session.error)
            self._refused = connection.final
            connection.close("over")
            # First, so that after a fault below no lines are left in the queue of the next connection.
            # The server's ERROR in answer to QUIT shows that it has read everything before.
            self._outbox.finish(orderly=self._leaving and bool(connection.session.error))
            if duration := connection.session.login.tls_duration:  # which restarts now
                self._endpoint.keep(config, duration, time())
            if connection.tls_port is not None:
                self._endpoint.secure(config.host, connection.tls_port)
                self._at_once.set()
            self._drop_waiting()

    async def _rest(self, lasted: float, why: str) -> None:
        """Wait before the next connection, unless interrupted."""
        jitter = self._fleet.jitter()
        pause = 0.0
        if not self._at_once.is_set():
            pause = self._backoff.pause(self._config, lasted, jitter, why, error=self._sent_away, final=self._refused)
        self._note(Note("disconnected", f"{why}; again in {pause:.1f} s", level=logging.WARNING))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._at_once.wait(), pause)
        self._at_once.clear()

    async def _quit(self, farewell: str) -> None:
        connection = self._connection
        if connection is None:
            return
        if connection.ready:
            try:
                async with asyncio.timeout(self._timeouts.leave):
                    while connection.ready and self.busy:
                        await asyncio.sleep(_POLL)
            except TimeoutError:
                self._note(Note("not sent", f"{len(self._outbox)} lines, there was no time", level=logging.WARNING))
            self._drop_waiting()
            connection.put(f"QUIT :{farewell}", urgent=True)
            await asyncio.wait([connection.lost], timeout=self._timeouts.closing)
        connection.close("leaving")

    def _event(self, event: Event) -> None:
        match event:
            case Line():
                self._metrics.received.labels(self.name).inc()
            case Entry():
                self._metrics.sent.labels(self.name).inc()
                self._commands.wake()
            case Settled(replies, delivered):
                self._metrics.delivered.labels(self.name).inc(len(replies) if delivered else 0)
                for reply in replies:
                    if reply.seq is not None:
                        self._fleet.delivered(reply)
            case Incoming() | CtcpQuery() if not self._leaving:
                self._receive(event)
            case Note():
                self._note(event)
            case KeepTls(duration) if self._connection is not None:
                self._endpoint.keep(self._connection.config, duration, time())

    def _receive(self, incoming: Incoming | CtcpQuery) -> None:
        now = monotonic()
        if isinstance(incoming, CtcpQuery):
            answer = ctcp_answer(incoming.text, time())
            if answer and self._ctcp_limits.reserve(incoming.caller, now) is Admission.HEARD:
                self._aside("NOTICE", incoming.nick, answer)
            return
        message = incoming.message
        count = self._fleet.bot.commands_in(message)
        if not count:
            return  # talk is not limited (GEN-16)
        admission = self._commands.take(incoming, count, now)
        if admission in (Admission.TOO_FAST, Admission.TOO_LATE):
            self._note(Note("dropped", f"{message.nick}: {admission.value}", message.channel, logging.WARNING))
            self._metrics.dropped.labels(self.name).inc()
            if not message.relay:
                self._aside("PRIVMSG" if message.channel is None else "NOTICE", message.nick, TOO_FAST)

    async def _answer(self, message: Message) -> bool:
        self._metrics.commands.labels(self.name).inc()
        replies = await self._fleet.bot.hear(message)
        self._metrics.answers.labels(self.name).inc(bool(replies))
        for reply in replies:
            self._fleet.deliver(reply, message)
        return bool(replies)

    def _aside(self, command: str, nick: str, text: str) -> None:
        """Send a notice to one user; drop it if the queue is too long."""
        if self._connection is not None and is_target(nick):
            self._outbox.put(Entry(text, nick, command), MOST_WITH_ASIDES)
            self._connection.pump()

    def _drop_waiting(self) -> None:
        if dropped := self._commands.clear():
            self._note(Note("dropped", f"{dropped} commands, not answered before the end", level=logging.WARNING))

    def _note(self, note: Note) -> None:
        """Log an event. A server can cause any number of them, so those past the limit are only counted (IRC-28)."""
        if not self._log_limit.take(monotonic()):
            self._not_logged += 1
            return
        if self._not_logged:
            missing = {"network": self.name, "detail": f"{self._not_logged} were not logged"}
            log.warning("too many events", extra=missing)
            self._not_logged = 0
        extra = {"network": self.name, "channel": note.channel, "detail": note.detail[:_LONGEST_DETAIL]}
        level = logging.INFO if self._leaving else note.level  # a server's ERROR answers every QUIT
        log.log(level, "%s", note.event, extra={key: value for key, value in extra.items() if value})


def random_jitter() -> float:
    """A number from 0 up to 1, for the jitter of reconnecting."""
    return int.from_bytes(entropy(6)) / 2**48


class Networks:
    """All networks of a config and one bot; `delivered` is called with each recorded reply that was delivered."""

    def __init__(
        self,
        config: Config,
        bot: CommandHandler,
        *,
        delivered: Callable[[Reply], None] = lambda _reply: None,
        jitter: Callable[[], float] = random_jitter,
        timeouts: Timeouts | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.config, self.bot, self.delivered, self.jitter = config, bot, delivered, jitter
        self.timeouts, self.metrics = timeouts or Timeouts(), metrics or Metrics()
        self._leaving = asyncio.Event()
        self._networks = {network.name: Network(network, self) for network in config.networks}
        self._tasks: asyncio.TaskGroup

    async def run(self) -> None:
        """Run until all networks have been left."""
        due = asyncio.create_task(self._say_due())
        try:
            async with asyncio.TaskGroup() as self._tasks:
                for network in self._networks.values():
                    self._tasks.create_task(network.run())
        finally:
            self._leaving.set()
            await asyncio.wait([due], timeout=self.timeouts.leave)  # a record may be being written
            due.cancel()

    async def leave(self) -> None:
        """Leave every network cleanly; `run` ends then."""
        self._leaving.set()  # stops the search for due messages, which could not be sent
        await asyncio.gather(*(network.leave() for network in self._networks.values()))

    async def change(self, config: Config) -> None:
        """Switch to another config (IRC-25); unchanged networks keep their connection."""
        if self._leaving.is_set():
            return
        wanted = {network.name: network for network in config.networks}
        self.config = config
        staying = [network for name, network in self._networks.items() if name in wanted]
        going = [network for name, network in self._networks.items() if name not in wanted]
        added = [Network(network, self) for name, network in wanted.items() if name not in self._networks]
        self._networks = {network.name: network for network in (*staying, *added)}
        for network in added:
            self._tasks.create_task(network.run())
        changed = (network.change(wanted[network.name]) for network in staying)
        await asyncio.gather(*changed, *(network.leave() for network in going))

    def status(self) -> list[str]:
        """One status line for each network, for the operator (DSK-12)."""
        return [network.status() for network in self._networks.values()]

    @property
    def busy(self) -> bool:
        """Whether any network has something to answer or to send."""
        return any(network.busy for network in self._networks.values())

    def modes(self, network: str, channel: str) -> ChannelModes | None:
        """Whether a channel is secret, private or has a key (WEB-10); None if that is not known."""
        return self._networks[network].modes(channel) if network in self._networks else None

    def post(self, replies: Iterable[tuple[Reply, int]]) -> None:
        """Send, after the next join, what an earlier run recorded but did not deliver; times are ms since 1970."""
        now = time()
        for reply, recorded in replies:
            self.deliver(reply, None, age=max(now - recorded / 1000, 0.0))

    def deliver(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Send a reply made `age` seconds ago to its network."""
        try:
            self._networks[reply.network].say(reply, heard, age)
        except Exception:  # one failure must not affect other replies
            log.exception("a reply to %s could not be sent: record %s", reply.network, reply.seq)

    async def _say_due(self) -> None:
        while not self._leaving.is_set():
            try:
                for reply in await self.bot.due(self.modes):
                    self.deliver(reply, None)
            except Exception:
                log.exception("what is due could not be found")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), _DUE_EVERY)


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of a trial in sentences for a person; no faults means success."""

    good: tuple[str, ...]
    faults: tuple[str, ...]


async def attempt(config: NetworkConfig, settings: Settings, timeouts: Timeouts | None = None) -> TrialResult:
    """Check that a network accepts the bot: connect, log in, join nothing, store nothing, and leave.

    Failures are returned, not raised.
    """
    config, endpoint, notes = replace(config, channels=(), data=None), Endpoint(None), list[Note]()

    def on_event(event: Event) -> None:
        if isinstance(event, Note) and not (connection.session.login.arrived and event.event == "error"):
            notes.append(event)

    why = ""
    for _ in range(2):  # the server may ask for TLS
        outbox, used = Outbox(on_event, Support()), endpoint.config(config, time())
        connection = Connection(used, settings, Rejoins(), outbox, timeouts or Timeouts(), on_event)
        try:
            async with asyncio.timeout(_LONGEST_TRIAL):
                await connection.open()
                while not connection.lost.done() and not connection.session.login.arrived:
                    await asyncio.sleep(_POLL)
            why = connection.lost.result() if connection.lost.done() else ""
            connection.put("QUIT :only checking", urgent=True)
            await asyncio.wait([connection.lost], timeout=1.0)
        except OSError as error:
            why = connect_failure(error, connection.config)
        finally:
            connection.close("over")
        if connection.tls_port is None:
            break
        endpoint.secure(config.host, connection.tls_port)
    good = tuple(f"{note.event}: {note.detail}" for note in notes if note.event in _GOOD_EVENTS)
    faults = tuple(f"{note.event}: {note.detail}" for note in notes if note.level >= logging.WARNING)
    return TrialResult(good, (*faults, why) if why else faults)
