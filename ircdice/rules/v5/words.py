"""How V5 is worded: tables, and the few sentences that need a function. Judges nothing."""

from __future__ import annotations

from typing import Any

from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, Willpower
from ircdice.caching import cached
from ircdice.errors import RuleError
from ircdice.figures import signed
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.v5.judging import MOST_HUNGER_TO_WIN, SUCCESS, TEN, pool_of
from ircdice.rules.v5.rerolls import MOST_REROLLED, admits
from ircdice.settings import HouseRules

UNTOLD = "untold"
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
    "willpower_spent": "costs{who} 1 superficial Willpower",
    "hunger_not_said": "hunger not said",
    UNTOLD: "whether it passes is told on reveal",
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
    if isinstance(node, Pool):
        return f"v5 {node.asked}" if node.terms else node.asked
    return "" if isinstance(node, Rouse) else str(node).removeprefix("roll ")


def headline(node: Any, outcome: Outcome) -> str:
    """The verdict, first of all in the line."""
    if isinstance(node, Pool):
        return _verdict(outcome)
    if isinstance(node, Rouse):
        risen = outcome.values["hunger_gained"]
        return f"{WORDS['hunger_rises']} by {risen}" if risen else "Hunger does not rise"
    if isinstance(node, AutomaticWin):
        return _automatic_win(node, outcome)
    return _verdict(outcome)


def _verdict(outcome: Outcome) -> str:
    values = outcome.values
    return _told(outcome.labels, values["successes"], values.get("difficulty"), values.get("margin", 0))


@cached
def _told(labels: tuple[str, ...], successes: int, difficulty: int | None, margin: int) -> str:
    text = counted(successes)
    if difficulty is not None:
        text += f" vs {difficulty}, margin {signed(margin)}"
    if not labels or labels[0] in CONDITIONAL:
        return ", ".join([text, *[WORDS[label] for label in labels]])
    certain = WORDS[labels[0]] if len(labels) == 1 else " and ".join([WORDS[label] for label in labels])
    return f"{certain.capitalize()}, {text}"


def counted(successes: int) -> str:
    """`1 success`, `6 successes`."""
    return "1 success" if successes == 1 else f"{successes} successes"


def _automatic_win(node: AutomaticWin, outcome: Outcome) -> str:
    """V5-18: which condition fails, and whose call it is."""
    if "automatic_win" in outcome.labels:
        return f"{WORDS['automatic_win']} if the storyteller agrees, never in combat or distraction"
    pool = f"pool {node.pool} is less than twice {node.difficulty}" if node.pool < 2 * node.difficulty else ""
    hunger = f"Hunger {node.hunger} is over {MOST_HUNGER_TO_WIN}" if node.hunger > MOST_HUNGER_TO_WIN else ""
    return ", ".join(part for part in (WORDS["no_automatic_win"], pool, hunger) if part)


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest: who wins, how, and what became of the loser (V5-19)."""
    if outcome.opponent is None:  # the other side passed: it has no dice (GEN-06)
        won = _passed(outcome)
        beaten = f"{other} does not resist, {counted(outcome.values['successes'])}"
        return ", ".join([f"{acting} wins" if won else "neither wins", *_how(outcome, acting, won), beaten])
    sides = (acting, outcome), (other, outcome.opponent)
    winner = next((index for index, (_, side) in enumerate(sides) if _passed(side)), None)
    first, second = sides if winner != 1 else sides[::-1]
    scores = f"{counted(first[1].values['successes'])} to {second[1].values['successes']}"
    if winner is None:
        return ", ".join(["neither wins", scores, *_how(outcome, acting, False), *_how(outcome.opponent, other, False)])
    even = first[1].values["successes"] == second[1].values["successes"]
    tie = ["a tie"] if even else []
    how, lost = _how(first[1], first[0], True), _how(second[1], second[0], False)
    return ", ".join([f"{first[0]} wins", *how, scores, *tie, *lost])


def _passed(side: Outcome) -> bool:
    return not set(PASSED).isdisjoint(side.labels)


def _how(side: Outcome, name: str, won: bool) -> list[str]:
    """What there is to say of a side beside that it won or lost."""
    if side.labels in {("success",), ("failure",)}:
        return []
    words = " and ".join(WORDS[label] for label in side.labels)
    return [words if won else f"{name} {words}"]


def waiting(node: Contest, other: str, minutes: int) -> str:
    """What the one who is asked may answer."""
    asked_for = asked(node.acting)
    # GEN-06: the same command; `roll` is not V5's everywhere.
    answer = "v5 5 h1" if node.acting.terms else f"{node.word} 5d10 h1"
    return f'{asked_for} is rolled and covered. {other}: answer "{answer}" or "pass" within {minutes} min'


def offer(_node: Pool | Contest, earlier: Earlier, roll: str, house: HouseRules) -> str | None:
    """What Willpower could still do for one side of a contest, told to that side alone; `roll` as `#4d`."""
    try:
        admits(Willpower(), earlier, house)
    except RuleError:
        return None
    normal = sorted(die.face for die in earlier.mine.dice if die.role == "normal")
    if not normal or normal[0] == TEN:
        return None
    if pool_of(earlier.node, earlier.side).hunger is None:
        return f'You may still spend Willpower: "wp hN {roll}", N your Hunger, 0 to 5.'
    failed = [str(face) for face in normal if face < SUCCESS][:MOST_REROLLED]
    if failed:
        return f'You may still spend Willpower: "wp {roll}" rerolls {" ".join(failed)}.'
    return f'You may still spend Willpower: no die has failed, "wp 1 {roll}" rerolls the {normal[0]}.'
