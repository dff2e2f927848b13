"""What is offered to whoever was refused: a command that works as it stands where they said theirs (GEN-11).

Knows what a channel remembers, for the ids that there are; changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import grammars
from grammars import catalogue
from grammars.line import Line
from grammars.sealed import SOMEBODY, SOMEWHERE
from ircdice import dispatcher
from ircdice.bot.hearing import Heard
from ircdice.bot.message import Message
from ircdice.errors import Refused, RuleError
from ircdice.ledger.ids import base32
from ircdice.settings import ChannelSettings
from ircdice.table import LAST, Table

EXAMPLE = "#4d"  # the id in the examples of the grammars
NO_ID = "#ID"  # where there is nothing that could be named
NO_NICK, NO_CHANNEL = "NICK", "#CHANNEL"
_SOMEBODY = re.compile(rf"(?<!\w){SOMEBODY}(?!\w)")
_SOMEWHERE = re.compile(rf"{SOMEWHERE}(?!\w)")
_CHANNEL = re.compile(r"\sin ([#&+!]\S+)$")


def refusal_text(refusal: Refused, *, rolls: bool = True) -> str:
    """The sentence as it is told, with what was probably meant where the sentence does not say it.

    `rolls` is whether dice would have been thrown, had it not been refused (GEN-07).
    """
    hint = getattr(refusal, "hint", None)
    guess = hint and (isinstance(refusal, RuleError) or getattr(refusal, "guess", False))
    text = f"{refusal}{f' Did you mean: {hint}' if guess else ''}"
    return f"Not rolled: {text}" if rolls else f"{text[:1].upper()}{text[1:]}"


def would_roll(text: str, system: str, refusal: Refused) -> bool:
    """Whether a line that was refused would have thrown dice: by what it says, else by what was probably meant."""
    word = catalogue.command_word(Line.of(text).plain.lstrip())
    if word and not any(grammar.is_system for grammar in catalogue.claims()[word]):
        return word == "secret"
    if isinstance(refusal, grammars.CommandSyntaxError):
        if refusal.hint is None:
            return True
        text = refusal.hint
    try:
        return dispatcher.throws(grammars.read(text, system, True).node)
    except grammars.CommandSyntaxError as error:
        return text == error.hint or would_roll(text, system, error)
    except Refused:
        return True


def elsewhere(text: str, systems: tuple[str, ...]) -> str | None:
    """The games that alone have a line's command word, where none of them is played here; no `systems` are all."""
    word = catalogue.command_word(Line.of(text).plain.lstrip())
    claims = catalogue.claims()[word] if word else ()
    here = not systems or any(not grammar.is_system or grammar.name in systems for grammar in claims)
    return None if here else ", ".join(grammar.name for grammar in claims) or None


def not_here(heard: Heard, game: str) -> Refused:
    """GEN-19: a game that is not played here is talk, unless the bot was called."""
    sentence = f'{game} is not played here; "help" names what is.'
    return RuleError(sentence) if heard.called else grammars.UnknownCommand(sentence)


def workable(refusal: Refused, heard: Heard, settings: ChannelSettings) -> Refused:
    """The same for this speaker here: its column in the line as typed, address and all; its hint with a prefix where
    the command counts only when the bot is called; none where its game is not played."""
    if not isinstance(refusal, grammars.CommandSyntaxError):
        return refusal
    if heard.offset:
        refusal = refusal.but(text=heard.message.text, column=refusal.column + heard.offset)
    return refusal if refusal.hint is None else refusal.but(hint=_called(refusal.hint, heard, settings))


def _called(hint: str, heard: Heard, settings: ChannelSettings) -> str | None:
    try:
        node = grammars.read(hint, settings.system, True).node
        if getattr(node, "only_aside", False) and heard.message.channel is not None:
            return f"/msg {heard.message.me} {hint}"
        grammars.read(hint, settings.system, heard.message.channel is None)
    except grammars.Refused:
        prefix = "!" if "!" in settings.prefixes else settings.prefixes[:1]
        hint = f"{prefix}{hint}"
    return None if elsewhere(hint.lstrip(settings.prefixes), settings.systems) else hint


