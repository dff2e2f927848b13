"""Fayrewood: one or two dice of any size, stepped up and down, against a difficulty or each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.fayrewood import DIFFICULTIES, LADDER, MODIFIERS, TOP, Clash, Pool, Sweep, Toss
from ircdice.dice import DiceSource
from ircdice.game import Game, Move, expect, signed
from ircdice.odds import Labels, Odds
from ircdice.outcome import Die, Earlier, Outcome, pool
from ircdice.settings import HouseRules

MAIN = "main"
CATASTROPHE = 2  # FW-08: main dice on 1
STOPS = {1: "stops_at_top", -1: "stops_at_none"}  # FW-02


class Tally(NamedTuple):
    """The parts of a throw that decide the verdict: the total, and the number of main dice that show 1 (FW-05)."""

    total: int
    ones: int = 0


NO_RESISTANCE = Tally(0, CATASTROPHE)  # GEN-06: a side that passes fails, like one with two 1s


def judge(throw: Tally, against: Tally | None, *, wins_ties: bool = True) -> Outcome:
    """The labels and values of a toss: FW-06, FW-07, FW-08, and FW-15 without a difficulty.

    `against` is the other side of a clash (FW-13), or a difficulty, which is a throw of that total without 1s (FW-04).
    """
    labels = ["fail", "catastrophic_fumble"] if throw.ones == CATASTROPHE else []
    if against is None:
        return Outcome(labels=tuple(labels or ["fumble_if_won"] * throw.ones), values={"total": throw.total})
    margin, other_fails = throw.total - against.total, against.ones == CATASTROPHE
    if not labels:
        won = other_fails or margin > 0 or (margin == 0 and wins_ties)
        labels.append("win" if won else "fail")
        if won and margin >= against.total >= 1 and not other_fails:
            labels.append("critical")
        if won and throw.ones:
            labels.append("fumble")
    values = {"total": throw.total, "difficulty": against.total, "margin": margin}
    return Outcome(labels=tuple(labels), values=values)


def tally(dice: Sequence[Die]) -> Tally:
    """Count a throw: ones on the main dice only (FW-05), the modifier die added or subtracted (FW-03)."""
    mains = [die.face for die in dice if die.role == MAIN]
    modifiers = [die.face * MODIFIERS[die.role][1] for die in dice if die.role != MAIN]
    return Tally(sum(mains) + sum(modifiers), mains.count(1))


def draw(asked: Pool, dice: DiceSource) -> tuple[Die, ...]:
    """Draw a pool: first main die, second main die, modifier die."""
    each = [(sides, MAIN) for sides in asked.dice]
    if asked.modifier:
        each.append((MODIFIERS[asked.modifier][0], asked.modifier))
    return tuple([die for sides, role in each for die in pool(dice.roll(1, sides), sides, role)])


def judge_clash(node: Clash, acting: tuple[Die, ...], others: tuple[Die, ...]) -> Outcome:
    """FW-13: judge the dice of both sides."""
    mine, theirs, pool_of_other = tally(acting), tally(others), expect(node.other, Pool)
    found = judge(mine, theirs)._replace(dice=acting, remarks=_remarks(node.acting) + _costs(node.acting))
    other = judge(theirs, mine, wins_ties=False)
    other = other._replace(dice=others, remarks=_remarks(pool_of_other) + _costs(pool_of_other))
    return found._replace(kind="contest", opponent=other, effects=_helps(node, found.labels))


def _remarks(asked: Pool) -> Labels:
    """Remarks on the dice: where stepping stopped (FW-02), and help."""
    ends = {main.stops for main in (*asked.mains, *asked.stepped)}
    return (*[label for end, label in STOPS.items() if end in ends], *(["helped"] if asked.helpers else []))


def _costs(asked: Pool) -> Labels:
    """FW-03: a frayed die costs a wound; an effect of a toss, but a remark on the dice of each side of a clash."""
    return ("wound",) if asked.modifier == "frayed" else ()


def _helps(node: Toss | Clash, labels: Labels) -> Labels:
    """FW-12: the effect of a toss for help."""
    if not node.for_help or "fail" in labels:
        return ()
    return ("grants_boon",) if "win" in labels else ("grants_boon_if_won",)


# Odds, by the same judge as in play (GEN-08), summed over tallies.


def ways_of(asked: Pool) -> Counter[Tally]:
    """The number of throws of the pool with each tally."""
    ways: Counter[Tally] = Counter()
    sides, sign = MODIFIERS[asked.modifier] if asked.modifier else (1, 0)
    for *faces, modifier in product(*[range(1, each + 1) for each in (*asked.dice, sides)]):
        ways[Tally(sum(faces) + sign * modifier, faces.count(1))] += 1
    return ways


def _clash_odds(mine: Counter[Tally], theirs: Counter[Tally], *, wins_ties: bool) -> Odds:
    """FW-13: each tally of one side against each of the other."""
    pairs = product(mine.items(), theirs.items())
    judged = ((judge(throw, other, wins_ties=wins_ties), one * two) for (throw, one), (other, two) in pairs)
    return Odds.weighted(judged, "total", ("margin",))


# The words of a reply, and the rules for `help`.

LABELS = ("win", "fail", "critical", "fumble", "catastrophic_fumble", "fumble_if_won", "sweep", "no_sweep")
WORDS = {
    **{label: label.replace("_", " ") for label in LABELS},
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


def _named(difficulty: int) -> str:
    """`8 Moderate`: a difficulty with the word of the nearest listed number at or below it, if any (FW-09)."""
    words = [word for number, word in DIFFICULTIES.items() if number <= difficulty]
    return " ".join([str(difficulty), *words[-1:]])


def _how(side: Outcome) -> str:
    """`critical and fumble`: the labels after the first."""
    return " and ".join([WORDS[label] for label in side.labels[1:]])


def _compared(node: Sweep, *, swept: bool) -> str:
    """FW-11: the comparison, and who decides."""
    half = f"half of {node.pool.highest} is {node.pool.highest / 2:g}, {'at least' if swept else 'less than'}"
    award = ", margin 0, if the storyteller awards it: not for combat" if swept else ""
    return f"{half} twice {_named(node.difficulty)}{award}"


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
            found = judge(tally(thrown), None if node.difficulty is None else Tally(node.difficulty))
            effects = _costs(node.pool) + _helps(node, found.labels)
            return found._replace(dice=thrown, effects=effects, remarks=_remarks(node.pool))
        if isinstance(node, Sweep):  # FW-11: half the highest total, unrounded, against twice the difficulty
            swept = node.pool.highest >= 4 * node.difficulty
            values = {"difficulty": node.difficulty} | ({"margin": 0} if swept else {})
            labels = ("sweep" if swept else "no_sweep",)
            return Outcome(labels=labels, values=values, kind="check", effects=_remarks(node.pool))
        clash = expect(node, Clash)
        acting = draw(clash.acting, dice)
        if clash.other is None:
            values, remarks = {"total": tally(acting).total}, _remarks(clash.acting) + _costs(clash.acting)
            return Outcome(acting, values=values, kind="waiting", remarks=remarks)
        return judge_clash(clash, acting, draw(clash.other, dice))

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The odds of a command that rolls: every label, the total, the margin."""
        if isinstance(node, Toss):
            against = None if node.difficulty is None else Tally(node.difficulty)
            judged = ((judge(throw, against), weight) for throw, weight in ways_of(node.pool).items())
            return Odds.weighted(judged, "total", ("margin",) if against else ())
        clash = expect(node, Clash)
        mine, theirs = ways_of(clash.acting), ways_of(expect(clash.other, Pool))
        opponent = _clash_odds(theirs, mine, wins_ties=False)
        return replace(_clash_odds(mine, theirs, wins_ties=True), opponent=opponent)

    def answers(self, opening: Command, node: Command) -> bool:
        """The same command without `vs`, without a difficulty, and not for help."""
        return isinstance(opening, Clash) and isinstance(node, Toss) and node.difficulty is None and not node.for_help

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
        """A clash after the other side's answer or pass."""
        opening, outcome = expect(earlier.node, Clash), earlier.outcome
        if isinstance(node, Pass):
            labels = judge(tally(outcome.dice), NO_RESISTANCE).labels
            return outcome._replace(labels=labels, kind="contest", effects=_helps(opening, labels), becomes=opening)
        answer = expect(node, Toss).pool
        clash = opening.answered_by(answer)
        return judge_clash(clash, outcome.dice, draw(answer, dice))._replace(becomes=clash)

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
        return node.written(Pool.shown).removeprefix("toss ") if isinstance(node, Toss | Clash | Sweep) else str(node)

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict: `Win, critical and fumble, 16 vs 7 Moderate, margin +9`."""
        verdict = ", ".join(filter(None, [*[WORDS[label] for label in outcome.labels[:1]], _how(outcome)]))
        if isinstance(node, Sweep):
            return f"{verdict.capitalize()}, {_compared(node, swept='sweep' in outcome.labels)}"
        if outcome.covered:
            return verdict.capitalize()  # FW-10: the total is with the dice
        total = outcome.whole("total")
        if "difficulty" in outcome.values:
            difficulty, margin = outcome.whole("difficulty"), outcome.whole("margin")
            return f"{verdict.capitalize()}, {total} vs {_named(difficulty)}, margin {signed(margin)}"
        if "fail" in outcome.labels:
            return f"{verdict.capitalize()}, total {total}"
        return ", ".join(filter(None, [f"Total {total}", verdict]))  # FW-15: and possible consequences

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
