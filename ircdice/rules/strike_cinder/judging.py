"""Judge Strike & Cinder: rolls of one side, magic on a mind (SC-16, SC-17), and notes about an encounter (SC-18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grammars import Command
from grammars import strike_cinder as sc
from grammars.contests import Pass
from grammars.line import MOST_DRAWN
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.outcome import Covered, Die, Earlier, Outcome, faces_of, pool
from ircdice.settings import HouseRules

NOTES = (sc.OpenEncounter, sc.CloseEncounter, sc.Join, sc.Luck, sc.Leave, sc.Tracking)
SIDES = 6
POOL, EXPLOSION = "pool", "explosion"  # the roles of dice
PASS = 4  # SC-01: this face or more
EXPLODES = 6  # SC-02
MOON_EXPLODES = 5  # SC-03
CRITICAL = 10  # SC-10
MOST_DRAINED = 2  # SC-11
SUCCESS_RANGE = (  # SC-05: from that number of passes
    (0, "critical_failure", "Critical Failure"),
    (1, "failure", "Failure"),
    (2, "partial_failure", "Partial Failure"),
    (3, "complete_success", "Complete Success"),
    (5, "exceptional_success", "Exceptional Success"),
)
LUCK = 4  # SC-18
COMPLETE = 3  # SC-16: with this many passes, magic on a mind succeeds
STRONG_ASSIST = 2  # SC-15
RANK_FOR_ONE = 2  # SC-18: the skill rank from which on the Luck bonus is 1


def explodes_from(kind: str, fullmoon: bool) -> int:
    """The face that explodes, and all above it; the full moon does not touch Strike (SC-03)."""
    return MOON_EXPLODES if fullmoon and kind == sc.CINDER else EXPLODES


def evaluate(node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any command of the game, or note what one says about an encounter."""
    if isinstance(node, sc.Roll | sc.Assist | sc.Resist):
        return _rolled(node, dice)
    return _attacked(node, dice) if isinstance(node, sc.Mind) else _noted(node, house)


def throw(asked: sc.Pool, fullmoon: bool, dice: DiceSource, reserved: int = 0) -> tuple[Die, ...]:
    """Draw a pool, then one die for each that exploded, generation by generation.

    `reserved` dice of the command's limit belong to the other side.
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
    """SC-05: the label on the Success Range."""
    return next(label for least, label, _ in reversed(SUCCESS_RANGE) if count >= least)


def judge(node: sc.Roll | sc.Assist | sc.Resist, count: int) -> tuple[tuple[str, ...], dict[str, int]]:
    """Labels and values of a number of passes: who hits, and what that drains."""
    if not isinstance(node, sc.Roll):
        return (degree(count),), {"passes": count}
    if node.target is not None:
        return _attack(node, count)
    if node.dc is None:
        return (degree(count),), {"passes": count}
    # SC-04: a tie goes to the roll.
    return ("success" if count >= node.dc else "failure",), {"passes": count, "dc": node.dc}


def _attack(node: sc.Roll, count: int) -> tuple[tuple[str, ...], dict[str, int]]:
    """SC-08…SC-11: hit or miss."""
    dc = defense(node)
    values = {"passes": count} if dc is None else {"passes": count, "dc": dc}
    if dc is not None and count < dc:
        values["luck_drained"] = 0
        return ("miss",), values
    critical = count >= CRITICAL
    values["luck_drained"] = MOST_DRAINED if critical else hit_drains(node)
    return ("hit", "critical_hit") if critical else ("hit",), values


def defense(node: sc.Roll) -> int | None:
    """The DC that hits the target; None where it is bypassed or there is no target (SC-08, SC-09, SC-11)."""
    target, kind = node.target, node.pool.kind
    if target is None:
        return None
    path, standing = target.known_path, target.standing
    banes = [sc.bane(word, path, kind) for word in target.weaknesses]
    if any(found.bypasses for found in banes if found):
        return None
    own = standing.dc if standing else None
    if node.dc is not None or own is not None:
        return own if node.dc is None else node.dc
    # SC-09: Cinder meets the manifested DC, manifested or not.
    if path == sc.SPIRIT and ("manifested" in target.states or kind == sc.CINDER):
        return sc.MANIFESTED_DC
    return sc.SHIFTED_DC if "shifted" in target.states else sc.PATHS[path].dc if path else None


def hit_drains(node: sc.Roll) -> int:
    """SC-10, SC-11: the Luck that a hit drains if it is not critical; causes do not add up."""
    target = node.target
    path = target.known_path if target and target.weaknesses else None
    if target is None or path is None:
        return 1
    banes = [sc.bane(word, path, node.pool.kind) for word in target.weaknesses]
    return max([1, *[found.luck for found in banes if found]])


def cover(outcome: Outcome, _first: Outcome) -> Covered:
    """FW-10, for a DC: the result without the DC. A critical hit has ten passes, whatever the DC (SC-10)."""
    return Covered.of(outcome, outcome.labels, ("passes", "luck_drained"))


def _rolled(node: sc.Roll | sc.Assist | sc.Resist, dice: DiceSource) -> Outcome:
    """A roll of one side, thrown and judged."""
    thrown = throw(node.pool, node.fullmoon, dice)
    labels, values = judge(node, passes(thrown))
    return Outcome(thrown, labels, values, effects=_effects(node, labels), remarks=_remarks(node, thrown))


def _effects(node: sc.Roll | sc.Assist | sc.Resist, labels: tuple[str, ...]) -> tuple[str, ...]:
    """SC-15: what the helper's attempt gives."""
    helped = ("assisted",) if node.helper else ()
    if not isinstance(node, sc.Assist):
        return helped
    strong = labels == (degree(SUCCESS_RANGE[-1][0]),)
    return (*helped, sc.ASSIST[STRONG_ASSIST] if strong else "no_assist", "helper_busy")


