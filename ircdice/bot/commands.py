"""The handlers of commands: a new command has its handler in FOR_SPEAKER, FOR_ANYBODY or COMMENTED."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, get_args, get_type_hints

from grammars import Command
from ircdice import dispatcher
from ircdice.bot import (
    channel,
    characters,
    contests,
    initiative,
    log,
    macros,
    odds,
    page,
    repeats,
    rolls,
    scenes,
    secrets,
    statistics,
    tables,
    trackers,
    verify,
)
from ircdice.bot.context import Answer
from ircdice.bot.help import about, explain

Handler: TypeAlias = Callable[..., Awaitable[Answer]]  # of a Context

# The handlers for which `as NAME` has a meaning, as for rolls: an unknown name is part of the comment (GEN-03).
COMMENTED: tuple[Handler, ...] = (
    rolls.do_pass,
    rolls.discard,
    repeats.repeat,
    repeats.again,
    secrets.secret,
    odds.odds,
)

# The same, but an unknown name is refused: what belongs to the speaker would change in place of what was meant.
FOR_ANYBODY: tuple[Handler, ...] = (
    rolls.track,
    contests.withdraw,
    initiative.enter,
    tables.draw,
    characters.play,
    trackers.tracked,
    trackers.trackers,
    trackers.undo,
)

# The handlers of commands that act for the speaker alone: `as NAME` is refused after them.
FOR_SPEAKER: tuple[Handler, ...] = (
    explain,
    about,
    contests.contests,
    contests.close,
    verify.stir,
    verify.fair,
    verify.verify,
    log.log,
    page.page,
    secrets.difficulty,
    secrets.blind,
    secrets.listed,
    secrets.reveal,
    statistics.stats,
    channel.channel,
    channel.status,
    channel.reload,
    channel.hints,
    initiative.show,
    initiative.following,
    initiative.drop,
    initiative.end,
    tables.add,
    tables.drop,
    tables.shuffle,
    tables.left,
    tables.listing,
    scenes.opening,
    scenes.end,
    scenes.question,
    scenes.log,
    macros.macro,
    macros.macros,
    characters.characters,
    characters.character,
    characters.npc,
)


def _node_of(handler: Handler) -> type[Command]:
    """The class of commands that a handler answers: `Pass` if it takes a `Context[Pass]`."""
    node: type[Command]
    (node,) = get_args(get_type_hints(handler)["context"])
    return node


COMMANDS: Mapping[type[Command], Handler] = {
    _node_of(handler): handler for handler in FOR_SPEAKER + FOR_ANYBODY + COMMENTED
}


def handler_of(node: Command) -> Handler:
    """The handler of a command; a game's nodes are rolls or follow-ups."""
    return COMMANDS.get(type(node)) or (rolls.roll if dispatcher.rolls(node) else rolls.follow)
