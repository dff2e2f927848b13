"""Beat Eight: two dice and what is added must beat 8, or the other side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from grammars import Command
from grammars.beat_eight import DIFFICULTIES, EACH_ACTION, HARDEST, Impossible, Opposed, Roll, Side, answered
from grammars.contests import Pass
from ircdice.dice import DiceSource
from ircdice.game import Game, expect, listed
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome, faces_of, pool
from ircdice.settings import HouseRules

Throw = tuple[int, ...]

SIDES = 6
DICE = 2
TO_BEAT = 8  # B8-01: nine or better succeeds
ONES = (1, 1)
SIXES = (6, 6)
NATURALS: dict[Throw, str] = {ONES: "snake_eyes", SIXES: "double_sixes"}
THROWS = tuple(product(range(1, SIDES + 1), repeat=DICE))

WORDS = {
    "success": "success",
    "failure": "failure",
    "initiator_wins": "initiator wins",
    "target_wins": "target wins",
    "snake_eyes": "snake-eyes",
    "double_sixes": "double sixes",
    "target_snake_eyes": "target's snake-eyes",
    "target_double_sixes": "target's double sixes",
}
CHANCES = (
    {"success": ("success", "double_sixes"), "failure": ("failure", "snake_eyes")},
    {"initiator wins": ("initiator_wins",), "target wins": ("target_wins",)},
)
SHORT = {label: WORDS[label] for label in NATURALS.values()}
_MEANING = {"snake_eyes": "snake-eyes with further harm", "double_sixes": "double sixes with a further gain"}  # B8-05

_LADDER = ", ".join(f"{word} {value:+}" for word, value in DIFFICULTIES.items())
RULES = {
    "B8-01": f"Two dice and what is added must beat {TO_BEAT}: {TO_BEAT + 1} or more is a success, less a failure.",
    "B8-02": "Alone it is dice, difficulty, trait tN and abilities aN together, less what multitasking costs.",
    "B8-03": f"Beat Eight's difficulties are one word or one number: {_LADDER}; other numbers are allowed, from "
    f"{HARDEST}; harder is impossible.",
    "B8-04": f"xN is one of N actions at once, each at {EACH_ACTION} for every action after the first.",
    "B8-05": "Snake-eyes, two 1s, always fail, with further harm; double sixes always succeed, with a further gain.",
    "B8-06": "Opposed, both sides add up dice, trait and abilities less multitask, without a difficulty: the "
    "initiator wins with more, and the target wins a tie.",
    "B8-07": "Opposed, the initiator's snake-eyes lose, then the target's; double sixes beat all but double sixes, "
    "where the totals decide.",
    "B8-08": "A parry or a dodge is a contest of its own after the attack, and an action of who defends: the attacker "
    "is its target, and wins a tie.",
    "B8-09": '"b8" alone is a roll with nothing added, when the bot is called; nothing after vs is t0.',
}


def judge(throw: Throw, total: int) -> tuple[str, ...]:
    """Judge a throw against 8: naturals first (B8-05), then the total (B8-01)."""
    natural = NATURALS.get(throw)
    passed = total > TO_BEAT if natural is None else throw == SIXES
    labels = ("success" if passed else "failure",)
    return labels if natural is None else (*labels, natural)


def judge_opposed(throw: Throw, total: int, theirs: Throw, their_total: int) -> tuple[str, ...]:
    """The winner of an opposed roll (B8-06), and the naturals of both sides."""
    if ONES in (throw, theirs):  # B8-07, in its order; otherwise the higher total, where the target wins ties
        won = throw != ONES
    elif SIXES in (throw, theirs) and throw != theirs:
        won = throw == SIXES
    else:
        won = total > their_total
    naturals = [NATURALS[throw]] if throw in NATURALS else []
    naturals += [f"target_{NATURALS[theirs]}"] if theirs in NATURALS else []
    return ("initiator_wins" if won else "target_wins", *naturals)


def _alone(node: Roll, throw: Throw) -> Outcome:
    """B8-02: dice + difficulty + trait + abilities - multitask."""
    total = sum(throw) + node.bonus
    return Outcome(pool(throw, SIDES), judge(throw, total), {"total": total, "target": TO_BEAT}, added=node.added)


def _opposed(node: Opposed, acting: Throw, others: Throw) -> Outcome:
    """B8-06: dice + trait + abilities - multitask on each side."""
    mine, theirs = node.initiator, node.target or Side()
    total, their_total = sum(acting) + mine.bonus, sum(others) + theirs.bonus
    labels = judge_opposed(acting, total, others, their_total)
    their_labels = tuple([label for label in labels if label not in SHORT])  # drop the initiator's naturals
    other = Outcome(pool(others, SIDES), their_labels, {"total": their_total}, added=theirs.added)
    values = {"total": total, "target": their_total}
    return Outcome(pool(acting, SIDES), labels, values, "contest", other, added=mine.added)


def _naturals(labels: Sequence[str], acting: str, other: str, won: bool) -> list[str]:
    """The naturals of each name, with harm or gain if they decided the roll (B8-05)."""
    said = []
    for label in labels[1:]:
        name, wins = (other, not won) if label.startswith("target_") else (acting, won)
        natural = label.removeprefix("target_")
        decided = wins == (natural == "double_sixes")
        said.append(f"{name} rolls {_MEANING[natural] if decided else WORDS[natural]}")
    return said


class BeatEight(Game):
    """Two dice plus modifiers, against 8 or the other side."""

    nodes = (Roll, Opposed, Impossible)
    diceless = (Impossible,)
    words, short, chances, rules = WORDS, SHORT, CHANCES, RULES

    def evaluate(self, node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
        """Throw and judge any `b8` command."""
        if isinstance(node, Roll):
            return _alone(node, dice.roll(DICE, SIDES))
        if isinstance(node, Impossible):
            return Outcome(kind="check")
        opposed, acting = expect(node, Opposed), dice.roll(DICE, SIDES)
        if opposed.target is None:
            side = opposed.initiator
            return Outcome(pool(acting, SIDES), (), {"total": sum(acting) + side.bonus}, "waiting", added=side.added)
        return _opposed(opposed, acting, dice.roll(DICE, SIDES))

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The exact odds, over every throw."""
        if isinstance(node, Roll):
            return Odds.over((_alone(node, throw) for throw in THROWS), of="total")
        opposed = expect(node, Opposed)
        return Odds.over((_opposed(opposed, *both) for both in product(THROWS, repeat=2)), of="total")

    def answers(self, opening: Command, node: Command) -> bool:
        """The same command without `vs` and without a difficulty (B8-06)."""
        return isinstance(opening, Opposed) and isinstance(node, Roll) and not node.difficulty and node.word is None

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
        """An opposed roll after the target's answer or pass."""
        throw = tuple(faces_of(earlier.outcome.dice))
        if isinstance(node, Pass):  # GEN-06: the initiator wins, except with snake-eyes
            naturals = [NATURALS[throw]] if throw in NATURALS else []
            labels = ("target_wins" if throw == ONES else "initiator_wins", *naturals)
            return earlier.outcome._replace(labels=labels, kind="contest", becomes=earlier.node)
        whole = answered(expect(earlier.node, Opposed), expect(node, Roll).side)
        return _opposed(whole, throw, dice.roll(DICE, SIDES))._replace(becomes=whole)

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict: `Success, 12 beats 8`."""
        if isinstance(node, Impossible):
            return "Impossible, nothing is rolled: the narrator decides"
        (verdict, *naturals), total = outcome.labels, outcome.values["total"]
        if naturals:
            return f"{WORDS[verdict].capitalize()}, {_MEANING[naturals[0]]}, {total} vs {TO_BEAT}"
        return (
            f"{WORDS[verdict].capitalize()}, {total} {'beats' if verdict == 'success' else 'does not beat'} {TO_BEAT}"
        )

    def versus(self, outcome: Outcome, acting: str, other: str) -> str:
        """The verdict of an opposed roll: the winner, the totals, and the naturals of both sides."""
        won = outcome.labels[0] == "initiator_wins"
        parts = [f"{acting if won else other} wins", *_naturals(outcome.labels, acting, other, won)]
        if outcome.opponent is None:
            return ", ".join([*parts, f"{other} does not resist"])
        scores = [outcome.values["total"], outcome.values["target"]]
        parts.append(f"{scores[not won]} to {scores[won]}")
        by_totals = outcome.labels[1:] in ((), ("double_sixes", "target_double_sixes"))  # B8-07
        if scores[0] == scores[1] and by_totals:
            parts.append("a tie goes to the target")
        return ", ".join(parts)

    def show(self, outcome: Outcome, _compact: bool) -> str:
        """`4 3, trait +4, abilities +1`, without modifiers of 0."""
        added = [f"{name} {value:+}" for name, value in outcome.added if value]
        return ", ".join([listed(faces_of(outcome.dice)), *added])


GAME = BeatEight()
