"""`init`: initiative (DSK-09).

The key `CHANNEL init NAME` holds one entry, `CHANNEL turn` the current turn, `CHANNEL fight` the last `init end`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from grammars import Command
from grammars.initiative import Drop, End, Initiative, Next, Order, as_read
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.bot.reading import misspelt
from ircdice.errors import RuleError
from ircdice.table import Desk
from ircdice.table.desk import folded, key_of

MOST_ENTRIES = 30
TIE = 100  # sides of the die that breaks ties
NOBODY = "nobody has rolled initiative here: !init +3 does."


class Entry(NamedTuple):
    """An entry in the order: by total, then bonus, then the die that breaks ties."""

    name: str
    total: int
    bonus: int
    tie: int

    @classmethod
    def of(cls, name: str, node: Initiative, faces: Sequence[int]) -> Entry:
        """Build the entry from its dice; the last one breaks ties."""
        total = sum(faces[:-1]) + node.bonus if node.fixed is None else node.fixed
        return cls(name, total, node.bonus, faces[-1])


@dataclass(frozen=True, slots=True)
class Fight:
    """The order of initiative in a channel, and the current turn; None before the first."""

    entries: Sequence[Entry]
    turn: str | None
    since: int  # the record that ended the previous order

    @classmethod
    def of(cls, desk: Desk, channel: str) -> Fight:
        """Load the order from the desk."""
        ended, turn = desk.get(key_of(channel, "fight")), desk.get(key_of(channel, "turn"))
        since = ended.record.seq if ended else 0
        entries = []
        for node, record in ((stored.node, stored.record) for stored in desk.of(channel, "init")):
            if record.seq > since and isinstance(node, Initiative):
                faces = [face for _, face in record.draft.draws]
                entries.append(Entry.of(node.name or as_read(record.draft.nick), node, faces))
        entries.sort(key=lambda entry: (-entry.total, -entry.bonus, -entry.tie, folded(entry.name)))
        now = turn.node if turn and turn.record.seq > since else None
        return cls(entries, now.name if isinstance(now, Next) else None, since)

    def named(self, name: str | None) -> Entry | None:
        """The entry with that name."""
        return next((entry for entry in self.entries if folded(entry.name) == folded(name or "")), None)

    def after(self, name: str | None) -> Entry:
        """The next entry after that one; the first follows the last, and names that are not in the order."""
        found = self.named(name)
        return self.entries[(self.entries.index(found) + 1) % len(self.entries) if found else 0]


async def enter(context: Context[Initiative]) -> Answer:
    """`init [NAME] [+N|N]`: roll for a place in the order, or set it."""
    node, place, message = context.node, context.require_channel(), context.message
    if node.fixed is not None:
        context.require_storyteller("set an initiative without a roll")
    name, fight = _whose(context), Fight.of(context.desk, place)
    key, before = key_of(place, "init", name), fight.named(name)
    if before and not re.search("[0-9]", context.reading.typed):  # a second `init` does not mean +0
        again = f"!init {name} +5 rolls again, !init shows it"
        raise RuleError(f"{name} is in the order with {before.total}: {again}.", keeps_case=True)
    last = context.desk.last(key)
    if not message.storyteller and last is not None and last.record.seq > fight.since:
        raise RuleError(f"{name} has rolled initiative already: only a storyteller may roll it again.", keeps_case=True)
    if before is None and len(fight.entries) >= MOST_ENTRIES:
        raise RuleError(f"{MOST_ENTRIES} are in the order already: !init drop NAME makes room.")
    count, sides = map(int, context.settings.house.initiative.split("d"))
    rolled = context.dice.roll(count, sides) if node.fixed is None else ()
    entry = Entry.of(name, node, [*rolled, *context.dice.roll(1, TIE)])
    entered = node if name == as_read(message.nick) else replace(node, name=name)
    shown = context.posted_name() if name == as_read(context.actor.name) else f"{name} ({message.nick})"
    dice = f"{' '.join(map(str, rolled))}{node.bonus:+}; " if rolled else ""
    line = f"{shown}: initiative {entry.total}; {dice}tie-break {entry.tie}; {entered}"
    answer = await context.remember(key, "init", entered, line)
    if before is None and name.isalpha() and not context.is_somebody(name) and (meant := misspelt(context, name)):
        doubt = context.whisper(f"Did you mean {meant}? !init drop {name} takes {name} out again.")
        answer = answer._replace(replies=(*answer.replies, doubt))
    return answer


async def show(context: Context[Order]) -> Answer:
    """`init`: show the order and the current turn."""
    fight = Fight.of(context.desk, context.require_channel())
    acts = fight.named(fight.turn)
    listed = [f"{'> ' if entry == acts else ''}{entry.name} {entry.total}" for entry in fight.entries]
    return context.answer(f"initiative: {', '.join(listed)}" if listed else NOBODY)


async def following(context: Context[Next]) -> Answer:
    """`init next [NAME]`: start the next turn, or that of NAME, and name the player."""
    fight, name = _open(context), context.node.name
    if name is not None:
        context.require_storyteller("say whose turn it is")
    entry = fight.after(fight.turn) if name is None else _entry(fight, name)
    round_ = "a new round: " if entry == fight.entries[0] and fight.turn is not None else ""
    then = fight.after(entry.name)
    more = f"; then {then.name}" if then != entry else ""
    line = f"{round_}{_shown(context, entry.name)} acts, initiative {entry.total}{more}"
    return await context.remember(key_of(context.message.place, "turn"), "init", Next(entry.name), line)


async def drop(context: Context[Drop]) -> Answer:
    """`init drop NAME`: remove an entry; if it was their turn, the next one acts."""
    fight, place = _open(context), context.message.place
    entry = _entry(fight, context.node.name)
    of = context.actor if entry.name == as_read(context.actor.name) else context.actor_of(entry.name)
    if of.owner != context.message.who:
        context.require_storyteller("drop somebody else")
    then, following = fight.after(entry.name), []
    line = f"{context.message.nick}: {entry.name} is out of the order of initiative"
    if fight.named(fight.turn) == entry != then:
        line += f"; {_shown(context, then.name)} acts"
        following = [context.draft("init", str(Next(then.name)), "", key=key_of(place, "turn"))]
    return await context.remember(key_of(place, "init", entry.name), "init", Drop(entry.name), line, *following)


async def end(context: Context[End]) -> Answer:
    """`init end`: end the order."""
    context.require_storyteller("end the order of initiative")
    _open(context)
    line = f"{context.message.nick}: the order of initiative is over"
    return await context.remember(key_of(context.message.place, "fight"), "init", context.node, line)


def _open(context: Context[Command]) -> Fight:
    """The order of the channel. RuleError if it is empty."""
    fight = Fight.of(context.desk, context.require_channel())
    if not fight.entries:
        raise RuleError(NOBODY)
    return fight


def _entry(fight: Fight, name: str) -> Entry:
    if (found := fight.named(as_read(name))) is None:
        raise RuleError(f"{name} is not in the order: !init shows it.", keeps_case=True)
    return found


def _whose(context: Context[Initiative]) -> str:
    """The name to enter: the actor's, or that of the one named. RuleError for another player's."""
    of = context.actor_of(context.node.name) if context.node.name else context.actor
    if of.owner != context.message.who:
        context.require_storyteller("roll for somebody else")
        if not of.named:
            names.check_meaningless(of.name)
    return as_read(of.name)


def _shown(context: Context[Command], name: str) -> str:
    """A name with its player's nick, which highlights the player."""
    found = context.find(name)
    return name if found is None or found.owner == context.message.place else f"{found.name} ({found.player})"
