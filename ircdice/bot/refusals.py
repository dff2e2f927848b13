"""Word a refusal: its sentence, and a command that works as shown (GEN-07, GEN-11)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import grammars
from grammars import Command, CommandSyntaxError, catalogue
from grammars.repeat import Repeated
from ircdice import dispatcher
from ircdice.bot.context import Context
from ircdice.bot.message import Heard
from ircdice.errors import Refused, RuleError
from ircdice.settings import ChannelSettings

UNKNOWN = "is unknown."  # GEN-11: an example follows


def refusal_text(refusal: Refused, *, rolls: bool = True) -> str:
    """The sentence as posted, with the nearest command that works or an example.

    `rolls` tells whether the command would have rolled (GEN-07).
    """
    text = str(refusal)
    if isinstance(refusal, CommandSyntaxError | RuleError) and refusal.hint:
        text += f" Did you mean: {refusal.hint}"
    elif isinstance(refusal, CommandSyntaxError) and refusal.example and (refusal.guess or text.endswith(UNKNOWN)):
        text += f" For example: {refusal.example}"
    if rolls:
        return f"Not rolled: {text}"
    keeps_case = (isinstance(refusal, RuleError) and refusal.keeps_case) or "_" in text.partition(" ")[0]  # wp_minutes
    return text if keeps_case else f"{text[:1].upper()}{text[1:]}"


def with_name(hint: str, context: Context[Command]) -> str:
    """The hint with `as NAME`, if the command that it corrects had that."""
    name = context.reading.speaks_as or context.node.character
    try:
        meant = grammars.read(hint, context.settings.system, True)
    except Refused:
        return hint
    complete = name is None or meant.speaks_as or type(meant.node) is not type(context.node)
    return hint if complete else str(meant._replace(speaks_as=name))


def would_roll(text: str, system: str) -> bool:
    """Whether a refused line would have rolled, as typed or as probably meant."""
    word = catalogue.command_word(text)
    of_no_game = word is not None and not catalogue.is_of_a_game(word)
    try:
        node = grammars.read(text, system, True).node
        return node.draws if of_no_game else dispatcher.throws(node.inner)
    except CommandSyntaxError as error:
        meant = error.hint or error.example
        return not of_no_game if meant in (None, text) else would_roll(meant, system)


def not_played(text: str, systems: tuple[str, ...]) -> tuple[str, ...]:
    """The games that own a line's command word, if none of `systems` does; empty `systems` means all games."""
    word = catalogue.command_word(text) if systems else None
    claims = catalogue.claims()[word] if word else ()
    if any(not grammar.is_system or grammar.name in systems for grammar in claims):
        return ()
    return tuple(grammar.name for grammar in claims)


def of_others(command: str, settings: ChannelSettings) -> tuple[str, ...]:
    """The games of a command, if none of them is played here."""
    if games := not_played(command, settings.systems):
        return games
    with suppress(Refused):
        game = dispatcher.game_name(grammars.read(command, settings.system, True).node.inner)
        if settings.systems and game is not None and game not in settings.systems:  # `roll` is of several games
            return (game,)
    return ()


def not_here(heard: Heard, games: tuple[str, ...], settings: ChannelSettings) -> Refused:
    """GEN-19: a command of games that are not played here is talk, unless the bot was called."""
    sentence = not_here_sentence(games, settings)
    return RuleError(sentence) if heard.called else grammars.UnknownCommand(sentence)


def not_here_sentence(games: tuple[str, ...], settings: ChannelSettings) -> str:
    """That these games are not played here."""
    found = filter(None, map(catalogue.named, games))
    titles = [game.title.replace("The ", "the ", 1) for game in found]
    are = "are" if len(titles) > 1 else "is"
    return f'{" and ".join(titles)} {are} not played here; "{preferred(settings.prefixes)}help" names what is.'


def workable(refusal: Refused, heard: Heard, settings: ChannelSettings) -> Refused:
    """The error for this speaker: the column in the whole line, and commands that can be typed as shown."""
    if isinstance(refusal, RuleError):
        refusal.hint = refusal.hint and _typed(refusal.hint, heard, settings)
    if not isinstance(refusal, CommandSyntaxError):
        return refusal
    if heard.offset:
        refusal = replace(refusal, text=heard.message.text, column=refusal.column + heard.offset)
    hint, example = (offer and _typed(offer, heard, settings) for offer in (refusal.hint, refusal.example))
    return replace(refusal, hint=hint, example=example)


def _typed(command: str, heard: Heard, settings: ChannelSettings) -> str | None:
    """A command as it must be typed here: with a prefix if the bot must be called (GEN-13)."""
    if of_others(command, settings) or _repeats_no_roll(command, settings):
        return None
    if heard.message.channel is None:
        return command
    return grammars.as_typed(command, settings.system, preferred(settings.prefixes), heard.message.me)


def _repeats_no_roll(command: str, settings: ChannelSettings) -> bool:
    """GEN-17: whether a hint is `Nx COMMAND` for what is not repeated."""
    with suppress(Refused):
        node = grammars.read(command, settings.system, True).node
        return isinstance(node, Repeated) and not dispatcher.throws_alone(node.command)
    return False


def preferred(prefixes: str) -> str:
    """The prefix shown in hints."""
    return "!" if "!" in prefixes else prefixes[:1]
