"""Fayrewood (seed 004): one or two dice of any size, stepped up and down, against a difficulty or each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from typing import NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.fayrewood import DIFFICULTIES, LADDER, MODIFIERS, TOP, Clash, Main, Pool, Sweep, Toss
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import Game, Move, Said, expect, signed
from ircdice.odds import Odds
from ircdice.outcome import Covered, Die, Earlier, Outcome, pool
from ircdice.settings import HouseRules

MAIN = "main"
ONE = 1
CATASTROPHE = 2  # FW-08: main dice on 1
STOPS = {1: "stops_at_top", -1: "stops_at_none"}  # FW-02

Labels = tuple[str, ...]
Values = Mapping[str, int]


class Tally(NamedTuple):
    """All that the verdict on a throw depends on: its total, and the main dice that show 1 (FW-05)."""

    total: int
    ones: int


def judge(throw: Tally, difficulty: int | None) -> tuple[Labels, Values]:
    """Labels and values of one toss: FW-04, FW-06, FW-07, FW-08, and FW-15 without a difficulty."""
    if difficulty is None:
        labels = ("fail", "catastrophic_fumble") if throw.ones == CATASTROPHE else ("fumble_if_won",) * throw.ones
        return labels, {"total": throw.total}
    margin = throw.total - difficulty
    won = margin >= 0 and throw.ones < CATASTROPHE
    values = {"total": throw.total, "difficulty": difficulty, "margin": margin}
    return _labels(throw, won=won, critical=margin >= difficulty), values


def cover(outcome: Outcome, _first: Outcome) -> Covered:
    """FW-10: win or fail and the total, and nothing that depends on how far the difficulty is."""
    return Covered.of(outcome, tuple([label for label in outcome.labels if label != "critical"]), ("total",))


def acting_wins(acting: Tally, other: Tally) -> bool:
    """FW-13: two 1s fail, the acting side's first; else the acting side wins a tie."""
    return acting.ones < CATASTROPHE and (other.ones == CATASTROPHE or acting.total >= other.total)


def judge_acting(acting: Tally, other: Tally) -> tuple[Labels, Values]:
    """The acting side of a clash."""
    return _judge_against(acting, other, acting_wins(acting, other))


def judge_other(other: Tally, acting: Tally) -> tuple[Labels, Values]:
    """The other side of a clash, which fails with two 1s of its own in any case."""
    return _judge_against(other, acting, other.ones < CATASTROPHE and not acting_wins(acting, other))


def _judge_against(throw: Tally, against: Tally, won: bool) -> tuple[Labels, Values]:
    """FW-13: the other's total is the difficulty; what its two 1s gave, or a total below 1, is no critical."""
    margin = throw.total - against.total
    critical = margin >= against.total >= 1 and against.ones < CATASTROPHE
    values = {"total": throw.total, "difficulty": against.total, "margin": margin}
    return _labels(throw, won=won, critical=critical), values


def judge_unresisted(throw: Tally) -> tuple[Labels, Values]:
    """GEN-06: against `pass` the acting side wins, unless its own two 1s fail by themselves."""
    return _labels(throw, won=throw.ones < CATASTROPHE, critical=False), {"total": throw.total}


def _labels(throw: Tally, *, won: bool, critical: bool) -> Labels:
    """FW-06, FW-07, FW-08: a critical may be a fumble too."""
    if not won:
        return ("fail", "catastrophic_fumble") if throw.ones == CATASTROPHE else ("fail",)
    return ("win", *(("critical",) if critical else ()), *(("fumble",) if throw.ones == ONE else ()))


def tally(dice: Sequence[Die]) -> Tally:
    """Count a throw: ones on the main dice only (FW-05), the modifier die added or subtracted (FW-03)."""
    total = ones = 0
    for die in dice:
        if die.role == MAIN:
            total += die.face
            ones += die.face == ONE
        else:
            total += die.face * MODIFIERS[die.role][1]
    return Tally(total, ones)


