"""The texts of Crossroads: its rules for `help`, and the words of a reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammars import Command
from grammars.crossroads import (
    SUCCESS_VALUES,
    Contest,
    Damage,
    EndTurn,
    FateEnd,
    GroupClose,
    GroupOpen,
    GroupRoll,
    GroupValues,
    Roll,
)
from grammars.tokens import MOST_DICE
from ircdice.caching import cached
from ircdice.figures import MOST_FACES, faces
from ircdice.game import expect
from ircdice.outcome import Die, Outcome, faces_of
from ircdice.rules.crossroads.advantage import kept_faces, listed, positions
from ircdice.rules.crossroads.groups import COUNTS_ALL, COUNTS_OTHERS, parts
from ircdice.rules.crossroads.judging import (
    DOUBLES,
    GREATEST_RESULT,
    LADDER,
    LEAST_RESULT,
    SIMPLE,
    TOP_VALUE,
    TRIPLES,
    held,
    ladder,
)
from ircdice.rules.crossroads.settling import blessing_added, judged
from ircdice.settings import HouseRules

NAMES = {  # XR-24
    "failure": "Failure",
    "partial_success": "Partial Success or Compensating Failure",
    "success": "Success",
    "great_success": "Great Success",
}
MULTIPLES = {  # the tables of doubles and triples, in the seed's order
    "misstep": "Misstep, value 1 less",
    "change": "Change",
    "fateful": "Fateful, value 1 more",
    "doomed_portents": "Doomed Portents, value 1 less",
    "balanced_portents": "Balanced Portents",
    "change_of_fate": 'Change of Fate until the end of the next turn: "xr reroll 1 fate #ID"',
    "fates_blessing": "Fate's Blessing, a1 on Skill Rolls until the end of the next turn",
    "fates_child": "Fate's Child, value 1 more",
    "fate_die": "gains a temporary Fate Die of Short Duration",
}
GIVEN = {  # XR-15, XR-17…XR-19: told again, where nothing new was given
    "change_of_fate": "Change of Fate as before",
    "fates_blessing": "Fate's Blessing as before",
    "fate_die": "the Fate Die as before",
}
EFFECTS = {
    **{blessing_added(n): f"Fate's Blessing adds a{n}" for n in range(1, MOST_DICE)},
    **{f"other_{blessing_added(n)}": f"Fate's Blessing adds a{n} to the other side" for n in range(1, MOST_DICE)},
    "fate_spent": "spends a Change of Fate",
    "sooner": "in reaction, so what it gave ends a turn sooner",
}
IN_SECRET = {"in_secret": "made in secret, so it gives nothing"}  # DSK-07
NOT_GIVEN = {  # XR-13, XR-15, XR-17…XR-19: their names alone
    "change": "Change",
    "change_of_fate": "Change of Fate",
    "fates_blessing": "Fate's Blessing",
    "fate_die": "Fate Die",
}
WORDS = NAMES | MULTIPLES | EFFECTS | IN_SECRET
ENDED = {None: "all", "die": "one Fate Die", "blessing": "one Fate's Blessing", "change": "one Change of Fate"}
MOST_LISTED = 12  # of a group's Success Values in one line
BETWEEN = " | "  # the rolls of a group
PARTIAL = "partial_success"
OTHER = "other"  # GEN-06: the unnamed side of a contest in one line
CHANCES = (
    {
        "Failure": ("failure",),
        "Partial Success": (PARTIAL,),
        "Success": ("success",),
        "Great Success": ("great_success",),
        "double": tuple(dict.fromkeys(double.label for double in DOUBLES.values())),
        "triple": tuple(dict.fromkeys(triple.label for triple in TRIPLES.values())),
    },
)
SHORT = {
    PARTIAL: "Partial Success",
    "misstep": "Misstep",
    "fateful": "Fateful",
    "doomed_portents": "Doomed Portents",
    "balanced_portents": "Balanced Portents",
    "fates_child": "Fate's Child",
    **NOT_GIVEN,
}


def asked(node: Any) -> str:
    """The command as it is posted after the dice, modifiers netted (XR-03)."""
    if isinstance(node, Roll):
        return node.asked
    return node.asked if isinstance(node, Contest | GroupRoll) else str(node).removeprefix("xr ")


def headline(node: Any, outcome: Outcome) -> str:
    """The verdict, first of all in the line."""
    values = outcome.values
    if "success_value" in values:
        return _skill(outcome)
    if isinstance(node, GroupClose) and not node.values:
        return "group closed, no Skill Roll counted"
    if isinstance(node, GroupRoll | GroupValues | GroupClose):
        return _grouped(node, outcome)
    if isinstance(node, Damage):
        return f"{values['heavy']} heavy, {values['light']} light"
    if isinstance(node, EndTurn):
        return ", ".join(["turn ended", *(_ends(label, node.ends.count(label)) for label in dict.fromkeys(node.ends))])
    if isinstance(node, GroupOpen):
        return f'{COUNTS_OTHERS if node.storyteller else COUNTS_ALL}, until "xr group close"'
    if isinstance(node, FateEnd):
        return f"{ENDED[node.kind]} of {node.nick}'s ended"
    if "damage" in values:
        return f"Damage {values['damage']} after armour, total {_total(outcome)}"
    return f"Total {_total(outcome)}"


def _ends(label: str, count: int) -> str:
    """XR-17, XR-18: what a turn takes along."""
    one, many = {"fates_blessing": ("Fate's Blessing", "Fate's Blessings")}.get(
        label, ("Change of Fate", "Changes of Fate")
    )
    return f"{one} ends with it" if count == 1 else f"{count} {many} end with it"


def _skill(outcome: Outcome, choice: str = " (your choice)", *passed: str) -> str:
    """The verdict on one roll, and its double or triple; the value is left out where the verdict says it (XR-24)."""
    label, value = outcome.labels[0], outcome.values["success_value"]
    partial = label == PARTIAL
    parts = [f"{NAMES[label]}{choice}" if partial else NAMES[label], *passed]
    if value or not partial:  # XR-16: the value of three 2s may be any
        parts.append(f"value {value}")
    return "; ".join([", ".join(parts), *_multiples(outcome)])


def _multiples(outcome: Outcome, whose: str = "") -> list[str]:
    """The double or triple of one side, with what it allows."""
    total, value, had = outcome.values["total"], outcome.values["success_value"], outcome.had
    given = NOT_GIVEN if (nothing := _gave_nothing(outcome)) else {x: GIVEN[x] for x in GIVEN.keys() & set(had)}
    said = [given.get(label) or _moved(label, total, value) for label in outcome.labels[1:]]
    if "change" in outcome.labels and not nothing:
        said[outcome.labels.index("change") - 1] += f", may reroll one: {_offered(outcome.dice, whose)}"
    return [f"{whose} {', '.join(said)}".lstrip()] if said else []


def in_secret(outcome: Outcome) -> Outcome:
    """A roll that nobody saw, both sides: what its doubles and triples would give is said to be nobody's."""
    opponent = outcome.opponent and in_secret(outcome.opponent)
    remarks = () if NOT_GIVEN.keys().isdisjoint(outcome.labels) else tuple(IN_SECRET)
    return outcome._replace(remarks=(*outcome.remarks, *remarks), opponent=opponent)


