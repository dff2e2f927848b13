"""`init`: initiative (DSK-09)."""

from __future__ import annotations

import unicodedata

import pyparsing as pp

from grammars.command import Node, builds, joined, limited
from grammars.line import END, LAST, NICK_PATTERN, Line
from grammars.tokens import ANY_NAME, MOST_LETTERS, RESERVED, Token, command_word, integer, name, refused, word

EXAMPLES = {
    "init +3": "roll your initiative, with 3 added",
    "init": "the order of initiative",
    "init next": "who acts next",
    "init Ghoul +5": "storyteller: roll the initiative of another character",
    "init Ghoul 14": "storyteller: set it without a roll",
    "init drop Ghoul": "take a character out of the order; your own, or as storyteller any",
    "init end": "storyteller: the order is over",
}
LARGEST_INITIATIVE = 100


class Initiative(Node):
    """Enter `name`, by default the speaker: a roll plus `bonus`, or `fixed` without a roll."""

    name: str | None = None
    bonus: int = limited(-LARGEST_INITIATIVE, LARGEST_INITIATIVE, default=0)
    fixed: int | None = limited(0, LARGEST_INITIATIVE, "an initiative", default=None)

    draws = True  # The die, if any, and one that breaks ties

    def __str__(self) -> str:
        number = f"{self.bonus:+}" if self.fixed is None else f"={self.fixed}"
        return joined("init", _written(self.name, DICE), number)


class Order(Node):
    """Ask for the order."""

    begins = "init"


class Next(Node):
    """Start the turn of `name`, by default the next in the order."""

    begins = "init next"

    name: str | None = None

    def __str__(self) -> str:
        return joined("init next", _written(self.name))


class Drop(Node):
    """Remove `name` from the order."""

    begins = "init drop"

    name: str

    removes = True  # from the order

    def __str__(self) -> str:
        return joined("init drop", _written(self.name))


class End(Node):
    """End the order."""

    begins = "init end"


NAME = name()
NICK = Token("NICK", rf"(?=[^\s]*[_\[\]\\`^{{}}|]){NICK_PATTERN}", clause="name")
QUOTED = Token("NAME", f'"({ANY_NAME})"', clause="name")  # any nick: `end`, `-bob`, `d20`
WHO = (QUOTED | NICK | NAME).set_name("a name")
AT_THE_END = Token("NICK", f"({NICK_PATTERN}){LAST}", clause="name")  # `init drop end`
ENTRY = (AT_THE_END | WHO).set_name("a name")
NAME_ALONE = name(numbers=False)  # `Ghoul 14`
BONUS = Token("+3", rf"[-+]\s?[0-9]{{1,30}}{END}", clause="bonus", value=integer)
FIXED = Token("14", rf"=?\s?([0-9]{{1,30}}){END}", clause="fixed", value=integer)
EXACTLY = Token("=14", rf"=\s?([0-9]{{1,30}}){END}", clause="fixed", value=integer)
DICE = refused(  # not a name
    "d20+3",
    rf"(?P<name>[^0-9#]*?)(?<![a-z])[0-9]{{0,2}}d(?:4|6|8|10|12|20|100)\s?(?P<bonus>[-+]\s?[0-9]{{1,30}}|){END}",
    "the dice of initiative are the channel's: only a bonus is typed.",
    instead=lambda match: f"{match['name']}{match['bonus'] or '+0'}",
)


def as_read(name: str) -> str:
    """A nick as it is read again from a record: as the ledger stores text, and as a line is read (GEN-02)."""
    return Line.of(unicodedata.normalize("NFC", name)).plain.replace('"', "'")


def _written(name: str | None, *others: Token) -> str | None:
    """A name as it is read: in quotes if it is not one without them, or begins with one of the `others`."""
    if name is None:
        return None
    plain = NAME.re.fullmatch(name) and len(name) <= MOST_LETTERS and name.casefold() not in RESERVED
    readable = (plain or NICK.re.fullmatch(name)) and not any(other.re.match(name) for other in others)
    return name if readable else f'"{name}"'


init = command_word("init")
entry = QUOTED + pp.Opt(BONUS | FIXED) | DICE | WHO + (BONUS | EXACTLY) | NAME_ALONE + FIXED | WHO | BONUS | FIXED
enter = (init + entry).set_parse_action(builds(Initiative)).set_name("init +3")
following = (init + word("next") + pp.Opt(ENTRY)).set_parse_action(builds(Next)).set_name("init next")
drop = (init + word("drop") - ENTRY).set_parse_action(builds(Drop)).set_name("init drop")
end = (init + word("end")).set_parse_action(builds(End)).set_name("init end")
order = command_word("init").add_parse_action(builds(Order)).set_name("init")

GRAMMAR = following | drop | end | enter | order
