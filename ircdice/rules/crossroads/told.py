"""The rules of Crossroads by their ids, a sentence each, as `help XR-13` tells them."""

from grammars.crossroads import SUCCESS_VALUES
from ircdice.rules.crossroads.judging import GREATEST_RESULT, LEAST_RESULT
from ircdice.rules.crossroads.ladder import LADDER, TOP_VALUE
from ircdice.rules.crossroads.words import NAMES

_VALUES = ", ".join(f"up to {total} is {value}" for total, value in LADDER.items())
_RESULTS = ", ".join(f"{value} {name}" for value, name in enumerate(NAMES.values(), LEAST_RESULT))

RULES = {
    "XR-01": '"xr 3d6" is a Skill Roll; other numbers of d6 or d3, and "plain", are totals and no more.',
    "XR-02": "Modifiers are a letter and a number, in any order, with blanks or without: a1n2; +N is bN and -N is nN.",
    "XR-03": "Advantage takes away Disadvantage, and Bonus takes away Negative, until one of each pair is left.",
    "XR-04": "aN throws N more dice and removes the N least favoured, dN the N most favoured; low favours low dice.",
    "XR-05": '"xr keep" and three positions keeps other dice of an Advantage roll of yours, once.',
    "XR-06": "Bonus and Negative change the total once Advantage is settled; it never falls below 0.",
    "XR-07": '"convert N" makes N Advantage N Bonus before anything is rolled, as far as it and the limit go.',
    "XR-08": f"The total of a Skill Roll gives its Success Value: {_VALUES}, more is {TOP_VALUE}.",
    "XR-09": "Opposed, the Result is your Success Value less the other's, never below "
    f"{LEAST_RESULT} and never above {GREATEST_RESULT}.",
    "XR-10": "A group's Result is the mean of its Success Values, halves rounded up; each is "
    f"{SUCCESS_VALUES[0]} to {SUCCESS_VALUES[1]}, and an open group counts its opener's rolls unless a "
    "storyteller opened it.",
    "XR-11": "Doubles and triples are looked for among the three dice kept of a Skill Roll.",
    "XR-12": "Two 1s are a Misstep: the Success Value is 1 less, down to -1.",
    "XR-13": 'Two of 2 to 5 are a Change: "xr reroll P" throws one of the dice kept again, once; a triple then counts.',
    "XR-14": "Two 6s are Fateful: the Success Value is 1 more, up to 2.",
    "XR-15": "Three 1s are Doomed Portents: the Success Value is 1 less, down to -2, and you gain a Fate Die.",
    "XR-16": "Three 2s are Balanced Portents: the Result is 0, whichever side rolled them.",
    "XR-17": 'Three 3s or 4s are a Change of Fate: "xr reroll P fate #ID" throws one die of a roll that touches you '
    "again, once.",
    "XR-18": 'Three 5s are Fate\'s Blessing: a1 on your Skill Rolls until your second "xr endturn", or the first if '
    "you rolled them in a reaction.",
    "XR-19": "Three 6s are Fate's Child: the Success Value is 1 more, up to 3, and you gain a Fate Die.",
    "XR-20": "Of two triples that touch one another the higher goes first, so three 2s count only against three 1s.",
    "XR-21": '"simple", on a roll or in the config, reads a triple as a double that also gives a Fate Die.',
    "XR-22": "avN and pN are armour and Piercing on damage rolls: the total less what armour is left.",
    "XR-23": '"xr damage HHL a1b1" works out heavy and light points: Advantage makes light ones heavy, Bonus adds '
    "light ones, and their opposites undo it.",
    "XR-24": f"Results are {_RESULTS}; at 0 the player chooses.",
    "XR-25": '"xr fate" lists the Fate Dice and blessings that somebody holds; a storyteller ends them.',
    "XR-26": 'What reads two ways is asked about: "xr d6", or a sign run into dice, as 1d6+1d3.',
    "XR-27": "Equal triples of both sides each work on their own side, and those that do not touch both count.",
}
