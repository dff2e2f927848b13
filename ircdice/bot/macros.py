"""`macro` and `macros`: define, show and remove macros (DSK-05).

The key of a macro is `OWNER macro NAME`; the owner is a user or a channel.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import grammars
from grammars import Command, CommandSyntaxError, UnknownCommand, catalogue
from grammars.line import posted_comment
from grammars.macros import Macro, Macros
from grammars.repeat import Repeated, command_in
from ircdice import dispatcher
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.bot.message import Message
from ircdice.errors import RuleError
from ircdice.table import Desk
from ircdice.table.desk import folded, key_of

MACRO: Final = "macro"  # the thing, and the kind of its records


async def macro(context: Context[Macro]) -> Answer:
    """`macro [channel] NAME [= COMMAND]`: define or show a macro, or remove it with an empty command."""
    node, message = context.node, context.message
    owner = context.require_channel() if node.shared else message.who
    key = key_of(owner, MACRO, node.name)
    if node.text is None:
        known = (each for each in usable(context.desk, message) if folded(each.name) == folded(node.name))
        if (found := next(known, None)) is None:
            raise RuleError(f"there is no macro {node.name}: !macro {_with_equals(node.name)} makes one.")
        return context.answer_privately(f"{found.name}: {found.text}")
    if node.shared:
        context.require_storyteller("change the macros of the channel")
    if node.removes and context.desk.get(key) is None:
        raise RuleError(f"there is no macro {node.name} to forget: !macros lists them.")
    if not node.removes:
        _check(context, node)
        context.require_room(key)
    said = f'is "{posted_comment(node.text)}"' if node.text else "is no more"
    return await context.remember(key, MACRO, node, f"{message.nick}: macro {node.name} {said}")


async def macros(context: Context[Macros]) -> Answer:
    """`macros`: list the speaker's own and the channel's."""
    found: dict[str, list[str]] = {}
    for each in usable(context.desk, context.message):
        found.setdefault("of the channel" if each.shared else "yours", []).append(each.name)
    listed = "; ".join([f"{whose}: {', '.join(each)}" for whose, each in found.items()])
    return context.answer_privately(listed or "there are no macros: !macro punch = roll 5d10 makes one.")


def usable(desk: Desk, message: Message) -> list[Macro]:
    """The speaker's own macros, then the channel's, sorted by name."""
    return [each for owner in (message.who, message.place) for each in desk.nodes(Macro, owner, MACRO)]


def _with_equals(name: str) -> str:
    """`punch = roll 5d10` for `punch roll 5d10`, or `punch = COMMAND` for a name alone."""
    starts = (at.start() for at in re.finditer(" ", name) if catalogue.command_word(name, at.end()))
    at = next(starts, len(name))
    return f"{name[:at]} = {name[at:].strip() or 'COMMAND'}"


def _check(context: Context[Command], node: Macro) -> None:
    """Raise RuleError for a reserved name, and for a text that is not a complete command that rolls."""
    names.check_called(node.name)
    names.check_nobody(context, node.name)
    text = node.filled(lambda _: 1)
    try:
        reading = grammars.read(text, context.settings.system, True)
    except (CommandSyntaxError, UnknownCommand) as error:
        why = f": {error}" if isinstance(error, CommandSyntaxError) else "."
        raise RuleError(f'"{posted_comment(text)}" is no complete command{why}') from None
    if isinstance(reading.node, Repeated) and dispatcher.rolls(reading.node.inner):  # GEN-17
        once = replace(node, text=command_in(node.text or ""))
        raise RuleError(f"a macro rolls once: type !{once}, and then !{reading.node.count}x {node.name}.")
    if not dispatcher.rolls(reading.node):
        raise RuleError(f'"{posted_comment(text)}" does not roll: a macro is a command that rolls.')
