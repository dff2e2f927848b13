"""The rules of Fayrewood by their ids, a sentence each, as `help FW-06` tells them. Its numbers are the tables'."""

from grammars.fayrewood import DIFFICULTIES, LADDER, MODIFIERS, TOP

_DICE = ", ".join(f"{level} d{sides}" for level, sides in enumerate(LADDER) if sides)
_WORDS = ", ".join(f"{number} {word}" for number, word in DIFFICULTIES.items())
_BOON, _BANE, _FRAYED = (f"1d{MODIFIERS[name][0]}" for name in ("boon", "bane", "frayed"))

RULES = {
    "FW-01": f"A toss has one or two main dice, each a level from 0, which is none, or its die: {_DICE}.",
    "FW-02": f"up and down step a main die along the ladder, which ends at d{LADDER[TOP]} and at none.",
    "FW-03": f"One modifier die at most: boon adds {_BOON}, bane takes {_BANE}, frayed adds {_FRAYED} at a wound.",
    "FW-04": "dcN is the difficulty: a total of N or more wins, and the margin is the total less N.",
    "FW-05": "Only the main dice can show a 1 that matters.",
    "FW-06": "A win by a margin of the difficulty or more is a critical.",
    "FW-07": "A win with one main die on 1 is a fumble, and may be a critical as well.",
    "FW-08": "Two main dice on 1 lose whatever the total, as a catastrophic fumble.",
    "FW-09": f"Difficulties have words, each from its number on: {_WORDS}.",
    "FW-10": "A difficulty may be secret: it is set in private, the toss says its total and win or fail, and "
    '"reveal" tells the rest.',
    "FW-11": '"sweep" says whether half of the highest possible total is twice the difficulty: then nothing is rolled, '
    "if the storyteller grants it.",
    "FW-12": '"help N" steps the second main die up once for each helper; a win "for help" gives another task a boon.',
    "FW-13": "In a clash the other's total is the difficulty: the acting side wins a tie, and two 1s fail.",
    "FW-14": "The bot forbids no second try; the story does.",
    "FW-15": "Without a difficulty the answer is the total, and what the 1s make certain or would make of a win.",
}
