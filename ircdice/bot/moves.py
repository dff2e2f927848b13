"""Changes of trackers by rolls (DSK-03): the records that follow, and their part of the reply."""

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
from ircdice.ledger import Draft, Record
from ircdice.outcome import Earlier, Outcome
from ircdice.table import Chain, characters
from ircdice.table.characters import Character, Tracker
from ircdice.table.rolls import reading_of


@dataclass(slots=True)
class Moved:
    """The records to follow a roll, the text for the reply, and the replacements if the tracker cannot change:
    verdict (`instead`) and outcome."""

    drafts: list[Draft] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    instead: str | None = None
    outcome: Outcome | None = None


def of_roll(context: Context[Command], node: Command, outcome: Outcome) -> Moved:
    """The changes by a roll without a contest, or by a command that rolls nothing."""
    return _moved(context, node, outcome, node, {"mine": context.actor, "acting": context.actor})


def of_answer(context: Context[Command], contest: Chain, answer: Command, node: Command, outcome: Outcome) -> Moved:
    """The changes by an answered contest, on both sides."""
    sides = {"mine": context.actor, "acting": of_record(context, contest.root), "other": context.actor}
    return _moved(context, node, outcome, answer, sides)


def of_follow_up(context: Context[Command], said: Command, chain: Chain, earlier: Earlier, after: Outcome) -> Moved:
    """The changes by a follow-up, for the side whose dice it changes, or both."""
    acting = of_record(context, chain.root)
    other = of_record(context, chain.answered) if chain.answered and not chain.passed else None
    mine = other if earlier.side == "other" and chain.answered else acting
    sides = {"mine": mine, "acting": acting, "other": other}
    return _moved(context, after.becomes or earlier.node, after, said, sides, earlier.outcome)


def of_record(context: Context[Command], record: Record) -> Character:
    """The actor of a record."""
    draft, name = record.draft, record.draft.character
    if name and (found := characters.find(context.desk, draft.channel, draft.who, name)):
        return found
    if name and reading_of(record).speaks_as:  # a nick that a storyteller rolled for
        return Character(context.who_of(name), name, named=False)
    return Character(draft.who, name or draft.nick, named=bool(name))


def taken_back(context: Context[Command], chain: Chain) -> Moved:
    """The changes that discarding a roll reverts, if its game says so (SC-21)."""
    names = chain.game.takes_back
    made = Moved()
    for record in chain.moved:
        node = reading_of(record).node
        if not isinstance(node, Track) or node.name not in names or node.level is None or node.before is None:
            continue
        of = trackers.character_of(record)
        if current := characters.tracker(context.desk, of, node.name):
            move = Move(node.name, node.before.value - node.level.value, told=not names[node.name])
            _change(context, made, current, move, f"{of.name} ")
    return made


def _moved(
    context: Context[Command],
    node: Command,
    outcome: Outcome,
    latest: Command,
    sides: Mapping[str, Character | None],
    before: Outcome | None = None,
) -> Moved:
    """The changes by an outcome, for each of `sides`; `latest` is the command that led to it."""
    made = Moved()
    if context.message.channel is None:  # private rolls change nothing
        return made
    for move in dispatcher.system_of(node).moves(node, outcome, latest, before):
        of = sides[move.of] if move.of in sides else context.find(move.of)
        if of is None:
            continue
        kept = [characters.tracker(context.desk, of, move.tracker, hidden=hidden) for hidden in (False, True)]
        if move.needed and not any(each and each.level.value + move.change >= 0 for each in kept):
            raise RuleError(f"no {move.tracker} is left for {of.name}.")
        named = f"{of.name} " if outcome.opponent or of != sides["mine"] else ""
        for current in filter(None, kept):
            _change(context, made, current, move, named)
    return made


def _change(context: Context[Command], made: Moved, current: Tracker, move: Move, named: str) -> None:
    """One change of a tracker, as far as possible. The reply does not mention hidden ones."""
    most = move.most or current.level.most
    highest = characters.bounds_of(current.name).highest if most is None else most
    wanted = current.level.value + move.change if move.to is None else move.to
    level = Level(max(0, min(wanted, highest)), most)
    stopped, moved = wanted != level.value, level != current.level
    said = f"{named}{current.name}: already {level.value}{'' if most is None else f' of {most}'}"
    if moved:
        track = Track(current.name, level, hidden=current.hidden, before=current.level)
        made.drafts.append(trackers.change(context, current.of, track))
        said = f"{named}{current.name} {trackers.amount(track)}{', no further' if stopped else ''}"
    if current.hidden or move.told or not (moved or stopped):
        return
    if stopped and move.moved:
        made.outcome = move.moved(level.value - current.level.value)
    if move.stopped and not moved:
        made.instead = move.stopped
    else:
        made.said.append(said)
