"""How Crossroads is worded: tables, and the few sentences that need a function. Judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammars.crossroads import (
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
from ircdice.figures import faces
from ircdice.outcome import Die, Outcome
from ircdice.rules.crossroads.groups import parts
from ircdice.rules.crossroads.judging import LEAST_RESULT, SIMPLE, held
from ircdice.rules.crossroads.ladder import ladder
from ircdice.rules.crossroads.laying import kept_faces
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
OTHER = "other"  # GEN-06: the unnamed side of a contest in one line
SHORT = {
    "partial_success": "Partial Success",
    "misstep": "Misstep",
    "fateful": "Fateful",
    "doomed_portents": "Doomed Portents",
    "fates_child": "Fate's Child",
    **NOT_GIVEN,
}


def asked(node: Any) -> str:
    """The command as it is posted behind the dice, modifiers netted (XR-03)."""
    if isinstance(node, Roll):
        return node.asked
    return node.asked if isinstance(node, Contest | GroupRoll) else str(node).removeprefix("xr ")


def headline(node: Any, outcome: Outcome) -> str:
    """The verdict, first of all in the line."""
    values = outcome.values
    if "success_value" in values:
        return _skill(outcome)
    if isinstance(node, GroupClose) and not node.values:
        return "group closed, no Skill Roll of others counted"
    if isinstance(node, GroupRoll | GroupValues | GroupClose):
        return _grouped(node, outcome)
    if isinstance(node, Damage):
        return f"{values['heavy']} heavy, {values['light']} light"
    if isinstance(node, EndTurn):
        return ", ".join(["turn ended", *(_ends(label, node.ends.count(label)) for label in dict.fromkeys(node.ends))])
    if isinstance(node, GroupOpen):
        return 'group open: the Skill Rolls of others count from now on, until "xr group close"'
    if isinstance(node, FateEnd):
        return f"{ENDED[node.kind]} of {node.nick}'s ended"
    if "damage" in values:
        return f"Damage {values['damage']} after armour, total {values['total']}"
    return f"Total {values['total']}"


def _ends(label: str, count: int) -> str:
    """XR-17, XR-18: what a turn takes along."""
    one, many = {"fates_blessing": ("Fate's Blessing", "Fate's Blessings")}.get(
        label, ("Change of Fate", "Changes of Fate")
    )
    return f"{one} ends with it" if count == 1 else f"{count} {many} end with it"


def _skill(outcome: Outcome) -> str:
    values = outcome.values
    text = _told(outcome.labels[0], values.get("result"), values["success_value"])
    return f"{text}; {_multiples(outcome)[0]}" if len(outcome.labels) > 1 else text


@cached
def _told(label: str, result: int | None, value: int) -> str:
    parts = [NAMES[label]]
    if label == "partial_success":
        parts.append("player chooses")
    if result is not None:  # XR-16
        parts.append(f"result {result}")
    return ", ".join([*parts, f"value {value}"])


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


def _offered(dice: Sequence[Die], whose: str) -> str:
    """XR-13: `"xr reroll 1", 2 or 3`; one's own unnamed side is named."""
    return _position(dice, 0, f" as {OTHER}" if whose == OTHER else "")


def _position(dice: Sequence[Die], start: int, side: str = "") -> str:
    """The positions of the dice kept, counted from `start`; where dice were dropped among them, with their faces."""
    places, among = _places(tuple([die.kept for die in dice]), start, side)
    return f"{places} for {faces(kept_faces(dice), False)}" if among else places


@cached
def _places(kept: tuple[bool, ...], start: int, side: str) -> tuple[str, bool]:
    """The same without the faces, and whether dice were dropped among those kept."""
    first, *more, last = [str(start + place + 1) for place, stays in enumerate(kept) if stays]
    return f'"xr reroll {first}{side}", {", ".join(more)} or {last}', not all(kept[: int(last) - start])


def _changing(node: GroupRoll, outcome: Outcome) -> tuple[Sequence[Die], int]:
    """The first roll of a group that shows a Change: its dice, and how many lie before them."""
    for house in (HouseRules(), HouseRules(triples=SIMPLE)):  # XR-21: where the table plays it so, a triple may be one
        start = 0
        for roll, part in zip(node.rolls, parts(node, outcome.dice, house), strict=True):
            if "change" in judged(roll, part, house).labels:
                return part, start
            start += len(part)
    return outcome.dice, 0


def _grouped(node: GroupRoll | GroupValues | GroupClose, outcome: Outcome) -> str:
    values, label = outcome.values, outcome.labels[0]
    told = [NAMES[label]]
    if label == "partial_success":
        told.append("the group chooses")
    each = values["success_values"]
    listed = " ".join(map(str, each)) if len(each) <= MOST_LISTED else f"{len(each)} values"
    told.append(f"result {values['result']} from {listed}")
    given = NOT_GIVEN if (nothing := _gave_nothing(outcome)) else WORDS
    # Nobody holds what a member's triple gave.
    said = [given.get(label, WORDS[label]).partition(":")[0] for label in outcome.labels[1:]]
    if isinstance(node, GroupRoll) and "change" in outcome.labels and not nothing:
        said[outcome.labels.index("change") - 1] += f", may reroll one: {_position(*_changing(node, outcome))}"
    return "; ".join([", ".join(told), *said])


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest, the acting side's (XR-09); what each side's double or triple does behind it."""
    if outcome.opponent is None:  # the other side passed
        verdict, _, rest = _skill(outcome).partition(", ")
        return f"{verdict}, {other} does not resist, {rest}"
    values, label = outcome.values, outcome.labels[0]
    mine, theirs = values["success_value"], outcome.opponent.values["success_value"]
    parts = [NAMES[label]]
    if label == "partial_success":
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
        each = [outcome.dice] if compact else [tossed.dice for tossed in outcome.terms]
        return BETWEEN.join([f"{_lying(dice, compact)}{_anew(dice)}" for dice in each])
    if "success_value" not in outcome.values:
        return _lying(outcome.dice, compact)
    # Whom nobody opposes after all, for the other passed, is told as in a roll alone.
    opposed = outcome.opponent is not None or (outcome.kind == "contest" and outcome.becomes is None)
    return f"{'' if opposed else 'total '}{outcome.values['total']} from {_lying(outcome.dice, compact)}"


def _lying(dice: Sequence[Die], compact: bool) -> str:
    """The dice kept, then those that were removed, all in drawn order."""
    stay = kept_faces(dice)
    if len(stay) == len(dice):
        return faces(stay, compact)
    return f"{faces(stay, compact)}, dropped {faces([face for _, face, _, kept, _ in dice if not kept], compact)}"


def _anew(dice: Sequence[Die]) -> str:
    """What a reroll took away, beside the roll of a group that it was."""
    return "".join([f", rerolled {die.was} as {die.face}" for die in dice if die.was is not None])


def waiting(node: Contest, other: str, minutes: int) -> str:
    """What the one who is asked may answer."""
    asked_for = node.acting.asked
    return f'{asked_for} is rolled and covered. {other}: answer "xr 3d6" or "pass" within {minutes} min'
