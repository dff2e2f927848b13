"""From an outcome to the one line that is posted. What differs between games is data of their `Game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grammars import Command
from grammars.line import cut, posted_comment
from ircdice.game import MOST_FACES, Game
from ircdice.outcome import Covered, Outcome

MOST_BYTES = 400
ID_BYTES = len("; id ") + 13 + 1 + 6  # the id is not known before the line is recorded
MOST_BEFORE_ID = MOST_BYTES - ID_BYTES
UNOFFICIAL = "unofficial"
SECRET = "difficulty secret"  # FW-10
_BETWEEN = '" "'  # two comments, each in quotes; no comment holds one


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
) -> str:
    """The line without its id: `NICK[ vs NICK]: VERDICT; [EFFECTS;] DICE; COMMAND ["COMMENT"][; unofficial]`.

    `names` are those of the acting and the other side; `asked` replaces the node's own command; `answering` is the
    comment of the player who answered a contest, posted after that of its opening.
    """
    command = system.asked(node) if asked is None else asked
    if isinstance(outcome, Covered):
        command = f"{SECRET}; {command}"
    said = posted_comment(comment) if comment else ""
    if answering:
        said = _BETWEEN.join(filter(None, [said, posted_comment(answering)]))
    opening = _opening(system, node, outcome, names) if instead is None else f"{names[0]}: {instead}"
    opening, lead = "; ".join([opening, *moved]), system.leads.get(type(node), "")
    many = _has_many(outcome)
    dice = _dice(system, outcome, names, compact=many)
    text = _joined(opening, lead, command, official, said, dice)
    if fits(text, MOST_BEFORE_ID):
        return text
    counted_dice = dice if many else _dice(system, outcome, names, compact=True)
    return _Wording(opening, lead, command, official).shortened(said, counted_dice)


def _has_many(outcome: Outcome) -> bool:
    """Whether there are so many dice that their faces are counted."""
    return len(outcome.dice) + (len(outcome.opponent.dice) if outcome.opponent else 0) > MOST_FACES


def _joined(opening: str, lead: str, command: str, official: bool, comment: str, dice: str) -> str:
    """The parts of a line that are not empty; after a lead, the dice and the command are one part."""
    asked = f'{command} "{comment}"'.lstrip() if comment else command
    if lead:
        dice, asked = " ".join(filter(None, (lead, dice, asked))), ""
    text = f"{opening}; {dice}; {asked}" if dice and asked else "; ".join(filter(None, (opening, dice, asked)))
    return text if official else f"{text}; {UNOFFICIAL}"


def fits(text: str, limit: int = MOST_BYTES) -> bool:
    """Whether a line has at most `limit` bytes (IRC-20)."""
    return len(text.encode()) <= limit


def within(text: str, limit: int = MOST_BYTES) -> str:
    """`text` in at most `limit` bytes, cut as the last resort."""
    return text if fits(text, limit) else cut(text, limit - 3) + "..."


def marked(text: str, official: bool) -> str:
    """A line with the mark of a channel that is not official (V5-20), and room for the id."""
    mark = "" if official else f"; {UNOFFICIAL}"
    return f"{within(text, MOST_BEFORE_ID - len(mark))}{mark}"


ALL_IN_LOG = 'all dice by "log" and this id'


class _Wording(NamedTuple):
    """What the variants of one line have in common."""

    opening: str  # names, verdict, effects
    lead: str
    command: str
    official: bool

    def line(self, comment: str, dice: str) -> str:
        """The line with that comment and those dice."""
        return _joined(*self, comment, dice)

    def shortened(self, comment: str, dice: str) -> str:
        """The line within its bytes: faces counted first, then the comment cut, then the dice left to the log."""
        text = self.line(comment, dice)
        if fits(text, MOST_BEFORE_ID):
            return text
        over = len(text.encode()) - MOST_BEFORE_ID
        text = self.line(cut(comment, max(len(comment.encode()) - over, 0)).rstrip(_BETWEEN), dice)
        if fits(text, MOST_BEFORE_ID):
            return text
        text = self.line("", ALL_IN_LOG)
        return text if fits(text, MOST_BEFORE_ID) else self._barest()

    def _barest(self) -> str:
        """For names and commands of hundreds of characters: who, as much of the verdict as fits, and if unofficial."""
        end = f"; all in the log{'' if self.official else f'; {UNOFFICIAL}'}"
        text = self._replace(command="", official=True).line("", "")
        return within(text, MOST_BEFORE_ID - len(end)) + end


def _opening(system: Game, node: Command, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """Who, what it came to, and what it cost or gained."""
    acting, other = names
    who = acting if other is None else f"{acting} vs {other}"
    text = f"{who}: {verdict(system, node, outcome, names)}"
    if outcome.effects:
        text += _effects(system, outcome, names, acting)
    if outcome.opponent and other:
        text += _effects(system, outcome.opponent, names, other)
    return text


def _effects(system: Game, side: Outcome, names: tuple[str, str | None], name: str) -> str:
    """What a side pays or gains; in a contest with its name (V5-15)."""
    who = f" {short(name)}" if names[1] else ""
    return "".join([f"; {system.words[effect].format(who=who)}" for effect in side.effects])


def short(name: str) -> str:
    """`Viktor` of `Viktor (alice)`, which is written in full only at the beginning."""
    return name.partition(" (")[0]


def verdict(system: Game, node: Command, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """What the roll came to, in the system's words."""
    acting, other = names
    against = None if other is None else system.versus(outcome, short(acting), short(other))
    return system.headline(node, outcome) if against is None else against


def _dice(system: Game, outcome: Outcome, names: tuple[str, str | None], *, compact: bool) -> str:
    """The dice of each side, faces counted if `compact`."""
    if outcome.opponent is None:
        return side(system, outcome, compact)
    each = zip(names, (outcome, outcome.opponent), strict=True)
    return "; ".join(f"{short(name or '')} {side(system, theirs, compact)}" for name, theirs in each)


def side(system: Game, outcome: Outcome, compact: bool = False) -> str:
    """One side's dice as the system shows them, then the remarks on them."""
    shown = system.show(outcome, compact)
    remarks = [system.words[remark] for remark in outcome.remarks]
    if not outcome.terms and (rerolled := outcome.rerolled):  # terms name their own
        was, now = (" ".join(map(str, faces)) for faces in zip(*[(die.was, die.face) for die in rerolled], strict=True))
        remarks.insert(0, f"rerolled {was} as {now}")
    return ", ".join(filter(None, (shown, *remarks)))


def waiting_line(
    system: Game, node: Command, names: tuple[str, str], minutes: int, comment: str | None, official: bool
) -> str:
    """The line of a contest that waits for its answer, without its dice (GEN-06)."""
    acting, other = names
    how = system.waiting(node, other, minutes)
    if not fits(how, MOST_BEFORE_ID):
        how = Game.waiting(system, node, other, minutes)
    said = posted_comment(comment) if comment else ""
    parts = [how, f'"{said}"' if said else "", "" if official else UNOFFICIAL]
    text = f"{acting} vs {other}: {'; '.join(p for p in parts if p)}"
    return cut(text, MOST_BEFORE_ID)
