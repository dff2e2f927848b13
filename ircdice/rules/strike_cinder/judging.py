"""Judging and odds of Strike & Cinder: rolls of one side, magic on a mind, and notes about an encounter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from grammars import Command
from grammars import strike_cinder as sc
from grammars.line import MOST_DRAWN
from ircdice.dice import DiceSource
from ircdice.distributions import TAIL, Steps, raised, series
from ircdice.odds import Labels, Odds, Shares
from ircdice.outcome import Die, Outcome, faces_of, pool
from ircdice.settings import HouseRules

NOTES = (sc.OpenEncounter, sc.CloseEncounter, sc.Join, sc.Luck, sc.Leave, sc.Tracking)
SIDES = 6
POOL, EXPLOSION = "pool", "explosion"  # the roles of dice
PASS = 4  # SC-01: this face or more
EXPLODES = 6  # SC-02
MOON_EXPLODES = 5  # SC-03
CRITICAL = 10  # SC-10
MOST_DRAINED = 2  # SC-11
SUCCESS_RANGE = (  # SC-05: by minimum number of passes
    (0, "critical_failure", "Critical Failure"),
    (1, "failure", "Failure"),
    (2, "partial_failure", "Partial Failure"),
    (3, "complete_success", "Complete Success"),
    (5, "exceptional_success", "Exceptional Success"),
)
LUCK = 4  # SC-18
COMPLETE = 3  # SC-16: passes for magic on a mind to succeed
STRONG_ASSIST = 2  # SC-15
RANK_FOR_ONE = 2  # SC-18: the lowest skill rank with a Luck bonus of 1


def explodes_from(kind: str, fullmoon: bool) -> int:
    """The lowest face that explodes; the full moon does not affect Strike (SC-03)."""
    return MOON_EXPLODES if fullmoon and kind == sc.CINDER else EXPLODES


def throw(asked: sc.Pool, fullmoon: bool, dice: DiceSource, reserved: int = 0) -> tuple[Die, ...]:
    """Draw a pool, then one die for each that exploded, generation by generation.

    `reserved` dice of the command's limit are kept for the other side.
    """
    drawn = faces = dice.roll(asked.size, SIDES)
    further: tuple[int, ...] = ()
    least = explodes_from(asked.kind, fullmoon)
    room = MOST_DRAWN - reserved - len(faces)
    while exploded := min(sum(face >= least for face in faces), room):
        faces = dice.roll(exploded, SIDES)
        further += faces
        room -= exploded
    return pool(drawn, SIDES, POOL) + pool(further, SIDES, EXPLOSION)


def passes(dice: Sequence[Die]) -> int:
    """SC-01: faces of 4 and more, explosions among them (SC-02)."""
    return sum(face >= PASS for face in faces_of(dice))


def degree(count: int) -> str:
    """SC-05: the label from the Success Range."""
    return next(label for least, label, _ in reversed(SUCCESS_RANGE) if count >= least)


def judge(node: sc.Throw, count: int) -> tuple[Labels, dict[str, int]]:
    """The labels and values for a number of passes: hit or miss, and Luck drained."""
    values = {"passes": count}
    if not isinstance(node, sc.Roll) or (node.target is None and node.difficulty is None):
        return (degree(count),), values
    dc = defense(node)
    if dc is not None:
        values["dc"] = dc
    won = dc is None or count >= dc  # SC-04: the roll wins ties
    if node.target is None:
        return ("success" if won else "failure",), values
    critical = won and count >= CRITICAL
    # SC-10, SC-11: causes for more Luck do not add up
    bane = node.target.bane(node.pool.kind)
    values["luck_drained"] = MOST_DRAINED if critical else (bane.luck if bane else 1) if won else 0
    return ("hit", "critical_hit") if critical else ("hit" if won else "miss",), values


def defense(node: sc.Roll) -> int | None:
    """The DC of a roll, typed or its target's; None if there is none or it is bypassed (SC-08, SC-09, SC-11)."""
    target, kind = node.target, node.pool.kind
    if target is None or node.difficulty is not None:
        return node.difficulty
    if (bane := target.bane(kind)) and bane.bypasses:
        return None
    if target.dc is not None:
        return target.dc
    path = target.path
    # SC-09: Cinder uses the manifested DC, manifested or not.
    if path == sc.SPIRIT and (target.state == sc.MANIFESTED or kind == sc.CINDER):
        return sc.MANIFESTED_DC
    return sc.SHIFTED_DC if target.state == sc.SHIFTED else sc.PATHS[path].dc if path else None


