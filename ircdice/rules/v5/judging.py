"""Judge one V5 throw: successes, pairs of tens, and what Hunger dice do."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from grammars import Command
from grammars.v5 import AutomaticWin, Contest, Pool, Rouse
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Covered, Die, Outcome, Side, faces_of, pool
from ircdice.settings import HouseRules

SIDES = 10
SUCCESS = 6  # V5-02: this face or more
TEN = 10
ONE = 1
PAIR_BONUS = 2  # V5-03: two tens count four in all
ROUSED = 5  # V5-13: this face or less lets Hunger rise
MOST_HUNGER_TO_WIN = 2  # V5-18
SMALLEST_DIFFICULTY = 1  # V5-04
PASSED = ("success", "critical", "messy_critical")
FAILED = ("failure", "bestial_failure", "botch")
CONDITIONAL = ("critical_if_passed", "messy_critical_if_passed", "bestial_if_failed")
UNTOLD = "untold"  # the remark if a secret Difficulty would be revealed by the verdict


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
    successes = sum(face >= SUCCESS for face in faces) + tens // 2 * PAIR_BONUS
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
    """V5-11: what would follow, if no Difficulty is given."""
    critical = _critical(throw)
    return ((f"{critical}_if_passed",) if critical else ()) + (("bestial_if_failed",) if throw.hunger_ones else ())


def evaluate(node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any V5 command that rolls."""
    expect_numbers(node)
    if isinstance(node, Pool):
        return _rolled(node, dice.roll(node.dice, SIDES), house)
    if isinstance(node, Contest):
        acting = throw(node.acting, dice)
        if node.other is None:
            return Outcome(dice=acting, kind="waiting")
        return contest(node, acting, throw(node.other, dice), house)
    if isinstance(node, Rouse):
        return _rouse(dice.roll(node.count, SIDES))
    return _automatic_win(expect(node, AutomaticWin))


def expect_numbers(node: Command) -> None:
    """V5-22: RuleError for a Hunger that is tracked, where no table has filled it in."""
    pool = node.acting if isinstance(node, Contest) else node
    if isinstance(pool, Pool) and pool.tracked:
        raise RuleError("h without a number is a Hunger that is tracked: write it, as h2.")


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
    """Dice that are thrown already, with the last of them as Hunger dice (V5-21)."""
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


def pool_of(node: Command, side: Side) -> Pool:
    """The pool of one side of a pool or contest. RuleError if it is not known yet."""
    if isinstance(node, Pool):
        return node
    node = expect(node, Contest)
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


def cover(outcome: Outcome, first: Outcome) -> Covered:
    """Successes, and whether they pass, under a secret Difficulty (FW-10): no margin and no critical.

    After Willpower, the two verdicts together could reveal the Difficulty. Then the second one is not posted.
    """
    if not _may_be_told(first.whole("successes"), passed(first), outcome.whole("successes")):
        return Covered.of(outcome, (), ("successes",))._replace(remarks=(*outcome.remarks, UNTOLD))
    return Covered.of(outcome, ("success",) if passed(outcome) else outcome.labels, ("successes",))


def passed(outcome: Outcome) -> bool:
    """Whether the labels say that a side passes."""
    return not set(PASSED).isdisjoint(outcome.labels)


def _may_be_told(first: int, first_passed: bool, now: int) -> bool:
    """Whether each verdict leaves several Difficulties possible, of those that the first verdict left."""
    lowest, highest = (SMALLEST_DIFFICULTY, first) if first_passed else (first + 1, inf)
    if_passed = max(0, min(now, highest) - lowest + 1)
    if_failed = max(0, highest - max(now + 1, lowest) + 1)
    certain = not if_passed or not if_failed
    return certain or 1 not in (if_passed, if_failed)
