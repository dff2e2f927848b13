"""`init`: who acts when (DSK-09)."""

from __future__ import annotations

import re
from dataclasses import replace

from grammars import Command
from grammars.initiative import Drop, End, Initiative, Next, Order
from ircdice.bot import names
from ircdice.bot.contests import acting
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.table import characters, initiative

MOST_ENTRIES = 30
WHERE = "initiative is rolled in a channel"
TIE = 100  # sides of the die that breaks ties


async def enter(context: Context[Initiative]) -> Answer:
    """`init [NAME] [+N|N]`: roll for a place in the order, or set it."""
    node, place = context.node, context.require_channel(WHERE)
    if node.fixed is not None:
        context.require_storyteller("set an initiative without a roll")
    name = _whose(context)
    entries = initiative.order(context.desk, place)
    before = initiative.named(entries, name)
    if before and not re.search("[0-9]", context.reading.typed):  # a second time, nobody means +0
        raise RuleError(
            f"{name} is in the order with {before.total}: !init {name} +5 rolls again, !init shows it.", named=True
        )
    if not context.message.storyteller and (before or initiative.dropped(context.desk, place, name)):
        raise RuleError(f"{name} has rolled initiative already: only a storyteller may roll it again.", named=True)
    if before is None and len(entries) >= MOST_ENTRIES:
        raise RuleError(f"{MOST_ENTRIES} are in the order already: !init drop NAME makes room.")
    count, sides = map(int, re.findall("[0-9]+", context.settings.house.initiative))
    rolled = context.dice.roll(count, sides) if node.fixed is None else ()
    faces = [*rolled, *context.dice.roll(1, TIE)]
    entry = initiative.made(name, node, faces)
    kept = node if name == context.message.nick else replace(node, name=name)
    shown = acting(context) if name == context.actor.name else f"{name} ({context.message.nick})"
    dice = f"{' '.join(map(str, rolled))}{node.bonus:+}; " if node.fixed is None else ""
    line = f"{shown}: initiative {entry.total}; {dice}tie-break {entry.tie}; {kept}"
    return context.noted(await context.keep_at(initiative.entry_key(place, name), "init", kept, line))


async def order(context: Context[Order]) -> Answer:
    """`init`: the order, and whose turn it is."""
    place = context.require_channel(WHERE)
    entries, turn = initiative.order(context.desk, place), initiative.turn(context.desk, place)
    if not entries:
        return Answer((context.say("nobody has rolled initiative here: !init +3 does."),), "check")
    acting = initiative.named(entries, turn) if turn else None
    listed = [f"{'> ' if entry == acting else ''}{entry.name} {entry.total}" for entry in entries]
    return Answer((context.say(f"initiative: {', '.join(listed)}"),), "check")


async def following(context: Context[Next]) -> Answer:
    """`init next [NAME]`: whose turn it is from now on; that player is named."""
    place = context.require_channel(WHERE)
    entries = _entries(context)
    now = initiative.turn(context.desk, place)
    if context.node.name is None:
        entry = initiative.after(entries, now)
    else:
        context.require_storyteller("say whose turn it is")
        entry = _named(entries, context.node.name)
    first = entry == entries[0] and now is not None
    then = initiative.after(entries, entry.name)
    round_ = "a new round: " if first else ""
    more = f"; then {then.name}" if then != entry else ""
    line = f"{round_}{_shown(context, entry.name)} acts, initiative {entry.total}{more}"
    return context.noted(await context.keep_at(initiative.turn_key(place), "init", Next(entry.name), line))


async def drop(context: Context[Drop]) -> Answer:
    """`init drop NAME`: out of the order; if it was their turn, it is the next one's."""
    place = context.require_channel(WHERE)
    entries = _entries(context)
    entry = _named(entries, context.node.name)
    if _own(context, entry.name) is None:
        context.require_storyteller("drop somebody else")
    then, turn = initiative.after(entries, entry.name), initiative.turn(context.desk, place)
    following = []
    said = f"{context.message.nick}: {entry.name} is out of the order of initiative"
    if turn is not None and initiative.named(entries, turn) == entry != then:
        said += f"; {_shown(context, then.name)} acts"
        following = [context.draft("init", str(Next(then.name)), "", key=initiative.turn_key(place))]
    key = initiative.entry_key(place, entry.name)
    return context.noted(await context.keep_at(key, "init", Drop(entry.name), said, *following))


async def end(context: Context[End]) -> Answer:
    """`init end`: the order is over."""
    context.require_storyteller("end the order of initiative")
    _entries(context)
    line = f"{context.message.nick}: the order of initiative is over"
    key = initiative.over_key(context.require_channel(WHERE))
    return context.noted(await context.keep_at(key, "init", context.node, line))


def _entries(context: Context[Command]) -> list[initiative.Entry]:
    entries = initiative.order(context.desk, context.require_channel(WHERE))
    if not entries:
        raise RuleError("nobody has rolled initiative here: !init +3 does.")
    return entries


def _named(entries: list[initiative.Entry], name: str) -> initiative.Entry:
    if (found := initiative.named(entries, name)) is None:
        raise RuleError(f"{name} is not in the order: !init shows it.", named=True)
    return found


def _whose(context: Context[Initiative]) -> str:
    """Who is entered: the speaker's character, or as a storyteller says anybody. RuleError for another's."""
    name, message = context.node.name, context.message
    if name is None:
        return context.actor.name
    if (own := _own(context, name)) is not None:
        return own
    context.require_storyteller("roll for somebody else")
    if (found := characters.find(context.desk, message.place, message.who, name)) is not None:
        return found.name
    names.check_meaningless(name)
    return name


def _own(context: Context[Command], name: str) -> str | None:
    """The name as it is written, of a character of the speaker's or their nick; None if it is not theirs."""
    message = context.message
    if (found := characters.find(context.desk, message.place, message.who, name)) is not None:
        return found.name if found.owner == message.who else None
    return message.nick if context.table.same(name, message.nick) else None


def _shown(context: Context[Command], name: str) -> str:
    """A name with its player, who is called by it."""
    found = characters.find(context.desk, context.message.place, context.message.who, name)
    of_channel = found is None or found.owner == context.message.place
    return name if of_channel or found is None else f"{found.name} ({found.owner.removeprefix('~')})"
