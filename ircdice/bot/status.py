"""`status` and `reload` (DSK-12)."""

from __future__ import annotations

from grammars import Command
from grammars.channel import Reload, Status
from ircdice.bot.characters import MOST_PLAYERS
from ircdice.bot.context import Answer, Context, Operations
from ircdice.errors import RuleError
from ircdice.table import characters, house, trackers

MOST_CONTESTS = 5  # named one by one


async def status(context: Context[Status]) -> Answer:
    """`status [in #CHANNEL]`: a channel to its storytellers, all of it to an operator; in private."""
    if context.message.channel is None:
        operations = _operated(context, "say in which channel: status in #CHANNEL.")
        return Answer(tuple(map(context.whisper, operations.status())), "check")
    context.require_storyteller("ask for its status", context.message.channel)
    return Answer((context.whisper(_of_channel(context)),), "check")


def _of_channel(context: Context[Command]) -> str:
    """What is going on in a channel."""
    settings, table, message = context.settings, context.table, context.message
    here = house.set_here(context.desk, message.place, settings)
    contests = [f"{chain.id} {' vs '.join(chain.names())}" for chain in table.open_contests()]
    more = len(contests) - MOST_CONTESTS
    contests = [*contests[:MOST_CONTESTS], *([f"{more} more"] if more > 0 else [])]
    channel = trackers.the_channel(message.place)
    tracked = [tracker.shown(named=False) for tracker in trackers.trackers(context.desk, channel)]
    tracked += [
        tracker.shown()
        for character in characters.played(context.desk, message.place)
        for tracker in trackers.trackers(context.desk, character)
    ]
    hidden = [tracker.shown(named=False) for tracker in trackers.trackers(context.desk, channel, hidden=True)]
    played = len(characters.players(context.desk, message.place))
    parts = [
        f"channel {message.channel} plays {settings.system}, {'official' if settings.official else 'unofficial'}",
        f"set here: {', '.join(here)}" if here else "nothing is set here",
        f"open contests: {', '.join(contests) or 'none'}",
        f"not revealed: {len(table.seals.unrevealed())}",
        f"tracked: {', '.join(tracked) or 'nothing'}",
        *([f"hidden: {', '.join(hidden)}"] if hidden else []),
        f"characters played: {played} of {MOST_PLAYERS}",
    ]
    return "; ".join(parts)


async def reload(context: Context[Reload]) -> Answer:
    """`reload`: what SIGHUP does (IRC-25)."""
    operations = _operated(context, "only an operator of the bot reloads its config.")
    return Answer((context.whisper(operations.reload()),), "note")


def _operated(context: Context[Command], otherwise: str) -> Operations:
    """The process, for its operator alone, who is known by services account. RuleError for anybody else."""
    message = context.message
    names = {message.fold(name) for name in context.settings.operators}
    if context.services.operations is None or message.account is None or message.fold(message.account) not in names:
        raise RuleError(otherwise)
    return context.services.operations
