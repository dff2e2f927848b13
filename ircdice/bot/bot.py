"""The bot: a message in, replies out. Sockets, clock, dice and database are passed in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

import grammars
from grammars import Reading, UnknownCommand, repeat
from grammars.channel import Page
from grammars.gate import looks_like_a_command, may_be_a_command
from grammars.line import NDX
from ircdice.bot import expansion
from ircdice.bot.commands import FOR_ANYBODY, FOR_SPEAKER, handler_of
from ircdice.bot.context import Answer, LineContext, Randomness, Services
from ircdice.bot.message import FindModes, Heard, Message, Reply, listen, posting
from ircdice.bot.page import Pages
from ircdice.bot.places import Places
from ircdice.bot.rate_limit import Allowance, Hinting
from ircdice.bot.reading import Undecided, completed, nobody_called, read
from ircdice.bot.refusals import refusal_text, with_name, workable, would_roll
from ircdice.errors import LedgerUnavailable, Refused, RuleError, StaleError
from ircdice.ledger import Draft, Ledger
from ircdice.reply import within
from ircdice.settings import ChannelSettings, Settings

log = logging.getLogger(__name__)
MOST_ATTEMPTS = 50  # retries if other processes change the same keys; each takes milliseconds
OUR_FAULT = "Something went wrong here: nothing was rolled or spent, and it is in the log."


class Bot:
    """The bot for any number of networks. `clock` gives ms since 1970; without `hinting` every error is posted, and
    without `allowance` verifying is unlimited."""

    def __init__(
        self,
        ledger: Ledger,
        randomness: Randomness,
        settings: Settings,
        clock: Callable[[], int],
        hinting: Hinting | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self._ledger, self._settings, self._clock = ledger, settings, clock
        self.services = Services(randomness, allowance, hinting)
        self.places = Places(ledger, settings, clock)
        self._pages = Pages(ledger, settings)

    async def resume(self) -> None:
        """Before the first line: load open contests and the like from the ledger."""
        await self.places.resume()

    async def owed(self, networks: Sequence[str]) -> list[tuple[Reply, int]]:
        """After a start: the recorded lines not known to be posted, with their times (LED-06)."""
        records = await self._ledger.undelivered(networks)
        return [(posting(record), record.ts) for record in records if self._is_ours(record.draft)]

    def _is_ours(self, draft: Draft) -> bool:
        """Whether this bot posts a record: other bots on the ledger post their own (LED-04)."""
        return self._ledger.alone if draft.private else self._settings.plays(*draft.place)

    def delivered(self, reply: Reply) -> None:
        """Note that a recorded line was posted."""
        if reply.seq is not None:
            self._ledger.mark_delivered(reply.network, reply.place, reply.seq)

    def commands_in(self, message: Message) -> int:
        """The number of commands a line may hold, without parsing it: 0 for talk, unless its first word is a command or
        the bot is called (GEN-16), and for another bot's command (GEN-02)."""
        heard = self._listen(message)
        if heard is None or not (heard.called or may_be_a_command(heard.plain)):
            return 0
        if heard.unknown_word and not self._may_be_expanded(heard):
            return 0
        return min(repeat.count_of(heard.plain), repeat.MOST)

    def _may_be_expanded(self, heard: Heard) -> bool:
        """Whether a prefixed line without a command word may be a macro or the like, as far as is known."""
        message, desk = heard.message, self.places.desks[heard.message.network]
        known = self._ledger.alone and desk.is_ready(message.place) and desk.is_ready(message.who)
        return not known or expansion.may_be_expanded(heard.plain, message, desk)

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """The replies to one line; empty is silence. No input makes it raise."""
        return (await self.answer(message)).replies

    async def answer(self, message: Message) -> Answer:
        """As `hear`, with the result of the line."""
        heard = self._listen(message)
        if heard is None:
            return Answer()
        reading = None
        try:
            settings = await self._settings_of(heard.message)
            try:
                reading = read(heard, settings)
                return await self._answered(heard, settings, reading)
            except UnknownCommand as silence:
                return Answer(error=silence)
            except TimeoutError:
                return self._refused(heard, settings, LedgerUnavailable())
            except Refused as refusal:
                return self._refused(heard, settings, refusal)
        except Exception:
            taken = not heard.unknown_word and (
                heard.called or reading is not None or looks_like_a_command(heard.plain)
            )
            where = {"network": message.network, "channel": message.place}
            log.exception("a command failed" if taken else "a line could not be read", extra=where)
            return Answer((_to(heard, OUR_FAULT),) if taken else (), error=Refused(OUR_FAULT))

    def _listen(self, message: Message) -> Heard | None:
        """The line after its address, by the prefixes that the config gives the channel."""
        configured = self._settings.channel(message.network, message.channel, message.casemapping)
        return listen(message, configured.prefixes)

    async def _settings_of(self, message: Message) -> ChannelSettings:
        """The settings, including those set in the channel (DSK-10).

        While the ledger is out of reach they are the config's: nothing can be rolled by them (LED-05).
        """
        configured = self._settings.channel(message.network, message.channel, message.casemapping)
        if message.channel is None:
            return configured
        with suppress(LedgerUnavailable, TimeoutError):
            async with self._in_time(message):
                return await self.places.settings(message.network, message.place, configured)
        return configured

    async def _answered(self, heard: Heard, settings: ChannelSettings, reading: Reading | Undecided) -> Answer:
        """The answer at the table of the message, or in private of the channel that it names."""
        message = heard.message
        channel = reading.node.channel if isinstance(reading, Reading) else expansion.channel_in(heard.plain)
        if channel and message.channel is None:
            message = message.about(channel)
            heard, settings = heard._replace(message=message), await self._settings_of(message)
        place = self.places.of(message.network, message.place, settings, message.casemapping)
        place.target = message.channel or message.nick
        async with place.lock:
            try:
                async with self._in_time(message):
                    await place.load(message.who)
            except (LedgerUnavailable, TimeoutError):
                if isinstance(reading, Undecided):  # probably talk
                    raise UnknownCommand(str(reading.refusal)) from None
                raise
            async with self._in_time(message):
                for _ in range(MOST_ATTEMPTS):
                    with suppress(StaleError):
                        context = LineContext(message, settings, place, self._clock(), self.services)
                        return await self._run(heard, reading, context)
                    await place.load(message.who)  # another process was quicker
            raise LedgerUnavailable

    def _in_time(self, message: Message) -> asyncio.Timeout:
        """While the ledger is out of reach, wait for it for a limited time after the message was heard, then raise
        TimeoutError (LED-05). Messages queued for other reasons (IRC-22) are not refused."""
        wait, heard_at = self._ledger.out_of_reach, message.heard_at
        return asyncio.timeout_at(None if wait is None or heard_at is None else heard_at + wait)

    async def _run(self, heard: Heard, reading: Reading | Undecided, line: LineContext) -> Answer:
        """Call the command's handler."""
        if (named := expansion.named_in(heard.plain)) and not line.find(named):
            await line.place.fetch(line.who_of(named))
        context = await line.command(*completed(heard, reading, line), called=heard.called)
        try:
            handler = handler_of(context.node)
            if (name := context.reading.speaks_as) and handler in FOR_SPEAKER:
                raise RuleError(f'"as {name}" means nothing after {context.reading.word}: leave it out.')
            if (name := context.reading.stranger) and handler in FOR_ANYBODY:
                raise nobody_called(name)
            return await handler(context)
        except RuleError as refusal:
            refusal.hint = refusal.hint and with_name(refusal.hint, context)
            raise
        finally:
            if isinstance(context.node, Page):
                self._pages.forget()

    def _refused(self, heard: Heard, settings: ChannelSettings, refusal: Refused) -> Answer:
        """GEN-07: post an error to the speaker; GEN-11: limit hints, and send none to a relay's user, who cannot
        receive a private line."""
        message, hinting = heard.message, self.services.hinting
        if isinstance(refusal, LedgerUnavailable):
            refusal = LedgerUnavailable()  # LED-05: the reason is only in the log
        macro = heard.called and expansion.begins_with_a_macro(heard.plain, message, self.places.desks[message.network])
        refusal = workable(refusal, heard, settings)
        text = refusal_text(refusal, rolls=macro or would_roll(heard.plain, settings.system))
        hint = isinstance(refusal, grammars.CommandSyntaxError) and refusal.guess
        if hint and not heard.called and not NDX.search(heard.text):
            who = f"{message.network} {message.who}"
            wanted = settings.hints and not message.relayed
            if not wanted or (hinting and not hinting.allows(who, text, self._clock())):
                return Answer(error=UnknownCommand(text))
        return Answer((_to(heard, text, private=hint),), error=refusal)

    async def due(self, modes: FindModes | None = None) -> tuple[Reply, ...]:
        """Unprompted messages that are due: lapsed contests (GEN-06), records written late (LED-05), a new epoch
        (LED-15), switched pages (WEB-10). Call it about once a second."""
        late = tuple(posting(record) for record in self._ledger.late() if record.draft.line)
        news = self.services.randomness.news()
        joined = self._settings.joining() if news else ()
        announced = [Reply(*place, news) for place in joined if news and self._settings.channel(*place).announces]
        pages = await self._pages.due(modes) if modes else ()
        return (*late, *announced, *pages, *await self.places.lapsed())


def _to(heard: Heard, text: str, *, private: bool = False) -> Reply:
    """An error to the speaker, in the channel where the bot was called by name (GEN-07); a hint never (GEN-11)."""
    message = heard.message
    shown = message.channel is not None and (message.relayed or (heard.by_name and not private))
    target = message.channel if shown and message.channel else message.nick
    return Reply(message.network, target, within(text), not shown)