def _gave_nothing(outcome: Outcome) -> bool:
    return not IN_SECRET.keys().isdisjoint(outcome.remarks)


@cached
def _moved(label: str, total: int, value: int) -> str:
    """A double or triple with what it does to the value; where that was at its limit, that it stays (XR-12, XR-14)."""
    said, _, shift = WORDS[label].partition(", value ")
    return f"{said}, value stays {value}" if shift and ladder(total) == value else WORDS[label]


def _offered(dice: Sequence[Die], whose: str = "", start: int = 0) -> str:
    """XR-13: `"xr reroll 1", 2 or 3`, the positions of the dice kept, with their faces where those are only counted;
    the unnamed side is named."""
    side = f" as {OTHER}" if whose == OTHER else ""
    places = positions(dice, start, kept=True)
    shown = [f" (the {dice[place - start - 1].face})" if len(dice) > MOST_FACES else "" for place in places]
    _, second, last = (f"{place}{face}" for place, face in zip(places, shown, strict=True))
    return f'"xr reroll {places[0]}{side}"{shown[0]}, {second} or {last}'


def _changing(node: GroupRoll, outcome: Outcome) -> str:
    """The reroll that is offered for the first roll of a group that shows a Change."""
    for house in (HouseRules(), HouseRules(triples=SIMPLE)):  # XR-21: where the table plays it so, a triple may be one
        start = 0
        for roll, part in zip(node.rolls, parts(node, outcome.dice, house), strict=True):
            if "change" in judged(roll, part, house).labels:
                return _offered(part, start=start)
            start += len(part)
    raise AssertionError("a group is offered a reroll where a roll of it shows a Change")