def judge_roll(node: sc.Throw, thrown: tuple[Die, ...]) -> Outcome:
    """Judge a roll of one side, with the effect of an attempt to help (SC-15)."""
    labels, values = judge(node, passes(thrown))
    effects = _assisted(node)
    if isinstance(node, sc.Assist):
        strong = labels == (degree(SUCCESS_RANGE[-1][0]),)
        effects = (*effects, sc.ASSIST[STRONG_ASSIST] if strong else "no_assist", "helper_busy")
    idle = ("moon_idle",) if node.fullmoon and node.pool.kind != sc.CINDER else ()
    return Outcome(thrown, labels, values, effects=effects, remarks=idle)


def _assisted(*nodes: sc.Throw) -> tuple[str, ...]:
    """SC-15: the label for helpers' dice in the roll."""
    return ("assisted",) if any(node.helper for node in nodes) else ()


# Magic on a mind.


def verdict(attack: int, resistance: int | None) -> Labels:
    """The labels of a contest; `resistance` is None if there is none."""
    if attack < COMPLETE:
        return (degree(attack),)  # it fails regardless of the other side
    if resistance is None or resistance < attack:
        return ("overcome", "aware") if resistance is not None and resistance >= COMPLETE else ("overcome",)
    return ("resisted",)


def throw_attack(node: sc.Mind, dice: DiceSource) -> Outcome:
    """Throw the attack, and the resistance if needed and known."""
    thrown = throw(node.pool, node.fullmoon, dice, node.other.size if node.other else 0)
    if not (node.other or node.against or node.human):  # anyone may resist it, if it succeeds
        return judge_roll(node, thrown)._replace(open=passes(thrown) >= COMPLETE)
    if passes(thrown) < COMPLETE or node.human:
        return judge_contest(thrown, None, node)
    if node.other is None:
        return Outcome(dice=thrown, kind="waiting")
    return judge_contest(thrown, throw(node.other, node.fullmoon, dice, len(thrown)), node)


def judge_contest(attack: tuple[Die, ...], resistance: tuple[Die, ...] | None, *nodes: sc.Throw) -> Outcome:
    """Both throws, or only the attack; both sides get the contest's labels."""
    mine, theirs = passes(attack), None if resistance is None else passes(resistance)
    labels = verdict(mine, theirs)
    acting = Outcome(attack, labels, {"passes": mine}, "contest", effects=_assisted(*nodes))
    if resistance is None or theirs is None:
        return acting
    return acting._replace(opponent=Outcome(resistance, labels, {"passes": theirs}))


# Encounters.


def judge_note(node: Command, house: HouseRules) -> Outcome:
    """The outcome of a command about an encounter; nothing is rolled."""
    if isinstance(node, sc.Join):  # SC-18: the bonus of one skill, and Exchange Equipment
        skill = 2 if node.rank >= house.luck_rank_for_two else 1 if node.rank >= RANK_FOR_ONE else 0
        return Outcome(kind="note", values={"luck": LUCK + skill + node.exchange})
    if isinstance(node, sc.OpenEncounter):
        return Outcome(kind="note", values={"luck": node.luck})
    if isinstance(node, sc.Luck) and node.luck is not None:
        luck = max(0, min(node.luck + (node.change or 0), node.most))  # SC-19
        return Outcome(kind="note", values={"luck": luck})
    return Outcome(kind="note")


# Odds, by the same judges (GEN-08).


def passes_of(pool: sc.Pool, fullmoon: bool, least: int = 0) -> Shares:
    """The exact probabilities of 0, 1, … passes: up to `least`, then until the rest is less likely than TAIL.

    One die's passes have the generating function (3 + 2z)/(6 - z), under the full moon of Cinder (3 + z)/(6 - 2z).
    """
    exploding = SIDES + 1 - explodes_from(pool.kind, fullmoon)
    steps = Steps(str(pool))
    dice = raised({0: PASS - 1, 1: SIDES + 1 - PASS - exploding}, pool.size, steps)
    return series(dice, 1, {0: SIDES, 1: -exploding}, pool.size, steps, least + 1)


def judged_odds(passes: Shares, labels: Callable[[int], Labels]) -> Odds:
    """The odds of one side; passes beyond the list get the labels of the last entry."""
    together: dict[Labels, Fraction] = defaultdict(Fraction)
    for count in range(len(passes)):
        together[labels(count)] += passes[count]
    together[labels(len(passes))] += passes.missing
    return Odds(together, "passes", passes)


def odds_of_mind(node: sc.Mind) -> Odds:
    """Both throws of a contest (SC-16)."""
    attack = passes_of(node.pool, node.fullmoon, CRITICAL)
    if node.other is None:
        return judged_odds(attack, (lambda k: verdict(k, None)) if node.human else (lambda k: (degree(k),)))
    resistance = passes_of(node.other, node.fullmoon)
    both = (
        (
            Outcome(labels=verdict(mine, theirs), values={"passes": mine}),
            attack.weights[mine] * resistance.weights[theirs],
        )
        for mine, theirs in product(range(len(attack)), range(len(resistance)))
    )
    return replace(Odds.weighted(both, of="passes"), error=2 * TAIL)
