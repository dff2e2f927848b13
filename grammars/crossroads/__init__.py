"""Crossroads: `xr 3d6 a1 n2`, its contests, groups and what follows. Knows the words; rolls and judges nothing."""

from __future__ import annotations

from grammars.crossroads.commands import COMMANDS
from grammars.crossroads.follow import EndTurn, FateEnd, FateList, GroupClose, GroupOpen, Keep, Reaction, Reroll
from grammars.crossroads.nodes import Contest, Damage, GroupRoll, GroupValues, Roll
from grammars.crossroads.reading import ROLL

__all__ = [
    "EXAMPLES",
    "GRAMMAR",
    "HELP",
    "KEYWORDS",
    "Contest",
    "Damage",
    "EndTurn",
    "FateEnd",
    "FateList",
    "GroupClose",
    "GroupOpen",
    "GroupRoll",
    "GroupValues",
    "Keep",
    "Reaction",
    "Reroll",
    "Roll",
]

KEYWORDS = ("xr",)
TAKES_DICE = ("xr",)
GRAMMAR = {"xr": ROLL | COMMANDS}
EXAMPLES = {
    "xr 3d6 a1 n2": "a Skill Roll with one Advantage, and 2 taken from the total; `xr a1n2` is the same",
    "xr 3d6 a2 b1 convert 1": "one of two Advantages made into a Bonus before anything is rolled",
    "xr 3d6 a1 low": "low dice are the favoured ones",
    "xr 1d6 b2 p1 av3": "damage with a Bonus, Piercing 1 against armour 3; any roll but 3d6 is a plain total",
    "xr 3d6 a1 vs 3d6 b1": "a Skill Roll against another, in one line",
    "xr 3d6 vs @bob": "a contest that bob answers with a Skill Roll of his own, or `pass`",
    "xr keep 1 2 4": "after an Advantage roll: keep these dice instead, counted in drawn order; `xr keep 1 2 4 #4d`",
    "xr reroll 1": "after a double 2 to 5: reroll that die; `xr reroll 1 fate #4d` spends a Change of Fate on any roll",
    "xr group 3d6; 3d6 a1; 3d6 d1": "a group: the mean of their Success Values",
    "xr group -1 0 0 1": "the same of values that are known; `xr group open` and `xr group close` stand around rolls",
    "xr damage HHL a1b1": "Narrative Health damage, heavy and light points",
    "xr endturn": "your present turn is over: blessings end by it",
    "xr 3d6 reaction": "a roll outside your own turn: what its triple gives ends with your next turn's end; "
    "`xr reaction` says it afterwards",
    "xr fate": "the temporary Fate Dice and blessings that you hold; `xr fate bob` those of bob",
    "xr fate end bob die": "storyteller: one Fate Die of bob's is over; `blessing`, `change`, or nothing for all",
}
HELP = {
    "advantage": (
        "Advantage aN: roll N more dice and remove the N least favoured; Disadvantage dN removes the N most favoured.",
        '"xr keep 1 2 4" keeps other dice after an Advantage roll, "convert N" makes N of it a Bonus beforehand.',
    ),
    "doubles": (
        "Of the three dice kept: double 1 Misstep, value 1 less; double 2 to 5 Change, one of them may be rerolled;",
        "double 6 Fateful, value 1 more.",
    ),
    "triples": (
        "Triple 1 Doomed Portents, value 1 less; 2 Balanced Portents, result 0; 3 or 4 Change of Fate, a reroll kept;",
        "5 Fate's Blessing, a1 on Skill Rolls; 6 Fate's Child, value 1 more. 1 and 6 give a temporary Fate Die.",
    ),
}
WORDS = (
    "vs",
    "advantage",
    "disadvantage",
    "convert",
    "plain",
    "low",
    "simple",
    "reaction",
    "keep",
    "reroll",
    "group",
    "damage",
    "fate",
    "end",
    "endturn",
)
MARKS = ("a", "d", "b", "n", "p", "av", "vs")
SHAPES = r"(?:av|[abdnp])[0-9]+|[-+][0-9]+|[0-9]*[hl]{2,}|\#[0-9a-z]+"
