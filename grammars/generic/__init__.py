"""The dice notation: `roll 4d6k3`, `roll 2d6[fire] + 1d8`, `roll 1d20+5 >= 15`."""

from grammars.generic.grammar import EXAMPLES, GRAMMAR, HELP, KEYWORDS, ONLY_CALLED, SYNONYMS, TAKES_DICE
from grammars.generic.nodes import Between, Chain, Dice, Expression, Labelled, Negative, Number, Question, Roll
from grammars.generic.values import Compare, Modifier

__all__ = [
    "EXAMPLES",
    "GRAMMAR",
    "HELP",
    "KEYWORDS",
    "ONLY_CALLED",
    "SYNONYMS",
    "TAKES_DICE",
    "Between",
    "Chain",
    "Compare",
    "Dice",
    "Expression",
    "Labelled",
    "Modifier",
    "Negative",
    "Number",
    "Question",
    "Roll",
]
