"""Random tables and decks of cards: `table`, `deck` (DSK-15)."""

from __future__ import annotations

import re
from typing import NamedTuple

import pyparsing as pp

from grammars.command import Node, builds, joined, marked
from grammars.errors import ImpossibleError
from grammars.line import COMMENT_BYTES, posted_comment, shown
from grammars.tokens import IN, Token, command_word, flag, name, word

EXAMPLES = {
    "table add weather = sun | rain | fog x2": "storyteller: a table of four chances, two of them fog",
    "table weather": "one of its entries, by a die",
    "deck add tarot = The Fool | The Moon | Coin x3": "storyteller: a deck of five cards",
    "deck tarot": "a card, which is not drawn again before a shuffle",
    "deck tarot in #FU_Dice": "in private: a card that you alone see until `reveal`",
    "deck tarot shuffle": "storyteller: all its cards are back",
    "table drop weather": "storyteller: there is no such table any more; likewise `deck drop tarot`",
    "table": "the tables of this channel; `deck` lists its decks",
}
HELP = {
    "random, draw": (
        "A table gives one of several words by a die, a deck each card once: a storyteller makes them, and anyone"
        " draws.",
        "!table add weather = sun | rain, then !table weather; !deck add tarot = The Fool | The Moon, then !deck"
        " tarot.",
    )
}
TABLE, DECK = "table", "deck"
MOST_CARDS = 400  # entries, counted by weight


class Entry(NamedTuple):
    """An entry, and its weight."""

    text: str
    weight: int = 1

    def __str__(self) -> str:
        return self.text if self.weight == 1 else f"{self.text} x{self.weight}"


class Contents(Node):
    """Define a table or deck."""

    kind: str
    name: str
    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        if not all(entry.text for entry in self.entries) or len(self.entries) < 2:
            raise ImpossibleError("a table or deck needs two entries or more, as sun | rain | fog x2.", "entries")
        if self.size > MOST_CARDS or min(entry.weight for entry in self.entries) < 1:
            raise ImpossibleError(f"a table or deck has at most {MOST_CARDS} entries, each from x1.", "entries")

    @property
    def size(self) -> int:
        """The number of entries, counted by weight."""
        return sum(entry.weight for entry in self.entries)

    @property
    def cards(self) -> list[str]:
        """The entries in order, repeated by weight."""
        return [entry.text for entry in self.entries for _ in range(entry.weight)]

    def __str__(self) -> str:
        return f"{self.kind} add {self.name} = {' | '.join(map(str, self.entries))}"


class Gone(Node):
    """Remove a table or deck."""

    kind: str
    name: str

    removes = True  # the table or deck

    def __str__(self) -> str:
        return f"{self.kind} drop {self.name}"


class Draw(Node):
    """Draw from a table or deck; with a channel, a card that only the drawer sees."""

    kind: str
    name: str
    channel: str | None = None

    draws = True  # one die with a side for each entry

    def __str__(self) -> str:
        return joined(self.kind, self.name, marked("in ", self.channel))


class Shuffle(Node):
    """Shuffle all cards back into a deck."""

    name: str

    def __str__(self) -> str:
        return f"deck {self.name} shuffle"


class Left(Node):
    """The cards left in a deck, one bit for each: the bot records it after a draw, it is never typed.

    `order` is the key of a secret order of the cards; empty while all were drawn in the open.
    """

    name: str
    cards: int
    order: str = ""

    def __str__(self) -> str:
        return joined(f"deck {self.name} left {self.cards:x}", self.order and f"by {self.order}")


class Listing(Node):
    """List the tables or decks."""

    kind: str

    def __str__(self) -> str:
        return self.kind


# The notation.

_NEARLY = re.compile(r"(?<=\s)x\s?[-+]?[0-9][0-9.,]*$")  # probably meant as a weight


def _entry(match: re.Match[str]) -> tuple[Entry]:
    text, weight = match["text"], match["weight"] or "1"
    if match["weight"] is None and (found := _NEARLY.search(text)):
        nearly = f'"{shown(found[0])}" is not a weight'
        raise ImpossibleError(f"{nearly}: xN at the end of an entry is 1 to {MOST_CARDS} of it.")
    if (length := len(text.encode())) > COMMENT_BYTES:
        raise ImpossibleError(f"an entry has at most {COMMENT_BYTES} bytes, yours has {length}.")
    return (Entry(posted_comment(text), int(weight)),)


NAME = name()
ENTRY = Token(
    "an entry, as fog x2",
    r"(?P<text>[^|\s](?:[^|]*?[^|\s])??)(?:\s+x(?P<weight>[0-9]{1,4}))?\s*(?=\||$)",
    clause="entries",
    value=_entry,
)
ENTRIES = Token("=", "=").suppress() - ENTRY + (Token("|", r"\|").suppress() - ENTRY)[...]
CARDS = Token("cards", "[0-9a-f]{1,100}", clause="cards", value=lambda match: int(match[0], 16))
ORDER = Token("an order", "by ([0-9a-f]{1,100})", clause="order")


def of_kind(kind: str) -> list[pp.ParserElement]:
    """The commands that tables and decks share."""
    begins = flag("kind", kind, value=kind)
    add = (begins + word("add") - NAME - ENTRIES).set_parse_action(builds(Contents)).set_name(f"{kind} add")
    drop = (begins + word("drop") - NAME).set_parse_action(builds(Gone)).set_name(f"{kind} drop")
    draw = (begins + NAME + pp.Opt(IN)).set_parse_action(builds(Draw)).set_name(f"{kind} NAME")
    return [add, drop, draw, pp.And([begins]).set_parse_action(builds(Listing)).set_name(kind)]


deck = command_word(DECK)
shuffle = (deck + NAME + word("shuffle")).set_parse_action(builds(Shuffle)).set_name("deck NAME shuffle")
left = deck + NAME + word("left") + CARDS + pp.Opt(ORDER)
left.set_parse_action(builds(Left)).set_name("deck NAME left")

GRAMMAR = pp.MatchFirst([*of_kind(TABLE), shuffle, left, *of_kind(DECK)])
