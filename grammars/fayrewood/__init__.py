"""Fayrewood: `toss 3 2 boon dc7`, one or two dice of a ladder and a modifier die. Knows the words; rolls nothing."""

from __future__ import annotations

from grammars.fayrewood.nodes import DIFFICULTIES, LADDER, MODIFIERS, Clash, Main, Pool, Sweep, Toss
from grammars.fayrewood.reading import GRAMMAR

__all__ = ["EXAMPLES", "GRAMMAR", "HELP", "KEYWORDS", "Clash", "Main", "Pool", "Sweep", "Toss"]

KEYWORDS = ("toss", "sweep", "fw")
EXAMPLES = {
    "toss d8 d6 dc7": "a pillar of 3 and a skill of 2 against difficulty 7; `toss 3 2 dc7` is the same",
    "toss d8 d6": "the same without a difficulty: the total, and what is certain already",
    "toss d8up2 d6down boon dc7": "stepped up two rungs and down one, with 1d4 added; `bane`, `frayed` likewise",
    "toss d8 d6 help 2 dc7": "two helpers, each stepping up the second die",
    "toss d8 d6 dc5 for help": "a task that helps another: its win grants a boon",
    "toss d8 d6 boon vs d10 d4": "a clash in one line",
    "toss d8 d6 vs @bob": "a clash that bob answers with a toss of his own, or `pass`",
    "sweep d12 d12 dc5": "may that difficulty be swept? Nothing is rolled; `sweep 5 5 dc5` is the same",
}
_LADDER = ", ".join(f"{level} {f'd{sides}' if sides else 'none'}" for level, sides in enumerate(LADDER))
_DICE = ", ".join(
    f"{name} {'adds' if sign > 0 else 'subtracts'} 1d{sides}" for name, (sides, sign) in MODIFIERS.items()
)
_WORDS = ", ".join(f"{number}{'+' if number == max(DIFFICULTIES) else ''} {w}" for number, w in DIFFICULTIES.items())
HELP: dict[str, tuple[str, ...]] = {
    "ladder": (f"Fayrewood's dice by level: {_LADDER}.", "Stepping, 3up2 or d8down, stops above d12 and below none."),
    "modifier": (f"One modifier die at most: {_DICE} and costs a wound.",),
    "difficulties": (f"Fayrewood's difficulties: {_WORDS}.",),
    "margin": ("The margin is total less difficulty. Won with a margin of the difficulty or more is a critical.",),
    "fumble": (
        "Won with exactly one main die on 1 is a fumble: done, at a cost. A critical may be one too.",
        "Two main dice on 1 are a catastrophic fumble: lost, whatever the total. The modifier die never counts.",
    ),
    "clash": (
        "The acting side wins where its total is at least the other's, which is its difficulty.",
        "A side with two 1s on its main dice has failed; where both have, the acting side loses.",
    ),
    "helping": (
        "The strongest pool tosses with a boon, or its skill steps up once a helper: help 2.",
        "A different task that helps is a toss of its own, said `for help`: its win grants a boon.",
    ),
    "try-again": ("A failed toss may be tried again where the story justifies it: the storyteller decides.",),
}
WORDS = ("boon", "bane", "frayed", "dc", "diff", "difficulty", "vs", "help")
MARKS = ("d", "dc", "vs")
SHAPES = r"[0-9]*d?[0-9]+(?:up|down)[0-9]*"
