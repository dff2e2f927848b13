"""Generic dice: `roll 4d6k3`, `roll 2d6[fire] + 1d8`, `roll 1d20+5 >= 15`. Knows the notation; rolls nothing."""

from __future__ import annotations

from grammars.generic.dice import Dice
from grammars.generic.expressions import Between, Chain, Expression, Labelled, Negative, Number, Question, Roll
from grammars.generic.modifiers import Compare, Modifier
from grammars.generic.reading import GRAMMAR
from grammars.generic.rewriting import REWRITES

__all__ = [
    "CALLED",
    "EXAMPLES",
    "GRAMMAR",
    "HELP",
    "KEYWORDS",
    "REWRITES",
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

KEYWORDS = ("roll", "r")
CALLED = ("r",)  # GEN-14
TAKES_DICE = ("roll",)
EXAMPLES = {
    "roll 4d6k3": "four dice, the three highest kept; `kl3` the lowest, `dl1` and `dh1` drop",
    "roll 1d20+5": "dice and numbers with + - * / // % and parentheses; `d%`, `4dF`, `d{1,3,5,5}` are dice too",
    "roll 8d6!": "sixes draw one more; `!>4`, `!!` adds it to the same die, `!p` counts each further one less",
    "roll 4d6r1": "ones are rerolled until none is left; `ro1` once; `mi2` and `ma5` raise and lower faces",
    "roll 6d6>=5": "counts the dice that show 5 or more; `>=5f1` takes one away for each 1",
    "roll 2d6[fire] + 1d8[cold]": "words for each part; `# words` or `for words` at the end is a comment",
    "roll 6x 4d6k3": "the same six times, each with its total",
    "roll 1d20+5 >= 15": "blanks around it: does the total reach 15?",
    "roll d20+5 adv": "two d20, the higher kept; `dis` the lower",
    "roll 1 100": "called, `!roll 1 100`: a whole number from the first to the second; `!roll 20` is 1d20",
}
HELP = {
    "dice": (
        "roll NdX: N dice of X sides, as 3d6; d20 is one, d% a d100, 4dF Fudge dice, d{1,3,5,5} one with these faces.",
        "With + - * / // % and parentheses between, as roll 2d6+3. `help modifiers` has what may stand behind them.",
    ),
    "modifiers": (
        "Behind NdX, in the order written: k3 kl3 dl1 dh1 keep or drop, r1 ro<3 reroll, ! !>4 !! !p explode, "
        "mi2 ma5 raise or lower.",
        "Then a count, as >=5 or >=5f1. Comparisons are 5 =5 <5 >5 <=5 >=5 <>5.",
    ),
    "adv": (
        "adv or dis behind an expression with exactly one d20: it becomes 2d20k1 or 2d20kl1.",
        "roll d20+5 adv",
    ),
}
WORDS = ("adv", "advantage", "dis", "disadvantage")
MARKS = ("k", "kh", "kl", "d", "dh", "dl", "r", "ro", "e", "mi", "ma", "x")
# Modifiers, labels, operators and numbers with signs, as far as a word of a line may consist of them.
SHAPES = (
    r"[0-9]*d\{[0-9,+-]*\}|(?:k[hl]?|d[hl]?|m[ia]|ro?|e|!!?p?|f)[<>=]{0,2}-?[0-9]+"
    r"|[<>=]{1,2}[0-9]+|[0-9]+x|[-+*/%()]"
)
