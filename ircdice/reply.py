"""From an outcome to the one line that is posted. What differs between games is data of their `System`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

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
    wording = _Wording(system, node, outcome, names, command, official)
    shown = len(outcome.dice) + (len(outcome.opponent.dice) if outcome.opponent else 0)
    text = wording._joined(said, _dice(system, outcome, names, shown > MOST_FACES))
    return text if _fits(text) else wording.shortened(said)


def _fits(text: str) -> bool:
    return (len(text) if text.isascii() else len(text.encode())) <= MOST_BYTES - ID_BYTES


def within(text: str, limit: int = MOST_BYTES) -> str:
    """`text` in at most `limit` bytes, cut as the last resort."""
    return text if len(text.encode()) <= limit else cut(text, limit - 3) + "..."


class _Wording(NamedTuple):
    """What the variants of one line have in common."""

    system: System
    node: Any
    outcome: Outcome
    names: tuple[str, str | None]
    command: str
    official: bool

    def line(self, comment: str, *, compact: bool) -> str:
        """The line, faces counted where `compact`."""
        return self._joined(comment, _dice(self.system, self.outcome, self.names, compact))

    def shortened(self, comment: str) -> str:
        """The line within its bytes: faces counted first, then the comment cut, then the dice left to the log."""
        text = self.line(comment, compact=True)
        if _fits(text):
            return text
        over = len(text.encode()) - (MOST_BYTES - ID_BYTES)
        text = self.line(cut(comment, max(len(comment.encode()) - over, 0)), compact=True)
        if _fits(text):
            return text
        text = self._joined("", "dice all in the log")
        return text if _fits(text) else self._barest()

    def _barest(self) -> str:
        """Names and a command of hundreds of characters: who, the verdict as far as it goes, and if unofficial."""
        end = f"; all in the log{'' if self.official else f'; {UNOFFICIAL}'}"
        text = self._replace(command="", official=True)._joined("", "")
        return within(text, MOST_BYTES - ID_BYTES - len(end)) + end

    def _joined(self, comment: str, dice: str) -> str:
        system, (acting, other) = self.system, self.names
        asked = f'{self.command} "{comment}"'.lstrip() if comment else self.command
        parts = [verdict(system, self.node, self.outcome, self.names)]
        if self.outcome.effects:
            parts += self._effects(acting, self.outcome)
        if self.outcome.opponent and other:
            parts += self._effects(other, self.outcome.opponent)
        if lead := system.leads.get(type(self.node)):
            parts.append(" ".join([part for part in (lead, dice, asked) if part]))
        else:
            parts += [part for part in (dice, asked) if part]
        if not self.official:
            parts.append(UNOFFICIAL)
        return f"{acting if other is None else f'{acting} vs {other}'}: {'; '.join(parts)}"

    def _effects(self, name: str, side: Outcome) -> list[str]:
        """What a side pays or gains; in a contest with its name (V5-15)."""
        who = f" {name}" if self.names[1] else ""
        return [self.system.words[effect].format(who=who) for effect in side.effects]


def verdict(system: System, node: Any, outcome: Outcome, names: tuple[str, str | None]) -> str:
    """What the roll came to, in the system's words."""
    acting, other = names
    if other is not None and system.versus is not None:
        return system.versus(outcome, acting, other)
    if not isinstance(system.headline, str):
        return system.headline(node, outcome)
    words = [system.words.get(label, label) for label in outcome.labels]
    values = system.headline.format(**outcome.values) if outcome.values else ""
    return ", ".join(part for part in (*words, values) if part)


def _dice(system: System, outcome: Outcome, names: tuple[str, str | None], compact: bool) -> str:
    if outcome.opponent is None:
        return side(system, outcome, compact)
    each = zip(names, (outcome, outcome.opponent), strict=True)
    return "; ".join(f"{name} {side(system, theirs, compact)}" for name, theirs in each)


def side(system: System, outcome: Outcome, compact: bool = False) -> str:
    """One side's dice as the system shows them, then what is to be said of them."""
    shown = [system.show(outcome, compact)] if system.show else _by_role(system, outcome.dice, compact)
    if anew := [die for die in outcome.dice if die.was is not None]:
        old, new = " ".join(str(die.was) for die in anew), " ".join(str(die.face) for die in anew)
        shown.append(f"rerolled {old} as {new}")
    for remark in outcome.remarks:
        shown.append(system.words[remark])  # nearly always none: a list of its own costs more
    return ", ".join(shown)


def _by_role(system: System, dice: Sequence[Die], compact: bool) -> list[str]:
    """The dice in drawn order, the word of their role in front of each kind."""
    kinds: dict[str, list[int]] = {}
    for _, face, role, _, _ in dice:
        if role in kinds:
            kinds[role].append(face)
        else:
            kinds[role] = [face]
    words = system.roles
    return [
        f"{words[role]} {faces(shown, compact)}" if words.get(role) else faces(shown, compact)
        for role, shown in kinds.items()
    ]


def faces(shown: Sequence[int], compact: bool) -> str:
    """`10 3 10`, or counted, `10x2 3x1`, highest first."""
    if not compact:
        return " ".join(map(str, shown))
    return " ".join([f"{face}x{count}" for face, count in sorted(Counter(shown).items(), reverse=True)])


def waiting_line(
    system: System, node: Any, names: tuple[str, str], minutes: int, comment: str | None, official: bool
) -> str:
    """The line of a contest that wants its answer: nothing of its dice (GEN-06)."""
    acting, other = names
    how = plain = f"{other}: answer, or pass, within {minutes} min"
    if system.waiting and not _fits(how := system.waiting(node, other, minutes)):
        how = plain
    said = posted_comment(comment) if comment else ""
    parts = [how, f'"{said}"' if said else "", "" if official else UNOFFICIAL]
    text = f"{acting} vs {other}: {'; '.join(p for p in parts if p)}"
    return cut(text, MOST_BYTES - ID_BYTES)
