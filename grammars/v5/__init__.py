"""V5 Hunger pools: `roll 5d10 h2 dc3` and what follows it. Knows the words; rolls and judges nothing."""

from __future__ import annotations

from grammars.tokens import REFERENCE_SHAPE
from grammars.v5.nodes import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from grammars.v5.reading import GRAMMAR

__all__ = [
    "EXAMPLES",
    "GRAMMAR",
    "HELP",
    "KEYWORDS",
    "AutomaticWin",
    "Contest",
    "Pool",
    "Rouse",
    "SayHunger",
    "Willpower",
]

KEYWORDS = ("roll", "v5", "rouse", "wp", "hunger", "autowin")
BARE = ("rouse",)  # GEN-10: certain enough alone where the channel plays V5
TAKES_DICE = ("roll", "v5")
EXAMPLES = {
    "roll 5d10 h2 dc3": "five dice, the last two of them Hunger dice, against Difficulty 3",
    "roll 5d10 h2": "the same without a Difficulty: the successes, and what would follow",
    "v5 3+4+1 h2 dc3": "a pool by its parts: Attribute, Ability, specialty",
    "roll 4d10 willpower": "a Willpower pool; `humanity` (or `morality`) likewise: no Hunger dice",
    "roll 6d10 h2 vs 5d10 h1": "a contest in one line",
    "roll 6d10 h2 vs @bob": "a contest that bob answers with a roll of his own, or `pass`",
    "rouse": "a rouse check; `rouse 2` makes two",
    "wp": "after a roll: spend Willpower, reroll up to three failed dice; `wp 2`, `wp tens`, `wp 1 #4d`",
    "hunger 2": "after a roll without `h`: say the Hunger afterwards; `hunger 2 #4d`",
    "autowin 9 dc4 h1": "would a pool of 9 win automatically against Difficulty 4 at Hunger 1?",
}
HELP = {  # V5-26: two lines each
    "messy": (
        "Messy critical: a critical with a ten on a Hunger die. It succeeds, as the Beast would do it.",
        "Storyteller and player may agree on stains, a breach of the Masquerade, a lost dot of an Advantage, "
        "or a mess to clean up.",
    ),
    "bestial": (
        "Bestial failure: the Difficulty was not met and a Hunger die shows 1. A roll that passes never is one.",
        "It may be a Compulsion acted out, an Advantage lost, aggravated damage, or Hunger rising by one.",
    ),
    "botch": (
        "Botch (house rule): no success at all and at least one 1 on any die.",
        "It may be an injury, a tool damaged or lost, unwanted attention, or what a bestial failure brings.",
    ),
    "willpower": (
        "Willpower: once per roll, for one superficial damage, reroll up to three dice that are not Hunger dice.",
        '"wp" takes the lowest that failed, "wp 2" the two lowest, "wp tens" the tens; never on rouse, willpower '
        "or humanity rolls.",
    ),
}
WORDS = ("h", "hunger", "dc", "diff", "difficulty", "willpower", "humanity", "morality", "vs", "tens", "wp")
SHAPES = REFERENCE_SHAPE
MARKS = ("h", "dc", "vs")
