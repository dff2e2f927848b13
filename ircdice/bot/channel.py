"""House rules, status and hints of a channel (DSK-10, DSK-12, GEN-11)."""

from __future__ import annotations

from grammars import Command
from grammars.channel import SETTINGS, Hints, HouseRule, Reload, Status, said
from ircdice.bot.contests import open_contests
from ircdice.bot.context import Answer, Context, Operations
from ircdice.errors import RuleError
from ircdice.table import characters
from ircdice.table.desk import MOST_KEPT, may_play, rule_key, set_here, value_of


async def channel(context: Context[HouseRule]) -> Answer:
    """`channel [NAME [VALUE]]`: show the house rules, marking those set in the channel, or set one."""
    node, place, settings = context.node, context.require_channel(), context.settings
    here = set_here(context.desk, place, settings)
    if node.name is None or node.typed is None:
        names = SETTINGS if node.name is None else (node.name,)
        each = [f"{name} {said(value_of(settings, name))}{' (set here)' if name in here else ''}" for name in names]
        return context.answer(f"channel {context.message.channel}: {', '.join(each)}")
    if not settings.settings_by_storyteller:
        raise RuleError("the settings of this channel are in the config only: ask my operator.")
    context.require_storyteller("change the settings of a channel")
    if node.removes and node.name not in here:
        raise RuleError(f"{node.name} is not set here: the config decides it already.")
    if node.name == "system" and not node.removes and not may_play(node.value, settings):
        raise RuleError(f"the config lets only {', '.join(settings.systems)} be played here.")
    now = "as the config has it" if node.removes else said(node.value)
    line = f"{context.message.nick}: {node.name} is {now} from now on"
    return await context.remember(rule_key(place, node.name), "setting", node, line)


async def hints(context: Context[Hints]) -> Answer:
    """`hints on|off` (GEN-11)."""
    if context.services.hinting:
        context.services.hinting.switch(f"{context.message.network} {context.message.who}", on=context.node.wanted)
    return context.answer_privately(f"hints are {'on' if context.node.wanted else 'off'} for you.", kind="note")


async def status(context: Context[Status]) -> Answer:
    """`status [in #CHANNEL]`: the status of a channel for storytellers, or of the bot for operators, in private."""
    settings, table, message, desk = context.settings, context.table, context.message, context.desk
    if message.channel is None:
        return context.answer_privately(*_operated(context, "say in which channel: status in #CHANNEL.").status())
    context.require_storyteller("ask for its status", message.channel)
    here, shared = set_here(desk, message.place, settings), characters.the_channel(message.place)
    owners = (shared, *characters.played(desk, message.place))
    tracked = [each.shown(named=not each.shared) for of in owners for each in characters.trackers(desk, of)]
    hidden = [each.shown(named=False) for each in characters.trackers(desk, shared, hidden=True)]
    parts = [
        f"channel {message.channel} plays {settings.system}, {'official' if settings.official else 'unofficial'}",
        f"set here: {', '.join(here)}" if here else "nothing is set here",
        f"open contests: {open_contests(table) or 'none'}",
        f"not revealed: {len(table.seals.unrevealed())}",
        f"tracked: {', '.join(tracked) or 'nothing'}",
        *([f"hidden: {', '.join(hidden)}"] if hidden else []),
        f"characters played: {len(characters.players(desk, message.place))} of {MOST_KEPT}",
    ]
    return context.answer_privately("; ".join(parts))


async def reload(context: Context[Reload]) -> Answer:
    """`reload`: what SIGHUP does (IRC-25)."""
    operations = _operated(context, "only an operator of the bot reloads its config.")
    return context.answer_privately(operations.reload(), kind="note")


def _operated(context: Context[Command], otherwise: str) -> Operations:
    """The process's operations, for operators, who are known by services account. RuleError for other users."""
    message = context.message
    names = {message.fold(name) for name in context.settings.operators}
    if context.services.operations is None or message.account is None or message.fold(message.account) not in names:
        raise RuleError(otherwise)
    return context.services.operations