def wants_an_id(refusal: Refused, heard: Heard) -> bool:
    """Whether it offers the id of the grammars' examples, which nobody typed."""
    offered = f"{refusal} {getattr(refusal, 'hint', None)}"
    return isinstance(refusal, grammars.CommandSyntaxError) and EXAMPLE in offered and EXAMPLE not in heard.text.lower()


def with_an_id(refusal: Refused, heard: Heard, table: Table | None) -> Refused:
    """The same with an id of this channel in its place."""
    if not isinstance(refusal, grammars.CommandSyntaxError) or refusal.hint is None:
        return refusal
    seq = _likely(catalogue.command_word(refusal.hint), heard, table) if table else None
    name = f"#{base32(seq)}" if seq else NO_ID
    return refusal.but(sentence=str(refusal).replace(EXAMPLE, name), hint=refusal.hint.replace(EXAMPLE, name))


def wants_names(refusal: Refused, heard: Heard) -> bool:
    """Whether its hint has the nick or the channel of the grammars' examples, which nobody typed."""
    hint = refusal.hint or "" if isinstance(refusal, grammars.CommandSyntaxError) else ""
    return any(name.search(hint) and not name.search(heard.text) for name in (_SOMEBODY, _SOMEWHERE))


def with_names(refusal: Refused, heard: Heard, known: Iterable[tuple[str, Table]]) -> Refused:
    """The same with a nick and a channel of this network in their place; `known` are channels and their tables, the
    latest first."""
    if not isinstance(refusal, grammars.CommandSyntaxError) or not (hint := refusal.hint):
        return refusal
    typed = _CHANNEL.search(hint) if _SOMEWHERE.search(heard.text) or not _SOMEWHERE.search(hint) else None
    channel, table = next(_meant(heard.message, typed and typed[1], known), (heard.message.channel or NO_CHANNEL, None))
    if typed is None:
        hint = _SOMEWHERE.sub(lambda _: channel, hint)
    if not _SOMEBODY.search(heard.text):
        somebody = _somebody(heard, table)
        hint = _SOMEBODY.sub(lambda _: somebody, hint)  # a nick may hold what a pattern would read as more
    return refusal.but(hint=hint)


def _meant(message: Message, said: str | None, known: Iterable[tuple[str, Table]]) -> Iterator[tuple[str, Table]]:
    """The channels that a line may be about: the one named, else any; but of no other is told who rolled there than the
    one that it is said in, and in private those where the speaker is a storyteller."""
    for channel, table in known:
        if said is None or message.fold(channel) == message.fold(said):
            there = message.about(channel)
            here = message.channel is not None and message.fold(channel) == message.fold(message.channel)
            if here or (message.channel is None and there and there.storyteller):
                yield channel, table


def _somebody(heard: Heard, table: Table | None) -> str:
    """A nick that rolled there, not the speaker's nor the bot's: one that is typed, else the latest."""
    message = heard.message
    own = {message.fold(message.nick), message.fold(message.me)}
    rolled = [chain.root.draft.nick for chain in table.chains()] if table else []
    others = [nick for nick in rolled if message.fold(nick) not in own and "@" not in nick]
    typed = {message.fold(word.lstrip("@")) for word in heard.text.split()}
    return next((nick for nick in others if message.fold(nick) in typed), next(iter(others), NO_NICK))


def _likely(word: str | None, heard: Heard, table: Table) -> int | None:
    """The number of the roll that such a command most likely means: what is open, what is sealed, else the latest."""
    if word == "reveal":
        sealed = table.seals.unrevealed() if heard.message.storyteller else None
        return sealed.record.seq if sealed else None
    if word == "close" and (waiting := table.open_contests()):
        return waiting[0].root.seq
    latest = table.find(LAST)
    return latest.latest.seq if latest else None
