"""Crossroads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import ClassVar

from grammars import Command
from grammars import crossroads as xr
from grammars.contests import Pass
from ircdice.dice import DiceSource, ScriptedDice
from ircdice.distributions import Group, Steps, added, times, window
from ircdice.game import AmendKind, Game, Move, expect
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.crossroads import judging, texts
from ircdice.rules.crossroads.judging import Judged
from ircdice.rules.crossroads.memory import COUNTS_ALL, COUNTS_OTHERS, Memory
from ircdice.settings import HouseRules

_FATE = (xr.FateList, xr.FateEnd, xr.FateSpend)


class Crossroads(Game):
    """Crossroads: Skill Rolls of three dice, with doubles and triples."""

    diceless = (xr.GroupValues, xr.Damage, xr.EndTurn, xr.GroupOpen, xr.GroupClose, *_FATE)
    nodes = (xr.Roll, xr.Contest, xr.GroupRoll, *diceless)
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {xr.Keep: "keep", xr.Reroll: "reroll", xr.Reaction: "keep"}
    words, short, chances, rules = texts.WORDS, texts.SHORT, texts.CHANCES, texts.RULES
    closed = "no more dice of it are kept or rerolled"
    takes_back: ClassVar[Mapping[str, bool]] = {"fate": True}
    memory = Memory

    def evaluate(self, node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
        """Throw and judge any command that is not a follow-up."""
        rolls = judging.rolls_of(node)
        thrown = [judging.throw(roll, dice, house) for roll in rolls]
        return judging.judge_command(node, thrown, house) if rolls else judging.judge_note(node)

    def odds(self, node: Command, house: HouseRules) -> Odds:
        """The odds of a command that rolls. RuleError as in `evaluate`."""
        rolls = judging.rolls_of(node)
        for roll in rolls:
            judging.check_conversion(roll, house)
        if isinstance(node, xr.GroupRoll):
            return _group(node, house)
        if isinstance(node, xr.Contest):
            chances = _contest(node, house)
        else:
            chances = _skill(rolls[0], house) if rolls[0].skill else _plain(rolls[0])
        return replace(chances, remarks=judging.blessings_of(*rolls))

    def means(self, node: Command, earlier: Earlier) -> bool:
        """GEN-09: rolls with dice. Rerolling a Change means a Skill Roll, the only roll that has one (XR-13); a
        reaction means a roll that gave something that ends with a turn (XR-18)."""
        if isinstance(node, xr.Reaction):
            return not judging.TIMED.isdisjoint(earlier.mine.labels)
        changes = isinstance(node, xr.Reroll) and not node.fate
        return any(roll.skill or not changes for roll in judging.rolls_of(earlier.node))

    def answers(self, opening: Command, node: Command) -> bool:
        """Whether `node` can be the other side of that contest: a Skill Roll (XR-09)."""
        return isinstance(opening, xr.Contest) and isinstance(node, xr.Roll) and node.skill

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
        """A roll after a follow-up, or a contest after its answer."""
        covered = earlier.outcome.dice
        if isinstance(node, Pass):  # GEN-06: unopposed
            acting = expect(earlier.node, xr.Contest).acting
            return judging.judge_command(acting, [covered], house)._replace(kind="contest", becomes=acting)
        if isinstance(node, xr.Roll):
            answered = expect(earlier.node, xr.Contest).answered_by(node)
            thrown = [covered, judging.throw(node, dice, house)]
            return judging.judge_command(answered, thrown, house)._replace(becomes=answered)
        return judging.amend(node, earlier, dice, house)

    def amend_odds(self, node: Command, earlier: Earlier, house: HouseRules) -> Odds:
        """The odds of a follow-up, over every face of the rerolled die (GEN-08).

        In a contest, the result is the acting side's, even if the other side rerolls.
        """
        sides = max([roll.sides for roll in judging.rolls_of(earlier.node)], default=1)
        outcomes = [judging.amend(node, earlier, ScriptedDice((face,)), house) for face in range(1, sides + 1)]
        names = ["result"] if isinstance(earlier.node, xr.Contest | xr.GroupRoll) else ["success_value", "total"]
        return Odds.over(outcomes, of=next(name for name in names if name in outcomes[0].values))

    def moves(self, node: Command, outcome: Outcome, _latest: Command, before: Outcome | None) -> tuple[Move, ...]:
        """DSK-03: triples give Fate Dice to their side; players spend them, or a storyteller ends them."""
        if isinstance(node, xr.FateSpend):
            return (Move("fate", -1, needed=not node.held),)
        if isinstance(node, xr.FateEnd):
            return (Move("fate", -node.dice, of=node.nick),) if node.dice else ()
        if not isinstance(node, xr.Roll | xr.Contest):
            return ()
        sides = ("acting", outcome, before), ("other", outcome.opponent, before and before.opponent)
        given = {side: _fate_dice(now) - _fate_dice(earlier) for side, now, earlier in sides}
        return tuple([Move("fate", change, of=side) for side, change in given.items() if change])

    def in_secret(self, outcome: Outcome) -> Outcome:
        """A secret roll, revealed: the doubles and triples of both sides have no effect."""
        opponent = outcome.opponent and self.in_secret(outcome.opponent)
        remarks = () if texts.GIVING.isdisjoint(outcome.labels) else (texts.IN_SECRET,)
        return outcome._replace(remarks=(*outcome.remarks, *remarks), opponent=opponent)

    def asked(self, node: Command) -> str:
        """The command as posted after the dice, with net modifiers (XR-03)."""
        if isinstance(node, xr.Roll | xr.Contest | xr.GroupRoll):
            return node.written(posted=True)
        return str(node).removeprefix("xr ")

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict, the first thing in the line."""
        values = outcome.values
        if "success_value" in values:
            return texts.verdict(outcome)
        if "success_values" in values:
            return texts.grouped(outcome)
        if isinstance(node, xr.GroupClose):
            return "group closed, no Skill Roll counted"
        if isinstance(node, xr.GroupOpen):
            return f'{COUNTS_OTHERS if node.storyteller else COUNTS_ALL}, until "xr group close"'
        if isinstance(node, xr.Damage):
            return f"{values['heavy']} heavy, {values['light']} light"
        if isinstance(node, xr.EndTurn):
            return ", ".join(["turn ended", *texts.ends(node.ends)])
        if isinstance(node, xr.FateEnd):
            ended = f"one {texts.SHORT[xr.FATE_KINDS[node.kind]]}" if node.kind else "all"
            return f"{ended} of {node.nick}'s ended"
        if isinstance(node, xr.FateSpend):
            return "spends a Fate Die"
        damage = f"Damage {values['damage']} after armour, total" if "damage" in values else "Total"
        return f"{damage} {texts.total(outcome)}"

    def versus(self, outcome: Outcome, acting: str, other: str) -> str:
        """The verdict of a contest."""
        if outcome.opponent is None:  # the other side passed
            return texts.verdict(outcome, f", {acting} chooses", f"{other} does not resist")
        return texts.opposed(outcome, outcome.opponent, acting, other)

    def show(self, outcome: Outcome, compact: bool) -> str:
        """One side's dice: the total, then the dice; in a group, those of each roll (XR-10)."""
        if outcome.terms:
            return texts.by_rolls([outcome.dice] if compact else [roll.dice for roll in outcome.terms], compact)
        dice = texts.in_drawn_order(outcome.dice, compact)
        if "success_value" not in outcome.values:
            return dice
        # If the other side passed, show it like a single roll.
        if outcome.opponent is not None or (outcome.kind == "contest" and outcome.becomes is None):
            return f"{texts.total(outcome)}{', from' if outcome.added else ' from'} {dice}"
        return f"total {texts.total(outcome)}; {dice}"


