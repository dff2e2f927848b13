"""`init`: who acts when (DSK-09)."""

from __future__ import annotations

import re
from dataclasses import replace

from grammars import Command
from grammars.initiative import Drop, End, Initiative, Next, Order
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.reply import UNOFFICIAL, within
from ircdice.table import characters, initiative

MOST_ENTRIES = 30
TIE = 100  # sides of the die that breaks ties


async def enter(context: Context[Initiative]) -> Answer:
    """`init [NAME] [+N|N]`: roll for a place in the order, or set it."""
    node, place = context.node, _place(context)
    if node.fixed is not None:
        context.require_storyteller("sets an initiative without a roll")
    name = _whose(context)
    entries = initiative.order(context.desk, place)
    if initiative.named(entries, name) is None and len(entries) >= MOST_ENTRIES:
        raise RuleError(f"{MOST_ENTRIES} are in the order already: !init drop NAME makes room.")
    before = initiative.named(entries, name)
    if before is not None and not context.message.storyteller:
        raise RuleError(f"{name} has initiative {before.total} already: only a storyteller rolls it again.")
    count, sides = map(int, re.findall("[0-9]+", context.settings.house.initiative))
    rolled = context.dice.roll(count, sides) if node.fixed is None else ()
    faces = [*rolled, *context.dice.roll(1, TIE)]
    entry = initiative.made(name, node, faces)
    kept = node if name == context.message.nick else replace(node, name=name)
    shown = _shown(context, name) if name == context.actor.name else f"{name} ({context.message.nick})"
    dice = f"{' '.join(map(str, rolled))}{node.bonus:+}; " if node.fixed is None else ""
    line = within(f"{shown}: initiative {entry.total}; {dice}tie-break {entry.tie}; {kept}")
    draft = context.draft("init", str(kept), _official(context, line), context.dice.draws, stamp=context.dice.stamp)
    key = initiative.entry_key(place, name)
    context.dice.finish()
    record = await context.keep(replace(draft, key=key), seen=context.desk.seen(key))
    return Answer((context.post(record),), "note", context.settings.system, record=record)


async def order(context: Context[Order]) -> Answer:
    """`init`: the order, and whose turn it is."""
    place = _place(context)
    entries, turn = initiative.order(context.desk, place), initiative.turn(context.desk, place)
    if not entries:
        return Answer((context.say("nobody has rolled initiative here: !init +3 does."),), "check")
    acting = initiative.named(entries, turn) if turn else None
    listed = [f"{'> ' if entry == acting else ''}{entry.name} {entry.total}" for entry in entries]
    return Answer((context.say(f"initiative: {', '.join(listed)}"),), "check")


async def following(context: Context[Next]) -> Answer:
    """`init next [NAME]`: whose turn it is from now on; that player is named."""
    place, message = _place(context), context.message
    entries = _entries(context)
    now = initiative.turn(context.desk, place)
    if context.node.name is not None and not message.storyteller:
        context.require_storyteller("says whose turn it is")
    if context.node.name is None:
        entry = initiative.after(entries, now)
    else:
        found = initiative.named(entries, context.node.name)
        if found is None:
            raise RuleError(f"{context.node.name} is not in the order: !init shows it.")
        entry = found
    first = entry == entries[0] and now is not None
    then = initiative.after(entries, entry.name)
    round_ = "a new round: " if first else ""
    more = f"; then {then.name}" if then != entry else ""
    line = f"{round_}{_shown(context, entry.name)} acts, initiative {entry.total}{more}"
    return await _kept(context, initiative.turn_key(place), Next(entry.name), line)


async def drop(context: Context[Drop]) -> Answer:
    """`init drop NAME`: out of the order; if it was their turn, it is the next one's."""
    place = _place(context)
    entries = _entries(context)
    entry = initiative.named(entries, context.node.name)
    if entry is None:
        raise RuleError(f"{context.node.name} is not in the order: !init shows it.")
    found = characters.find(context.desk, place, context.message.who, entry.name)
    own = found.owner == context.message.who if found else context.table.same(entry.name, context.message.nick)
    if not own:
        context.require_storyteller("drops somebody else")
    then = initiative.after(entries, entry.name)
    following = []
    said = f"{entry.name} is out of the order of initiative"
    if initiative.turn(context.desk, place) == entry.name and then != entry:
        said += f"; {_shown(context, then.name)} acts"
        draft = context.draft("init", str(Next(then.name)), "")
        following = [replace(draft, key=initiative.turn_key(place))]
    key = initiative.entry_key(place, entry.name)
    line = within(f"{context.message.nick}: {said}")
    record = await context.keep_at(key, "init", Drop(entry.name), line, *following)
    return Answer((context.post(record),), "note", context.settings.system, record=record)


async def end(context: Context[End]) -> Answer:
    """`init end`: the order is over."""
    context.require_storyteller("ends the order of initiative")
    _entries(context)
    line = f"{context.message.nick}: the order of initiative is over"
    return await _kept(context, initiative.over_key(_place(context)), context.node, line)


def _place(context: Context[Command]) -> str:
    if context.message.channel is None:
        raise RuleError("initiative is rolled in a channel: say it there.")
    return context.message.place


def _entries(context: Context[Command]) -> list[initiative.Entry]:
    entries = initiative.order(context.desk, _place(context))
    if not entries:
        raise RuleError("nobody has rolled initiative here: !init +3 does.")
    return entries


def _whose(context: Context[Initiative]) -> str:
    """Who is entered: the speaker's character, or as a storyteller says anybody. RuleError for another's."""
    node, message = context.node, context.message
    if node.name is None:
        return context.actor.name
    found = characters.find(context.desk, message.place, message.who, node.name)
    own = found.owner == message.who if found else context.table.same(node.name, message.nick)
    if own:
        return found.name if found else message.nick
    context.require_storyteller("rolls for somebody else")
    if found is None:
        names.check_meaningless(node.name)
    return found.name if found else node.name


def _shown(context: Context[Command], name: str) -> str:
    """A name with its player, who is called by it."""
    found = characters.find(context.desk, context.message.place, context.message.who, name)
    of_channel = found is None or found.owner == context.message.place
    return name if of_channel or found is None else f"{found.name} ({found.owner.removeprefix('~')})"


def _official(context: Context[Command], line: str) -> str:
    return line if context.official else f"{line}; {UNOFFICIAL}"


async def _kept(context: Context[Command], key: str, kept: Command, line: str) -> Answer:
    record = await context.keep_at(key, "init", kept, within(line))
    return Answer((context.post(record),), "note", context.settings.system, record=record)
