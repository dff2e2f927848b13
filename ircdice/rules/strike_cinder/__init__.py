"""Strike & Cinder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from grammars import Command
from grammars import strike_cinder as sc
from grammars.contests import Pass
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import Game, Move, counted, expect, listed
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome, faces_of
from ircdice.rules.strike_cinder import encounters, judging
from ircdice.rules.strike_cinder.texts import CHANCES, RULES, SHORT, WORDS, luck_of
from ircdice.settings import HouseRules


class StrikeCinder(Game):
    """Strike and Cinder dice, encounters and magic on minds."""

    nodes = (sc.Roll, sc.Assist, sc.Mind, sc.Resist, *judging.NOTES)
    diceless = judging.NOTES
    words, short, chances, rules = WORDS, SHORT, CHANCES, RULES
    memory = encounters.Memory
    takes_back: ClassVar[Mapping[str, bool]] = {"luck": False, "cantrips": True}

    def evaluate(self, node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
        """Throw and judge any command of the game, or apply one about an encounter."""
        if isinstance(node, sc.Mind):
            return judging.throw_attack(node, dice)
        if isinstance(node, sc.Throw):
            return judging.judge_roll(node, judging.throw(node.pool, node.fullmoon, dice))
        return judging.judge_note(node, house)

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The odds of a command that rolls."""
        if isinstance(node, sc.Mind):
            return judging.odds_of_mind(node)
        roll = expect(node, sc.Throw)
        dc = judging.defense(roll) if isinstance(roll, sc.Roll) else None
        passes = judging.passes_of(roll.pool, roll.fullmoon, max(judging.CRITICAL, dc or 0))
        return judging.judged_odds(passes, lambda count: judging.judge(roll, count)[0])

    def answers(self, opening: Command, node: Command) -> bool:
        """Whether `node` can be the other side of that contest."""
        return isinstance(opening, sc.Mind) and isinstance(node, sc.Resist)

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
        """An attack after its answer."""
        attack, covered = expect(earlier.node, sc.Mind), earlier.outcome.dice
        if isinstance(node, Pass):
            return judging.judge_contest(covered, None, attack)._replace(becomes=attack)
        resistance = expect(node, sc.Resist)
        if resistance.fullmoon and not attack.fullmoon:  # SC-16: it applies to both sides
            raise RuleError(
                "the attack was rolled without a full moon, which applies to both sides or neither: leave it out."
            )
        thrown = judging.throw(resistance.pool, attack.fullmoon, dice, len(covered))
        answered = replace(attack, other=resistance.pool, against=None)
        return judging.judge_contest(covered, thrown, attack, resistance)._replace(becomes=answered)

    def moves(self, node: Command, outcome: Outcome, _latest: Command, _before: Outcome | None) -> tuple[Move, ...]:
        """DSK-03: tracked Luck follows the encounter, and a cantrip uses one up."""
        if isinstance(node, sc.Join):
            return (Move("luck", to=outcome.whole("luck"), most=outcome.whole("luck"), of=node.name),)
        if isinstance(node, sc.Luck) and node.name is not None and node.luck is not None:
            return (Move("luck", to=outcome.whole("luck"), most=node.most, of=node.name, told=True),)
        if not isinstance(node, sc.Roll):
            return ()
        spent = (Move("cantrips", -1),) if node.tag == sc.CANTRIP else ()
        target = node.target
        if target is None or target.luck is None or not outcome.values.get("luck_drained"):
            return spent
        luck = max(0, target.luck - outcome.whole("luck_drained"))
        return (*spent, Move("luck", to=luck, most=target.most, of=str(target.name), told=True))

    def cover(self, outcome: Outcome, _first: Outcome) -> Outcome:
        """FW-10, for a DC: the result without the DC. Ten passes are a critical hit at any DC (SC-10)."""
        return outcome.under_cover(outcome.labels, "passes", "luck_drained")

    def asked(self, node: Command) -> str:
        """The command as posted after the dice, without the speaker, who begins the line."""
        return node.as_posted if isinstance(node, sc.Throw) else ""

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict, at the start of the line."""
        if outcome.kind == "note":
            return _noted(node, outcome)
        if outcome.kind == "contest":
            return self.versus(outcome, "", "other")
        label, values, passes = outcome.labels[-1], outcome.values, outcome.whole("passes")
        against = f"{counted(passes, 'pass')} vs DC {values['dc']}" if "dc" in values else counted(passes, "pass")
        if not isinstance(node, sc.Roll) or node.target is None:
            return f"{WORDS[label]}, {against}"
        if "dc" not in values and not outcome.covered:
            against += ", DC bypassed"
        # SC-08: the degree of a hit is flavour, and a critical hit is a degree of its own.
        parts = [WORDS[label], *([WORDS[judging.degree(passes)]] if label == "hit" else []), against]
        if drained := outcome.whole("luck_drained"):
            parts.append(f"drains {drained} Luck")
            if node.target.luck is not None:  # SC-19, SC-24
                parts.append(luck_of(node.target.name or "", max(0, node.target.luck - drained), node.target.most))
        return ", ".join(parts)

    def versus(self, outcome: Outcome, _acting: str, other: str) -> str:
        """The verdict of a contest (SC-16)."""
        labels, mine = outcome.labels, counted(outcome.whole("passes"), "pass")
        if "overcome" not in labels and "resisted" not in labels:
            return f"{WORDS[labels[0]]}, {mine}, nothing is overcome"
        if outcome.opponent is None:
            return f"{WORDS['overcome']}, {other} does not resist, {mine}"
        aware = [f"{other} {WORDS['aware']}"] if "aware" in labels else []
        return ", ".join([WORDS[labels[0]], *aware, f"{mine} to {outcome.opponent.values['passes']}"])

    def show(self, outcome: Outcome, compact: bool) -> str:
        """Each die of the pool followed by its explosions, `6>4`; as counts of faces if `compact`."""
        drawn = faces_of(outcome.dice)
        if compact:
            return listed(drawn, compact)
        explosions = sum(die.role == judging.EXPLOSION for die in outcome.dice)  # they come last
        # One die is drawn for each explosion, so their number shows which faces exploded.
        least = judging.EXPLODES if drawn.count(judging.EXPLODES) == explosions else judging.MOON_EXPLODES
        exploded = [at for at, face in enumerate(drawn) if face >= least][:explosions]
        shown = [str(face) for face in drawn]
        for at in reversed(exploded):  # last first, so that each die's own explosions are already appended to it
            shown[at] += ">" + shown.pop()
        return " ".join(shown)


def _noted(node: Command, outcome: Outcome) -> str:
    """The answer to a command about an encounter."""
    luck = outcome.whole("luck") if "luck" in outcome.values else 0
    if isinstance(node, sc.OpenEncounter):
        dice = [f"{pool.capitalize()} {number}" for pool, number in node.dice.items()]
        dc = [] if node.difficulty is None else [f"DC {node.difficulty}"]
        return ", ".join(["the encounter opens", luck_of(node.name, luck, luck), *dc, *dice])
    if isinstance(node, sc.Join):
        return f"{node.name} joins, {sc.PATHS[node.path].name}, {luck_of('', luck, luck).lstrip()}"
    if isinstance(node, sc.Luck) and node.luck is not None:
        return f"{luck_of(node.name or '', luck, node.most)} (was {node.luck})"
    return f"{node.name} leaves the encounter" if isinstance(node, sc.Leave) else "the encounter is over"


GAME = StrikeCinder()
