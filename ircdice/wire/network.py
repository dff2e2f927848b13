"""Network: one network for as long as the bot runs: connects, hears, answers, comes back. Knows no rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import time

from ircdice.bot.message import Message, Reply
from ircdice.config import Limits, NetworkConfig
from ircdice.settings import Settings
from ircdice.wire import changes, ctcp, speech
from ircdice.wire.backoff import Backoff
from ircdice.wire.bucket import Admission
from ircdice.wire.counters import NetworkMetrics
from ircdice.wire.effects import CtcpRequest, Effect, Incoming, Keep, Note, Secure
from ircdice.wire.endpoint import Endpoint
from ircdice.wire.entry import OutboxEntry
from ircdice.wire.intake import Hearer, Intake
from ircdice.wire.joins import Rejoins
from ircdice.wire.keepalive import Patience
from ircdice.wire.limits import CTCP, TOO_FAST, Inward
from ircdice.wire.line import Line
from ircdice.wire.link import Link
from ircdice.wire.mouth import Delivered, Mouth
from ircdice.wire.outbox import MOST
from ircdice.wire.sts import Policies
from ircdice.wire.tls import reason

log = logging.getLogger("ircdice.wire")
FAREWELL = "the dice rest"
ANEW = "back in a moment"
_POLL = 0.02
_CLOSING = 2.5  # seconds that the server has to close after QUIT: it may hold lines back before it


@dataclass(frozen=True, slots=True)
class Behind:
    """What all networks have behind them. `deliver` takes replies to whichever network they are for."""

    bot: Hearer
    deliver: Callable[[Reply, Message | None], None]
    delivered: Delivered
    chance: Callable[[], float]
    patience: Patience
    counters: NetworkMetrics


class Network:
    """One `[network NAME]`."""

    def __init__(self, config: NetworkConfig, settings: Settings, limits: Limits, behind: Behind) -> None:
        self.name = config.name
        self._config, self._settings = config, settings
        self._chance, self._patience, self._counters = behind.chance, behind.patience, behind.counters
        answered = partial(self._counters.commands.add, self.name)
        self._intake = Intake(behind.bot, limits, self._room, behind.deliver, self._refuse, answered)
        self._mouth = Mouth(self.name, settings, behind.delivered, self._note, behind.counters)
        self._ctcps = Inward(CTCP)
        self._rejoins = Rejoins()
        self._backoff = Backoff(config.reconnect_first, config.reconnect_longest)
        self._endpoint = Endpoint(Policies(config.data))
        self._used = config  # as it was connected to last
        self._link: Link | None = None
        self._leaving = asyncio.Event()
        self._at_once = asyncio.Event()  # come back without a pause
        self._sent_away = False  # by an ERROR of the server's
        self._follow()

    async def run(self) -> None:
        """Stay connected until told to leave (IRC-06); a fault is logged and costs one connection."""
        if not self._config.tls:
            self._note(Note("no TLS", "tls = no: all is sent in the clear", level=logging.WARNING))
        while not self._leaving.is_set():
            began = asyncio.get_running_loop().time()
            try:
                why = await self._once()
            except Exception as error:
                log.exception("%s: the connection broke down", self.name)
                why = str(error)
            if self._leaving.is_set():
                break
            await self._rest(asyncio.get_running_loop().time() - began, why)
        await self._intake.places.finish(self._patience.leave)
        self._counters.forget(self.name)

    @property
    def jobs(self) -> int:
        """How many commands are under way, or could be."""
        return self._intake.places.jobs

    async def leave(self) -> None:
        """Send what is queued, within bounds, and QUIT (IRC-25)."""
        if self._leaving.is_set():
            return
        self._leaving.set()
        if self._link is not None:
            await self._quit(self._link, FAREWELL)

    def say(self, reply: Reply, heard: Message | None, age: float = 0.0) -> None:
        """Say a reply that came up `age` seconds ago, now or when the bot is where it can (IRC-23)."""
        self._mouth.say(reply, heard, age)

    async def change(self, config: NetworkConfig, settings: Settings, limits: Limits) -> None:
        """Go on by another config (IRC-25); the connection is made anew only where it must be."""
        old, self._config, self._settings = self._config, config, settings
        self._mouth.settings = settings
        self._intake.limit(limits)
        self._backoff.bounds(config.reconnect_first, config.reconnect_longest)
        link = self._link
        if changes.wants_another(old, config):
            self._note(Note("changed", "by a new connection"))
            self._at_once.set()
            if link is not None:
                await self._quit(link, ANEW)
        elif link is not None:
            link.change(config, settings)
            link.pace(config.flood_burst, config.flood_interval)
            for line in changes.lines(old, config, link.session.support) if link.standing else ():
                link.put(line)

    async def _quit(self, link: Link, farewell: str) -> None:
        if link.standing:
            await self._drained(link)
            self._drop_waiting()
            link.urgent(f"QUIT :{farewell}")
            await asyncio.wait([link.lost], timeout=_CLOSING)
        link.close("leaving")

    def _follow(self) -> None:
        self._counters.connected.follow(lambda: float(self._link is not None and self._link.standing), self.name)
        self._counters.waiting.follow(lambda: float(self._mouth.waiting), self.name)
        self._counters.channels.follow(
            lambda: float(len(self._link.session.roster.joined) if self._link else 0), self.name
        )

    async def _once(self) -> str:
        """One connection from beginning to end; why it ended."""
        self._counters.connections.add(self.name)
        config = self._used = self._endpoint.config(self._config, time())
        link = self._link = Link(
            config, self._settings, self._rejoins, self._patience, self._effect, self._received, self._sent
        )
        link.outbox.coming = self._intake.places.waiting
        self._mouth.opened(link)
        try:
            await self._opened(link)
            why = await link.lost
        except OSError as error:
            why = reason(error)
        finally:
            self._link, self._sent_away = None, bool(link.session.error)
            link.close("over")
            # An ERROR answers our QUIT, behind all that came before it.
            self._mouth.closed(orderly=self._leaving.is_set() and bool(link.session.error))
            self._endpoint.ended(config, time())
            self._drop_waiting()
        return why

    async def _opened(self, link: Link) -> None:
        """Connect, unless the bot is to leave meanwhile."""
        opening = asyncio.ensure_future(link.open())
        leaving = asyncio.ensure_future(self._leaving.wait())
        try:
            await asyncio.wait([opening, leaving], return_when=asyncio.FIRST_COMPLETED)
            if opening.done():
                opening.result()
            else:
                link.close("leaving")
        finally:
            opening.cancel()
            leaving.cancel()

    async def _rest(self, stood: float, why: str) -> None:
        """Wait before the next connection, unless the bot is to leave or to come back at once."""
        chance, error = self._chance(), self._sent_away
        pause = 0.0 if self._at_once.is_set() else self._backoff.pause(stood, chance, why, error=error)
        self._note(Note("disconnected", f"{why}; again in {pause:.1f} s", level=logging.WARNING))
        waits = [asyncio.ensure_future(event.wait()) for event in (self._leaving, self._at_once)]
        await asyncio.wait(waits, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        self._at_once.clear()

    async def _drained(self, link: Link) -> None:
        try:
            async with asyncio.timeout(self._patience.leave):
                while link.standing and (self._intake.places.busy or link.outbox):
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            self._note(Note("not sent", f"{len(link.outbox)} lines, there was no time", level=logging.WARNING))

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Incoming() if not self._leaving.is_set():
                self._intake.take(effect, asyncio.get_running_loop().time())
            case Note():
                self._note(effect)
            case Secure(port):
                self._secure(port)
            case Keep(duration):
                self._endpoint.keep(self._used, duration, time())
            case CtcpRequest() if not self._leaving.is_set():
                self._ctcp(effect)

    def _received(self, line: Line) -> None:
        self._counters.received.add(self.name)
        self._mouth.heard(line)

    def _sent(self, entry: OutboxEntry) -> None:
        self._mouth.sent(entry)
        self._intake.places.wake()

    def _secure(self, port: int) -> None:
        """IRC-02: nothing more in the clear."""
        self._note(Note("STS", f"the server wants TLS on port {port}"))
        self._endpoint.secure(self._used.host, port)
        self._at_once.set()
        if self._link is not None:
            self._link.close(f"TLS is taken up on port {port}")

    def _refuse(self, message: Message, why: str) -> None:
        """A word in the log, and one to the speaker; behind a relay nobody could read it."""
        self._note(Note("dropped", f"{message.nick}: {why}", message.channel, logging.WARNING))
        self._counters.refused.add(self.name)
        if self._link is not None and speech.is_target(message.nick) and not message.relay:
            command = "PRIVMSG" if message.channel is None else "NOTICE"
            self._aside(command, message.nick, TOO_FAST)

    def _aside(self, command: str, nick: str, text: str) -> None:
        """A word to one person that is left out where too much waits."""
        if self._link is not None:
            self._link.offer(self._link.session.support.fold(nick), OutboxEntry(text, f"{command} {nick} :"))

    def _room(self, lane: str, under_way: int) -> bool:
        """Whether the bot may be given one more command: never more than the server will soon let us answer (IRC-22).

        At leaving nothing new is begun before all else is sent: what is recorded then might never be said (IRC-25).
        """
        most = 1 if self._leaving.is_set() else MOST
        return self._link is not None and self._link.outbox.room(lane, under_way, most)

    def _drop_waiting(self) -> None:
        if dropped := self._intake.places.clear():
            self._note(Note("dropped", f"{dropped} commands, not answered before the end", level=logging.WARNING))

    def _ctcp(self, asked: CtcpRequest) -> None:
        answer = ctcp.answer(asked.text, time())
        now = asyncio.get_running_loop().time()
        if (
            answer is not None
            and self._link is not None
            and speech.is_target(asked.nick)
            and self._ctcps.reserve(asked.speaker, "", now) is Admission.HEAR
        ):
            self._aside("NOTICE", asked.nick, answer)

    def _note(self, note: Note) -> None:
        beside = {"network": self.name, "channel": note.channel, "detail": speech.scrub(note.detail)}
        level = logging.INFO if self._leaving.is_set() else note.level  # a server's ERROR answers every QUIT
        log.log(level, "%s", note.event, extra={key: value for key, value in beside.items() if value})