def throw(asked: Pool, dice: DiceSource) -> tuple[Die, ...]:
    """Draw a pool: first main die, second main die, modifier die."""
    thrown = [pool(dice.roll(1, sides), sides, MAIN) for sides in asked.dice]
    if asked.modifier:
        sides = MODIFIERS[asked.modifier][0]
        thrown.append(pool(dice.roll(1, sides), sides, asked.modifier))
    return tuple(chain.from_iterable(thrown))


def evaluate(node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
    """Throw and judge any Fayrewood command."""
    if isinstance(node, Toss):
        return _toss(node, throw(node.pool, dice))
    if isinstance(node, Sweep):
        return _sweep(node)
    whole, acting = expect(node, Clash), throw(expect(node, Clash).acting, dice)
    if whole.other is None:
        values = {"total": tally(acting).total}
        return Outcome(acting, values=values, kind="waiting", remarks=_remarks(whole.acting, clash=True))
    return clash(whole, acting, throw(whole.other, dice))


def _toss(node: Toss, thrown: tuple[Die, ...]) -> Outcome:
    labels, values = judge(tally(thrown), node.difficulty)
    effects = _costs(node.pool) + _helps(labels, for_help=node.for_help)
    return Outcome(thrown, labels, values, effects=effects, remarks=_remarks(node.pool))


def _sweep(node: Sweep) -> Outcome:
    """FW-11: half of the highest total, not rounded, against twice the difficulty."""
    swept = node.pool.highest >= 4 * node.difficulty
    values = {"difficulty": node.difficulty} | ({"margin": 0} if swept else {})
    label = "sweep" if swept else "no_sweep"
    return Outcome(labels=(label,), values=values, kind="check", effects=_remarks(node.pool))


def clash(node: Clash, acting: tuple[Die, ...], others: tuple[Die, ...]) -> Outcome:
    """FW-13, from the dice of both sides."""
    if node.other is None:
        raise RuleError(f"@{node.against} has not answered yet.")
    mine, theirs = tally(acting), tally(others)
    labels, values = judge_acting(mine, theirs)
    their_labels, their_values = judge_other(theirs, mine)
    other = Outcome(others, their_labels, their_values, remarks=_remarks(node.other, clash=True))
    effects = _helps(labels, for_help=node.for_help)
    return Outcome(acting, labels, values, "contest", other, effects, _remarks(node.acting, clash=True))


def _costs(pool: Pool) -> Labels:
    """FW-03: a frayed die costs a wound."""
    return ("wound",) if pool.modifier == "frayed" else ()


def _helps(labels: Labels, *, for_help: bool) -> Labels:
    """FW-12: what a toss for help brings."""
    if not for_help or "fail" in labels:
        return ()
    return ("grants_boon",) if "win" in labels else ("grants_boon_if_won",)


def _remarks(pool: Pool, *, clash: bool = False) -> Labels:
    """Remarks on a side's dice: where stepping stopped, help, and in a clash the wound."""
    stops = tuple([STOPS[end] for end in pool.stops])
    helped = ("helped",) if pool.helpers else ()
    return stops + helped + (_costs(pool) if clash else ())


def answers(opening: Command, node: Command) -> bool:
    """The same command without `vs`, without a difficulty, and not for help."""
    return isinstance(opening, Clash) and isinstance(node, Toss) and node.difficulty is None and not node.for_help


def amend(node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
    """A clash once the other side has answered, or passed."""
    opening, outcome = expect(earlier.node, Clash), earlier.outcome
    if isinstance(node, Pass):
        labels, values = judge_unresisted(tally(outcome.dice))
        effects = _helps(labels, for_help=opening.for_help)
        return outcome._replace(labels=labels, values=values, kind="contest", effects=effects, becomes=opening)
    answer = expect(node, Toss).pool
    whole = replace(opening, other=answer, against=None)
    return clash(whole, outcome.dice, throw(answer, dice))._replace(becomes=whole)


# Odds, by the judge that play uses (GEN-08): sums over tallies.

Ways = Mapping[Tally, int]


def ways_of(pool: Pool) -> Ways:
    """How many throws of the pool come to each tally."""
    mains: defaultdict[Tally, int] = defaultdict(int)
    for faces in product(*(range(1, sides + 1) for sides in pool.dice)):
        mains[Tally(sum(faces), faces.count(ONE))] += 1
    if pool.modifier is None:
        return mains
    sides, sign = MODIFIERS[pool.modifier]
    ways: defaultdict[Tally, int] = defaultdict(int)
    for (total, ones), weight in mains.items():
        for face in range(1, sides + 1):
            ways[Tally(total + sign * face, ones)] += weight
    return ways


def odds(node: Command, _house: HouseRules) -> Odds:
    """The odds of a command that rolls: every label, the total, the margin."""
    if isinstance(node, Toss):
        judged = ((judge(throw, node.difficulty), weight) for throw, weight in ways_of(node.pool).items())
        outcomes = ((Outcome(labels=labels, values=values), weight) for (labels, values), weight in judged)
        return Odds.weighted(outcomes, "total", ("margin",) if node.difficulty is not None else ())
    if isinstance(node, Sweep):
        raise RuleError("a sweep rolls nothing, and so has no odds: say odds toss.")
    clash = expect(node, Clash)
    if clash.other is None:
        example = replace(clash, other=Pool((Main(4), Main(1))), against=None)
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as {example}.")
    return _clash(ways_of(clash.acting), ways_of(clash.other))


def _clash(mine: Ways, theirs: Ways) -> Odds:
    """Each tally of one side against each of the other (FW-13)."""
    acting = Odds.weighted(_against(mine, _seen(theirs), judge_acting), "total", ("margin",))
    return acting.versus(Odds.weighted(_against(theirs, _seen(mine), judge_other), "total", ("margin",)))


def _seen(ways: Ways) -> Ways:
    """A side as the other sees it: its total, and whether two 1s have failed it."""
    seen: defaultdict[Tally, int] = defaultdict(int)
    for (total, ones), weight in ways.items():
        seen[Tally(total, CATASTROPHE if ones == CATASTROPHE else 0)] += weight
    return seen


def _against(
    mine: Ways, theirs: Ways, judge: Callable[[Tally, Tally], tuple[Labels, Values]]
) -> Iterator[tuple[Outcome, int]]:
    for throw, weight in mine.items():
        for other, other_weight in theirs.items():
            labels, values = judge(throw, other)
            yield Outcome(labels=labels, values=values), weight * other_weight


# The words of a reply, and the rules for `help`.

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
        return _compared(node, outcome)
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


def _compared(node: Sweep, outcome: Outcome) -> str:
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
_NUMBERS = {word.lower(): number for number, word in DIFFICULTIES.items()}
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


class Fayrewood(Game[None]):
    """Tosses and clashes of two dice."""

    nodes = (Toss, Clash, Sweep)
    diceless = (Sweep,)
    words = WORDS
    short = SHORT
    chances = CHANCES
    rules = RULES
    difficulty_words = _NUMBERS

    evaluate = staticmethod(evaluate)
    odds = staticmethod(odds)
    amend = staticmethod(amend)
    answers = staticmethod(answers)
    asked = staticmethod(asked)
    headline = staticmethod(headline)
    versus = staticmethod(versus)
    waiting = staticmethod(waiting)
    show = staticmethod(show)
    cover = staticmethod(cover)

    def moves(self, said: Said, _before: Outcome | None) -> tuple[Move, ...]:
        """FW-03, DSK-03: a frayed die costs a wound."""
        node = said.node
        pools = {"mine": node.pool} if isinstance(node, Toss) else {}
        if isinstance(node, Clash) and node.other:
            pools = {"acting": node.acting, "other": node.other}
        return tuple([Move("wounds", 1, of=side) for side, pool in pools.items() if pool.modifier == "frayed"])


GAME = Fayrewood()
