"""Fayrewood: one or two dice of any size, stepped up and down, against a difficulty or each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.fayrewood import DIFFICULTIES, LADDER, MODIFIERS, TOP, Clash, Pool, Sweep, Toss
from ircdice.dice import DiceSource
from ircdice.game import Game, Move, expect, signed
from ircdice.odds import Odds
from ircdice.outcome import Die, Earlier, Outcome, pool
from ircdice.settings import HouseRules

MAIN = "main"
ONE = 1
CATASTROPHE = 2  # FW-08: main dice on 1
STOPS = {1: "stops_at_top", -1: "stops_at_none"}  # FW-02

Labels = tuple[str, ...]


class Tally(NamedTuple):
    """The parts of a throw that decide the verdict: the total, and the number of main dice showing 1 (FW-05)."""

    total: int
    ones: int


def judge(throw: Tally, difficulty: int | None) -> Outcome:
    """The labels and values of one toss: FW-04, FW-06, FW-07, FW-08, and FW-15 without a difficulty."""
    if difficulty is None:
        labels = ("fail", "catastrophic_fumble") if throw.ones == CATASTROPHE else ("fumble_if_won",) * throw.ones
        return Outcome(labels=labels, values={"total": throw.total})
    margin = throw.total - difficulty
    labels = _labels(throw, won=margin >= 0, critical=margin >= difficulty)
    return Outcome(labels=labels, values={"total": throw.total, "difficulty": difficulty, "margin": margin})


def judge_side(throw: Tally, against: Tally, *, acting: bool) -> Outcome:
    """One side of a clash (FW-13): the other's total is the difficulty, and the acting side wins a tie.

    A win by the other's two 1s, or against a total below 1, is not a critical.
    """
    margin = throw.total - against.total
    won = margin >= 0 if acting else margin > 0
    if against.ones == CATASTROPHE:
        won = True
    critical = margin >= against.total >= 1 and against.ones < CATASTROPHE
    labels = _labels(throw, won=won, critical=critical)
    return Outcome(labels=labels, values={"total": throw.total, "difficulty": against.total, "margin": margin})


def _labels(throw: Tally, *, won: bool, critical: bool = False) -> Labels:
    """FW-06, FW-07, FW-08: two 1s always fail; a critical can also be a fumble."""
    if throw.ones == CATASTROPHE:
        return ("fail", "catastrophic_fumble")
    if not won:
        return ("fail",)
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


def draw(asked: Pool, dice: DiceSource) -> tuple[Die, ...]:
    """Draw a pool: first main die, second main die, modifier die."""
    thrown = [pool(dice.roll(1, sides), sides, MAIN) for sides in asked.dice]
    if asked.modifier:
        sides = MODIFIERS[asked.modifier][0]
        thrown.append(pool(dice.roll(1, sides), sides, asked.modifier))
    return tuple(chain.from_iterable(thrown))


def judge_clash(node: Clash, acting: tuple[Die, ...], others: tuple[Die, ...]) -> Outcome:
    """FW-13: judge the dice of both sides."""
    mine, theirs, pool_of_other = tally(acting), tally(others), expect(node.other, Pool)
    other = judge_side(theirs, mine, acting=False)._replace(dice=others, remarks=_remarks(pool_of_other, clash=True))
    found = judge_side(mine, theirs, acting=True)._replace(dice=acting, remarks=_remarks(node.acting, clash=True))
    return found._replace(kind="contest", opponent=other, effects=_helps(found.labels, for_help=node.for_help))


def _costs(asked: Pool) -> Labels:
    """FW-03: a frayed die costs a wound."""
    return ("wound",) if asked.modifier == "frayed" else ()


def _helps(labels: Labels, *, for_help: bool) -> Labels:
    """FW-12: the effect of a toss for help."""
    if not for_help or "fail" in labels:
        return ()
    return ("grants_boon",) if "win" in labels else ("grants_boon_if_won",)


def _remarks(asked: Pool, *, clash: bool = False) -> Labels:
    """Remarks on one side's dice: stepping stopped, help and, in a clash, the wound."""
    stops = tuple([STOPS[end] for end in asked.stops])
    helped = ("helped",) if asked.helpers else ()
    return stops + helped + (_costs(asked) if clash else ())


# Odds, by the same judge as in play (GEN-08), summed over tallies.


def ways_of(asked: Pool) -> Counter[Tally]:
    """The number of throws of the pool with each tally."""
    ways: Counter[Tally] = Counter()
    sides, sign = MODIFIERS[asked.modifier] if asked.modifier else (1, 0)
    for faces in product(*(range(1, sides + 1) for sides in asked.dice)):
        for face in range(1, sides + 1):
            ways[Tally(sum(faces) + sign * face, faces.count(ONE))] += 1
    return ways


