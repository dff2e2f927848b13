"""Generic dice: the notation of every `roll` that is not a V5 pool."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from grammars import Command
from grammars.generic.grammar import DEEPEST
from grammars.generic.nodes import FEWEST_LISTED, Between, Question, Roll, Throws
from grammars.line import LARGEST, MOST_CHARACTERS, MOST_DICE, MOST_DRAWN, cut, posted_comment
from ircdice.dice import DiceSource
from ircdice.game import Game, counted, expect, listed
from ircdice.odds import Odds
from ircdice.outcome import Number, Outcome, Tossed, plain_number
from ircdice.rules.generic import odds, throwing
from ircdice.settings import HouseRules

RULES = {
    "GD-01": "roll NdX: N dice of X sides, as 3d6, and their sum; d20 is one, d% has 100 sides, dF shows -1 to 1, and "
    f"d{{1,3,5}} has the faces listed, at least {FEWEST_LISTED}.",
    "GD-02": "k3 keeps the three highest dice and kl1 the lowest; dl1 drops the lowest and dh1 the highest; of equal "
    "dice the left one is kept.",
    "GD-03": "A comparison is a number, which means equal, or =N <N >N <=N >=N <>N.",
    "GD-04": "r1 rerolls each 1 until none is left, and ro<3 each 1 and 2 once.",
    "GD-05": "5d6! draws one more die for each 6, which may explode again, and 5d6!>4 for each 5 or 6; !! adds it to "
    "the same die, and with !p each further die counts one less.",
    "GD-06": "miN raises lower faces to N, and maN lowers higher ones.",
    "GD-07": "A comparison with a sign after dice counts those that match, and fC after it subtracts one for each C.",
    "GD-08": "Modifiers apply from left to right, each to the dice as the one before left them.",
    "GD-09": "+ - * / // % and parentheses are arithmetic; / is exact, and a divisor that could be 0 is refused.",
    "GD-10": "Words in [brackets] after a term are its label.",
    "GD-11": '"6x" before an expression rolls it that many times, each with its own total.',
    "GD-12": "Words after # or for are a comment.",
    "GD-13": "A comparison with spaces around it asks whether it is true of the two sides: success or failure.",
    "GD-14": f"There are limits: {MOST_CHARACTERS} characters, {MOST_DICE} dice in a term, {MOST_DRAWN} in all, faces "
    f"up to {LARGEST}, parentheses {DEEPEST} deep, and nothing that could never end.",
    "GD-15": 'Called, "roll 20" is 1d20 and "roll 1 100" a number from 1 to 100; adv or dis after an expression with '
    'exactly one d20 makes it 2d20k1 or 2d20kl1, as "roll d20+5 adv".',
}

WORDS = {"success": "success", "failure": "failure", "stopped": f"stopped at {MOST_DRAWN} dice"}
MOST_ASKED = 120  # characters of a command in a reply
MOST_TOTALS = 140  # characters for the totals of a repeated roll
BETWEEN = " | "  # terms, and repeats
MOST_NAME = 60  # characters of a term's name before its dice
_LABEL = re.compile(r"\[([^\]]*)\]")


def _short(text: str, most: int) -> str:
    return text if len(text.encode()) <= most else f"{cut(text, most - 3)}..."


class Generic(Game):
    """Dice notation."""

    nodes = (Roll, Question, Between)
    words, rules = WORDS, RULES
    chances: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ({"success": ("success",), "failure": ("failure",)},)

    def evaluate(self, node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
        """Throw and judge any command of the dice notation."""
        return throwing.evaluate(node, dice)

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The odds of a command; if repeated, of one repetition."""
        return odds.odds(node)

    def asked(self, node: Command) -> str:
        """The command as it is posted after the dice: labels in quotes, no brackets, and no face `8)`."""
        text = expect(node, Throws).as_posted
        text = _LABEL.sub(lambda label: f' "{posted_comment(label[1])}"', text)
        return _short(text.replace("8)", "8 )"), MOST_ASKED)

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict, at the start of the line; it mentions exploding dice (GEN-12)."""
        verdict = self._verdict(node, outcome)
        return f"{verdict}, exploding" if expect(node, Throws).explodes else verdict

    def _verdict(self, node: Command, outcome: Outcome) -> str:
        values = outcome.values
        if "successes" in values:
            return counted(outcome.whole("successes"), "success")
        if not isinstance(node, Question):
            (value,) = values.values()  # `total` or `totals`
            return _totals(value) if isinstance(value, tuple) else str(plain_number(value))
        label = outcome.labels[0]
        sign = node.sign if label == "success" else f"is not {node.sign}".removesuffix(" =")  # true if read aloud
        left, right = (plain_number(value) for value in values.values() if not isinstance(value, tuple))
        return f"{WORDS[label].capitalize()}, {left} {sign} {right}"

    def show(self, outcome: Outcome, compact: bool) -> str:
        """Each term with its dice; a single counting term needs no name."""
        if not outcome.terms:
            return str(outcome.dice[0].face) if outcome.dice else ""
        counting = "successes" in outcome.values
        return BETWEEN.join([_term(tossed, compact, named=not counting) for tossed in outcome.terms])


def _totals(totals: Sequence[Number]) -> str:
    numbers = [plain_number(total) for total in totals]
    each = ", ".join(map(str, numbers))
    if len(each) <= MOST_TOTALS:
        return each
    return f"{len(totals)} totals from {min(numbers)} to {max(numbers)}"


def _term(tossed: Tossed, compact: bool, *, named: bool) -> str:
    """`4d6k3 6 6 5, dropped 2`, with dropped, rerolled, raised and lowered faces."""
    name = _name(tossed.name if named else "", tossed.label)
    shown = f"{name}{listed(tossed.shown, compact)}".rstrip()
    return ", ".join([shown, *(f"{word} {listed(faces, compact)}" for word, faces in tossed.notes.items() if faces)])


def _name(written: str, label: str) -> str:
    """The prefix of a term's dice, each part followed by a space."""
    called = f"{_short(written, MOST_NAME)} " if written else ""
    return f'{called}"{posted_comment(label)}" ' if label else called


GAME = Generic()
