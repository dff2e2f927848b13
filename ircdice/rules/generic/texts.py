"""The texts of the dice notation: its rules for `help`, and the words of a reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from grammars.generic.grammar import DEEPEST
from grammars.generic.nodes import FEWEST_LISTED
from grammars.line import cut, posted_comment
from grammars.tokens import LARGEST, MOST_CHARACTERS, MOST_DICE, MOST_DRAWN
from ircdice.caching import cached
from ircdice.figures import listed
from ircdice.outcome import Outcome, Tossed

RULES = {
    "GD-01": "NdX is N dice of X sides and their sum; d% has 100, dF shows -1 to 1, and d{1,3,5} has the faces "
    f"listed, at least {FEWEST_LISTED}.",
    "GD-02": "k and kl keep the highest and the lowest, dl and dh drop them; of equal dice the left one stays.",
    "GD-03": "A comparison is a number, which means equal, or =N <N >N <=N >=N <>N.",
    "GD-04": "rC throws each die that matches again until none does, and roC once.",
    "GD-05": "! brings one more die for each on its highest face, !C for each that matches; !! adds it to the same "
    "die, and with !p each further die counts one less.",
    "GD-06": "miN raises what is lower to N, and maN lowers what is higher.",
    "GD-07": "A comparison with a sign behind dice counts those that match, and fC behind it takes one off for each C.",
    "GD-08": "Modifiers work from left to right, each on the dice as the one before left them.",
    "GD-09": "+ - * / // % and parentheses work as in arithmetic; / is exact, and a divisor that may be 0 is refused.",
    "GD-10": "Words in [brackets] behind a term are its name.",
    "GD-11": '"6x" in front rolls the whole that many times, each with its own total.',
    "GD-12": "What stands behind # or for is a comment.",
    "GD-13": "A comparison with blanks around it asks whether the two sides compare so: success or failure.",
    "GD-14": f"There are limits: {MOST_CHARACTERS} characters, {MOST_DICE} dice in a term, {MOST_DRAWN} in all, faces "
    f"up to {LARGEST}, parentheses {DEEPEST} deep, and nothing that could never end.",
    "GD-15": 'Called, "roll 20" is 1d20 and "roll 1 100" a number from 1 to 100; adv and dis double a lone d20.',
}

WORDS = {"success": "success", "failure": "failure", "stopped": f"stopped at {MOST_DRAWN} dice"}
MOST_ASKED = 120  # characters of a command that are posted
MOST_TOTALS = 140  # characters of the totals of a repeated roll
BETWEEN = " | "  # terms, and repeats
MOST_NAME = 60  # characters of a term's name in front of its dice
_LABEL = re.compile(r"\[([^\]]*)\]")
_WENT = ("rerolled", "raised", "lowered")  # GD-04, GD-06: faces that went


def number(value: int | Fraction) -> str:
    """GD-09: at most two decimals."""
    if isinstance(value, int):
        return str(value)
    return f"{float(value):z.2f}".rstrip("0").rstrip(".")  # z: no minus before what rounds to 0


def headline(node: Any, outcome: Outcome) -> str:
    """The verdict, first in the line; dice that may explode are named (GEN-12)."""
    verdict = _verdict(node, outcome)
    return f"{verdict}, exploding" if node.explodes else verdict


def _verdict(node: Any, outcome: Outcome) -> str:
    values = outcome.values
    if "total" in values:
        return number(values["total"])
    if "successes" in values:
        return f"{values['successes']} success{'' if values['successes'] == 1 else 'es'}"
    if "totals" in values:
        return _totals(values["totals"])
    label = outcome.labels[0]
    sign = node.sign if label == "success" else f"is not {node.sign}".removesuffix(" =")  # read aloud it is true
    return f"{WORDS[label].capitalize()}, {number(values['left'])} {sign} {number(values['right'])}"


def _totals(totals: Sequence[int | Fraction]) -> str:
    each = ", ".join(map(number, totals))
    if len(each) <= MOST_TOTALS:
        return each
    return f"{len(totals)} totals from {number(min(totals))} to {number(max(totals))}"


def asked(node: Any) -> str:
    """The command as it is posted behind the dice: labels in quotes, no brackets, and never `8)` (language.md)."""
    return _posted(node.asked)


@cached
def _posted(text: str) -> str:
    if "[" in text:
        text = _LABEL.sub(lambda label: f' "{posted_comment(label[1])}"', text)
    return _short(text.replace("8)", "8 )"), MOST_ASKED)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most // 2 or len(text.encode()) <= most else f"{cut(text, most - 3)}..."


def show(outcome: Outcome, compact: bool) -> str:
    """Each term with its dice; a counting term alone has no need of its name."""
    if not outcome.terms:
        return str(outcome.dice[0].face) if outcome.dice else ""
    counting = "successes" in outcome.values
    return BETWEEN.join([_term(tossed, compact, named=not counting) for tossed in outcome.terms])


def _term(tossed: Tossed, compact: bool, *, named: bool) -> str:
    """`4d6k3 6 6 5, dropped 2`; where one face or more went, which."""
    term = tossed.term
    name = _name(term.plain if named else "", term.label)
    shown = f"{name}{_listed(tossed.shown or tossed.kept, compact)}".rstrip()
    if tossed.dropped:
        shown = f"{shown}, dropped {_listed(tossed.dropped, compact)}"
    if tossed.rerolled or tossed.raised or tossed.lowered:
        went = ((word, getattr(tossed, word)) for word in _WENT)
        return ", ".join([shown, *(f"{word} {_listed(faces, compact)}" for word, faces in went if faces)])
    return shown


@cached
def _name(written: str, label: str) -> str:
    """What stands in front of a term's dice, a blank behind each part."""
    called = f"{_short(written, MOST_NAME)} " if written else ""
    return f'{called}"{posted_comment(label)}" ' if label else called


def _listed(values: Sequence[Any], compact: bool) -> str:
    """`6 6 5`, or counted, `6x2 5x1`, highest first."""
    if not compact:
        return listed(values)
    counted = Counter(values)
    whole = len(counted) > 1 and not isinstance(values[0], str)
    counts = sorted(counted.items(), key=None if whole else lambda item: _weight(item[0]), reverse=True)
    return " ".join([f"{value}x{count}" for value, count in counts])


def _weight(value: Any) -> int:
    """A value's place among others; a compounded one's is its sum."""
    return value if isinstance(value, int) else sum(map(int, re.findall(r"-?[0-9]+", value)))
