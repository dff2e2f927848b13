"""`table` and `deck`: define random tables and decks, and draw from them (DSK-15).

The key `CHANNEL table NAME` or `CHANNEL deck NAME` holds the contents, `CHANNEL left NAME` the remaining cards.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from grammars import Command
from grammars.tables import DECK, Contents, Draw, Gone, Left, Listing, Shuffle
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.ledger.record import seal_text
from ircdice.table import secrets
from ircdice.table.desk import key_of

ORDER = 2**30, 4  # sides and number of dice for the key of a secret order


def left_key(channel: str, deck: str) -> str:
    """The key of a deck's remaining cards."""
    return key_of(channel, "left", deck)


async def add(context: Context[Contents]) -> Answer:
    """`table add NAME = …`: define a table, or a full deck."""
    node, place, is_deck = context.node, context.require_channel(), context.node.kind == DECK
    context.require_storyteller(f"make a {node.kind}")
    names.check_free(context, node.name)
    key = key_of(place, node.kind, node.name)
    context.require_room(key)
    count = f"{node.size} cards" if is_deck else f"{len(node.entries)} entries"
    line = f"{context.message.nick}: the {node.kind} {node.name} has {count}"
    return await context.remember(key, "draw", node, line, *([_draft(context, _whole(node))] if is_deck else []))


async def drop(context: Context[Gone]) -> Answer:
    """`table drop NAME`: remove a table or deck."""
    node, found = context.node, _found(context, context.node.kind, context.node.name)
    context.require_storyteller(f"drop a {node.kind}")
    line = f"{context.message.nick}: the {node.kind} {found.name} is gone"
    key = key_of(context.message.place, node.kind, found.name)
    return await context.remember(key, "draw", replace(node, name=found.name), line)


async def shuffle(context: Context[Shuffle]) -> Answer:
    """`deck NAME shuffle`: put all cards back."""
    context.require_storyteller("shuffle a deck")
    deck = _found(context, DECK, context.node.name)
    line = f"{context.message.nick}: the deck {deck.name} is shuffled, {deck.size} cards"
    return await context.remember("", "draw", context.node, line, _draft(context, _whole(deck)))


async def draw(context: Context[Draw]) -> Answer:
    """`table NAME` or `deck NAME`: draw an entry, or a card, which leaves the deck."""
    node, is_deck = context.node, context.node.kind == DECK
    if not is_deck and (node.channel or context.message.channel is None):
        raise RuleError("a table is drawn from in its channel, where all see it.")
    found = _found(context, node.kind, node.name)
    if context.reading.speaks_as:
        context.require_own("draw for")
    seen = [key_of(context.message.place, node.kind, found.name)]
    if node.channel is not None:
        return await _draw_unseen(context, found, seen)
    left = _left(context, found) if is_deck else _whole(found)
    cards = _cards(left)
    face = context.dice.roll(1, len(cards))[0]
    drawn, more = found.cards[cards[face - 1]], f", {len(cards) - 1} left" if is_deck else ""
    after = [_draft(context, _without(left, cards[face - 1]))] if is_deck else []
    line = f"{context.posted_name()}: {found.name}: {drawn}{more}; {face} of {len(cards)}; {node.kind} {found.name}"
    return await context.remember("", "draw", node, line, *after, seen=seen)


async def _draw_unseen(context: Context[Draw], deck: Contents, seen: list[str]) -> Answer:
    """`deck NAME in #CHANNEL` in private: draw a card that only the drawer sees until `reveal`.

    From then on the remaining cards have a secret order: otherwise the faces of later draws would reveal which one is
    missing. The card and that order come from the operating system's dice, because seeds are published (LED-14).
    """
    if not context.message.aside:
        where = context.message.channel
        raise RuleError(f"all here would see that card: say deck {deck.name} in {where} to me in private.")
    left, dice = _left(context, deck), context.secret_dice()
    cards = _cards(left)
    face = dice.roll(1, len(cards))[0]
    sides, count = ORDER
    order = "".join([f"{part:08x}" for part in dice.roll(count, sides)])
    card = f"{deck.name}: {deck.cards[cards[face - 1]]}"
    line = (
        f"{context.posted_name()}: {deck.name}: a card that nobody else sees, {len(cards) - 1} left; deck {deck.name}"
    )
    after = _draft(context, _without(left, cards[face - 1], order))
    record = await context.seal(f"{secrets.CARD}{deck.name}", f"{card}; d{len(cards)} {face}", line, after, seen=seen)
    details = f'for you alone, {record.short_id}: {card}; "reveal {record.short_id}" in {context.node.channel} shows it'
    return context.answer_with(record, context.whisper(details))


async def listing(context: Context[Listing]) -> Answer:
    """`table` or `deck`: list them, with the number of entries or remaining cards."""
    kind, listed = context.node.kind, []
    for contents in context.desk.nodes(Contents, context.require_channel(), kind):
        cards = f"{_left(context, contents).cards.bit_count()} of {contents.size} cards"
        listed.append(f"{contents.name} ({cards if kind == DECK else f'{len(contents.entries)} entries'})")
    none = f"there is no {kind} here: a storyteller makes one with !{kind} add NAME = sun | rain."
    return context.answer(f"{kind}s here: {', '.join(listed)}" if listed else none)


async def left(context: Context[Left]) -> Answer:
    """Refuse `deck NAME left`, which only the bot records."""
    shuffles = f"!deck {context.node.name} shuffle puts all back"
    raise RuleError(f"which cards are left follows from what is drawn: {shuffles}.")


def _found(context: Context[Command], kind: str, name: str) -> Contents:
    """The table or deck with that name. RuleError if there is none."""
    found = context.desk.node(key_of(context.require_channel(), kind, name), Contents)
    if found is None:
        raise RuleError(f"there is no {kind} called {name} here: !{kind} lists them.")
    return found


def _whole(deck: Contents) -> Left:
    return Left(deck.name, (1 << deck.size) - 1)


def _left(context: Context[Command], deck: Contents) -> Left:
    return context.desk.node(left_key(context.message.place, deck.name), Left) or _whole(deck)


def _cards(left: Left) -> list[int]:
    """The places of the remaining cards, in the order of the die's faces. RuleError if none is left.

    Once a card was drawn in secret they have a secret order, so that later dice do not reveal it.
    """
    cards = [card for card in range(left.cards.bit_length()) if left.cards >> card & 1]
    if not cards:
        raise RuleError(f"the deck {left.name} is empty: a storyteller puts its cards back, !deck {left.name} shuffle.")
    if left.order:
        cards.sort(key=lambda card: sha256(f"{left.order} {card}".encode()).digest())
    return cards


def _without(left: Left, card: int, order: str = "") -> Left:
    """The remaining cards after drawing that one; `order` is a new secret order."""
    return Left(left.name, left.cards & ~(1 << card), order or left.order)


def _draft(context: Context[Command], left: Left) -> Draft:
    """The record of the remaining cards, sealed while a secret card may be out."""
    text, sealed = (f"deck {left.name} left", seal_text(str(left))) if left.order else (str(left), None)
    return context.draft("draw", text, "", sealed=sealed, key=left_key(context.message.place, left.name))
