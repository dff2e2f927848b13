"""Networks: each connects, listens, answers and reconnects for as long as the bot runs (IRC-01, IRC-06, IRC-25).

`attempt` tries a network once, for `config check --connect`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic, time

from ircdice.bot.message import ChannelModes, Message, Reply
from ircdice.config import Config, Limits, NetworkConfig
from ircdice.dice import entropy
from ircdice.metrics import Metrics
from ircdice.settings import Settings
from ircdice.wire.channels import Rejoins, changed_channels
from ircdice.wire.connection import FOR_GOOD, MOST, Connection, Timeouts, connect_failure
from ircdice.wire.incoming import CommandQueue, Hearer, ctcp_answer
from ircdice.wire.outgoing import Outgoing
from ircdice.wire.protocol import CtcpRequest, Effect, Incoming, Keep, Note, Secure, scrub
from ircdice.wire.rate_limit import Admission, Bucket, CommandLimits
from ircdice.wire.sts import Endpoint

log = logging.getLogger("ircdice.wire")
FAREWELL = "the dice rest"
RECONNECTING = "back in a moment"
TOO_FAST = "Not rolled: too many commands at once, wait a little."
_CTCP = Limits(user_burst=4, user_interval=10.0, channel_burst=10, channel_interval=2.0)  # apart from commands
_POLL = 0.02
_DUE_EVERY = 1.0  # seconds
MOST_NAMED = 10  # channels of a network in its status
_LOG_BURST, _LOG_INTERVAL = 3000, 0.2  # of one network; a start in 500 channels causes some hundred
_LONGEST_DETAIL = 500  # characters
_GOOD = 300.0  # seconds after which a connection counts as good, and the pauses begin anew
_THROTTLED = re.compile(r"throttl|too (?:fast|many)|[a-z]-?lined?\b|banned|reconnect", re.IGNORECASE)
_THROTTLED_LEAST = 60.0
_LONGEST_TRIAL = 60.0  # seconds
_GOOD_EVENTS = ("welcome", "logged in", "identified", "STS")


class Backoff:
    """Pauses that double, each drawn between zero and its ceiling (full jitter)."""

    _ceiling = 0.0

    def pause(self, config: NetworkConfig, lasted: float, chance: float, reason: str, *, error: bool) -> float:
        """Seconds to wait after a connection that lasted so long; `chance` is from 0 up to 1.

        `error` means that the server ended it, and `reason` is what it said.
        """
        first, longest = config.reconnect_first, config.reconnect_longest
        ceiling = first if lasted >= _GOOD else max(self._ceiling, first)
        if error:
            ceiling *= 2
        if _THROTTLED.search(reason):  # coming back soon would make it worse
            ceiling = max(ceiling, _THROTTLED_LEAST)
        for_good = reason.startswith(FOR_GOOD)
        ceiling = longest if for_good else min(ceiling, longest)
        self._ceiling = ceiling * 2
        return ceiling if for_good else ceiling * chance


def needs_reconnect(old: NetworkConfig, new: NetworkConfig) -> bool:
    """Whether the change of config requires a new connection: all but this was part of how it was made."""
    changed = replace(
        old,
        channels=new.channels,
        defaults=new.defaults,
        settings=new.settings,
        relays=new.relays,
        ignore=new.ignore,
        accept_invites=new.accept_invites,
        nick=new.nick,
        alternate_nicks=new.alternate_nicks,
        flood_burst=new.flood_burst,
        flood_interval=new.flood_interval,
        reconnect_first=new.reconnect_first,
        reconnect_longest=new.reconnect_longest,
    )
    return changed != new


class Network:
    """One `[network NAME]`."""

    def __init__(self, config: NetworkConfig, fleet: Networks) -> None:
        self.name, self._config, self._fleet = config.name, config, fleet
        self._timeouts, self._metrics, limits = fleet.timeouts, fleet.metrics, fleet.config.limits
        begun, answered = (count.labels(self.name).inc for count in (self._metrics.commands, self._metrics.answers))
        self._commands = CommandQueue(fleet.bot, limits, self._room, fleet.deliver, self._refuse, begun, answered)
        self.outgoing = Outgoing(
            self.name, fleet.config, fleet.delivered, self._note, self._metrics, drained=self._commands.wake
        )
        self._ctcp_limits = CommandLimits(_CTCP)
        self._rejoins = Rejoins()
        self._backoff = Backoff()
        self._endpoint = Endpoint(config.data)
        self._connection: Connection | None = None
        self._leaving = False
        self._at_once = asyncio.Event()  # end the pause before the next connection
        self._sent_away = False  # by an ERROR of the server
        self._log_limit = Bucket(_LOG_BURST, _LOG_INTERVAL)
        self._not_logged = 0
        self._metrics.follow(
            self.name,
            connected=lambda: self._connection is not None and self._connection.ready,
            channels=lambda: len(self._connection.session.roster.joined) if self._connection else 0,
            lines_waiting=lambda: self.outgoing.waiting,
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
            self._at_once.set()
            await self._quit(FAREWELL)

    def modes(self, channel: str) -> ChannelModes | None:
        """Whether a channel is secret, private or has a key (WEB-10); None if that is not known."""
        session = self._connection.session if self._connection else None
        hidden = session.roster.is_hidden(channel) if session else None
        return None if session is None or hidden is None else ChannelModes(session.support.fold(channel), hidden)

    def status(self) -> str:
        """How it fares, in a line."""
        connection = self._connection
        here = sorted(channel.name for channel in connection.session.roster.joined.values()) if connection else []
        where = f"connected as {connection.session.roster.me}" if connection and connection.ready else "not connected"
        shown = ", ".join(here[:MOST_NAMED]) + (f" and {len(here) - MOST_NAMED} more" if len(here) > MOST_NAMED else "")
        waits = f"{self.outgoing.waiting} lines and {len(self._commands)} commands wait"
        return f"{self.name}: {where}; in {shown or 'no channel'}; {waits}"

    async def change(self, config: NetworkConfig) -> None:
        """Use another config, and that of the fleet, from now on (IRC-25); reconnect only if necessary."""
        old, self._config, self.outgoing.settings = self._config, config, self._fleet.config
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
        """One connection from beginning to end; why it ended."""
        self._metrics.connections.labels(self.name).inc()
        config, outgoing = self._endpoint.config(self._config, time()), self.outgoing
        connection = self._connection = Connection(
            config, self._fleet.config, self._rejoins, self._timeouts, self._effect, outgoing.heard, outgoing.sent
        )
        outgoing.opened(connection)
        try:
            await connection.open()
            return await connection.lost
        except OSError as error:
            return connect_failure(error, config)
        finally:
            self._connection, self._sent_away = None, bool(connection.session.error)
            connection.close("over")
            # An ERROR that answers our QUIT comes after all that was sent before.
            outgoing.closed(orderly=self._leaving and bool(connection.session.error))
            self._endpoint.ended(config, time())
            self._drop_waiting()

    async def _rest(self, lasted: float, why: str) -> None:
        """Wait before the next connection, unless there is a reason not to."""
        chance, error = self._fleet.chance(), self._sent_away
        pause = 0.0
        if not self._at_once.is_set():
            pause = self._backoff.pause(self._config, lasted, chance, why, error=error)
        self._note(Note("disconnected", f"{why}; again in {pause:.1f} s", level=logging.WARNING))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._at_once.wait(), pause)
        self._at_once.clear()

    async def _quit(self, farewell: str) -> None:
        connection = self._connection
        if connection is None:
            return
        if connection.ready:
            await self._drain(connection)
            self._drop_waiting()
            connection.put(f"QUIT :{farewell}", urgent=True)
            await asyncio.wait([connection.lost], timeout=self._timeouts.closing)
        connection.close("leaving")

    async def _drain(self, connection: Connection) -> None:
        try:
            async with asyncio.timeout(self._timeouts.leave):
                while connection.ready and (self._commands.busy or connection.outbox):
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            self._note(Note("not sent", f"{len(connection.outbox)} lines, there was no time", level=logging.WARNING))

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Incoming() if not self._leaving:
                self._commands.take(effect, monotonic())
            case CtcpRequest() if not self._leaving:
                answer = ctcp_answer(effect.text, time())
                if answer and self._ctcp_limits.reserve(effect.caller, monotonic()) is Admission.HEAR:
                    self.outgoing.aside("NOTICE", effect.nick, answer)
            case Note():
                self._note(effect)
            case Secure(port) if self._connection is not None:  # IRC-02: send nothing more in plain text
                self._note(Note("STS", f"the server asks for TLS on port {port}"))
                self._endpoint.secure(self._connection.config.host, port)
                self._at_once.set()
                self._connection.close(f"continued over TLS on port {port}")
            case Keep(duration) if self._connection is not None:
                self._endpoint.keep(self._connection.config, duration, time())

    def _room(self, place: str, under_way: int) -> bool:
        """Whether the bot may be given one more command: not more than the server lets us answer soon (IRC-22).

        When leaving, nothing is begun before all else is sent: its record might never be posted (IRC-25).
        """
        lane, most = self.outgoing.lane(place), 1 if self._leaving else MOST
        return self._connection is not None and self._connection.outbox.room(lane, under_way, most)

    def _refuse(self, message: Message, why: str) -> None:
        """Log it and tell the sender, who cannot be reached through a relay."""
        self._note(Note("dropped", f"{message.nick}: {why}", message.channel, logging.WARNING))
        self._metrics.dropped.labels(self.name).inc()
        if not message.relay:
            self.outgoing.aside("PRIVMSG" if message.channel is None else "NOTICE", message.nick, TOO_FAST)

    def _drop_waiting(self) -> None:
        if dropped := self._commands.clear():
            self._note(Note("dropped", f"{dropped} commands, not answered before the end", level=logging.WARNING))

    def _note(self, note: Note) -> None:
        """Log an event. A server can cause any number of them: those past the limit are counted (IRC-28)."""
        if not self._log_limit.take(monotonic()):
            self._not_logged += 1
            return
        if self._not_logged:
            count, self._not_logged = self._not_logged, 0
            self._log(Note("too many events", f"{count} were not logged", level=logging.WARNING))
        self._log(note)

    def _log(self, note: Note) -> None:
        detail = scrub(note.detail[:_LONGEST_DETAIL])
        extra = {"network": self.name, "channel": note.channel, "detail": detail}
        level = logging.INFO if self._leaving else note.level  # a server's ERROR answers every QUIT
        log.log(level, "%s", note.event, extra={key: value for key, value in extra.items() if value})


def system_chance() -> float:
    """A number from 0 up to 1, for the jitter of reconnecting."""
    return int.from_bytes(entropy(6)) / 2**48


class Networks:
    """All networks of a config and one bot; `delivered` is called with each recorded reply that was delivered."""

    def __init__(
        self,
        config: Config,
        bot: Hearer,
        *,
        delivered: Callable[[Reply], None] = lambda _reply: None,
        chance: Callable[[], float] = system_chance,
        timeouts: Timeouts | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.config, self.bot, self.delivered, self.chance = config, bot, delivered, chance
        self.timeouts, self.metrics = timeouts or Timeouts(), metrics or Metrics()
        self._leaving = asyncio.Event()
        self._networks = {network.name: Network(network, self) for network in config.networks}
        self._runs: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run until all networks have been left."""
        clock = asyncio.create_task(self._say_due())
        self._runs |= {asyncio.create_task(network.run()) for network in self._networks.values()}
        try:
            while self._runs:
                done, _ = await asyncio.wait(self._runs, return_when=asyncio.FIRST_COMPLETED)
                self._runs -= done
                for task in done:
                    task.result()
        finally:
            self._leaving.set()
            await asyncio.wait([clock], timeout=self.timeouts.leave)  # it may be writing a record
            clock.cancel()

    async def leave(self) -> None:
        """Leave every network cleanly; `run` ends then."""
        self._leaving.set()  # nothing falls due any more: it could not be sent
        await asyncio.gather(*(network.leave() for network in self._networks.values()))

    async def change(self, config: Config) -> None:
        """Use another config (IRC-25); what did not change keeps its connection."""
        if self._leaving.is_set():
            return
        wanted = {network.name: network for network in config.networks}
        self.config = config
        staying = [network for name, network in self._networks.items() if name in wanted]
        going = [network for name, network in self._networks.items() if name not in wanted]
        added = [Network(network, self) for name, network in wanted.items() if name not in self._networks]
        self._networks = {network.name: network for network in (*staying, *added)}
        self._runs |= {asyncio.create_task(network.run()) for network in added}
        changed = (network.change(wanted[network.name]) for network in staying)
        await asyncio.gather(*changed, *(network.leave() for network in going))

    def status(self) -> list[str]:
        """How each network fares, for the operator (DSK-12)."""
        return [network.status() for network in self._networks.values()]

    def modes(self, network: str, channel: str) -> ChannelModes | None:
        """Whether a channel is secret, private or has a key (WEB-10); None if that is not known."""
        found = self._networks.get(network)
        return found.modes(channel) if found else None

    def post(self, replies: Iterable[tuple[Reply, int]]) -> None:
        """Send after the next join what an earlier run recorded and did not deliver; times are ms since 1970."""
        now = time()
        for reply, recorded in replies:
            self.deliver(reply, None, age=max(now - recorded / 1000, 0.0))

    def deliver(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Say a reply that came up `age` seconds ago on the network that it is for."""
        try:
            self._networks[reply.network].outgoing.say(reply, heard, age)
        except Exception:  # one that fails must not take others with it
            log.exception("a reply to %s could not be sent: record %s", reply.network, reply.seq)

    async def _say_due(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), _DUE_EVERY)
                return
            try:
                for reply in await self.bot.due(self.modes):
                    self.deliver(reply, None)
            except Exception:
                log.exception("what is due could not be found")


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

    def on_effect(effect: Effect) -> None:
        if isinstance(effect, Note) and not (connection.session.login.arrived and effect.event == "error"):
            notes.append(effect)
        elif isinstance(effect, Secure):
            notes.append(Note("STS", f"the server asks for TLS on port {effect.port}"))
            endpoint.secure(config.host, effect.port)
            connection.close(moved)

    moved, why = "continued over TLS", ""
    for _ in range(2):  # the server may ask for TLS
        connection = Connection(endpoint.config(config, time()), settings, Rejoins(), timeouts or Timeouts(), on_effect)
        why = await _log_in(connection)
        if why != moved:
            break
    good = tuple(f"{note.event}: {note.detail}" for note in notes if note.event in _GOOD_EVENTS)
    faults = tuple(f"{note.event}: {note.detail}" for note in notes if note.level >= logging.WARNING)
    return TrialResult(good, (*faults, why) if why else faults)


async def _log_in(connection: Connection) -> str:
    """Log in and leave; why the connection ended before the login was complete, or nothing."""
    try:
        async with asyncio.timeout(_LONGEST_TRIAL):
            await connection.open()
            while not connection.lost.done() and not connection.session.login.arrived:
                await asyncio.sleep(_POLL)
        if connection.lost.done():
            return connection.lost.result()
        connection.put("QUIT :only checking", urgent=True)
        await asyncio.wait([connection.lost], timeout=1.0)
    except OSError as error:
        return connect_failure(error, connection.config)
    finally:
        connection.close("over")
    return ""
