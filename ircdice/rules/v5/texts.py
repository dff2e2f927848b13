"""The texts of V5: its rules for `help`, and the words of a reply."""

from __future__ import annotations

from collections.abc import Mapping

from grammars import Command
from grammars.v5 import MOST_HUNGER, AutomaticWin, Contest, Pool, Rouse, Willpower
from ircdice.errors import RuleError
from ircdice.game import expect, signed
from ircdice.outcome import Earlier, Outcome
from ircdice.rules.v5.judging import (
    CONDITIONAL,
    FAILED,
    MOST_HUNGER_TO_WIN,
    PAIR_BONUS,
    PASSED,
    ROUSED,
    SUCCESS,
    TEN,
    UNTOLD,
    passed,
    pool_of,
)
from ircdice.rules.v5.rerolls import MOST_REROLLED, admits
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
    "willpower_spent": "costs{who} 1 superficial Willpower",
    "hunger_not_said": "hunger not said",
    UNTOLD: "whether it passes is told on reveal",
}
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
ROLES = {"normal": "", "hunger": "hunger"}  # V5-05: Hunger dice are always last
LEADS: Mapping[type[Command], str] = {Rouse: "rouse"}


def asked(node: Command) -> str:
    """The command as it is posted after the dice; that of a rouse check is posted before them."""
    if isinstance(node, Pool):
        return f"v5 {node.as_side}" if node.terms else node.as_side
    return "" if isinstance(node, Rouse) else str(node).removeprefix("roll ")


def headline(node: Command, outcome: Outcome) -> str:
    """The verdict, the first thing in the line."""
    if isinstance(node, Rouse):
        risen = outcome.values["hunger_gained"]
        return f"{WORDS['hunger_rises']} by {risen}" if risen else "Hunger does not rise"
    if isinstance(node, AutomaticWin):
        return _automatic_win(node, outcome)
    return _verdict(outcome)


def _verdict(outcome: Outcome) -> str:
    labels, text = outcome.labels, counted(outcome.whole("successes"))
    if "difficulty" in outcome.values:
        text += f" vs {outcome.values['difficulty']}, margin {signed(outcome.whole('margin'))}"
    if not labels or labels[0] in CONDITIONAL:
        return ", ".join([text, *[WORDS[label] for label in labels]])
    certain = WORDS[labels[0]] if len(labels) == 1 else " and ".join([WORDS[label] for label in labels])
    return f"{certain.capitalize()}, {text}"


def counted(successes: int) -> str:
    """`1 success`, `6 successes`."""
    return "1 success" if successes == 1 else f"{successes} successes"


def _automatic_win(node: AutomaticWin, outcome: Outcome) -> str:
    """V5-18: which condition fails, or who decides."""
    if "automatic_win" in outcome.labels:
        return f"{WORDS['automatic_win']} if the storyteller agrees, never in combat or distraction"
    pool = f"pool {node.pool} is less than twice {node.difficulty}" if node.pool < 2 * node.difficulty else ""
    hunger = f"Hunger {node.hunger} is over {MOST_HUNGER_TO_WIN}" if node.hunger > MOST_HUNGER_TO_WIN else ""
    return ", ".join(part for part in (WORDS["no_automatic_win"], pool, hunger) if part)


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest: who wins, how, and what the loser's dice say (V5-19)."""
    if outcome.opponent is None:  # the other side passed: it has no dice (GEN-06)
        won = passed(outcome)
        beaten = f"{other} does not resist, {counted(outcome.whole('successes'))}"
        return ", ".join([f"{acting} wins" if won else "neither wins", *_how(outcome, acting, won), beaten])
    sides = (acting, outcome), (other, outcome.opponent)
    winner = next((index for index, (_, side) in enumerate(sides) if passed(side)), None)
    first, second = sides if winner != 1 else sides[::-1]
    scores = f"{counted(first[1].whole('successes'))} to {second[1].values['successes']}"
    if winner is None:
        return ", ".join(["neither wins", scores, *_how(outcome, acting, False), *_how(outcome.opponent, other, False)])
    even = first[1].values["successes"] == second[1].values["successes"]
    tie = ["a tie"] if even else []
    how, lost = _how(first[1], first[0], True), _how(second[1], second[0], False)
    return ", ".join([f"{first[0]} wins", *how, scores, *tie, *lost])