def _against(mine: Counter[Tally], theirs: Counter[Tally], *, acting: bool) -> Iterator[tuple[Outcome, int]]:
    """FW-13: each tally of one side against each of the other."""
    for (throw, weight), (other, ways) in product(mine.items(), theirs.items()):
        yield judge_side(throw, other, acting=acting), weight * ways


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

_DICE = ", ".join(f"{level} d{sides}" for level, sides in enumerate(LADDER) if sides)
_NUMBERS = {word.lower(): number for number, word in DIFFICULTIES.items()}
_WORDS = ", ".join(f"{number} {word}" for number, word in DIFFICULTIES.items())
_BOON, _BANE, _FRAYED = (f"1d{MODIFIERS[name][0]}" for name in ("boon", "bane", "frayed"))

RULES = {
    "FW-01": f"A toss has one or two main dice, each a level from 0, which is none, or its die: {_DICE}.",
    "FW-02": f'"3up2" and "d8down" step a main die along the ladder, which ends at d{LADDER[TOP]} and at none.',
    "FW-03": f"One modifier die at most: boon adds {_BOON}, bane subtracts {_BANE}, frayed adds {_FRAYED} and costs a "
    "wound.",
    "FW-04": "dcN is the difficulty: a total of N or more wins, a lower one fails, and the margin is the total less N.",
    "FW-05": "Only the main dice can show a 1 that matters.",
    "FW-06": "A win by a margin of the difficulty or more is a critical.",
    "FW-07": "A win with one main die on 1 is a fumble: done, at a cost, and it may be a critical too.",
    "FW-08": "Two main dice on 1 lose whatever the total, as a catastrophic fumble.",
    "FW-09": f"Fayrewood's difficulties, as dc7 or moderate, each from its number on: {_WORDS}.",
    "FW-10": "A difficulty may be secret: it is set in private, the toss says its total and win or fail, and "
    '"reveal" tells the rest.',
    "FW-11": '"sweep" says whether half of the highest possible total is twice the difficulty: then it is a sweep and '
    "nothing is rolled, if the storyteller grants it; otherwise no sweep.",
    "FW-12": 'Of several on one task the strongest tosses with a boon or "help N", which steps the second main die up '
    'once for each helper; a win "for help" gives another task a boon.',
    "FW-13": "In a clash the other's total is the difficulty: the acting side wins a tie, and a side with two 1s on "
    "its main dice fails; if both have them, the acting side loses.",
    "FW-14": "A failed toss may be tried again where the story justifies it: the storyteller decides.",
    "FW-15": "Without a difficulty the answer is the total, and what the 1s make of it: fumble if won, or fail.",
}


def difficulty_word(difficulty: int) -> str:
    """FW-09: the word for the nearest listed number at or below this one; empty below the first."""
    return next((word for number, word in reversed(DIFFICULTIES.items()) if number <= difficulty), "")


def _how(side: Outcome) -> str:
    """`critical and fumble`: the labels after the first."""
    return " and ".join(WORDS[label] for label in side.labels[1:])


