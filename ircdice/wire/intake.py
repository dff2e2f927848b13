"""Intake: which commands of a network are given to the bot, and when (IRC-15). Knows no connection and no rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from ircdice.bot.message import Message, Reply, heard_at, turn_over
from ircdice.config import Limits
from ircdice.wire.bucket import MOST_WARNED, Admission
from ircdice.wire.effects import Incoming
from ircdice.wire.limits import Inward
from ircdice.wire.queues import Queues, Room


class Hearer(Protocol):
    """The bot, as the wire sees it."""

    def wants(self, message: Message) -> bool:
        """Whether a line may be a command; False is talk, which `hear` would be silent on. Cheap: parses nothing."""
        ...

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """Answer one line; () is silence."""
        ...

    async def due(self) -> tuple[Reply, ...]:
        """What is to be said without having been asked."""
        ...


class Intake:
    """Counts commands and never talk, keeps them in order by place, and waits for `room` to answer them.

    What it drops it has not given to the bot, so nothing that is recorded is lost here. `refuse` is told once for
    each speaker, with the reason for the log; `answered` of each line that got a reply.
    """

    def __init__(
        self,
        bot: Hearer,
        limits: Limits,
        room: Room,
        deliver: Callable[[Reply, Message | None], None],
        refuse: Callable[[Message, str], None],
        answered: Callable[[], None] = lambda: None,
    ) -> None:
        self._bot, self._deliver, self._refuse, self._answered = bot, deliver, refuse, answered
        self._limits, self._inward = limits, Inward(limits)
        self._too_late: set[str] = set()  # speakers who were told that too much waits
        self.places = Queues(room)

    def limit(self, limits: Limits) -> None:
        """Count by other limits from now on (IRC-25)."""
        if limits != self._limits:
            self._limits, self._inward = limits, Inward(limits)

    def take(self, heard: Incoming, now: float) -> bool:
        """Queue a line for the bot, if it may be a command and its speaker and its place have a token left; whether so.

        The limit comes before the line is parsed (GEN-16): that is done once, when its turn has come.
        """
        message, speaker = heard.message, heard.speaker
        if not self._bot.wants(message):
            return False
        match self._inward.reserve(speaker, message.place, now):
            case Admission.WARN:
                self._refuse(message, "too many commands at once")
            case Admission.HEAR if self._queued(heard, now):
                return True
            case Admission.HEAR:
                self._inward.refund(speaker, message.place)
                if speaker not in self._too_late and len(self._too_late) < MOST_WARNED:
                    self._too_late.add(speaker)
                    self._refuse(message, "too much waits")
        return False

    def _queued(self, heard: Incoming, now: float) -> bool:
        if not self.places.busy:
            self._too_late.clear()
        message = heard.message
        # By where the answer goes: that is the lane in which it will wait to be sent.
        lane = message.fold(message.channel or message.nick)
        return self.places.put(lane, partial(self._answer, heard, now, lane))

    async def _answer(self, heard: Incoming, since: float, lane: str) -> None:
        """Only an answer costs a token."""
        heard_at.set(since)
        turn_over.set(partial(self.places.step_aside, lane))
        replies = await self._bot.hear(heard.message)
        if replies:
            self._answered()
        else:
            self._inward.refund(heard.speaker, heard.message.place)
        for reply in replies:
            self._deliver(reply, heard.message)
