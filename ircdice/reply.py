"""From an outcome to the one line that is posted. What differs between games is data of their `System`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from grammars.line import cut, posted_comment
from ircdice.outcome import Die, Outcome
from ircdice.system import System

MOST_BYTES = 400
ID_BYTES = len("; id ") + 13 + 1 + 6  # the id is not known before the line is recorded
MOST_FACES = 30  # past that, faces are counted
UNOFFICIAL = "unofficial"


def line(
    system: System,
    node: Any,
    outcome: Outcome,
    *,
    names: tuple[str, str | None],
    asked: str | None = None,
    comment: str | None = None,
    official: bool = True,
) -> str:
    """The line without its id: `NICK[ vs NICK]: VERDICT; [EFFECTS;] DICE; COMMAND ["COMMENT"][; unofficial]`.

    `names` are the acting and the other side's; `asked` stands for the command where that is not the node's own.
    """
    command = system.asked(node) if asked is None else asked
    said = posted_comment(comment) if comment else ""
    for compact, kept_comment in ((len(outcome.dice) > MOST_FACES, said), (True, said), (True, "")):
        dice = _dice(system, node, outcome, names, compact=compact)
        text = _joined(system, node, outcome, names, dice, command, kept_comment, official)
        over = len(text.encode()) + ID_BYTES - MOST_BYTES
        if over <= 0:
            return text
        if kept_comment and compact and (shorter := cut(said, max(len(said.encode()) - over, 0))):
            return _joined(system, node, outcome, names, dice, command, shorter, official)
    return _joined(system, node, outcome, names, "dice all in the log", command, "", official)


def _joined(
    system: System,
    node: Any,
    outcome: Outcome,
    names: tuple[str, str | None],
    dice: str,
    command: str,
    comment: str,
    official: bool,
) -> str:
    effects = [system.words[effect] for effect in outcome.effects]
    asked = f'{command} "{comment}"'.lstrip() if comment else command
    if asked and node.__class__ in system.leads:
        dice, asked = f"{dice} {asked}", ""
    parts = [verdict(system, node, outcome, names), *effects, dice, asked, "" if official else UNOFFICIAL]
    acting, other = names
    return f"{acting if other is None else f'{acting} vs {other}'}: {'; '.join([p for p in parts if p])}"


def verdict(system: System, node: Any, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """What the roll came to, in the system's words."""
    acting, other = names
    if other is not None and system.versus is not None and (outcome.kind == "contest" or outcome.opponent):
        return system.versus(outcome, acting, other)
    if not isinstance(system.headline, str):
        return system.headline(node, outcome)
    words = [system.words.get(label, label) for label in outcome.labels]
    values = system.headline.format(**outcome.values) if outcome.values else ""
    return ", ".join(part for part in (*words, values) if part)


def _dice(system: System, node: Any, outcome: Outcome, names: tuple[str, str | None], *, compact: bool = False) -> str:
    if outcome.opponent is not None:
        each = zip(names, (outcome, outcome.opponent), strict=True)
        return "; ".join(f"{name} {side(system, theirs, compact)}" for name, theirs in each)
    lead = system.leads.get(node.__class__)
    shown = side(system, outcome, compact)
    return f"{lead} {shown}" if lead else shown


def side(system: System, outcome: Outcome, compact: bool = False) -> str:
    """One side's dice by their roles in the system's order, then what is to be said of them."""
    groups = _groups(system, outcome.dice)
    shown = [f"{word} {faces(dice, compact)}".lstrip() for word, dice in groups]
    if anew := outcome.drawn_anew:
        old, new = " ".join(str(die.was) for die in anew), " ".join(str(die.face) for die in anew)
        shown.append(f"rerolled {old} as {new}")
    return ", ".join([*shown, *(system.words[remark] for remark in outcome.remarks)])


def _groups(system: System, dice: tuple[Die, ...]) -> Iterable[tuple[str, list[Die]]]:
    if not system.roles or (dice and dice[0].role == dice[-1].role == next(iter(system.roles))):
        return [("", list(dice))] if dice else []
    found = ((word, [die for die in dice if die.role == role]) for role, word in system.roles.items())
    return [(word, some) for word, some in found if some]


def faces(dice: Iterable[Die], compact: bool) -> str:
    """`10 3 10`, or counted, `10x2 3x1`, highest first."""
    shown = [die.face for die in dice]
    if not compact:
        return " ".join(map(str, shown))
    return " ".join(f"{face}x{count}" for face, count in sorted(Counter(shown).items(), reverse=True))


def waiting_line(
    system: System, node: Any, names: tuple[str, str], minutes: int, comment: str | None, official: bool
) -> str:
    """The line of a contest that wants its answer: nothing of its dice (GEN-06)."""
    acting, other = names
    how = system.waiting(node, other, minutes) if system.waiting else f"{other}: answer, or pass, within {minutes} min"
    said = posted_comment(comment) if comment else ""
    parts = [how, f'"{said}"' if said else "", "" if official else UNOFFICIAL]
    return f"{acting} vs {other}: {'; '.join(p for p in parts if p)}"
