"""Beat Eight: two dice and what is added must beat 8, or the other side."""

from __future__ import annotations

from itertools import product

from grammars import Command
from grammars.beat_eight import DIFFICULTIES, EACH_ACTION, HARDEST, Impossible, Opposed, Roll
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
RANKS: dict[Throw, int] = {ONES: -1, SIXES: 1}  # B8-07: below and above all other throws
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
MEANING = {"snake_eyes": "snake-eyes with further harm", "double_sixes": "double sixes with a further gain"}  # B8-05

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


def side(node: Roll, throw: Throw) -> Outcome:
    """One side: dice + difficulty + trait + abilities - multitask (B8-02), with its natural as the label."""
    total = sum(throw) + sum([number for _, number in node.added])
    labels = (NATURALS[throw],) if throw in NATURALS else ()
    return Outcome(pool(throw, SIDES), labels, {"total": total}, added=node.added)


def judge(node: Roll, throw: Throw) -> Outcome:
    """A throw against 8: naturals first (B8-05), then the total (B8-01)."""
    mine = side(node, throw)
    total = mine.whole("total")
    passed = throw == SIXES if mine.labels else total > TO_BEAT
    labels = ("success" if passed else "failure", *mine.labels)
    return mine._replace(labels=labels, values={"total": total, "target": TO_BEAT})


def judge_opposed(node: Opposed, throw: Throw, answer: Throw) -> Outcome:
    """A throw against the target's: naturals first (B8-07), then the totals, where the target wins ties (B8-06)."""
    mine, theirs = side(node.acting, throw), side(expect(node.other, Roll), answer)
    total, target = mine.whole("total"), theirs.whole("total")
    won = throw != ONES and (RANKS.get(throw, 0), total) > (RANKS.get(answer, 0), target)
    winner = "initiator_wins" if won else "target_wins"
    naturals = tuple([f"target_{label}" for label in theirs.labels])
    other = theirs._replace(labels=(winner, *naturals))
    labels, values = (winner, *mine.labels, *naturals), {"total": total, "target": target}
    return mine._replace(labels=labels, values=values, kind="contest", opponent=other)


class BeatEight(Game):
    """Two dice plus modifiers, against 8 or the other side."""

    nodes = (Roll, Opposed, Impossible)
    diceless = (Impossible,)
    words, short, chances, rules = WORDS, SHORT, CHANCES, RULES

    def evaluate(self, node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
        """Throw and judge any `b8` command."""
        if isinstance(node, Impossible):
            return Outcome(kind="check")
        throw = dice.roll(DICE, SIDES)
        if isinstance(node, Roll):
            return judge(node, throw)
        opposed = expect(node, Opposed)
        if opposed.other is None:
            return side(opposed.acting, throw)._replace(labels=(), kind="waiting")
        return judge_opposed(opposed, throw, dice.roll(DICE, SIDES))

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The exact odds, over every throw."""
        if isinstance(node, Roll):
            return Odds.over((judge(node, throw) for throw in THROWS), of="total")
        opposed = expect(node, Opposed)
        return Odds.over((judge_opposed(opposed, *both) for both in product(THROWS, repeat=2)), of="total")

    def answers(self, opening: Command, node: Command) -> bool:
        """The same command without `vs` and without a difficulty (B8-06)."""
        return isinstance(opening, Opposed) and isinstance(node, Roll) and node.difficulty == 0

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, _house: HouseRules) -> Outcome:
        """An opposed roll after the target's answer or pass."""
        opening, throw = expect(earlier.node, Opposed), tuple(faces_of(earlier.outcome.dice))
        if isinstance(node, Pass):  # GEN-06: the initiator wins, except with snake-eyes
            mine, winner = side(opening.acting, throw), "target_wins" if throw == ONES else "initiator_wins"
            return mine._replace(labels=(winner, *mine.labels), kind="contest", becomes=opening)
        whole = opening.answered_by(expect(node, Roll))
        return judge_opposed(whole, throw, dice.roll(DICE, SIDES))._replace(becomes=whole)

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict: `Success, 12 beats 8`."""
        if isinstance(node, Impossible):
            return "Impossible, nothing is rolled: the narrator decides"
        (label, *naturals), total = outcome.labels, outcome.values["total"]
        verdict = WORDS[label].capitalize()
        if naturals:
            return f"{verdict}, {MEANING[naturals[0]]}, {total} vs {TO_BEAT}"
        return f"{verdict}, {total} {'beats' if label == 'success' else 'does not beat'} {TO_BEAT}"

    def versus(self, outcome: Outcome, acting: str, other: str) -> str:
        """The verdict of an opposed roll: the winner, the naturals of both sides, and the totals."""
        won, naturals = outcome.labels[0] == "initiator_wins", outcome.labels[1:]
        parts = [f"{acting if won else other} wins"]
        for label in naturals:
            natural = label.removeprefix("target_")
            whose, wins = (acting, won) if label == natural else (other, not won)
            decided = wins == (natural == "double_sixes")  # B8-05: only then harm or gain follows
            parts.append(f"{whose} rolls {(MEANING if decided else WORDS)[natural]}")
        if outcome.opponent is None:
            return ", ".join([*parts, f"{other} does not resist"])
        scores = [outcome.values["total"], outcome.values["target"]]
        parts.append(f"{scores[not won]} to {scores[won]}")
        if scores[0] == scores[1] and naturals in ((), ("double_sixes", "target_double_sixes")):  # B8-07
            parts.append("a tie goes to the target")
        return ", ".join(parts)

    def show(self, outcome: Outcome, _compact: bool) -> str:
        """`4 3, trait +4, abilities +1`, without modifiers of 0."""
        added = [f"{name} {value:+}" for name, value in outcome.added if value]
        return ", ".join([listed(faces_of(outcome.dice)), *added])


GAME = BeatEight()
