"""`table` and `deck`: what a storyteller puts there, and what is drawn (DSK-15)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command
from grammars.tables import DECK, Contents, Draw, Gone, Left, Listing, Shuffle
from ircdice.bot import names
from ircdice.bot.contests import acting
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.table import tables

WHERE = "tables and decks are a channel's"
MOST = 30  # tables, and decks, of one channel


async def add(context: Context[Contents]) -> Answer:
    """`table add NAME = …`: what may be drawn from now on; a deck is whole then."""
    node, place = context.node, context.require_channel(WHERE)
    context.require_storyteller(f"makes a {node.kind}")
    names.check_meaningless(node.name)
    known = list(tables.of_channel(context.desk, place, node.kind))
    if len(known) >= MOST and tables.contents(context.desk, place, node.kind, node.name) is None:
        raise RuleError(f"there are {MOST} {node.kind}s here: !{node.kind} drop NAME makes room.")
    whole = [_left(context, Left(node.name, (1 << node.size) - 1))] if node.kind == DECK else []
    count = f"{node.size} cards" if node.kind == DECK else f"{len(node.entries)} entries"
    line = f"{context.message.nick}: the {node.kind} {node.name} has {count}"
    key = tables.contents_key(place, node.kind, node.name)
    return context.noted(await context.keep_at(key, "draw", node, line, *whole))


async def drop(context: Context[Gone]) -> Answer:
    """`table drop NAME`: there is none of that name any more."""
    node, found = context.node, _found(context)
    context.require_storyteller(f"drops a {node.kind}")
    key = tables.contents_key(context.require_channel(WHERE), node.kind, found.name)
    line = f"{context.message.nick}: the {node.kind} {found.name} is gone"
    return context.noted(await context.keep_at(key, "draw", replace(node, name=found.name), line))


async def shuffle(context: Context[Shuffle]) -> Answer:
    """`deck NAME shuffle`: all its cards are back."""
    context.require_storyteller("shuffles a deck")
    deck = _found(context)
    whole = _left(context, Left(deck.name, (1 << deck.size) - 1))
    line = f"{context.message.nick}: the deck {deck.name} is shuffled, {deck.size} cards"
    return context.noted(await context.keep_at("", "draw", context.node, line, whole))


async def draw(context: Context[Draw]) -> Answer:
    """`table NAME` or `deck NAME`: one entry by a die, or a card that is not there any more."""
    node, place, found = context.node, context.require_channel(WHERE), _found(context)
    is_deck = node.kind == DECK
    places = tables.cards_left(context.desk, place, found) if is_deck else list(range(found.size))
    if not places:
        raise RuleError(f"the deck {found.name} is empty: !deck {found.name} shuffle puts all its cards back.")
    face = context.dice.roll(1, len(places))[0]
    drawn = places[face - 1]
    left = [each for each in places if each != drawn]
    after = [_left(context, tables.without(found, left))] if is_deck else []
    card = f"{found.cards[drawn]}, {len(left)} left" if is_deck else found.cards[drawn]
    asked = f"{face} of {len(places)}; {node.kind} {found.name}"
    line = f"{acting(context)}: {found.name}: {card}; {asked}"
    seen = [tables.contents_key(place, node.kind, found.name)]
    return context.noted(await context.keep_at("", "draw", node, line, *after, seen=seen))


async def listing(context: Context[Listing]) -> Answer:
    """`table` or `deck`: what there is, and how many entries or cards are left."""
    kind, place = context.node.kind, context.require_channel(WHERE)
    each = [f"{one.name} ({_count(context, place, one)})" for one in tables.of_channel(context.desk, place, kind)]
    none = f"there is no {kind} here: a storyteller makes one with !{kind} add NAME = sun | rain."
    return Answer((context.say(f"{kind}s here: {', '.join(each)}" if each else none),), "check")


async def left(context: Context[Left]) -> Answer:
    """What follows a draw, typed by hand."""
    raise RuleError(
        f"which cards are left follows from what is drawn: !deck {context.node.name} shuffle puts all back."
    )


def _count(context: Context[Command], place: str, one: Contents) -> str:
    if one.kind != DECK:
        return f"{len(one.entries)} entries"
    return f"{len(tables.cards_left(context.desk, place, one))} of {one.size} cards"


def _found(context: Context[Gone] | Context[Draw] | Context[Shuffle]) -> Contents:
    node = context.node
    kind = DECK if isinstance(node, Shuffle) else node.kind
    found = tables.contents(context.desk, context.require_channel(WHERE), kind, node.name)
    if found is None:
        raise RuleError(f"there is no {kind} called {node.name} here: !{kind} lists them.")
    return found


def _left(context: Context[Command], node: Left) -> Draft:
    return context.draft("draw", str(node), "", key=tables.left_key(context.message.place, node.name))
