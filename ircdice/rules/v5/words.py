"""How V5 is worded: tables, and the few sentences that need a function. Judges nothing."""

from __future__ import annotations

from typing import Any

from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, Willpower
from ircdice.errors import RuleError
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.v5.judging import pool_of
from ircdice.rules.v5.rerolls import admits
from ircdice.settings import HouseRules

WORDS = {
    "success": "success",
    "critical": "critical",
    "messy_critical": "messy critical",
    "failure": "failure",
    "botch": "botch",
    "bestial_failure": "bestial failure",
    "critical_if_passed": "critical if passed",
    "messy_critical_if_passed": "messy critical if passed",
    "bestial_if_failed": "bestial failure if failed",
    "automatic_win": "Automatic win",
    "no_automatic_win": "No automatic win",
    "hunger_rises": "Hunger rises",
    "willpower_spent": "costs 1 superficial Willpower",
    "hunger_not_said": "hunger not said",
}
PASSED = ("success", "critical", "messy_critical")
FAILED = ("failure", "bestial_failure", "botch")
CONDITIONAL = ("critical_if_passed", "messy_critical_if_passed", "bestial_if_failed")
CHANCES = {"pass": PASSED, "fail": FAILED}
SHORT = {
    "critical": "critical",
    "messy_critical": "messy",
    "bestial_failure": "bestial",
    "botch": "botch",
    "hunger_rises": "Hunger rises",
    "automatic_win": "automatic win",
    "no_automatic_win": "no automatic win",
}
ROLES = {"normal": "", "hunger": "hunger"}  # V5-05: Hunger dice stand last, always
LEADS = {Rouse: "rouse"}


def asked(node: Any) -> str:
    """The command as it is posted behind the dice; a rouse check's stands in front of them."""
    if isinstance(node, Pool) and not node.terms:
        return node.asked
    return "" if isinstance(node, Rouse) else str(node).removeprefix("roll ")


def headline(node: Any, outcome: Outcome) -> str:
    """The verdict, first of all in the line."""
    if isinstance(node, Rouse):
        risen = outcome.values["hunger_gained"]
        return f"{WORDS['hunger_rises']} by {risen}" if risen else "Hunger does not rise"
    if isinstance(node, AutomaticWin):
        return _automatic_win(node, outcome)
    return _verdict(outcome)


def _verdict(outcome: Outcome) -> str:
    values = outcome.values
    text = counted(values["successes"])
    if "difficulty" in values:
        text += f" vs {values['difficulty']}, margin {signed(values['margin'])}"
    certain = [WORDS[label] for label in outcome.labels if label not in CONDITIONAL]
    if certain:
        text = f"{' and '.join(certain).capitalize()}, {text}"
    return ", ".join([text, *(WORDS[label] for label in outcome.labels if label in CONDITIONAL)])


def signed(margin: int) -> str:
    """`+3`, `-2`, `0`."""
    return f"{margin:+}" if margin else "0"


def counted(successes: int) -> str:
    """`1 success`, `6 successes`."""
    return "1 success" if successes == 1 else f"{successes} successes"


def _automatic_win(node: AutomaticWin, outcome: Outcome) -> str:
    """V5-18: which condition fails, and whose call it is."""
    won = "automatic_win" in outcome.labels
    enough = node.pool >= 2 * node.difficulty
    pool = f"pool {node.pool} is {'at least' if enough else 'less than'} twice {node.difficulty}"
    hunger = f"Hunger {node.hunger} is {'2 or less' if node.hunger <= 2 else 'over 2'}"
    reasons = f"{pool}, {hunger}"
    call = ", if the storyteller agrees: not in combat or when distracted" if won else ""
    return f"{WORDS[outcome.labels[0]]}, {reasons}{call}"


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest: who wins, how, and what became of the loser (V5-19)."""
    if outcome.opponent is None:  # the other side passed
        return f"{other} does not resist, {_verdict(outcome)}"
    sides = {acting: outcome, other: outcome.opponent}
    winner = next((name for name, side in sides.items() if not set(PASSED).isdisjoint(side.labels)), None)
    scores = [sides[name].values["successes"] for name in (acting, other)]
    if winner == other:
        scores.reverse()
    parts = ["neither wins" if winner is None else f"{winner} wins"]
    if winner and sides[winner].labels != ("success",):
        parts.append(WORDS[sides[winner].labels[0]])
    parts.append(f"{counted(scores[0])} to {scores[1]}")
    losers = {name: side for name, side in sides.items() if name != winner and side.labels != ("failure",)}
    parts += [f"{name} {' and '.join(WORDS[label] for label in side.labels)}" for name, side in losers.items()]
    return ", ".join(parts)


def waiting(node: Contest, other: str, minutes: int) -> str:
    """What the one who is asked may answer."""
    asked_for = node.acting.asked
    return f'{asked_for} is rolled and covered. {other}: answer "roll 5d10 h1" or "pass" within {minutes} min'


def offer(_node: Pool | Contest, earlier: Earlier, roll_id: str, house: HouseRules) -> str | None:
    """What Willpower could still do for one side of a contest, told to that side alone."""
    try:
        admits(Willpower(), earlier, house)
    except RuleError:
        return None
    if pool_of(earlier.node, earlier.side).hunger is None:
        return f'#{roll_id}: you may still spend Willpower, once the Hunger is said: "hunger 2 #{roll_id}", then "wp".'
    normal = sorted(die.face for die in earlier.mine.dice if die.role == "normal")
    failed = [str(face) for face in normal if face < 6][:3]
    if not normal:
        return None
    what = f"would reroll {' '.join(failed)}" if failed else "finds no failed die"
    return f'#{roll_id}: you may still spend Willpower: "wp #{roll_id}" {what}.'
