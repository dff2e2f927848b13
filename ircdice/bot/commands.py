"""The handlers of commands: a new command needs a line in HANDLERS."""

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
    rolls,
    scenes,
    secrets,
    tables,
    trackers,
    verify,
)
from ircdice.bot.context import Answer
from ircdice.bot.help import about, explain

Handler: TypeAlias = Callable[..., Awaitable[Answer]]  # of a Context

HANDLERS: tuple[Handler, ...] = (
    explain,
    about,
    contests.contests,
    rolls.do_pass,
    contests.withdraw,
    contests.close,
    rolls.discard,
    verify.stir,
    verify.fair,
    secrets.difficulty,
    secrets.secret,
    secrets.blind,
    secrets.listed,
    secrets.reveal,
    verify.verify,
    log.log,
    log.stats,
    odds.odds,
    rolls.repeat,
    rolls.again,
    channel.channel,
    channel.status,
    channel.reload,
    initiative.enter,
    initiative.show,
    initiative.following,
    initiative.drop,
    initiative.end,
    tables.add,
    tables.drop,
    tables.draw,
    tables.shuffle,
    tables.left,
    tables.listing,
    scenes.opening,
    scenes.end,
    scenes.question,
    scenes.log,
    macros.macro,
    macros.macros,
    channel.hints,
    characters.play,
    characters.characters,
    page.page,
    characters.character,
    characters.npc,
    rolls.track,
    trackers.tracked,
    trackers.trackers,
    trackers.undo,
)


def _node_of(handler: Handler) -> type[Command]:
    """The class of commands that a handler answers: `Pass` if it takes a `Context[Pass]`."""
    node: type[Command]
    (node,) = get_args(get_type_hints(handler)["context"])
    return node


COMMANDS: Mapping[type[Command], Handler] = {_node_of(handler): handler for handler in HANDLERS}

# The handlers for which `as NAME` has a meaning: after any other command it is refused.
FOR_SOMEBODY = frozenset(
    {
        rolls.roll,
        rolls.follow,
        rolls.do_pass,
        rolls.discard,
        rolls.repeat,
        rolls.again,
        rolls.track,
        contests.withdraw,
        secrets.secret,
        odds.odds,
        initiative.enter,
        tables.draw,
        characters.play,
        trackers.tracked,
        trackers.trackers,
        trackers.undo,
    }
)


def handler_of(node: Command) -> Handler:
    """The handler of a command; a game's nodes are rolls or follow-ups."""
    return COMMANDS.get(type(node)) or (rolls.roll if dispatcher.rolls(node) else rolls.follow)