def _how(side: Outcome, name: str, won: bool) -> list[str]:
    """What there is to say about a side, besides that it won or lost."""
    if side.labels in {("success",), ("failure",)}:
        return []
    words = " and ".join(WORDS[label] for label in side.labels)
    return [words if won else f"{name} {words}"]


def waiting(node: Command, other: str, minutes: int) -> str:
    """How the player who is asked can answer."""
    contest = expect(node, Contest)
    asked_for = asked(contest.acting)
    # GEN-06: the same command; `roll` is not V5's everywhere.
    answer = "v5 5 h1" if contest.acting.terms else f"{contest.word} 5d10 h1"
    return f'{asked_for} is rolled and covered. {other}: answer "{answer}" or "pass" within {minutes} min'


def offer(_node: Command, earlier: Earlier, roll: str, house: HouseRules) -> str | None:
    """What Willpower can still do for one side of a contest, sent to that side alone; `roll` is the id, as `#4d`."""
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


RULES = {
    "V5-01": '"roll Nd10" throws a pool of N dice, and "v5 3+4+1" one that is given by its parts; it takes at least 1.',
    "V5-02": f"Every face of {SUCCESS} or more is one success.",
    "V5-03": f"Two tens make a pair, and each pair is worth {PAIR_BONUS} successes more than its two faces.",
    "V5-04": "dcN is the Difficulty: N successes or more pass, and the margin is how many more.",
    "V5-05": f"hN makes the last N dice Hunger dice, 0 to {MOST_HUNGER} and never more than the pool has.",
    "V5-06": "A roll that passes with a pair of tens is a critical.",
    "V5-07": "A critical is messy when at least one of its tens is on a Hunger die.",
    "V5-08": "A roll that does not pass and shows a 1 on a Hunger die is a bestial failure.",
    "V5-09": "House rule: no success at all and a 1 on any die is a botch, unless the channel has botch = no.",
    "V5-10": "A 1 takes no success away.",
    "V5-11": "Without a Difficulty the answer says what would follow; with no success at all the roll has failed.",
    "V5-12": "Rouse checks, Willpower and Humanity pools have no Hunger dice, so they are never messy or bestial.",
    "V5-13": f'"rouse" throws a die for each check, and Hunger rises by one for each {ROUSED} or less.',
    "V5-14": f'"wp" throws up to {MOST_REROLLED} dice of your latest roll again, lowest first, but never Hunger dice.',
    "V5-15": "Willpower is spent once on a roll, by who rolled it or a storyteller, for one superficial damage.",
    "V5-16": "What has no Hunger dice by its kind cannot be rerolled with Willpower; a pool at h0 can.",
    "V5-17": "After a reroll the dice keep their places, the roll that was replaced is named, and all is judged anew.",
    "V5-18": f'"autowin" says yes to a pool of at least twice the Difficulty at Hunger {MOST_HUNGER_TO_WIN} or less, '
    "if the storyteller agrees.",
    "V5-19": "In a contest each side must meet the other's successes, at least 1: who began wins a tie.",
    "V5-20": "Only rolls in a channel that the config calls official are official; all others say unofficial.",
    "V5-21": '"hunger N" says the Hunger of a roll afterwards, once; until then it counts as 0.',
    "V5-22": "h without a number is the Hunger that is tracked for you: !track hunger 2.",
    "V5-23": "A rouse check shows its dice and by how much Hunger rises, and nothing else comes of it.",
    "V5-24": f'"wp tens" throws the tens again that are not on Hunger dice, up to {MOST_REROLLED}; no die goes twice.',
    "V5-25": "Willpower may be spent until a storyteller closes the roll, or its time is over, "
    f"{HouseRules().wp_minutes} minutes unless the config says otherwise.",
    "V5-26": '"help messy", "help bestial", "help botch" and "help willpower" tell what may come of it.',
}
