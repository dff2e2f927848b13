"""The bot: one message in, replies out. No sockets, clock, chance or database of its own: those are passed in."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import grammars
from grammars import Reading, UnknownCommand
from grammars.contests import Close, Contests, Discard, Pass, Withdraw
from grammars.fair import Fair, Stir
from grammars.gate import looks_like_a_command, may_be_a_command
from grammars.help import About, Help
from grammars.hints import Hints
from grammars.log import Log, Stats
from grammars.odds import OddsOf
from grammars.secrets import Difficulty, Reveal, Secret
from grammars.tokens import NDX
from grammars.verify import Verify
from ircdice import dispatcher
from ircdice.bot import (
    asking,
    chances,
    closing,
    discarding,
    fairness,
    following,
    looking_back,
    moment,
    offering,
    rolling,
    secrecy,
    verify,
)
from ircdice.bot.allowance import Allowance
from ircdice.bot.chance import Chance
from ircdice.bot.failures import CommandFailedError, of_a_command
from ircdice.bot.hearing import Heard, listen
from ircdice.bot.hinting import Hinting
from ircdice.bot.message import Message, Reply, turn_over
from ircdice.bot.patience import in_time
from ircdice.bot.places import Place, Places
from ircdice.bot.turn import Answer, Turn, posting
from ircdice.dice import RecordingDice
from ircdice.errors import LedgerUnavailable, Refused, UnknownSpeakerError
from ircdice.ledger import Ledger, Record
from ircdice.reply import within
from ircdice.settings import ChannelSettings, Settings

log = logging.getLogger(__name__)
OUR_FAULT = "Something went wrong here: nothing was rolled or spent, and it is in the log."

Handler = Callable[[Turn], Awaitable[Answer]]
_HANDLERS: Mapping[type, Handler] = {
    Help: asking.explain,
    About: asking.about,
    Contests: asking.contests,
    Pass: rolling.do_pass,
    Withdraw: closing.withdraw,
    Close: closing.close,
    Discard: discarding.discard,
    Stir: fairness.stir,
    Fair: fairness.fair,
    Difficulty: secrecy.difficulty,
    Secret: secrecy.secret,
    Reveal: secrecy.reveal,
    Verify: verify.verify,
    Log: looking_back.log,
    Stats: looking_back.stats,
}


def handler_of(node: Any) -> Handler:
    """What answers a command."""
    return _HANDLERS.get(type(node)) or (rolling.roll if dispatcher.rolls(node) else rolling.follow)


class Bot:
    """Answers for any number of networks. `clock` gives ms since 1970; without `hinting` every error is told, without
    `allowance` nobody asks too often."""

    def __init__(
        self,
        ledger: Ledger,
        chance: Chance,
        settings: Settings,
        clock: Callable[[], int],
        hinting: Hinting | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self._ledger, self._chance, self._settings, self._clock = ledger, chance, settings, clock
        self._hinting, self._allowance = hinting, allowance
        self._places = Places(ledger, settings, clock)

    async def resume(self) -> None:
        """Before the first line: have at hand what the ledger still has open."""
        await self._places.resume()

    async def owed(self, networks: Sequence[str]) -> list[tuple[Reply, int]]:
        """After a start: the lines that were recorded and are not known to be out, with their times (LED-06)."""
        found = await self._ledger.undelivered(networks)
        return [(posting(record), record.ts) for record in found if self._is_ours(record)]

    def _is_ours(self, record: Record) -> bool:
        """Whether a line is this bot's to say: another one on the same ledger says its own (LED-04)."""
        draft = record.draft
        return self._ledger.alone if draft.private else self._settings.plays(draft.network, draft.channel)

    def delivered(self, reply: Reply) -> None:
        """A recorded line is out."""
        if reply.seq is not None:
            self._ledger.mark_delivered(reply.network, reply.place, reply.seq)

    def wants(self, message: Message) -> bool:
        """Whether a line may be a command: its first word is one, or the bot is called; nothing is parsed (GEN-16)."""
        heard, _ = self._listened(message)
        return heard is not None and (heard.called or may_be_a_command(heard.plain))

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """The replies to one line; none is silence. Raises nothing that a person can bring about."""
        return (await self.answer(message)).replies

    async def answer(self, message: Message) -> Answer:
        """As `hear`, with what became of the line."""
        heard, settings = self._listened(message)
        if heard is None:
            return Answer()
        reading = None
        try:
            try:
                reading = self._read(heard, settings)
                return await self._answered(heard, settings, reading)
            except UnknownCommand as silence:
                return Answer(error=silence)
            except Refused as refusal:
                return await self._refused(heard, settings, refusal)
        except Exception as failure:
            taken = reading is not None or isinstance(failure, CommandFailedError) or looks_like_a_command(heard.plain)
            told = heard.called or taken
            where = {"network": message.network, "channel": message.place}
            log.exception("a command failed" if told else "a line could not be read", extra=where)
            return Answer((_to(heard, OUR_FAULT),) if told else (), error=Refused(OUR_FAULT))

    def _listened(self, message: Message) -> tuple[Heard | None, ChannelSettings]:
        """What is said to the bot, and by which settings; where they cannot be looked up nothing is.

        A line may come in while the config changes under it: that is a word in the log, and never a traceback.
        """
        try:
            settings = self._settings.channel(message.network, message.channel, message.casemapping)
        except Exception as error:
            beside = {"network": message.network, "channel": message.place}
            log.error("a line was passed over, its settings could not be looked up: %r", error, extra=beside)
            return None, ChannelSettings()
        return listen(message, settings.prefixes), settings

    async def _answered(self, heard: Heard, settings: ChannelSettings, reading: Reading | UnknownCommand) -> Answer:
        if isinstance(reading, Reading) and (channel := secrecy.elsewhere(heard.message, reading.node)):
            heard = heard._replace(message=secrecy.about(heard.message, channel))
            settings = self._settings.channel(heard.message.network, heard.message.channel, heard.message.casemapping)
        try:
            place = await in_time(self._ledger, lambda: self._places.of(heard.message, settings))
        except LedgerUnavailable:
            if isinstance(reading, UnknownCommand):  # talk, as far as anybody can tell
                raise reading from None
            raise
        async with place.turn:
            done = await in_time(self._ledger, lambda: self._in_turn(heard, reading, settings, place))
        if isinstance(done, Answer):
            return done
        turn_over.get()()  # odds may take a second, and change nothing: rolls that are said then wait for none
        return await chances.told(done)

    async def _in_turn(
        self, heard: Heard, reading: Reading | UnknownCommand, settings: ChannelSettings, place: Place
    ) -> Answer | chances.Question:
        await place.settle()
        now, text = self._clock(), heard.text
        if isinstance(reading, UnknownCommand):
            reading, text = moment.read(heard, reading, settings, place.table, now)
        if reading.speaks_as is not None and not following.is_known(reading.speaks_as, heard.message, place.table):
            reading = reading.without_name
            text = f"{reading.typed} # {reading.comment}"
        if dispatcher.owner(reading.node.inner) is not None and not isinstance(reading.node, OddsOf):
            await self._chance.ready(heard.message.network, heard.message.place)
        turn = Turn(
            message=heard.message,
            reading=reading,
            text=text,
            settings=settings,
            table=place.table,
            keep=place.keep,
            dice=RecordingDice(self._chance.begin(heard.message.network, heard.message.place)),
            now=now,
            chance=self._chance,
            ledger=self._ledger,
            allowance=self._allowance,
            called=heard.called,
        )
        if not heard.called:
            following.check_for_a_tag(turn)
        with of_a_command():
            if isinstance(turn.node, OddsOf):
                return chances.asked(turn)
            try:
                return await self._handled(turn)
            except UnknownSpeakerError as unknown:
                if (commented := following.without_speaker(turn)) is None:
                    raise unknown from None
                return await self._handled(commented)

    def _read(self, heard: Heard, settings: ChannelSettings) -> Reading | UnknownCommand:
        """The command, or what is silent unless the moment makes it one (GEN-10)."""
        if game := offering.elsewhere(heard.plain, settings.systems):
            raise offering.not_here(heard, game)
        try:
            reading = grammars.read(heard.text, settings.system, heard.called)
        except UnknownCommand as silence:
            if blurted := secrecy.blurted(heard.message, heard.text, settings.system):
                return blurted
            if heard.called or not moment.may_decide(silence):
                raise
            return silence
        game = dispatcher.owner(reading.node.inner)
        if settings.systems and game is not None and game not in settings.systems:
            raise offering.not_here(heard, game)
        return reading

    async def _handled(self, turn: Turn) -> Answer:
        if isinstance(turn.node, Hints):
            return self._hints(turn)
        return await handler_of(turn.node)(turn)

    def _hints(self, turn: Turn) -> Answer:
        """`hints on|off` (GEN-11)."""
        if self._hinting:
            self._hinting.wanted(f"{turn.message.network} {turn.message.who}", wanted=turn.node.wanted)
        return Answer((turn.whisper(f"hints are {'on' if turn.node.wanted else 'off'} for you."),), "note")

    async def _refused(self, heard: Heard, settings: ChannelSettings, refusal: Refused) -> Answer:
        """GEN-07: an error is told to the speaker; GEN-11: a hint that nobody asked for only so often."""
        if isinstance(refusal, LedgerUnavailable):
            refusal = LedgerUnavailable()  # LED-05: whatever the reason, which is in the log
        rolls = offering.would_roll(heard.plain, settings.system)
        refusal = offering.workable(refusal, heard, settings)
        text = offering.refusal_text(refusal, rolls=rolls)
        hint = isinstance(refusal, grammars.CommandSyntaxError) and refusal.guess
        limited = hint and not heard.called and not NDX.search(heard.text)
        if limited and not self._hinted(heard.message, settings, text):
            return Answer(error=grammars.UnknownCommand(text))
        return Answer((_to(heard, text, private=hint),), error=refusal)

    def _hinted(self, message: Message, settings: ChannelSettings, text: str) -> bool:
        """Whether a hint may be given now; never behind a relay, where nobody can be whispered to."""
        if message.relayed or not settings.hints:
            return False
        return self._hinting is None or self._hinting.allows(f"{message.network} {message.who}", text, self._clock())

    async def due(self) -> tuple[Reply, ...]:
        """What is to be said unasked: contests whose time is over (GEN-06), records that landed late (LED-05), a new
        epoch (LED-15). Call it about once a second."""
        late = tuple(posting(record) for record in self._ledger.late() if record.draft.line)
        news = self._chance.news()
        told = [Reply(network, channel, news) for network, channel in self._settings.announcing()] if news else []
        return (*late, *told, *await self._places.lapsed())


def _to(heard: Heard, text: str, *, private: bool = False) -> Reply:
    """An error to the speaker, in the channel where the bot was called by name (GEN-07); a hint never (GEN-11)."""
    message = heard.message
    shown = message.channel is not None and (message.relayed or (heard.by_name and not private))
    target = message.channel if shown and message.channel else message.nick
    return Reply(message.network, target, within(text), not shown)
