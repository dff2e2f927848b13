"""The texts of Crossroads: its rules for `help`, and the words of a reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from grammars import crossroads as xr
from grammars.line import MOST_DICE
from ircdice.game import MOST_FACES, listed
from ircdice.outcome import Die, Outcome, faces_of
from ircdice.rules.crossroads import judging
from ircdice.rules.crossroads.judging import LADDER, LASTING, enumerated, kept_faces

NAMES = {  # XR-24
    "failure": "Failure",
    "partial_success": "Partial Success or Compensating Failure",
    "success": "Success",
    "great_success": "Great Success",
}
MULTIPLES = {  # the tables of doubles and triples, in the rulebook's order: the name, and what it does
    "misstep": ("Misstep", ", value 1 less"),
    "change": ("Change", ""),
    "fateful": ("Fateful", ", value 1 more"),
    "doomed_portents": ("Doomed Portents", ", value 1 less"),
    "balanced_portents": ("Balanced Portents", ""),
    "change_of_fate": ("Change of Fate", ' until the end of the next turn: "xr reroll 1 fate #ID"'),
    "fates_blessing": ("Fate's Blessing", ", a1 on Skill Rolls until the end of the next turn"),
    "fates_child": ("Fate's Child", ", value 1 more"),
    "fate_die": ("Fate Die", ""),
}
PARTIAL = "partial_success"
SHORT = {label: name for label, (name, _) in MULTIPLES.items()} | {PARTIAL: "Partial Success"}
GIVING = {"change", *LASTING}  # XR-13, XR-15, XR-17…XR-19
SEVERAL = {"fates_blessing": "Fate's Blessings", "change_of_fate": "Changes of Fate"}
IN_SECRET = "in_secret"  # DSK-07
_BLESSED = {f"blessing_added_{n}": f"Fate's Blessing adds a{n}" for n in range(1, MOST_DICE)}
WORDS = {
    **NAMES,
    **{label: name + does for label, (name, does) in MULTIPLES.items()},
    "fate_die": "gains a temporary Fate Die of Short Duration",
    **_BLESSED,
    **{f"other_{effect}": f"{said} to the other side" for effect, said in _BLESSED.items()},
    "fate_spent": "{by}spends a Change of Fate",
    "sooner": "in reaction, so what it gave ends a turn sooner",
    IN_SECRET: "made in secret, so it gives nothing",
}
CHANCES = (
    {
        **{SHORT.get(label, name): (label,) for label, name in NAMES.items()},
        "double": tuple(dict.fromkeys(double.label for double in judging.DOUBLES.values())),
        "triple": tuple(dict.fromkeys(triple.label for triple in judging.TRIPLES.values())),
    },
)
MOST_LISTED = 12  # Success Values of a group in one line
OTHER = "other"  # GEN-06: the unnamed side of a contest in one line


def ends(labels: tuple[str, ...]) -> list[str]:
    """XR-17, XR-18: the gifts that end with a turn, in words."""
    return [f"{several(x, n)} {'ends' if n == 1 else 'end'} with it" for x, n in Counter(labels).items()]


def several(label: str, count: int) -> str:
    """`Change of Fate`, or `2 Changes of Fate`."""
    return SHORT[label] if count == 1 else f"{count} {SEVERAL[label]}"


def _result(outcome: Outcome, choice: str) -> str:
    """The Result; at 0 with `choice`, who decides what it is (XR-24)."""
    label = outcome.labels[0]
    return NAMES[label] + choice if label == PARTIAL else NAMES[label]


def verdict(outcome: Outcome, choice: str = " (your choice)", *passed: str) -> str:
    """The verdict on one roll, and its double or triple; the value is omitted if the verdict implies it (XR-24)."""
    parts, value = [_result(outcome, choice), *passed], outcome.whole("success_value")
    if value or outcome.labels[0] != PARTIAL:  # XR-16: three 2s can have any value
        parts.append(f"value {value}")
    return "; ".join([", ".join(parts), *_of_side(outcome)])


def opposed(outcome: Outcome, opponent: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest: the acting side's (XR-09), then doubles and triples."""
    result, mine, theirs = outcome.whole("result"), outcome.whole("success_value"), opponent.whole("success_value")
    why = f"result {result} is {mine} less {theirs}"
    if result != judging.limited(mine - theirs):
        why += ", set to 0 by Balanced Portents"  # XR-16
    elif result != mine - theirs:
        why += f", never {'below' if result == judging.LEAST_RESULT else 'above'} {result}"
    said = f"{_result(outcome, f', {acting} chooses')}, {why}"
    return "; ".join([said, *_of_side(outcome, acting), *_of_side(opponent, other)])