class Fayrewood(Game):
    """Tosses and clashes of two dice."""

    nodes = (Toss, Clash, Sweep)
    diceless = (Sweep,)
    words, short, chances, rules = WORDS, SHORT, CHANCES, RULES
    difficulty_words = _NUMBERS

    def evaluate(self, node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
        """Throw and judge any Fayrewood command."""
        if isinstance(node, Toss):
            thrown = draw(node.pool, dice)
            found = judge(tally(thrown), node.difficulty)
            effects = _costs(node.pool) + _helps(found.labels, for_help=node.for_help)
            return found._replace(dice=thrown, effects=effects, remarks=_remarks(node.pool))
        if isinstance(node, Sweep):  # FW-11: half the highest total, unrounded, against twice the difficulty
            swept = node.pool.highest >= 4 * node.difficulty
            values = {"difficulty": node.difficulty} | ({"margin": 0} if swept else {})
            labels = ("sweep" if swept else "no_sweep",)
            return Outcome(labels=labels, values=values, kind="check", effects=_remarks(node.pool))
        whole = expect(node, Clash)
        acting = draw(whole.acting, dice)
        if whole.other is None:
            values = {"total": tally(acting).total}
            return Outcome(acting, values=values, kind="waiting", remarks=_remarks(whole.acting, clash=True))
        return judge_clash(whole, acting, draw(whole.other, dice))

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The odds of a command that rolls: every label, the total, the margin."""
        if isinstance(node, Toss):
            judged = ((judge(throw, node.difficulty), weight) for throw, weight in ways_of(node.pool).items())
            return Odds.weighted(judged, "total", ("margin",) if node.difficulty is not None else ())
        clash = expect(node, Clash)
        mine, theirs = ways_of(clash.acting), ways_of(expect(clash.other, Pool))
        other = Odds.weighted(_against(theirs, mine, acting=False), "total", ("margin",))
        return replace(Odds.weighted(_against(mine, theirs, acting=True), "total", ("margin",)), opponent=other)

    def answers(self, opening: Command, node: Command) -> bool:
        """The same command without `vs`, without a difficulty, and not for help."""
        return isinstance(opening, Clash) and isinstance(node, Toss) and node.difficulty is None and not node.for_help

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
        """A clash after the other side's answer or pass."""
        opening, outcome = expect(earlier.node, Clash), earlier.outcome
        if isinstance(node, Pass):  # GEN-06: the acting side wins, unless it has two 1s
            labels = _labels(tally(outcome.dice), won=True)
            effects = _helps(labels, for_help=opening.for_help)
            return outcome._replace(labels=labels, kind="contest", effects=effects, becomes=opening)
        answer = expect(node, Toss).pool
        whole = replace(opening, other=answer, against=None)
        return judge_clash(whole, outcome.dice, draw(answer, dice))._replace(becomes=whole)

    def cover(self, outcome: Outcome, _first: Outcome) -> Outcome:
        """FW-10: win or fail and the total, but nothing that depends on the margin."""
        return outcome.under_cover(tuple([label for label in outcome.labels if label != "critical"]), "total")

    def moves(self, node: Command, _outcome: Outcome, _latest: Command, _before: Outcome | None) -> tuple[Move, ...]:
        """FW-03, DSK-03: a frayed die costs a wound."""
        pools = {"mine": node.pool} if isinstance(node, Toss) else {}
        if isinstance(node, Clash) and node.other:
            pools = {"acting": node.acting, "other": node.other}
        return tuple([Move("wounds", 1, of=side) for side, asked in pools.items() if asked.modifier == "frayed"])

    def asked(self, node: Command) -> str:
        """The command as posted, with the stepped dice (FW-02)."""
        return node.as_posted if isinstance(node, Toss | Clash | Sweep) else str(node)

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict: `Win, critical and fumble, 16 vs 7 Moderate, margin +9`."""
        verdict = ", ".join(filter(None, (*(WORDS[label] for label in outcome.labels[:1]), _how(outcome))))
        if isinstance(node, Sweep):
            return f"{verdict.capitalize()}, {self._compared(node, swept='sweep' in outcome.labels)}"
        if outcome.covered:
            return verdict.capitalize()  # FW-10: the total is with the dice
        total = outcome.whole("total")
        if "difficulty" in outcome.values:
            difficulty, margin = outcome.whole("difficulty"), outcome.whole("margin")
            named = f"{difficulty} {difficulty_word(difficulty)}".rstrip()
            return f"{verdict.capitalize()}, {total} vs {named}, margin {signed(margin)}"
        if "fail" in outcome.labels:
            return f"{verdict.capitalize()}, total {total}"
        return ", ".join(filter(None, (f"Total {total}", verdict)))  # FW-15: and possible consequences

    def _compared(self, node: Sweep, *, swept: bool) -> str:
        """FW-11: the comparison, and who decides."""
        half = f"half of {node.pool.highest} is {node.pool.highest / 2:g}, {'at least' if swept else 'less than'}"
        named = f"twice {node.difficulty} {difficulty_word(node.difficulty)}".rstrip()
        return f"{half} {named}{', margin 0, if the storyteller awards it: not for combat' if swept else ''}"

    def versus(self, outcome: Outcome, acting: str, other: str) -> str:
        """The verdict of a clash: the winner, the totals, and the loser's fumbles (FW-13)."""
        theirs, won = outcome.opponent, "win" in outcome.labels
        if theirs is None:  # the other side passed
            verdict, total = f"{acting} {'wins' if won else 'fails'}", f"total {outcome.values['total']}"
            return ", ".join(filter(None, (verdict, _how(outcome), f"{other} does not resist", total)))
        sides = ((acting, outcome), (other, theirs))
        (winner, first), (loser, second) = sides if won else sides[::-1]
        parts = [f"{winner} wins", _how(first)] if "win" in first.labels else [f"{loser} loses"]
        parts.append(f"{first.values['total']} to {second.values['total']}")
        fumbled = [name for name, side in sides if "catastrophic_fumble" in side.labels]
        if won and not fumbled and not outcome.values["margin"]:  # FW-13
            parts.append("a tie goes to the acting side")
        whose = "" if won else f"{acting}'s "
        parts.append(f"{whose}margin {signed(outcome.whole('margin'))}")  # FW-13: the acting side's
        parts += [f"{name} {WORDS['catastrophic_fumble']}" for name in fumbled]
        return ", ".join(filter(None, parts))

    def show(self, outcome: Outcome, _compact: bool) -> str:
        """`1 12, boon 3`; under a secret difficulty `16 from 4 9, boon 3`."""
        mains = " ".join([str(die.face) for die in outcome.dice if die.role == MAIN])
        text = ", ".join([mains, *(f"{die.role} {die.face}" for die in outcome.dice if die.role != MAIN)])
        return f"{outcome.values['total']} from {text}" if outcome.covered else text


GAME = Fayrewood()
