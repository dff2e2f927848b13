"""Turn an outcome into the line that is posted. What differs between games is in their `Game`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grammars import Command
from grammars.line import cut, posted_comment
from ircdice.game import MOST_FACES, Game, listed
from ircdice.outcome import Outcome, faces_of

MOST_BYTES = 400
ID_BYTES = len("; id ") + 13 + 1 + 6  # the id is unknown until the line is recorded
MOST_BEFORE_ID = MOST_BYTES - ID_BYTES
UNOFFICIAL = "unofficial"
SECRET = "difficulty secret"  # FW-10
ALL_IN_LOG = 'all dice by "log" and this id'
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_BETWEEN = '" "'  # between two quoted comments; comments contain no quotes


def line(
    system: Game,
    node: Command,
    outcome: Outcome,
    *,
    names: tuple[str, str | None],
    asked: str | None = None,
    comment: str | None = None,
    official: bool = True,
    answering: str | None = None,
    moved: Sequence[str] = (),
    instead: str | None = None,
    by: str | None = None,
) -> str:
    """The line without its id: `NICK[ vs NICK]: VERDICT; [EFFECTS;] DICE; COMMAND ["COMMENT"][; unofficial]`.

    `names` are the acting and the other side; `asked` replaces the command of the node; `answering` is the
    comment of the player who answered a contest, posted after the first; `by` is the player of a follow-up, if the
    line begins with another name.
    """
    command = system.asked(node) if asked is None else asked
    if outcome.covered:
        command = f"{SECRET}; {command}"
    said = posted_comment(comment) if comment else ""
    if answering:
        said = _BETWEEN.join(filter(None, [said, posted_comment(answering)]))
    opening = _opening(system, node, outcome, names, by) if instead is None else f"{names[0]}: {instead}"
    opening, mark = "; ".join([opening, *moved]), "" if official else f"; {UNOFFICIAL}"
    many = len(outcome.dice) + (len(outcome.opponent.dice) if outcome.opponent else 0) > MOST_FACES
    # If it is too long, first count the faces, then cut the comment, then leave out the dice, which are in the log.
    for compact in (many, True):
        dice = _dice(system, outcome, names, compact=compact)
        text = _joined(opening, dice, command, said) + mark
        if fits(text, MOST_BEFORE_ID):
            return text
    over = len(text.encode()) - MOST_BEFORE_ID
    shorter = cut(said, max(len(said.encode()) - over, 0)).rstrip(_BETWEEN)
    for shown, words in ((dice, shorter), (ALL_IN_LOG, "")):
        text = _joined(opening, shown, command, words) + mark
        if fits(text, MOST_BEFORE_ID):
            return text
    # For names and commands of hundreds of characters: the name, and as much of the verdict as fits.
    end = f"; all in the log{mark}"
    return within(opening, MOST_BEFORE_ID - len(end)) + end


def _joined(opening: str, dice: str, command: str, said: str) -> str:
    """The parts that are not empty; without a command, the dice and the comment are one part."""
    asked = f'{command} "{said}"'.lstrip() if said else command
    return "; ".join(filter(None, (opening, dice, asked) if command else (opening, f"{dice} {asked}".strip())))


def fits(text: str, limit: int = MOST_BYTES) -> bool:
    """Whether a line has at most `limit` bytes (IRC-20)."""
    return len(text.encode()) <= limit


def printable(text: str) -> str:
    """`text` without control characters (IRC-21)."""
    return text if text.isprintable() else _CONTROL.sub("", text)


def within(text: str, limit: int = MOST_BYTES) -> str:
    """`text` without control characters, cut to at most `limit` bytes."""
    text = printable(text)
    return text if fits(text, limit) else cut(text, limit - 3) + "..."


def commented(line: str, comment: str | None) -> str:
    """`line` with the comment of its command, as posted (GEN-03)."""
    return f'{line}; "{posted_comment(comment)}"' if comment else line


def marked(text: str, official: bool) -> str:
    """Mark a line as unofficial where it is (V5-20), and leave room for the id."""
    mark = "" if official else f"; {UNOFFICIAL}"
    return f"{within(text, MOST_BEFORE_ID - len(mark))}{mark}"


def _opening(system: Game, node: Command, outcome: Outcome, names: tuple[str, str | None], by: str | None) -> str:
    """Names, verdict, and effects."""
    acting, other = names
    text = f"{acting if other is None else f'{acting} vs {other}'}: {verdict(system, node, outcome, names)}"
    for side, name in ((outcome, acting), (outcome.opponent, other or "")):
        for effect in side.effects if side and name else ():
            who = f" {short(name)}" if other else ""  # V5-15
            text += f"; {system.words[effect].format(who=who, by=f'{by} ' if by else '')}"
    return text


def short(name: str) -> str:
    """`Viktor` for `Viktor (alice)`: the full form is only used at the start of a line."""
    return name.partition(" (")[0]


def verdict(system: Game, node: Command, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """The verdict, in the system's words."""
    acting, other = names
    against = None if other is None else system.versus(outcome, short(acting), short(other))
    return system.headline(node, outcome) if against is None else against


def _dice(system: Game, outcome: Outcome, names: tuple[str, str | None], *, compact: bool) -> str:
    """The dice of each side, as counts of faces if `compact`."""
    if outcome.opponent is None:
        return side(system, outcome, compact)
    each = zip(names, (outcome, outcome.opponent), strict=True)
    return "; ".join(f"{short(name or '')} {side(system, theirs, compact)}" for name, theirs in each)


def side(system: Game, outcome: Outcome, compact: bool = False) -> str:
    """One side's dice in the system's form, then remarks."""
    parts = [system.show(outcome, compact)]
    if not outcome.terms and (rerolled := outcome.rerolled):  # terms show theirs
        parts.append(f"rerolled {listed([die.was or 0 for die in rerolled])} as {listed(faces_of(rerolled))}")
    parts += [system.words[remark] for remark in outcome.remarks]
    return ", ".join(filter(None, parts))


def waiting_line(
    system: Game, node: Command, names: tuple[str, str], minutes: int, comment: str | None, official: bool
) -> str:
    """The line of a contest that waits for its answer, without its dice (GEN-06)."""
    acting, other = names
    covered, example = system.asked(node).partition(" vs ")[0], node.answer
    how = f'{covered} is rolled and covered. {other}: answer "{example}" or "pass" within {minutes} min'
    if not example or not fits(how, MOST_BEFORE_ID):
        how = f"{other}: answer, or pass, within {minutes} min"
    parts = how, comment and f'"{posted_comment(comment)}"', "" if official else UNOFFICIAL
    return cut(f"{acting} vs {other}: {'; '.join(filter(None, parts))}", MOST_BEFORE_ID)