def _fate_dice(outcome: Outcome | None) -> int:
    return outcome.labels.count("fate_die") if outcome else 0


# Odds, by the same judge as in play (GEN-08), summed over the dice kept.


def _judged(roll: xr.Roll, house: HouseRules) -> Mapping[Judged, int]:
    """The number of throws with each verdict on a Skill Roll, computed die by die from the three kept so far."""
    throws: Mapping[tuple[int, ...], int] = {(): 1}
    highest = roll.keeps_highest
    for _ in range(roll.drawn):
        following: Counter[tuple[int, ...]] = Counter()
        for faces, weight in throws.items():
            for face in range(1, roll.sides + 1):
                best = sorted((*faces, face), reverse=highest)
                following[tuple(best[: roll.dice])] += weight
        throws = following
    ways: Counter[Judged] = Counter()
    for faces, weight in throws.items():
        ways[judging.judge(roll, faces, house)] += weight
    return ways


def _skill(roll: xr.Roll, house: HouseRules) -> Odds:
    outcomes = ((_outcome(own, None), weight) for own, weight in _judged(roll, house).items())
    return Odds.weighted(outcomes, of="success_value", also=("total",))


def _outcome(own: Judged, other: Judged | None) -> Outcome:
    found = judging.result(own, other)
    values = {"total": own.total, "success_value": own.success_value, "result": found}
    return Outcome(labels=(judging.RESULTS[judging.limited(found)], *own.labels), values=values)


def _plain(roll: xr.Roll) -> Odds:
    """XR-01: totals alone, and the damage after armour."""
    dice = Group(roll.drawn, dict.fromkeys(range(1, roll.sides + 1), 1))
    start = roll.drawn - roll.dice if roll.keeps_highest else 0
    totals = window([dice], start, start + roll.dice, lambda face: {face: 1}, Steps(str(roll)))
    outcomes = ((Outcome(values=judging.plain(roll, total)), weight) for total, weight in totals.items())
    return Odds.weighted(outcomes, of="total", also=() if roll.armour is None else ("damage",))


def _contest(node: xr.Contest, house: HouseRules) -> Odds:
    """Each verdict of the acting side against each relevant verdict of the other."""
    theirs: Counter[Judged] = Counter()
    for judged, weight in _judged(expect(node.other, xr.Roll), house).items():
        theirs[Judged(0, judged.success_value, (), judged.triple)] += weight
    pairs = product(_judged(node.acting, house).items(), theirs.items())
    outcomes = ((_outcome(own, against), weight * ways) for (own, weight), (against, ways) in pairs)
    return Odds.weighted(outcomes, of="result", also=("success_value",))


def _group(node: xr.GroupRoll, house: HouseRules) -> Odds:
    """The distribution of the mean of all Success Values, by convolution.

    Doubles and triples would make hundreds of sets of labels, so `together` lists each of their labels separately.
    """
    each = [_judged(roll, house) for roll in node.rolls]
    sums, steps = {0: 1}, Steps(str(node))
    for ways in each:
        sums = times(sums, added({judging.result(own, None): weight} for own, weight in ways.items()), steps)
    outcomes = ((judging.judge_mean(total, len(each)), weight) for total, weight in sums.items())
    found, whole = Odds.weighted(outcomes, of="result"), sum(sums.values())
    together = dict(found.together)
    for label in dict.fromkeys(label for ways in each for own in ways for label in own.labels):
        without = prod(sum(weight for own, weight in ways.items() if label not in own.labels) for ways in each)
        together[label,] = Fraction(whole - without, whole)
    return replace(found, together=together)


GAME = Crossroads()