def grouped(outcome: Outcome) -> str:
    """The verdict on a group (XR-10)."""
    values = outcome.values["success_values"]
    each = values if isinstance(values, tuple) else (values,)
    shown = " ".join(map(str, each)) if len(each) <= MOST_LISTED else f"{len(each)} values"
    said = f"{_result(outcome, ', the group chooses')}, result {outcome.values['result']} from {shown}"
    starts = accumulate((len(roll.dice) for roll in outcome.terms), initial=0)
    offers = [_offer(roll.dice, start=at) for roll, at in zip(outcome.terms, starts, strict=False) if roll.label]
    return "; ".join([said, *_multiples(outcome, "".join(offers[:1]))])


def _of_side(outcome: Outcome, whose: str = "") -> list[str]:
    """The double or triple of one side, with its effect."""
    said = ", ".join(_multiples(outcome, _offer(outcome.dice, whose)))
    return [f"{whose} {said}".lstrip()] if said else []


def _multiples(outcome: Outcome, offer: str) -> Iterator[str]:
    """Each double and triple; a Change with the reroll on `offer`.

    In secret they have no effect (DSK-07). A group's values are listed, and its triples give nothing to keep.
    """
    for label in outcome.labels[1:]:
        name, does = MULTIPLES[label]
        if label in GIVING and IN_SECRET in outcome.remarks:
            yield name
        elif label == "change":
            yield f"{name}, may reroll one: {offer}"
        elif "success_value" not in outcome.values:
            yield re.split(":|, value ", WORDS[label])[0]
        elif label in outcome.had and label in LASTING:  # no new gift
            yield f"{'the ' if label == 'fate_die' else ''}{name} as before"
        elif does.startswith(", value ") and judging.ladder(outcome.whole("total")) == outcome.whole("success_value"):
            yield f"{name}, value stays {outcome.values['success_value']}"  # XR-12, XR-14: at its limit
        else:
            yield WORDS[label]


def _offer(dice: Sequence[Die], whose: str = "", start: int = 0) -> str:
    """XR-13: `"xr reroll 1", 2 or 3`, the positions of the dice kept, with faces if the dice are shown as counts."""
    side = f" as {OTHER}" if whose == OTHER else ""
    faces = len(dice) > MOST_FACES
    kept = [(place, f" (the {die.face})" if faces else "") for place, die in enumerate(dice, start + 1) if die.kept]
    (first, face), *others = kept
    return f'"xr reroll {first}{side}"{face}, {" or ".join([f"{place}{shown}" for place, shown in others])}'


def by_rolls(rolls: Sequence[Sequence[Die]], compact: bool) -> str:
    """The dice of each roll, with rerolls; positions run through all rolls (XR-05)."""
    parts, start = [], 0
    for dice in rolls:
        anew = [f", rerolled {die.was} as {die.face}" for die in dice if die.was is not None]
        parts.append("".join([in_drawn_order(dice, compact, start), *anew]))
        start += len(dice)
    return " | ".join(parts)


def total(outcome: Outcome) -> str:
    """`12, 14 less 2`: the total, and the Bonus or Negative in it (XR-06)."""
    thrown = sum(kept_faces(outcome.dice))
    parts = [f"{thrown} {'plus' if n > 0 else 'less'} {abs(n)}" for _, n in outcome.added]
    return ", ".join([str(outcome.values["total"]), *parts])


