"""From an outcome to the one line that is posted. What differs between games is data of their `AnyGame`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from grammars.line import cut, posted_comment
from ircdice.figures import MOST_FACES, counted, listed
from ircdice.game import AnyGame, Game
from ircdice.outcome import Covered, Die, Outcome

MOST_BYTES = 400
ID_BYTES = len("; id ") + 13 + 1 + 6  # the id is not known before the line is recorded
MOST_BEFORE_ID = MOST_BYTES - ID_BYTES
UNOFFICIAL = "unofficial"
SECRET = "difficulty secret"  # FW-10
_BETWEEN = '" "'  # two comments, each in quotes; no comment holds one


def line(
    system: AnyGame,
    node: Any,
    outcome: Outcome,
    *,
    names: tuple[str, str | None],
    asked: str | None = None,
    comment: str | None = None,
    official: bool = True,
    answering: str | None = None,
) -> str:
    """The line without its id: `NICK[ vs NICK]: VERDICT; [EFFECTS;] DICE; COMMAND ["COMMENT"][; unofficial]`.

    `names` are the acting and the other side's; `asked` stands for the command where that is not the node's own;
    `answering` is the comment of whoever answered a contest, behind that of its opening.
    """
    command = system.asked(node) if asked is None else asked
    if isinstance(outcome, Covered):
        command = f"{SECRET}; {command}"
    said = posted_comment(comment) if comment else ""
    if answering:
        said = _BETWEEN.join(filter(None, [said, posted_comment(answering)]))
    opening, lead = _opening(system, node, outcome, names), system.leads.get(type(node), "")
    text = _joined(opening, lead, command, official, said, _dice(system, outcome, names))
    if fits(text, MOST_BEFORE_ID):
        return text
    return _Wording(opening, lead, command, official).shortened(said, _dice(system, outcome, names, compact=True))


def _joined(opening: str, lead: str, command: str, official: bool, comment: str, dice: str) -> str:
    """The parts of a line that there are; behind a lead the dice and the command are one part."""
    asked = f'{command} "{comment}"'.lstrip() if comment else command
    if lead:
        dice, asked = " ".join(filter(None, (lead, dice, asked))), ""
    text = f"{opening}; {dice}; {asked}" if dice and asked else "; ".join(filter(None, (opening, dice, asked)))
    return text if official else f"{text}; {UNOFFICIAL}"


def fits(text: str, limit: int = MOST_BYTES) -> bool:
    """Whether a line has at most `limit` bytes (IRC-20)."""
    return (len(text) if text.isascii() else len(text.encode())) <= limit


def within(text: str, limit: int = MOST_BYTES) -> str:
    """`text` in at most `limit` bytes, cut as the last resort."""
    return text if fits(text, limit) else cut(text, limit - 3) + "..."


ALL_IN_LOG = 'all dice by "log" and this id'


class _Wording(NamedTuple):
    """What the variants of one line have in common."""

    opening: str  # names, verdict, effects
    lead: str
    command: str
    official: bool

    def line(self, comment: str, dice: str) -> str:
        """The line with so much of its comment and its dice."""
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
        """Names and a command of hundreds of characters: who, the verdict as far as it goes, and if unofficial."""
        end = f"; all in the log{'' if self.official else f'; {UNOFFICIAL}'}"
        text = self._replace(command="", official=True).line("", "")
        return within(text, MOST_BEFORE_ID - len(end)) + end


def _opening(system: AnyGame, node: Any, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """Who, what it came to, and what it cost or gained."""
    acting, other = names
    who = acting if other is None else f"{acting} vs {other}"
    text = f"{who}: {verdict(system, node, outcome, names)}"
    if outcome.effects:
        text += _effects(system, outcome, names, acting)
    if outcome.opponent and other:
        text += _effects(system, outcome.opponent, names, other)
    return text


def _effects(system: AnyGame, side: Outcome, names: tuple[str, str | None], name: str) -> str:
    """What a side pays or gains; in a contest with its name (V5-15)."""
    who = f" {name}" if names[1] else ""
    return "".join([f"; {system.words[effect].format(who=who)}" for effect in side.effects])


def verdict(system: AnyGame, node: Any, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """What the roll came to, in the system's words."""
    acting, other = names
    against = None if other is None else system.versus(outcome, acting, other)
    return system.headline(node, outcome) if against is None else against


def _dice(system: AnyGame, outcome: Outcome, names: tuple[str, str | None], compact: bool = False) -> str:
    """The dice of each side, faces counted where `compact` or where there are many."""
    other, thrown = outcome.opponent, outcome.dice
    if other is None:
        return side(system, outcome, compact or len(thrown) > MOST_FACES)
    compact = compact or len(thrown) + len(other.dice) > MOST_FACES
    each = zip(names, (outcome, other), strict=True)
    return "; ".join(f"{name} {side(system, theirs, compact)}" for name, theirs in each)


def side(system: AnyGame, outcome: Outcome, compact: bool = False) -> str:
    """One side's dice as the system shows them, then what is to be said of them."""
    own = system.show(outcome, compact)
    shown = _by_role(system, outcome.dice, compact) if own is None else own
    if not outcome.remarks and not (system.amends and outcome.rerolled):  # nothing else rerolls, and looking takes long
        return shown
    return ", ".join(filter(None, (shown, *_said(system, outcome))))


def _said(system: AnyGame, outcome: Outcome) -> Iterator[str]:
    """What is to be said of dice beside their faces."""
    if (anew := outcome.drawn_anew) and not outcome.terms:  # which say it of their own
        yield f"rerolled {' '.join(str(die.was) for die in anew)} as {' '.join(str(die.face) for die in anew)}"
    yield from [system.words[remark] for remark in outcome.remarks]


def _by_role(system: AnyGame, dice: Sequence[Die], compact: bool) -> str:
    """The dice in drawn order, the word of their role in front of each kind."""
    kinds: dict[str, list[int]] = {}
    last = None
    for die in dice:  # quicker than map or groupby, whose getters take longer than a turn of the loop
        if (role := die[2]) is not last:
            faces, last = kinds.setdefault(role, []), role
        faces.append(die[1])
    words, written = system.roles, counted if compact else listed
    return ", ".join([f"{words[role]} {written(f)}" if words.get(role) else written(f) for role, f in kinds.items()])


def waiting_line(
    system: AnyGame, node: Any, names: tuple[str, str], minutes: int, comment: str | None, official: bool
) -> str:
    """The line of a contest that wants its answer: nothing of its dice (GEN-06)."""
    acting, other = names
    how = system.waiting(node, other, minutes)
    if not fits(how, MOST_BEFORE_ID):
        how = Game.waiting(system, node, other, minutes)
    said = posted_comment(comment) if comment else ""
    parts = [how, f'"{said}"' if said else "", "" if official else UNOFFICIAL]
    text = f"{acting} vs {other}: {'; '.join(p for p in parts if p)}"
    return cut(text, MOST_BEFORE_ID)
