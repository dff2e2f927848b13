"""Rolls that nothing at their table touches, judged again by the shortest way (LED-16). Knows no contest.

Nine in ten records are such. What can be told of a command without its dice is found out once for all who say it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import grammars
from grammars.tokens import MOST_CHARACTERS
from ircdice import dispatcher, reply
from ircdice.bot import rolling
from ircdice.bot.bot import handler_of
from ircdice.errors import Refused
from ircdice.ledger.entry import Entry
from ircdice.ledger.record import USUAL
from ircdice.outcome import Outcome
from ircdice.reply import MOST_BEFORE_ID, within
from ircdice.system import System
from ircdice.table import Table, Thrown

_Said = tuple[str, str, bytes, bool]  # text, game, dice as they are packed, whether its line says that it was official
_MOST = 20_000  # commands, and rolls of few dice, that are known by heart
_FEW = 4  # bytes of packed draws: two dice of one kind
_SHORT = 200  # characters of a line


class _Way(NamedTuple):
    """A command that is a roll and no more: how its line is come to."""

    node: Any
    system: System
    comment: str | None
    asked: str  # as its line has it
    asks: bool  # whether the table has to be asked whether it may be said
    alike: bool  # whether it comes to the same whoever says it, whatever was said before


class _Known(NamedTuple):
    """A roll of few dice that may come again from anybody: what it came to, and its line without the nick."""

    way: _Way
    outcome: Outcome
    rest: str


class PlainRolls:
    """Confirms rolls by the rules of now."""

    def __init__(self) -> None:
        self._ways: dict[tuple[str, str], _Way | None] = {}
        self._again: dict[_Said, _Known] = {}

    def confirm(self, entry: Entry, table: Table) -> bool:
        """Whether a roll at a `quiet` table comes to its very line; most do. The table has taken it in then.

        False says no more than that it has to go the whole way.
        """
        held, line, nick = entry.held, entry.line, entry.nick
        official = held.official and not entry.private
        few = len(entry.draws) <= _FEW and held.house is USUAL
        said = entry.text, held.system, entry.draws, official
        if few and (known := self._again.get(said)) is not None and line == f"{nick}{known.rest}":
            table.lay(entry, Thrown(known.way.node, known.outcome), known.way.system)
            return True
        way, comment = self._way(entry.text, held.system)
        if way is None:
            return False
        try:
            node, outcome = _thrown(way, entry, table)
        except Refused:
            return False
        if line != _line(way, node, outcome, nick, comment, official=official):
            return False
        if (
            few
            and way.alike
            and comment is None
            and outcome.opponent is None
            and len(line) <= _SHORT
            and line.isascii()
        ):
            _put(self._again, said, _Known(way, outcome, line[len(nick) :]))
        table.lay(entry, Thrown(node, outcome, comment), way.system)
        return True

    def _way(self, text: str, game: str) -> tuple[_Way | None, str | None]:
        """How a command is gone, and its comment; it is not read again because something else is said beside it."""
        command, mark, comment = text.partition(" # ")
        if mark and comment and len(text) <= MOST_CHARACTERS and text.isascii() and text.isprintable():
            way = self._known(command, game)
            if way is not None and way.comment is None:
                return way, comment.strip() or None
        way = self._known(text, game)
        return way, way and way.comment

    def _known(self, text: str, game: str) -> _Way | None:
        try:
            return self._ways[text, game]
        except KeyError:
            way = _found(text, game)
            _put(self._ways, (text, game), way)
            return way


def _put(known: dict[Any, Any], key: Any, value: Any) -> None:
    if len(known) >= _MOST:
        known.clear()
    known[key] = value


def _found(text: str, game: str) -> _Way | None:
    """None where it is more than a roll, or none."""
    try:
        reading = grammars.read(text, game, True)
    except Refused:
        return None
    node = reading.node
    if handler_of(node) is not rolling.roll or reading.speaks_as or reading.ref or node.against:
        return None
    system = dispatcher.system_of(node)
    asked = system.asked(node)
    asks = bool(system.permits or system.tells)
    alike = not (asks or system.prepared)
    return _Way(node, system, reading.comment, asked, asks, alike)


def _thrown(way: _Way, entry: Entry, table: Table) -> tuple[Any, Outcome]:
    """A roll as the table's memory has it, and what it came to. Refused where it is no roll, or was not allowed."""
    node, system = way.node, way.system
    if way.asks and table.told(node, entry.nick, storyteller=False) is not None:
        raise Refused("it is a question.")
    if system.prepared is not None:
        node = table.prepared(node, entry.nick)
    dice = entry.dice
    outcome: Outcome = system.evaluate(node, dice, house=entry.held.house)
    dice.finish()
    if outcome.kind in ("waiting", "note"):
        raise Refused("it is no roll.")
    return node, outcome


def _line(way: _Way, node: Any, outcome: Outcome, nick: str, comment: str | None, *, official: bool) -> str:
    """As the bot words it."""
    names = rolling.acting(node, nick), "other" if outcome.opponent else None
    asked = way.asked if node is way.node else None
    line = reply.line(way.system, node, outcome, names=names, asked=asked, comment=comment, official=official)
    return within(line, MOST_BEFORE_ID)
