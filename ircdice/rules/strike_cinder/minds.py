"""Magic on a mind (SC-16, SC-17): the attack, the resistance, and the answer to a contest. Pure, as judging is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grammars.contests import Pass
from grammars.strike_cinder_nodes import Mind, Pool, Resist
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.outcome import Die, Earlier, Outcome
from ircdice.rules.strike_cinder.judging import COMPLETE, MOST_DRAWN, degree, passes, throw
from ircdice.settings import HouseRules


def verdict(attack: int, resistance: int | None) -> tuple[str, ...]:
    """The labels of a contest: the only place that knows whose mind it is. No resistance is None."""
    if attack < COMPLETE:
        return (degree(attack),)  # failed by itself, whatever the other side may have rolled
    if resistance is None or resistance < attack:
        return ("overcome", "aware") if resistance is not None and resistance >= COMPLETE else ("overcome",)
    return ("resisted",)


def attacked(node: Mind, dice: DiceSource) -> Outcome:
    """The attack, and where it is needed and known the resistance."""
    reserved = node.other.size if node.other else 0
    thrown = throw(node.pool, node.fullmoon, dice, reserved)
    return _assisted(_attacked(node, thrown, dice), node)


def _attacked(node: Mind, thrown: tuple[Die, ...], dice: DiceSource) -> Outcome:
    count = passes(thrown)
    if node.other is None and node.against is None and not node.human:
        return Outcome(thrown, (degree(count),), {"passes": count}, remarks=_stopped(thrown))
    if count < COMPLETE or node.human:
        return _unresisted(thrown)
    if node.other is None:
        return Outcome(dice=thrown, kind="waiting")
    return _resisted(thrown, throw(node.other, node.fullmoon, dice, len(thrown)))


def _assisted(outcome: Outcome, *nodes: Mind | Resist) -> Outcome:
    """SC-15: a helper's dice are said, once they are shown."""
    helped = outcome.kind != "waiting" and any(node.helper for node in nodes)
    return outcome._replace(effects=("assisted",)) if helped else outcome


def _unresisted(thrown: tuple[Die, ...]) -> Outcome:
    """An attack that meets no dice: it failed by itself, or nobody resists it."""
    count = passes(thrown)
    return Outcome(thrown, verdict(count, None), {"passes": count}, kind="contest", remarks=_stopped(thrown))


def _resisted(attack: tuple[Die, ...], resistance: tuple[Die, ...]) -> Outcome:
    """Both throws: what became of the mind is said of both sides."""
    mine, theirs = passes(attack), passes(resistance)
    labels = verdict(mine, theirs)
    stopped = _stopped(attack + resistance)
    other = Outcome(resistance, labels, {"passes": theirs}, remarks=stopped)
    return Outcome(attack, labels, {"passes": mine}, kind="contest", opponent=other)


def _stopped(dice: tuple[Die, ...]) -> tuple[str, ...]:
    return ("explosions_stopped",) if len(dice) >= MOST_DRAWN else ()


def unasked(node: Any, outcome: Outcome) -> bool:
    """SC-16: an attack at nobody by name is open to anybody who resists it, once it has succeeded."""
    return isinstance(node, Mind) and outcome.kind == "roll" and outcome.values["passes"] >= COMPLETE


def answers(opening: Any, node: Any) -> bool:
    """Whether `node` is what the other side may say."""
    return isinstance(opening, Mind) and isinstance(node, Resist)


def amend(node: Any, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
    """An attack after its answer."""
    if isinstance(node, Pass):
        passed = _unresisted(earlier.outcome.dice)._replace(becomes=earlier.node)
        return _assisted(passed, earlier.node)
    pool: Pool = node.pool
    moon = earlier.node.fullmoon
    if node.fullmoon and not moon:  # SC-16: it holds for both sides, and the attack's dice lie there without it
        raise RuleError("the attack was rolled without a full moon, which is both sides' or nobody's: leave it out.")
    answered = replace(earlier.node, other=pool, against=None)
    thrown = throw(pool, moon, dice, len(earlier.outcome.dice))
    return _assisted(_resisted(earlier.outcome.dice, thrown)._replace(becomes=answered), earlier.node, node)
