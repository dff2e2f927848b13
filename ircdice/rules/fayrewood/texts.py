"""The texts of Fayrewood: its rules for `help`, and the words of a reply."""

from __future__ import annotations

from fractions import Fraction

from grammars import Command
from grammars.fayrewood import DIFFICULTIES, LADDER, MODIFIERS, TOP, Clash, Sweep, Toss
from ircdice.game import expect, signed
from ircdice.outcome import Covered, Outcome
from ircdice.rules.fayrewood.judging import MAIN, Labels

WORDS = {
    "win": "win",
    "fail": "fail",
    "critical": "critical",
    "fumble": "fumble",
    "catastrophic_fumble": "catastrophic fumble",
    "fumble_if_won": "fumble if won",
    "sweep": "sweep",
    "no_sweep": "no sweep",
    "wound": "costs a wound",
    "grants_boon": "grants a boon",
    "grants_boon_if_won": "grants a boon if won",
    "helped": "second die stepped up by help",
    "stops_at_top": "stepping stops at d12",
    "stops_at_none": "stepping stops at none",
}
CHANCES = ({"win": ("win", "critical", "fumble"), "fail": ("fail", "catastrophic_fumble")},)
SHORT = {label: WORDS[label] for label in ("critical", "fumble", "catastrophic_fumble")}


def asked(node: Command) -> str:
    """The command as it is posted: the dice that were thrown (FW-02)."""
    return node.as_posted if isinstance(node, Toss | Clash | Sweep) else str(node)


def difficulty_word(difficulty: int) -> str:
    """FW-09: the word of the nearest number at or below, none below the first."""
    return next((word for number, word in reversed(DIFFICULTIES.items()) if number <= difficulty), "")


def headline(node: Command, outcome: Outcome) -> str:
    """The verdict: `Win, critical and fumble, 16 vs 7 Moderate, margin +9`."""
    if isinstance(node, Sweep):
        return _sweep(node, outcome)
    if isinstance(outcome, Covered):
        return _verdict(outcome.labels).capitalize()  # FW-10: the total is with the dice
    verdict, total = _verdict(outcome.labels), outcome.whole("total")
    if "difficulty" in outcome.values:
        difficulty, margin = outcome.whole("difficulty"), outcome.whole("margin")
        named = f"{difficulty} {difficulty_word(difficulty)}".rstrip()
        return f"{verdict.capitalize()}, {total} vs {named}, margin {signed(margin)}"
    parts = [verdict, f"total {total}"]
    if "fail" not in outcome.labels:
        parts.reverse()  # FW-15: the total, and what would follow
    text = ", ".join(part for part in parts if part)
    return text[:1].upper() + text[1:]


def _verdict(labels: Labels) -> str:
    """`win, critical and fumble`."""
    first, *others = [WORDS[label] for label in labels] or [""]
    return ", ".join([first, " and ".join(others)]) if others else first


def _sweep(node: Sweep, outcome: Outcome) -> str:
    """FW-11: the comparison, and who decides."""
    won, half = "sweep" in outcome.labels, Fraction(node.pool.highest, 2)
    compared = f"half of {node.pool.highest} is {float(half):g}, {'at least' if won else 'less than'}"
    named = f"twice {node.difficulty} {difficulty_word(node.difficulty)}".rstrip()
    call = ", margin 0, if the storyteller awards it: not for combat" if won else ""
    return f"{WORDS[outcome.labels[0]].capitalize()}, {compared} {named}{call}"


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a clash: who wins, how, by what, and what the loser's dice say (FW-13)."""
    theirs = outcome.opponent
    won = "win" in outcome.labels
    if theirs is None:  # the other side passed
        how = " and ".join(WORDS[label] for label in outcome.labels[1:])
        verdict = f"{acting} {'wins' if won else 'fails'}"
        return ", ".join(filter(None, (verdict, how, f"{other} does not resist", f"total {outcome.values['total']}")))
    sides = ((acting, outcome), (other, theirs))
    (winner, won_by), (loser, lost_by) = sides if won else sides[::-1]
    parts = [f"{winner} wins" if "win" in won_by.labels else f"{loser} loses"]
    parts += [" and ".join(WORDS[label] for label in won_by.labels[1:])] if "win" in won_by.labels else []
    parts.append(f"{won_by.values['total']} to {lost_by.values['total']}")
    fumbled = [name for name, side in sides if "catastrophic_fumble" in side.labels]
    if won and not fumbled and not outcome.values["margin"]:  # FW-13
        parts.append("a tie goes to the acting side")
    whose = "" if won else f"{acting}'s "
    parts.append(f"{whose}margin {signed(outcome.whole('margin'))}")  # FW-13: the acting side's
    parts += [f"{name} {WORDS['catastrophic_fumble']}" for name in fumbled]
    return ", ".join(filter(None, parts))


def show(outcome: Outcome, _compact: bool) -> str:
    """`1 12, boon 3`; under a secret difficulty `16 from 4 9, boon 3`."""
    mains = " ".join([str(die.face) for die in outcome.dice if die.role == MAIN])
    text = ", ".join([mains, *(f"{die.role} {die.face}" for die in outcome.dice if die.role != MAIN)])
    return f"{outcome.values['total']} from {text}" if isinstance(outcome, Covered) else text


def waiting(node: Command, other: str, minutes: int) -> str:
    """How the player who is asked can answer."""
    shown = expect(node, Clash).acting.shown
    return f'{shown} is rolled and covered. {other}: answer "toss d8 d6" or "pass" within {minutes} min'


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
