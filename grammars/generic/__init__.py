"""The dice notation: `roll 4d6k3`, `roll 2d6[fire] + 1d8`, `roll 1d20+5 >= 15`.

Ids such as GD-02 are rules of the specification; the bot explains one at `help GD-02`.
"""

from grammars.generic.grammar import EXAMPLES, GRAMMAR, HELP, KEYWORDS, ONLY_CALLED, SYNONYMS, TAKES_DICE

__all__ = ["EXAMPLES", "GRAMMAR", "HELP", "KEYWORDS", "ONLY_CALLED", "SYNONYMS", "TAKES_DICE"]
