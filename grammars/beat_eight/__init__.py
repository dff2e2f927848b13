"""Beat Eight: `b8 t4 a1`, two dice and what is added, to beat 8. Knows the words; rolls and judges nothing."""

from __future__ import annotations

from itertools import groupby

from grammars.beat_eight.nodes import DIFFICULTIES, IMPOSSIBLE, Impossible, Opposed, Roll, Side, answered
from grammars.beat_eight.reading import GRAMMAR

__all__ = ["EXAMPLES", "GRAMMAR", "HELP", "KEYWORDS", "Impossible", "Opposed", "Roll", "Side", "answered"]

KEYWORDS = ("b8",)
EXAMPLES = {
    "b8 t4 a1": "two dice, trait 4 and an ability of 1, to beat 8",
    "b8 t4 a1 severe": "the same at a difficulty by its word; `b8 t4 a1 -3` by its number",
    "b8 t4 x3": "one of three actions at once, each at -4",
    "b8 t4 a1 vs t3 x2": "an opposed roll in one line; a tie goes to the target",
    "b8 t4 vs @bob": "an opposed roll that bob answers with `b8 t3`, or `pass`",
    "b8 impossible": "nothing is rolled: the narrator decides",
}
_LADDER = [f"{value:+} {' or '.join(words)}" for value, words in groupby(DIFFICULTIES, DIFFICULTIES.__getitem__)]
HELP: dict[str, tuple[str, ...]] = {
    "difficulty-words": (f"Beat Eight's difficulties: {', '.join(_LADDER)}; other numbers are allowed, from -7.",),
    "snake-eyes": (
        "Snake-eyes, two 1s, always fail, and bring further harm as the narrator sees fit.",
        "Opposed, the initiator's fail whatever the target rolls; the target's lose to anything but snake-eyes.",
    ),
    "double-sixes": (
        "Double sixes always succeed, and bring a further gain.",
        "Opposed, they beat all but double sixes; then the totals decide, and a tie goes to the target.",
    ),
    "multitask": ("xN: one of N actions at once. Each of their rolls is at -2 for every action after the first.",),
    "opposed": (
        "Dice, trait and abilities less multitask on each side: the higher wins, a tie goes to the target.",
        "In a chain each roll is a contest of its own: who parries acts, so the attacker wins that tie.",
    ),
}
WORDS = ("vs", IMPOSSIBLE, *DIFFICULTIES)
TIGHT = r"[tax][:=]?[-+]?[0-9]"  # `b8t4`
MARKS = ("t", "a", "x", "vs")
SHAPES = r"[tax][:=]?[-+]?[0-9]+|[-+][0-9]+"