def _grouped(node: GroupRoll | GroupValues | GroupClose, outcome: Outcome) -> str:
    values, label = outcome.values, outcome.labels[0]
    told = [NAMES[label]]
    if label == PARTIAL:
        told.append("the group chooses")
    each = values["success_values"]
    listed = " ".join(map(str, each)) if len(each) <= MOST_LISTED else f"{len(each)} values"
    told.append(f"result {values['result']} from {listed}")
    given = NOT_GIVEN if (nothing := _gave_nothing(outcome)) else WORDS
    # Nobody holds what a member's triple gave.
    named = [given.get(label, WORDS[label]).partition(":")[0] for label in outcome.labels[1:]]
    said = [name.partition(", value ")[0] for name in named]  # the values of each are listed
    if isinstance(node, GroupRoll) and "change" in outcome.labels and not nothing:
        said[outcome.labels.index("change") - 1] += f", may reroll one: {_changing(node, outcome)}"
    return "; ".join([", ".join(told), *said])


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest, the acting side's (XR-09); what each side's double or triple does behind it."""
    if outcome.opponent is None:  # the other side passed
        return _skill(outcome, f", {acting} chooses", f"{other} does not resist")
    values, label = outcome.values, outcome.labels[0]
    mine, theirs = values["success_value"], outcome.opponent.values["success_value"]
    parts = [NAMES[label]]
    if label == PARTIAL:
        parts.append(f"{acting} chooses")
    parts.append(f"result {values['result']} is {mine} less {theirs}{_why(values['result'], mine - theirs)}")
    return "; ".join([", ".join(parts), *_multiples(outcome, acting), *_multiples(outcome.opponent, other)])


def _why(result: int, difference: int) -> str:
    """Why a Result is not the difference: it is held to the table (XR-09), or a triple 2 set it (XR-16)."""
    if result == difference:
        return ""
    if result == held(difference):
        return f", never {'below' if result == LEAST_RESULT else 'above'} {result}"
    return ", set to 0 by Balanced Portents"


def show(outcome: Outcome, compact: bool) -> str:
    """One side's dice: the total, then the dice; those of a group by its rolls (XR-10)."""
    if outcome.terms:
        return _by_rolls([outcome.dice] if compact else [tossed.dice for tossed in outcome.terms], compact)
    dice = _in_drawn_order(outcome.dice, compact)
    if "success_value" not in outcome.values:
        return dice
    # A roll that nobody opposes, because the other side passed, is shown as a roll alone.
    if outcome.opponent is not None or (outcome.kind == "contest" and outcome.becomes is None):
        total = _total(outcome)
        return f"{total}{', from' if outcome.added else ' from'} {dice}"
    return f"total {_total(outcome)}; {dice}"


def _by_rolls(rolls: Sequence[Sequence[Die]], compact: bool) -> str:
    """The dice of each roll; positions count through all of them (XR-05)."""
    shown, start = [], 0
    for dice in rolls:
        shown.append(f"{_in_drawn_order(dice, compact, start)}{_anew(dice)}")
        start += len(dice)
    return BETWEEN.join(shown)


def _total(outcome: Outcome) -> str:
    """`12, 14 less 2`: the total, and how a Bonus or a Negative came to it (XR-06)."""
    total = str(outcome.values["total"])
    thrown = sum(kept_faces(outcome.dice))
    return ", ".join([total, *(f"{thrown} {'plus' if n > 0 else 'less'} {abs(n)}" for _, n in outcome.added)])


def _in_drawn_order(dice: Sequence[Die], compact: bool, start: int = 0) -> str:
    """`6 2 4 3, die 2 dropped`: what `xr keep` and `xr reroll` count (XR-05); by face where `compact`."""
    dropped = positions(dice, start, kept=False)
    if not dropped:
        return faces(faces_of(dice), compact)
    if compact:
        gone = [die.face for die in dice if not die.kept]
        return f"{faces(kept_faces(dice), compact)}, dropped {faces(gone, compact)}"
    return (
        f"{faces(faces_of(dice), compact)}, {'die' if len(dropped) == 1 else 'dice'} {listed(dropped, 'and')} dropped"
    )


def _anew(dice: Sequence[Die]) -> str:
    """What a reroll took away, beside the roll of a group that it was."""
    return "".join([f", rerolled {die.was} as {die.face}" for die in dice if die.was is not None])


def waiting(node: Command, other: str, minutes: int) -> str:
    """What the one who is asked may answer."""
    asked_for = expect(node, Contest).acting.asked
    return f'{asked_for} is rolled and covered. {other}: answer "xr 3d6" or "pass" within {minutes} min'


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
