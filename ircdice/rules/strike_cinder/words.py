"""How Strike & Cinder is worded: tables, and the few sentences that need a function. Judges nothing."""

from __future__ import annotations

from typing import Any

from grammars.strike_cinder_nodes import SUCCESS_RANGE, Mind, Roll, Target
from ircdice.caching import cached
from ircdice.figures import faces, figures
from ircdice.outcome import Covered, Outcome, faces_of
from ircdice.rules.strike_cinder import notes
from ircdice.rules.strike_cinder.judging import EXPLODES, EXPLOSION, MOON_EXPLODES, POOL, degree

WORDS = {
    "success": "Success",
    "hit": "Hit",
    "critical_hit": "Critical hit",
    "miss": "Miss",
    **{label: name for _, label, name in reversed(SUCCESS_RANGE)},
    "resisted": "Resisted",
    "overcome": "Overcome",
    "aware": "aware",
    "assist2": "gives assist2, +2 dice, to the recipient's next roll of that pool",
    "no_assist": "gives no assistance, not even +1",
    "helper_busy": "the helper makes no other roll that has an effect in this post",
    "assisted": "assist2 of a helper is in it, and spent",
    "moon_idle": "fullmoon has no effect on Strike",
    "explosions_stopped": "explosions stopped at 1000 dice",
}
CHANCES = (
    {"hit": ("hit", "critical_hit"), "miss": ("miss",)},
    {"success": ("success",), "failure": ("failure",)},
    {
        "overcome": ("overcome", "aware"),
        "resisted": ("resisted",),
        "the attack fails": ("partial_failure", "failure", "critical_failure"),
    },
)
SHORT = {"critical_hit": "critical", "aware": "aware"}


def headline(node: Any, outcome: Outcome) -> str:
    """The verdict, first of all in the line."""
    if outcome.kind == "note":
        return notes.headline(node, outcome)
    if outcome.kind == "contest" or outcome.opponent:
        return versus(outcome, "", "other")
    labels, values = outcome.labels, outcome.values
    against = f" vs DC {values['dc']}" if "dc" in values else ""
    if not isinstance(node, Roll) or node.target is None:
        return _told(labels[0], values["passes"], against)
    if not against and not isinstance(outcome, Covered):
        against = ", DC bypassed"
    return _attack(labels, values["passes"], values["luck_drained"], against) + _luck(node.target, outcome)


@cached
def _told(label: str, passes: int, against: str) -> str:
    return f"{WORDS[label]}, {counted(passes)}{against}"


@cached
def _attack(labels: tuple[str, ...], passes: int, drained: int, against: str) -> str:
    """SC-08: a hit's degree is said as flavour; a critical hit is its own."""
    label = "critical_hit" if "critical_hit" in labels else labels[0]
    flavour = [WORDS[degree(passes)]] if label == "hit" else []
    return ", ".join([WORDS[label], *flavour, counted(passes) + against, *[f"drains {drained} Luck"] * bool(drained)])


def _luck(target: Target, outcome: Outcome) -> str:
    """SC-19, SC-24: the tracked Luck of the target."""
    drained = outcome.values["luck_drained"]
    if target.standing is None or not drained:
        return ""
    left = max(0, target.standing.luck - drained)
    return f", {notes.luck_of(target.name or '', left, target.standing.most)}"


def counted(passes: int) -> str:
    """`1 pass`, `6 passes`."""
    return "1 pass" if passes == 1 else f"{passes} passes"


def versus(outcome: Outcome, _acting: str, other: str) -> str:
    """The verdict of a contest (SC-16)."""
    labels, mine = outcome.labels, counted(outcome.values["passes"])
    if "overcome" not in labels and "resisted" not in labels:
        return f"{WORDS[labels[0]]}, {mine}, nothing is overcome"
    if outcome.opponent is None:
        return f"{WORDS['overcome']}, {other} does not resist, {mine}"
    aware = [f"{other} {WORDS['aware']}"] if "aware" in labels else []
    return ", ".join([WORDS[labels[0]], *aware, f"{mine} to {outcome.opponent.values['passes']}"])


def asked(node: Any) -> str:
    """The command as it is posted after the dice; the line begins with the speaker."""
    if isinstance(node, Roll):
        return node.asked
    return "" if isinstance(node, notes.NOTES) else str(node).removeprefix("sc ")


def waiting(node: Mind, other: str, minutes: int) -> str:
    """What the one who is asked may answer."""
    covered = asked(node).partition(" vs ")[0]
    return f'{covered} is rolled and covered. {other}: answer "sc resist 5" or "pass" within {minutes} min'


def show(outcome: Outcome, compact: bool) -> str:
    """Each die of the pool followed by its explosions, `6>4`; counted by face where `compact`."""
    dice = outcome.dice
    drawn = faces_of(dice)
    if compact or not drawn or dice[-1].role == POOL:  # explosions stand last
        return faces(drawn, compact)
    behind = 1
    while dice[-behind - 1].role == EXPLOSION:
        behind += 1
    # One die was drawn for each that exploded, so their number tells from which face on they did.
    lowest = EXPLODES if drawn.count(EXPLODES) == behind else MOON_EXPLODES
    exploded = [at for at, face in enumerate(drawn) if face >= lowest]
    shown = figures(drawn)
    for at in exploded[behind - 1 :: -1]:  # the last first: what stands behind a die is complete then
        shown[at] += ">" + shown.pop()
    return " ".join(shown)
