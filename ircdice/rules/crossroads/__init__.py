"""Crossroads (seed 001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from grammars import Command
from grammars import crossroads as xr
from grammars.contests import Pass
from ircdice.dice import DiceSource
from ircdice.game import AmendKind, Game, Move, expect
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.crossroads import judging, texts
from ircdice.rules.crossroads import odds as chances_of
from ircdice.rules.crossroads.memory import Memory
from ircdice.settings import HouseRules


class Crossroads(Game):
    """Three dice that are read as figures."""

    diceless = (
        xr.GroupValues,
        xr.Damage,
        xr.EndTurn,
        xr.GroupOpen,
        xr.GroupClose,
        xr.FateList,
        xr.FateEnd,
        xr.FateSpend,
    )
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
        return judging.judged_by(node, thrown, house) if rolls else judging.noted(node)

    def odds(self, node: Command, house: HouseRules) -> Odds:
        """The odds of a command that rolls."""
        return chances_of.odds(node, house)

    def means(self, node: Command, earlier: Earlier) -> bool:
        """GEN-09: rolls with dice. The reroll of a Change means a Skill Roll, as no other roll has one (XR-13); a
        reaction means a roll that gave something which ends with a turn (XR-18)."""
        rolls = judging.rolls_of(earlier.node)
        if isinstance(node, xr.Reaction):
            return bool(rolls) and not judging.TIMED.isdisjoint(earlier.mine.labels)
        changes = isinstance(node, xr.Reroll) and not node.fate
        return any(roll.skill or not changes for roll in rolls)

    def admits(self, node: Command, earlier: Earlier, house: HouseRules) -> None:
        """RuleError, with the reason, if `node` cannot follow that roll."""
        judging.changed(node, earlier, house)

    def answers(self, opening: Command, node: Command) -> bool:
        """Whether `node` can be the other side of that contest: a Skill Roll (XR-09)."""
        return isinstance(opening, xr.Contest) and isinstance(node, xr.Roll) and node.skill

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
        """A roll after a follow-up, or a contest that is answered."""
        covered = earlier.outcome.dice
        if isinstance(node, Pass):  # GEN-06: unopposed
            acting = expect(earlier.node, xr.Contest).acting
            return judging.alone(acting, covered, house)._replace(kind="contest", becomes=acting)
        if isinstance(node, xr.Roll):
            answered = replace(expect(earlier.node, xr.Contest), other=node, against=None)
            thrown = [covered, judging.throw(node, dice, house)]
            return judging.judged_by(answered, thrown, house)._replace(becomes=answered)
        return judging.amend(node, earlier, dice, house)

    def amend_odds(self, node: Command, earlier: Earlier, house: HouseRules) -> Odds:
        """The odds of a follow-up (GEN-08)."""
        return chances_of.amend_odds(node, earlier, house)

    def moves(self, node: Command, outcome: Outcome, _latest: Command, before: Outcome | None) -> tuple[Move, ...]:
        """DSK-03: triples give Fate Dice, to the side that rolled them; they are spent, or a storyteller ends them."""
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
        """A secret roll once it is revealed, both sides: its doubles and triples gave nothing."""
        opponent = outcome.opponent and self.in_secret(outcome.opponent)
        remarks = () if texts.GIVING.isdisjoint(outcome.labels) else (texts.IN_SECRET,)
        return outcome._replace(remarks=(*outcome.remarks, *remarks), opponent=opponent)

    def asked(self, node: Command) -> str:
        """The command as it is posted after the dice, modifiers netted (XR-03)."""
        if isinstance(node, xr.Roll | xr.Contest | xr.GroupRoll):
            return node.as_posted
        return str(node).removeprefix("xr ")

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict, the first thing in the line."""
        return texts.headline(node, outcome)

    def versus(self, outcome: Outcome, acting: str, other: str) -> str:
        """The verdict of a contest."""
        if outcome.opponent is None:  # the other side passed
            return texts.verdict(outcome, f", {acting} chooses", f"{other} does not resist")
        return texts.opposed(outcome, outcome.opponent, acting, other)

    def waiting(self, node: Command, other: str, minutes: int) -> str:
        """How the player who is asked can answer."""
        asked_for = expect(node, xr.Contest).acting.as_posted
        return f'{asked_for} is rolled and covered. {other}: answer "xr 3d6" or "pass" within {minutes} min'

    def show(self, outcome: Outcome, compact: bool) -> str:
        """One side's dice."""
        return texts.shown(outcome, compact)


def _fate_dice(outcome: Outcome | None) -> int:
    return outcome.labels.count("fate_die") if outcome else 0


GAME = Crossroads()
