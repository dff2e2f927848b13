"""The reply to a refused command: the sentence, and a command that works there (GEN-07, GEN-11)."""

from __future__ import annotations

from dataclasses import replace

import grammars
from grammars import CommandSyntaxError, catalogue
from ircdice import dispatcher
from ircdice.bot.address import Heard
from ircdice.errors import Refused, RuleError
from ircdice.settings import ChannelSettings

ROLLING = frozenset({"again", "blind", "secret"})  # words of no game that throw dice


def refusal_text(refusal: Refused, *, rolls: bool = True) -> str:
    """The sentence as it is posted, with the nearest command that works or an example.

    `rolls` says that dice would have been thrown, had it not been refused (GEN-07).
    """
    text = str(refusal)
    if isinstance(refusal, CommandSyntaxError | RuleError) and refusal.hint:
        text += f" Did you mean: {refusal.hint}"
    elif isinstance(refusal, CommandSyntaxError) and refusal.guess and refusal.example:
        text += f" For example: {refusal.example}"
    if rolls:
        return f"Not rolled: {text}"
    return text if isinstance(refusal, RuleError) and refusal.named else f"{text[:1].upper()}{text[1:]}"


def would_roll(text: str, system: str) -> bool:
    """Whether a line that was refused would have thrown dice: by what it says, else by what was probably meant."""
    word = catalogue.command_word(text)
    if word and not any(grammar.is_system for grammar in catalogue.claims()[word]):
        return word in ROLLING
    try:
        return dispatcher.throws(grammars.read(text, system, True).node.inner)
    except CommandSyntaxError as error:
        meant = error.hint or error.example
        return meant is None or meant == text or would_roll(meant, system)


def elsewhere(text: str, systems: tuple[str, ...]) -> str | None:
    """The games that alone have a line's command word, where none of them is played here; no `systems` are all."""
    word = catalogue.command_word(text)
    claims = catalogue.claims()[word] if word else ()
    here = not systems or any(not grammar.is_system or grammar.name in systems for grammar in claims)
    return None if here else ", ".join(grammar.name for grammar in claims) or None


def not_here(heard: Heard, game: str) -> Refused:
    """GEN-19: a game that is not played here is talk, unless the bot was called."""
    sentence = f'{game} is not played here; "help" names what is.'
    return RuleError(sentence) if heard.called else grammars.UnknownCommand(sentence)


def workable(refusal: Refused, heard: Heard, settings: ChannelSettings) -> Refused:
    """The same for this speaker here: the column in the whole line, and commands that can be typed as they stand."""
    if not isinstance(refusal, CommandSyntaxError):
        return refusal
    if heard.offset:
        refusal = replace(refusal, text=heard.message.text, column=refusal.column + heard.offset)
    hint, example = (offer and _typed(offer, heard, settings) for offer in (refusal.hint, refusal.example))
    return replace(refusal, hint=hint, example=example)


def _typed(command: str, heard: Heard, settings: ChannelSettings) -> str | None:
    """A command as it has to be typed here: with a prefix where it counts only when the bot is called (GEN-13)."""
    if elsewhere(command, settings.systems):
        return None
    message = heard.message
    if message.channel is None:
        return command
    return grammars.as_typed(command, settings.system, preferred(settings.prefixes), message.me)


def preferred(prefixes: str) -> str:
    """The prefix that is shown."""
    return "!" if "!" in prefixes else prefixes[:1]
