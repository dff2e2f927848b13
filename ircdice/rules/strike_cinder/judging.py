"""Judging one throw: four and more pass, sixes explode, the Success Range or a DC decides. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from grammars.strike_cinder_nodes import ASSIST, CINDER, SUCCESS_RANGE, Assist, Pool, Resist, Roll, bane
from ircdice.dice import DiceSource
from ircdice.figures import reaching
from ircdice.outcome import Covered, Die, Outcome, faces_of, pool

ONE_SIDED = (Roll, Assist, Resist)
SIDES = 6
POOL, EXPLOSION = "pool", "explosion"  # the roles of dice
PASS = 4  # SC-01: this face or more
EXPLODES = 6  # SC-02
MOON_EXPLODES = 5  # SC-03
CRITICAL = 10  # SC-10
MOST_DRAWN = 1000  # GEN-15: explosions stop there
MOST_DRAINED = 2  # SC-11
COMPLETE = 3  # SC-16: from so many passes on, magic on a mind has succeeded
STRONG_ASSIST = 2  # SC-15


def explodes_from(kind: str, fullmoon: bool) -> int:
    """The face that explodes, and all above it; the full moon does not touch Strike (SC-03)."""
    return MOON_EXPLODES if fullmoon and kind == CINDER else EXPLODES


def throw(asked: Pool, fullmoon: bool, dice: DiceSource, reserved: int = 0) -> tuple[Die, ...]:
    """Draw a pool, then one die for each that exploded, generation by generation.

    `reserved` dice of the command's limit are someone else's: drawn before, or to be drawn yet.
    """
    return _lying(*_drawn(asked, fullmoon, dice, reserved))


def _drawn(asked: Pool, fullmoon: bool, dice: DiceSource, reserved: int = 0) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The faces of the pool, and those of its explosions."""
    drawn = faces = dice.roll(asked.size, SIDES)
    further: tuple[int, ...] = ()
    moon = explodes_from(asked.kind, fullmoon) == MOON_EXPLODES
    room = MOST_DRAWN - reserved - len(faces)
    while exploded := min(faces.count(EXPLODES) + (faces.count(MOON_EXPLODES) if moon else 0), room):
        faces = dice.roll(exploded, SIDES)
        further += faces
        room -= exploded
    return drawn, further


def _lying(drawn: tuple[int, ...], further: tuple[int, ...]) -> tuple[Die, ...]:
    thrown = pool(drawn, SIDES, POOL)
    return thrown + pool(further, SIDES, EXPLOSION) if further else thrown


def passes(dice: Sequence[Die]) -> int:
    """SC-01: faces of 4 and more, explosions among them (SC-02)."""
    return reaching(PASS, faces_of(dice))


@cache
def degree(count: int) -> str:
    """SC-05: the label on the Success Range."""
    return next(label for least, label, _ in reversed(SUCCESS_RANGE) if count >= least)


def judge(node: Roll | Assist | Resist, count: int) -> tuple[tuple[str, ...], dict[str, int]]:
    """Labels and values of so many passes: the only place that knows who hits, and what that drains."""
    if not isinstance(node, Roll):
        return (degree(count),), {"passes": count}
    if node.target is not None:
        return _attack(node, count)
    if node.dc is None:
        return (degree(count),), {"passes": count}
    # SC-04: a tie goes to the roll.
    return ("success" if count >= node.dc else "failure",), {"passes": count, "dc": node.dc}


def _attack(node: Roll, count: int) -> tuple[tuple[str, ...], dict[str, int]]:
    """SC-08…SC-11: hit or miss."""
    dc = node.defense
    values = {"passes": count} if dc is None else {"passes": count, "dc": dc}
    if dc is not None and count < dc:
        values["luck_drained"] = 0
        return ("miss",), values
    critical = count >= CRITICAL
    values["luck_drained"] = MOST_DRAINED if critical else hit_drains(node)
    return ("hit", "critical_hit") if critical else ("hit",), values


def hit_drains(node: Roll) -> int:
    """SC-10, SC-11: what one hit that is not critical drains; causes do not add up."""
    target = node.target
    path = target.known_path if target and target.weaknesses else None
    if target is None or path is None:
        return 1
    banes = [bane(word, path, node.pool.kind) for word in target.weaknesses]
    return max([1, *[found.luck for found in banes if found]])


def cover(outcome: Outcome, _first: Outcome) -> Covered:
    """FW-10, for a DC: what came of it, without the DC. A critical hit is ten passes, whatever the DC (SC-10)."""
    return Covered.of(outcome, outcome.labels, ("passes", "luck_drained"))


def rolled(node: Roll | Assist | Resist, dice: DiceSource) -> Outcome:
    """A roll of one side, thrown and judged."""
    drawn, further = _drawn(node.pool, node.fullmoon, dice)
    thrown = _lying(drawn, further)
    labels, values = judge(node, reaching(PASS, drawn + further))
    return Outcome(thrown, labels, values, effects=_effects(node, labels), remarks=remarks(node, len(thrown)))


def _effects(node: Roll | Assist | Resist, labels: tuple[str, ...]) -> tuple[str, ...]:
    """SC-15: what the helper's attempt gives."""
    helped = ("assisted",) if node.helper else ()
    if not isinstance(node, Assist):
        return helped
    strong = labels == (degree(SUCCESS_RANGE[-1][0]),)
    return (*helped, ASSIST[STRONG_ASSIST] if strong else "no_assist", "helper_busy")


def remarks(node: Roll | Assist | Resist, drawn: int) -> tuple[str, ...]:
    """What is to be said of the dice: an idle moon, and explosions that the limit stopped."""
    if drawn < MOST_DRAWN and not node.fullmoon:
        return ()
    idle = ("moon_idle",) if node.fullmoon and node.pool.kind != CINDER else ()
    return idle + (("explosions_stopped",) if drawn >= MOST_DRAWN else ())
