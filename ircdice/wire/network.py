"""Network: one network for as long as the bot runs: connects, hears, answers, comes back. Knows no rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import time

from ircdice.bot.message import Message, Reply
from ircdice.config import Limits, NetworkConfig
from ircdice.settings import Settings
from ircdice.wire import ctcp, speech
from ircdice.wire.backoff import Backoff
from ircdice.wire.bucket import Verdict
from ircdice.wire.effects import Asked, Effect, Heard, Note
from ircdice.wire.intake import Hearer, Intake
from ircdice.wire.joins import Rejoins
from ircdice.wire.keepalive import Patience
from ircdice.wire.limits import CTCP, TOO_FAST, Inward
from ircdice.wire.link import Link
from ircdice.wire.outbox import MOST
from ircdice.wire.split import room, split
from ircdice.wire.tls import reason

log = logging.getLogger("ircdice.wire")
FAREWELL = "the dice rest"
_POLL = 0.02
_CLOSING = 1.0  # seconds that the server has to close after QUIT


class Network:
    """One `[network NAME]`. `deliver` takes replies to whichever network they are for."""

    def __init__(
        self,
        config: NetworkConfig,
        settings: Settings,
        limits: Limits,
        bot: Hearer,
        deliver: Callable[[Reply, Message | None], None],
        chance: Callable[[], float],
        patience: Patience,
    ) -> None:
        self.name = config.name
        self._config, self._settings = config, settings
        self._chance, self._patience = chance, patience
        self._intake = Intake(bot, limits, self._room, deliver, self._refuse)
        self._ctcps = Inward(CTCP)
        self._rejoins = Rejoins()
        self._backoff = Backoff(config.reconnect_first, config.reconnect_longest)
        self._link: Link | None = None
        self._leaving = asyncio.Event()

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
            pause = self._backoff.pause(asyncio.get_running_loop().time() - began, self._chance(), why)
            self._note(Note("disconnected", f"{why}; again in {pause:.1f} s", level=logging.WARNING))
            await self._rest(pause)
        await self._intake.places.finish(self._patience.leave)

    async def leave(self) -> None:
        """Send what is queued, within bounds, and QUIT (IRC-25)."""
        if self._leaving.is_set():
            return
        self._leaving.set()
        link = self._link
        if link is None:
            return
        if link.standing:
            await self._drained(link)
            self._drop_waiting()
            link.urgent(f"QUIT :{FAREWELL}")
            await asyncio.wait([link.lost], timeout=_CLOSING)
        link.close("leaving")

    def say(self, reply: Reply, heard: Message | None) -> None:
        """Send a reply, split where it must be, in its place's turn."""
        link = self._link
        if link is None or not link.standing or not speech.is_target(reply.target):
            self._note(Note("not sent", f"to {reply.target}, record {reply.seq}", level=logging.WARNING))
            return
        support = link.session.support
        channel = None if reply.private or reply.target[:1] not in support.chantypes else reply.target
        settings = self._settings.channel(self.name, channel, support.casemapping)
        self._send(link, speech.command(reply, heard, settings), reply.target, speech.wording(reply, heard, settings))

    async def _once(self) -> str:
        """One connection from beginning to end; why it ended."""
        wake = self._intake.places.wake
        link = self._link = Link(self._config, self._settings, self._rejoins, self._patience, self._effect, wake)
        try:
            await self._opened(link)
            why = await link.lost
        except OSError as error:
            why = reason(error)
        finally:
            self._link = None
            link.close("over")
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

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._leaving.wait()
        except TimeoutError:
            pass

    async def _drained(self, link: Link) -> None:
        try:
            async with asyncio.timeout(self._patience.leave):
                while link.standing and (self._intake.places.busy or link.outbox):
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            self._note(Note("not sent", f"{len(link.outbox)} lines, there was no time", level=logging.WARNING))

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Note():
                self._note(effect)
            case Heard() if not self._leaving.is_set():
                self._intake.take(effect, asyncio.get_running_loop().time())
            case Asked() if not self._leaving.is_set():
                self._ctcp(effect)

    def _refuse(self, message: Message, why: str) -> None:
        """A word in the log, and one to the speaker; behind a relay nobody could read it."""
        self._note(Note("dropped", f"{message.nick}: {why}", message.channel, logging.WARNING))
        if self._link is not None and speech.is_target(message.nick) and not message.relay:
            command = "PRIVMSG" if message.channel is None else "NOTICE"
            self._link.offer(message.fold(message.nick), f"{command} {message.nick} :{TOO_FAST}")

    def _room(self, lane: str, under_way: int) -> bool:
        """Whether the bot may be given one more command: never more than the server will soon let us answer (IRC-22).

        At leaving nothing new is begun before all else is sent: what is recorded then might never be said (IRC-25).
        """
        most = 1 if self._leaving.is_set() else MOST
        return self._link is not None and self._link.outbox.room(lane, under_way, most)

    def _drop_waiting(self) -> None:
        if dropped := self._intake.places.clear():
            self._note(Note("dropped", f"{dropped} commands, not answered before the end", level=logging.WARNING))

    def _ctcp(self, asked: Asked) -> None:
        answer = ctcp.answer(asked.text, time())
        now = asyncio.get_running_loop().time()
        if (
            answer is not None
            and self._link is not None
            and speech.is_target(asked.nick)
            and self._ctcps.reserve(asked.speaker, "", now) is Verdict.HEAR
        ):
            self._link.offer(self._link.session.support.fold(asked.nick), f"NOTICE {asked.nick} :{answer}")

    def _send(self, link: Link, command: str, target: str, text: str) -> None:
        session = link.session
        size = room(command, target, nick=session.me, userhost=session.userhost, linelen=session.support.linelen)
        for piece in split(text, size - len(speech.SAFE)):
            link.put(session.support.fold(target), f"{command} {target} :{speech.guarded(piece)}")

    def _note(self, note: Note) -> None:
        beside = {"network": self.name, "channel": note.channel, "detail": speech.scrub(note.detail)}
        level = logging.INFO if self._leaving.is_set() else note.level  # a server's ERROR answers every QUIT
        log.log(level, "%s", note.event, extra={key: value for key, value in beside.items() if value})
