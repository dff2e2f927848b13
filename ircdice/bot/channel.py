"""`channel`: the house rules of a channel, and changes to them by a storyteller (DSK-10)."""

from __future__ import annotations

from grammars.channel import SETTINGS, HouseRule, said
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.table import house


async def channel(context: Context[HouseRule]) -> Answer:
    """`channel [NAME [VALUE]]`: show them, or set one from now on."""
    node, message, settings = context.node, context.message, context.settings
    if message.channel is None:
        raise RuleError("house rules are those of a channel: ask there.")
    if node.typed is None:
        return Answer((context.say(_shown(context)),), "check")
    if not settings.settings_by_storyteller:
        raise RuleError("the settings of this channel are in the config only: ask whoever runs me.")
    context.require_storyteller("change the settings of a channel")
    assert node.name is not None
    if node.removes and node.name not in house.set_here(context.desk, message.place, settings):
        raise RuleError(f"{node.name} is not set here: the config decides it already.")
    if node.name == "system" and not node.removes and not house.may_play(node.value, settings):
        raise RuleError(f"the config lets only {', '.join(settings.systems)} be played here.")
    now = "as the config has it" if node.removes else said(node.value)
    line = f"{message.nick}: {node.name} is {now} from now on"
    return await context.remember(house.rule_key(message.place, node.name), "setting", node, line)


def _shown(context: Context[HouseRule]) -> str:
    """One house rule, or all; and which were set in the channel."""
    settings, message = context.settings, context.message
    here = house.set_here(context.desk, message.place, settings)
    names = SETTINGS if context.node.name is None else (context.node.name,)
    each = [f"{name} {said(house.value_of(settings, name))}{' (set here)' if name in here else ''}" for name in names]
    return f"channel {message.channel}: {', '.join(each)}"
