"""Changes of trackers by rolls (DSK-03): the records that follow a roll, and their part of its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grammars import Command
from grammars.trackers import Level, Track
from ircdice import dispatcher
from ircdice.bot import trackers
from ircdice.bot.context import Context
from ircdice.errors import RuleError
from ircdice.game import Move
from ircdice.ledger import Draft
from ircdice.outcome import Outcome
from ircdice.table import Chain, characters
from ircdice.table.characters import Character, Tracker
from ircdice.table.rolls import reading_of


@dataclass(slots=True)
class Moves:
    """The records to follow a roll, the text for the reply, and the replacements if the tracker cannot change:
    verdict (`instead`) and outcome."""

    drafts: list[Draft] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    instead: str | None = None
    outcome: Outcome | None = None


def by_outcome(
    context: Context[Command],
    node: Command,
    outcome: Outcome,
    latest: Command,
    actors: Mapping[str, Character | None],
    before: Outcome | None,
) -> Moves:
    """The changes by an outcome, which the command `latest` led to, in the trackers of `actors`: `acting` and `other`
    are the sides of the roll, and `mine` is the one who acts now: bob, for his `wp 2` after he answered alice."""
    moves = Moves()
    if context.message.channel is None:  # private rolls change nothing
        return moves
    for move in dispatcher.system_of(node).moves(node, outcome, latest, before):
        of = actors[move.of] if move.of in actors else context.find(move.of)
        if of is None:
            continue
        stored = [characters.tracker(context.desk, of, move.tracker, hidden=hidden) for hidden in (False, True)]
        if move.needed and not any(each and each.level.value + move.change >= 0 for each in stored):
            raise RuleError(f"no {move.tracker} is left for {of.name}.")
        named = f"{of.name} " if outcome.opponent or of != actors["mine"] else ""
        for current in filter(None, stored):
            _change(context, moves, current, move, named)
    return moves


def _change(context: Context[Command], moves: Moves, current: Tracker, move: Move, named: str) -> None:
    """One change of a tracker, as far as possible. The reply does not mention hidden ones."""
    most = move.most or current.level.most
    wanted = current.level.value + move.change if move.to is None else move.to
    level = Level(max(0, min(wanted, move.most or current.most)), most)
    stopped, moved = wanted != level.value, level != current.level
    words = f"{named}{current.name}: already {level.value}{'' if most is None else f' of {most}'}"
    if moved:
        track = Track(current.name, level, hidden=current.hidden, before=current.level)
        moves.drafts.append(trackers.change(context, current.of, track))
        words = f"{named}{current.name} {trackers.amount(track)}{', no further' if stopped else ''}"
    if current.hidden or move.told or not (moved or stopped):
        return
    if stopped and move.moved:
        moves.outcome = move.moved(level.value - current.level.value)
    if move.stopped and not moved:
        moves.instead = move.stopped
    else:
        moves.words.append(words)


def taken_back(context: Context[Command], chain: Chain) -> Moves:
    """The changes that discarding a roll reverts, if its game says so (SC-21)."""
    names = chain.game.takes_back
    moves = Moves()
    for record in chain.moved:
        node = reading_of(record).node
        if not isinstance(node, Track) or node.name not in names or node.level is None or node.before is None:
            continue
        of = trackers.character_of(record)
        if current := characters.tracker(context.desk, of, node.name):
            move = Move(node.name, node.before.value - node.level.value, told=not names[node.name])
            _change(context, moves, current, move, f"{of.name} ")
    return moves
