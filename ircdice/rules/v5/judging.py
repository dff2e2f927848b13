"""Judging one throw: sixes count, tens pair up, the Beast looks on. Pure: dice and house rules are passed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grammars.v5 import AutomaticWin, Contest, Pool, Rouse
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.figures import reaching
from ircdice.outcome import Die, Outcome, Side, faces_of, pool
from ircdice.settings import HouseRules

SIDES = 10
SUCCESS = 6  # V5-02: this face or more
TEN = 10
ONE = 1
PAIR_BONUS = 2  # V5-03: two tens count four in all
ROUSED = 5  # V5-13: this face or less lets Hunger rise
MOST_HUNGER_TO_WIN = 2  # V5-18


class Tally(NamedTuple):
    """All that the verdict on a throw depends on."""

    successes: int
    tens: int
    hunger_tens: int
    ones: int
    hunger_ones: int


def tally(faces: Sequence[int], hunger: Sequence[int]) -> Tally:
    """Count a throw, `hunger` being the faces of its Hunger dice: V5-02 and V5-03; a 1 takes nothing away (V5-10)."""
    tens = faces.count(TEN)
    successes = reaching(SUCCESS, faces) + tens // 2 * PAIR_BONUS
    return Tally(successes, tens, hunger.count(TEN), faces.count(ONE), hunger.count(ONE))


def judge(throw: Tally, difficulty: int | None, house: HouseRules) -> tuple[tuple[str, ...], dict[str, int]]:
    """Labels and values of one throw: the only place that knows who passes (V5-04, V5-06…V5-11)."""
    values = {"successes": throw.successes}
    if difficulty is None and throw.successes:
        return _conditional(throw), values
    if difficulty is not None:
        values["difficulty"], values["margin"] = difficulty, throw.successes - difficulty
        if throw.successes >= difficulty:
            return (_critical(throw) or "success",), values
    causes = []
    if house.botch and not throw.successes and throw.ones:
        causes.append("botch")  # V5-09
    if throw.hunger_ones:
        causes.append("bestial_failure")  # V5-08
    return tuple(causes) or ("failure",), values


def _critical(throw: Tally) -> str | None:
    """V5-06, V5-07."""
    if throw.tens < 2:
        return None
    return "messy_critical" if throw.hunger_tens else "critical"


def _conditional(throw: Tally) -> tuple[str, ...]:
    """V5-11: what would follow, where no Difficulty is said."""
    critical = _critical(throw)
    return ((f"{critical}_if_passed",) if critical else ()) + (("bestial_if_failed",) if throw.hunger_ones else ())


def evaluate(node: Any, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any V5 command that rolls."""
    if isinstance(node, Pool):
        return _rolled(node, dice.roll(node.dice, SIDES), house)
    if isinstance(node, Contest):
        acting = throw(node.acting, dice)
        if node.other is None:
            return Outcome(dice=acting, kind="waiting")
        return contest(node, acting, throw(node.other, dice), house)
    if isinstance(node, Rouse):
        return _rouse(dice.roll(node.count, SIDES))
    return _automatic_win(node)


def _rolled(node: Pool, faces: tuple[int, ...], house: HouseRules) -> Outcome:
    normal = normal_dice(node)
    labels, values = judge(tally(faces, faces[normal:]), node.difficulty, house)
    return Outcome(_lying(node, faces, normal), labels, values, remarks=unsaid(node))


def throw(node: Pool, dice: DiceSource) -> tuple[Die, ...]:
    """Draw a pool, its Hunger dice last (V5-05)."""
    return _lying(node, dice.roll(node.dice, SIDES), normal_dice(node))


def _lying(node: Pool, faces: tuple[int, ...], normal: int) -> tuple[Die, ...]:
    if normal == node.dice:
        return pool(faces, SIDES, "normal")
    return pool(faces[:normal], SIDES, "normal") + pool(faces[normal:], SIDES, "hunger")


def normal_dice(node: Pool) -> int:
    """How many dice of the pool are not Hunger dice; none is one while Hunger is not said (V5-21)."""
    return max(node.dice - (node.hunger or 0), 0)


def with_hunger(node: Pool, dice: tuple[Die, ...]) -> tuple[Die, ...]:
    """Dice that lie on the table already, the last of them made Hunger dice (V5-21)."""
    normal = normal_dice(node)
    return dice[:normal] + tuple([die._replace(role="hunger") for die in dice[normal:]])


def judged(node: Pool, dice: tuple[Die, ...], difficulty: int | None, house: HouseRules) -> Outcome:
    """A pool's dice, normal ones first, as an outcome."""
    faces = faces_of(dice)
    labels, values = judge(tally(faces, faces[normal_dice(node) :]), difficulty, house)
    return Outcome(dice, labels, values, remarks=unsaid(node))


def unsaid(node: Pool) -> tuple[str, ...]:
    """The remark on a pool whose Hunger is not said (V5-21)."""
    return ("hunger_not_said",) if node.hunger is None and node.kind == "hunger" else ()


def contest(node: Contest, acting: tuple[Die, ...], others: tuple[Die, ...], house: HouseRules) -> Outcome:
    """V5-19: each side's successes are the other's Difficulty; equal is enough for the one who began."""
    other = pool_of(node, "other")
    mine, theirs = successes(acting), successes(others)
    first = judged(node.acting, acting, max(1, theirs), house)
    second = judged(other, others, mine + 1, house)
    return first._replace(kind="contest", opponent=second)


def successes(dice: tuple[Die, ...]) -> int:
    """Successes on all of the dice (V5-02, V5-03)."""
    return tally(faces_of(dice), ()).successes


def pool_of(node: Pool | Contest, side: Side) -> Pool:
    """The pool of one side; RuleError where it is not known yet."""
    if isinstance(node, Pool):
        return node
    if side == "acting":
        return node.acting
    if node.other is None:
        raise RuleError(f"@{node.against} has not answered yet.")
    return node.other


def _rouse(faces: tuple[int, ...]) -> Outcome:
    """V5-13, V5-23."""
    risen = sum(face <= ROUSED for face in faces)
    return Outcome(pool(faces, SIDES, "normal"), ("hunger_rises",) if risen else (), {"hunger_gained": risen})


def _automatic_win(node: AutomaticWin) -> Outcome:
    """V5-18."""
    won = node.pool >= 2 * node.difficulty and node.hunger <= MOST_HUNGER_TO_WIN
    return Outcome(labels=("automatic_win" if won else "no_automatic_win",), kind="check")