def _remarks(node: sc.Roll | sc.Assist | sc.Resist, dice: Sequence[Die]) -> tuple[str, ...]:
    """A full moon without effect, and explosions that the limit stopped."""
    idle = ("moon_idle",) if node.fullmoon and node.pool.kind != sc.CINDER else ()
    return idle + _stopped(dice)


# Magic on a mind.


def verdict(attack: int, resistance: int | None) -> tuple[str, ...]:
    """The labels of a contest; `resistance` is None if there is none."""
    if attack < COMPLETE:
        return (degree(attack),)  # it fails whatever the other side rolled
    if resistance is None or resistance < attack:
        return ("overcome", "aware") if resistance is not None and resistance >= COMPLETE else ("overcome",)
    return ("resisted",)


def _attacked(node: sc.Mind, dice: DiceSource) -> Outcome:
    """Throw the attack, and the resistance if it is needed and known."""
    reserved = node.other.size if node.other else 0
    thrown = throw(node.pool, node.fullmoon, dice, reserved)
    return _assisted(_met(node, thrown, dice), node)


def _met(node: sc.Mind, thrown: tuple[Die, ...], dice: DiceSource) -> Outcome:
    """What an attack comes to."""
    count = passes(thrown)
    if node.other is None and node.against is None and not node.human:
        return Outcome(thrown, (degree(count),), {"passes": count}, remarks=_stopped(thrown))
    if count < COMPLETE or node.human:
        return _unresisted(thrown)
    if node.other is None:
        return Outcome(dice=thrown, kind="waiting")
    return _resisted(thrown, throw(node.other, node.fullmoon, dice, len(thrown)))


def _assisted(outcome: Outcome, *nodes: sc.Mind | sc.Resist) -> Outcome:
    """SC-15: name a helper's dice, once they are shown."""
    helped = outcome.kind != "waiting" and any(node.helper for node in nodes)
    return outcome._replace(effects=("assisted",)) if helped else outcome


def _unresisted(thrown: tuple[Die, ...]) -> Outcome:
    """An attack without a resistance: it failed by itself, or it is not resisted."""
    count = passes(thrown)
    return Outcome(thrown, verdict(count, None), {"passes": count}, kind="contest", remarks=_stopped(thrown))


def _resisted(attack: tuple[Die, ...], resistance: tuple[Die, ...]) -> Outcome:
    """Both throws; both sides have the labels of the contest."""
    mine, theirs = passes(attack), passes(resistance)
    labels = verdict(mine, theirs)
    stopped = _stopped(attack + resistance)
    other = Outcome(resistance, labels, {"passes": theirs}, remarks=stopped)
    return Outcome(attack, labels, {"passes": mine}, kind="contest", opponent=other)


def _stopped(dice: Sequence[Die]) -> tuple[str, ...]:
    return ("explosions_stopped",) if len(dice) >= MOST_DRAWN else ()


def is_open(node: Command, outcome: Outcome) -> bool:
    """SC-16: anyone may resist an attack that names no one, once it has succeeded."""
    return isinstance(node, sc.Mind) and outcome.kind == "roll" and outcome.whole("passes") >= COMPLETE


def answers(opening: Command, node: Command) -> bool:
    """Whether `node` can be the other side of that contest."""
    return isinstance(opening, sc.Mind) and isinstance(node, sc.Resist)


def amend(node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
    """An attack after its answer."""
    attack = expect(earlier.node, sc.Mind)
    if isinstance(node, Pass):
        return _assisted(_unresisted(earlier.outcome.dice)._replace(becomes=attack), attack)
    resistance = expect(node, sc.Resist)
    if resistance.fullmoon and not attack.fullmoon:  # SC-16: it holds for both sides, and the attack is rolled already
        raise RuleError("the attack was rolled without a full moon, which is both sides' or nobody's: leave it out.")
    answered = replace(attack, other=resistance.pool, against=None)
    thrown = throw(resistance.pool, attack.fullmoon, dice, len(earlier.outcome.dice))
    return _assisted(_resisted(earlier.outcome.dice, thrown)._replace(becomes=answered), attack, resistance)


# Encounters.


def starting_luck(node: sc.Join, house: HouseRules) -> int:
    """SC-18: 4, the bonus of one skill, and Exchange Equipment."""
    skill = 2 if node.rank >= house.luck_rank_for_two else 1 if node.rank >= RANK_FOR_ONE else 0
    return LUCK + skill + node.exchange


def _noted(node: Command, house: HouseRules) -> Outcome:
    """The outcome of a command about an encounter; nothing is rolled."""
    if isinstance(node, sc.Join):
        return Outcome(kind="note", values={"luck": starting_luck(node, house)})
    if isinstance(node, sc.OpenEncounter):
        return Outcome(kind="note", values={"luck": node.luck})
    if isinstance(node, sc.Luck) and node.before is not None:
        luck = max(0, min(node.before.luck + (node.change or 0), node.before.most))  # SC-19
        return Outcome(kind="note", values={"luck": luck})
    return Outcome(kind="note")