def in_drawn_order(dice: Sequence[Die], compact: bool, start: int = 0) -> str:
    """`6 2 4 3, die 2 dropped`, with the positions of `xr keep` and `xr reroll` (XR-05); by face if `compact`."""
    gone = [place for place, die in enumerate(dice, start + 1) if not die.kept]
    shown = listed(kept_faces(dice), compact) if compact else listed(faces_of(dice))
    if not gone:
        return shown
    if compact:
        return f"{shown}, dropped {listed([die.face for die in dice if not die.kept], compact)}"
    return f"{shown}, {'die' if len(gone) == 1 else 'dice'} {enumerated(gone, 'and')} dropped"


_VALUES = ", ".join(f"up to {total} is {value}" for total, value in LADDER.items())
_RESULTS = ", ".join(f"{value} {name}" for value, name in enumerate(NAMES.values(), judging.LEAST_RESULT))

RULES = {
    "XR-01": '"xr 3d6" is a Skill Roll; other numbers of d6 or d3, and "plain", are only totals.',
    "XR-02": "Modifiers are a letter and a number, in any order, with spaces or without: a1n2; +N is bN and -N is nN.",
    "XR-03": "Advantage cancels Disadvantage, and Bonus cancels Negative, until one of each pair is left.",
    "XR-04": "Advantage aN rolls N more dice and removes the N least favoured, Disadvantage dN the N most favoured; "
    "low favours low dice.",
    "XR-05": 'After an Advantage roll of yours "xr keep 1 2 4" keeps these dice in place of the favoured ones, once, '
    "counted in drawn order.",
    "XR-06": "Bonus and Negative change the total after Advantage; it never falls below 0.",
    "XR-07": '"convert N" turns N Advantage into N Bonus before the roll, within the Modifier Limit.',
    "XR-08": f"The total of a Skill Roll gives its Success Value: {_VALUES}, more is {judging.TOP_VALUE}.",
    "XR-09": "Opposed, the Result is your Success Value less the other's, never below "
    f"{judging.LEAST_RESULT} and never above {judging.GREATEST_RESULT}.",
    "XR-10": "A group's Result is the mean of its Success Values, halves rounded up; each is "
    f"{xr.SUCCESS_VALUES[0]} to {xr.SUCCESS_VALUES[1]}, and an open group counts its opener's rolls unless a "
    "storyteller opened it.",
    "XR-11": "Doubles and triples count among the three dice kept of a Skill Roll.",
    "XR-12": "A double 1, Misstep, makes the Success Value 1 less, down to -1.",
    "XR-13": 'Change, a double 2 to 5: "xr reroll 1" rerolls one of the dice kept, counted in drawn order, once; a '
    "triple then counts.",
    "XR-14": "A double 6, Fateful, makes the Success Value 1 more, up to 2.",
    "XR-15": "A triple 1, Doomed Portents, makes the Success Value 1 less, down to -2, and gives you a Fate Die.",
    "XR-16": "A triple 2, Balanced Portents, makes the Result 0, whichever side rolled it.",
    "XR-17": "A triple 3 or 4, Change of Fate, lets you reroll one die of a roll that affects you, once, until the end "
    'of your next turn: "xr reroll 1 fate #ID".',
    "XR-18": 'A triple 5, Fate\'s Blessing, adds a1 to your Skill Rolls until your second "xr endturn", or the first '
    "if it was rolled in a reaction.",
    "XR-19": "A triple 6, Fate's Child, makes the Success Value 1 more, up to 3, and gives you a Fate Die.",
    "XR-20": "Of two triples that affect each other the higher goes first, so three 2s count only against three 1s.",
    "XR-21": '"simple", on a roll or in the config, reads a triple as a double that also gives a Fate Die.',
    "XR-22": "avN and pN are armour and Piercing on damage rolls: the total less the remaining armour.",
    "XR-23": '"xr damage HHL a1b1" works out heavy and light points: Advantage makes light ones heavy, Bonus adds '
    "light ones, and their opposites undo it.",
    "XR-24": f"Results are {_RESULTS}; at 0 the player chooses.",
    "XR-25": '"xr fate" lists the Fate Dice and blessings that a player holds; a storyteller ends one with "xr fate '
    'end bob blessing".',
    "XR-26": 'Input that can be read in two ways is asked about: "xr d6", or dice joined by a sign, as 1d6+1d3.',
    "XR-27": "Equal triples each affect their own side, and triples that do not affect each other both count.",
}
