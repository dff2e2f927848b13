"""The trackers that a roll moves (DSK-03): the records that follow it, and their words in the reply."""

from __future__ import annotations

from typing import NamedTuple

from grammars import Command
from grammars.characters import Level, Track
from ircdice import dispatcher
from ircdice.bot import trackers
from ircdice.bot.context import Context
from ircdice.errors import RuleError
from ircdice.game import Move, Said
from ircdice.ledger import Draft, Record
from ircdice.outcome import Earlier, Outcome
from ircdice.table import Chain, characters
from ircdice.table import characters as table
from ircdice.table.characters import Character, Tracker
from ircdice.table.rolls import reading_of


class Moved(NamedTuple):
    """The records to follow a roll, what the reply says, and verdict (`instead`) and outcome where it cannot move."""

    drafts: tuple[Draft, ...] = ()
    said: tuple[str, ...] = ()
    instead: str | None = None
    outcome: Outcome | None = None

    def plus(self, other: Moved) -> Moved:
        """Both."""
        drafts, said = self.drafts + other.drafts, self.said + other.said
        return Moved(drafts, said, self.instead or other.instead, self.outcome or other.outcome)


def of_roll(context: Context[Command], node: Command, outcome: Outcome) -> Moved:
    """What a roll of its own moves, and a command that only notes something."""
    said = Said(nick="", node=node, outcome=outcome, latest=node)
    actor = context.actor if context.actor.named or not context.reading.speaks_as else None
    return _moved(context, said, None, actor, actor, None, opposed=outcome.opponent is not None)


def of_answer(context: Context[Command], contest: Chain, answer: Command, node: Command, outcome: Outcome) -> Moved:
    """What a contest moves on both sides, once it is answered."""
    answering = context.actor if context.actor.named or not context.reading.speaks_as else None
    said = Said(nick="", node=node, outcome=outcome, latest=answer)
    return _moved(context, said, None, answering, of_record(context, contest.root), answering, opposed=True)


def of_follow_up(context: Context[Command], said: Command, chain: Chain, earlier: Earlier, after: Outcome) -> Moved:
    """What a follow-up moves, of the side whose dice it changes or of both."""
    acting = of_record(context, chain.root)
    other = of_record(context, chain.answered) if chain.answered and not chain.passed else None
    now = Said(nick="", node=after.becomes or earlier.node, outcome=after, latest=said)
    mine = other if earlier.side == "other" and chain.answered else acting
    return _moved(context, now, earlier.outcome, mine, acting, other, opposed=after.opponent is not None)


def of_record(context: Context[Command], record: Record) -> Character | None:
    """Who acted in a record; None for a nick that a storyteller rolled for, whose owner is unknown."""
    draft = record.draft
    found = characters.find(context.desk, draft.channel, draft.who, draft.character) if draft.character else None
    if found or (draft.character and not reading_of(record).speaks_as):
        return found or Character(draft.who, draft.character)
    if reading_of(record).speaks_as:
        return None
    return Character(draft.who, draft.nick, named=False)


def taken_back(context: Context[Command], chain: Chain) -> Moved:
    """What is as if that roll had never been made, where its game says so (SC-21)."""
    names = chain.game.takes_back
    made = Moved()
    for record in chain.moved:
        node = reading_of(record).node
        if not isinstance(node, Track) or node.name not in names or node.level is None or node.before is None:
            continue
        of = trackers.character_of(record)
        if now := table.tracker(context.desk, of, node.name):
            move = Move(node.name, node.before.value - node.level.value, told=not names[node.name])
            made = made.plus(_change(context, now, move, f"{of.name} "))
    return made


def _moved(
    context: Context[Command],
    said: Said,
    before: Outcome | None,
    mine: Character | None,
    acting: Character | None,
    other: Character | None,
    *,
    opposed: bool,
) -> Moved:
    if context.message.channel is None:  # what is private stays so
        return Moved()
    made = Moved()
    for move in dispatcher.system_of(said.node).moves(said, before):
        sides = {"mine": mine, "acting": acting, "other": other}
        of = sides[move.of] if move.of in sides else context.find(move.of)
        if of is None:
            continue
        kept = [table.tracker(context.desk, of, move.tracker, hidden=hidden) for hidden in (False, True)]
        if move.needed and not any(each and each.level.value + move.change >= 0 for each in kept):
            raise RuleError(f"no {move.tracker} is left for {of.name}.")
        for now in filter(None, kept):
            named = f"{of.name} " if opposed or of != mine else ""
            made = made.plus(_change(context, now, move, named))
    return made


def _change(context: Context[Command], now: Tracker, move: Move, named: str = "") -> Moved:
    """One change of a tracker, as far as it can go. The reply does not mention a hidden one."""
    most = move.most or now.level.most
    highest = table.bounds_of(now.name).highest if most is None else most
    wanted = now.level.value + move.change if move.to is None else move.to
    level = Level(max(0, min(wanted, highest)), most)
    stopped, told = wanted != level.value, not (now.hidden or move.told)
    if level == now.level:
        if not (stopped and told):
            return Moved()
        of_most = "" if level.most is None else f" of {level.most}"
        already = f"{named}{now.name}: already {level.value}{of_most}"
        outcome = move.moved(0) if move.moved else None
        return Moved(instead=move.stopped, outcome=outcome) if move.stopped else Moved(said=(already,))
    track = Track(now.name, level, hidden=now.hidden, before=now.level)
    said = f"{named}{now.name} {trackers.amount(track)}{', no further' if stopped else ''}"
    outcome = move.moved(level.value - now.level.value) if move.moved and stopped and told else None
    return Moved((trackers.change(context, now.of, track),), (said,) if told else (), outcome=outcome)
