"""`table` and `deck`: what a storyteller puts there, and what is drawn (DSK-15)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command
from grammars.tables import DECK, TABLE, Contents, Draw, Gone, Left, Listing, Shuffle
from ircdice.bot import names
from ircdice.bot.contests import acting
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.ledger.ids import base32
from ircdice.ledger.proof import seal
from ircdice.reply import marked
from ircdice.table import secrets, tables

WHERE = "tables and decks are a channel's"
MOST = 30  # tables, and decks, of one channel
ORDER = 2**30, 4  # the sides and the number of the dice that make a secret order


async def add(context: Context[Contents]) -> Answer:
    """`table add NAME = …`: what may be drawn from now on; a deck is whole then."""
    node, place = context.node, context.require_channel(WHERE)
    context.require_storyteller(f"make a {node.kind}")
    names.check_free(context, node.name)
    known = list(tables.of_channel(context.desk, place, node.kind))
    if len(known) >= MOST and tables.contents(context.desk, place, node.kind, node.name) is None:
        raise RuleError(f"there are {MOST} {node.kind}s here: !{node.kind} drop NAME makes room.")
    whole = [_left(context, tables.whole(node))] if node.kind == DECK else []
    count = f"{node.size} cards" if node.kind == DECK else f"{len(node.entries)} entries"
    line = f"{context.message.nick}: the {node.kind} {node.name} has {count}"
    key = tables.contents_key(place, node.kind, node.name)
    return await context.remember(key, "draw", node, line, *whole)


async def drop(context: Context[Gone]) -> Answer:
    """`table drop NAME`: there is none of that name any more."""
    node, found = context.node, _found(context)
    context.require_storyteller(f"drop a {node.kind}")
    key = tables.contents_key(context.require_channel(WHERE), node.kind, found.name)
    line = f"{context.message.nick}: the {node.kind} {found.name} is gone"
    return await context.remember(key, "draw", replace(node, name=found.name), line)


async def shuffle(context: Context[Shuffle]) -> Answer:
    """`deck NAME shuffle`: all its cards are back."""
    context.require_storyteller("shuffle a deck")
    deck = _found(context)
    whole = _left(context, tables.whole(deck))
    line = f"{context.message.nick}: the deck {deck.name} is shuffled, {deck.size} cards"
    return await context.remember("", "draw", context.node, line, whole)


async def draw(context: Context[Draw]) -> Answer:
    """`table NAME` or `deck NAME`: one entry by a die, or a card that is not there any more."""
    node = context.node
    if context.message.channel is None and node.kind == DECK:
        raise RuleError(f"in private say where: deck {node.name} in #CHANNEL.")
    place, found = context.require_channel(WHERE), _found(context)
    if node.channel is not None:
        return await _draw_unseen(context, place, found)
    is_deck = node.kind == DECK
    left = tables.what_is_left(context.desk, place, found) if is_deck else tables.whole(found)
    places = _cards(left)
    face = context.dice.roll(1, len(places))[0]
    drawn = places[face - 1]
    after = [_left(context, tables.without(left, drawn))] if is_deck else []
    card = f"{found.cards[drawn]}, {len(places) - 1} left" if is_deck else found.cards[drawn]
    asked = f"{face} of {len(places)}; {node.kind} {found.name}"
    line = f"{acting(context)}: {found.name}: {card}; {asked}"
    seen = [tables.contents_key(place, node.kind, found.name)]
    return await context.remember("", "draw", node, line, *after, seen=seen)


async def _draw_unseen(context: Context[Draw], place: str, deck: Contents) -> Answer:
    """`deck NAME in #CHANNEL` in private: a card that the drawer alone sees until `reveal`.

    From then on the dice count the cards that are left in a secret order: else the faces of later draws would tell
    which one is missing. The card and that order come from the system's dice, because a seed is published (LED-14).
    """
    message = context.message
    if context.node.kind == TABLE:
        raise RuleError("a table is drawn from in its channel, where all see it.")
    if not message.aside:
        raise RuleError(f"all here would see that card: say deck {deck.name} in {message.channel} to me in private.")
    context.require_present()
    left = tables.what_is_left(context.desk, place, deck)
    places = _cards(left)
    dice = context.covered_dice()
    face = dice.roll(1, len(places))[0]
    sides, count = ORDER
    order = "".join([f"{part:08x}" for part in dice.roll(count, sides)])
    drawn = places[face - 1]
    card = f"{deck.name}: {deck.cards[drawn]}"
    line = f"{acting(context)}: {deck.name}: a card that nobody else sees, {len(places) - 1} left; deck {deck.name}"
    sealed = seal(f"{card}; d{len(places)} {face}")
    draft = context.draft("seal", f"{secrets.CARD}{deck.name}", marked(line, context.official), sealed=sealed)
    after = _left(context, tables.without(left, drawn, order))
    seen = context.desk.seen(after.key, tables.contents_key(place, DECK, deck.name))
    record = await context.place.append(draft, after, seen=seen)
    number = base32(record.seq)
    told = f'for you alone, #{number}: {card}; "reveal #{number}" in {context.node.channel} shows it'
    return Answer((context.post(record), context.whisper(told)), "note", context.settings.system, record=record)


def _cards(left: Left) -> list[int]:
    """The places of the cards. RuleError if none is left."""
    if not (places := tables.cards_of(left)):
        raise RuleError(f"the deck {left.name} is empty: a storyteller puts its cards back, !deck {left.name} shuffle.")
    return places


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
    return f"{tables.what_is_left(context.desk, place, one).cards.bit_count()} of {one.size} cards"


def _found(context: Context[Gone] | Context[Draw] | Context[Shuffle]) -> Contents:
    node = context.node
    kind = DECK if isinstance(node, Shuffle) else node.kind
    found = tables.contents(context.desk, context.require_channel(WHERE), kind, node.name)
    if found is None:
        raise RuleError(f"there is no {kind} called {node.name} here: !{kind} lists them.")
    return found


def _left(context: Context[Command], node: Left) -> Draft:
    """The record of what is left; sealed while somebody may hold a card that nobody else saw."""
    key, text = tables.left_key(context.message.place, node.name), str(node)
    if not node.order:
        return context.draft("draw", text, "", key=key)
    return context.draft("draw", f"deck {node.name} left", "", sealed=seal(text), key=key)
