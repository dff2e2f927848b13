"""Judge one throw of Fayrewood: totals, margins, and the ones on the main dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.fayrewood import MODIFIERS, Clash, Pool, Sweep, Toss
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import expect
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
