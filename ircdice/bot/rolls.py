"""Rolls, follow-ups and discards, from a node to a record and a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from grammars import Command
from grammars.contests import Discard, Pass
from grammars.trackers import Track
from ircdice import dispatcher, reply
from ircdice.bot import contests, moves, names, scenes, trackers
from ircdice.bot.context import Answer, Context
from ircdice.bot.follow_ups import head_of, is_a_roll, latest_own, located, named
from ircdice.bot.message import Reply
from ircdice.bot.secrets import for_setter
from ircdice.errors import RuleError
from ircdice.ledger import Record, RecordKind
from ircdice.ledger.record import base32
from ircdice.outcome import Earlier, Outcome
from ircdice.table import OTHER, Chain, characters, secrets
from ircdice.table.characters import Character
from ircdice.table.rolls import Judged, reading_of, side_of
from ircdice.table.secrets import Seal


async def roll(context: Context[Command]) -> Answer:
    """Handle a roll: a simple one, the opening of a contest, or an answer."""
    contest = contests.answered(context)
    return await (throw(context) if contest is None else answer(context, contest))


async def track(context: Context[Track]) -> Answer:
    """Change a tracker, or the same number in a game's memory, such as the Luck of an encounter (SC-26)."""
    if text := trackers.for_whom(context):
        context = await context.instead(text, Track)
    own = context.table.tracked(context.node, context.actor.name)
    return await (trackers.track(context) if own is None else throw(await context.instead(str(own), Command)))


async def throw(context: Context[Command]) -> Answer:
    """A simple roll, or the opening of a contest."""
    if (lines := await _answer_to_question(context)) is not None:
        say = context.whisper if context.node.private_question else context.say
        return Answer(tuple([say(line) for line in lines]), "note", dispatcher.game_name(context.node))
    _check_speaker(context)
    if against := context.node.against:
        contests.check_opening(context, against)
    reminder = contests.reminder(context)
    seal = secrets.over(context.table.seals, context.node, context.is_for_actor)
    command = context.table.prepared(context.node, context.actor.name) if seal is None else _under(context, seal)
    node, outcome = command, dispatcher.evaluate(command, context.dice, context.settings.house)
    if seal is not None:  # FW-10
        node, outcome = secrets.opened(node), secrets.covered(node, outcome, outcome)
    rolled = Judged(command, context.reading.comment, Earlier(node, outcome))
    sides = context.posted_name(node), node.against or (OTHER if outcome.opponent else None)
    if outcome.kind == "waiting":
        answered = await _open(context, rolled, sides[0], node.against or "")
    else:
        kind: RecordKind = "track" if outcome.kind == "note" else "roll"
        actors = {"mine": context.actor, "acting": context.actor}
        answered = await _recorded(context, kind, rolled, sides, actors, seal.record.seq if seal else 0)
    return answered._replace(replies=answered.replies + reminder)


def _check_speaker(context: Context[Command]) -> None:
    """Raise RuleError if the speaker may not roll for the actor, or may not join under that name."""
    actor, joins, same = context.actor, context.node.joins, context.table.same
    if actor.named or context.reading.speaks_as:
        context.require_own("roll for", actor)
    if context.reading.speaks_as and same(actor.name, OTHER):  # GEN-06: not a name
        raise RuleError(f"no contest here waits for {actor.name}.")
    if joins and not same(joins, actor.name):
        if context.message.storyteller:
            names.check_meaningless(joins)
        else:
            names.check_free(context, joins)


async def _answer_to_question(context: Context[Command]) -> tuple[str, ...] | None:
    """The lines that answer a question about the game's memory, and the tracker that it is also about, unless the game
    stores that number itself; None for a roll. RuleError."""
    node, of, tracked = context.node, context.actor, None
    if node.asks_for:
        name, whose = node.asks_for
        of = context.actor_of(whose) if whose else of
        await context.place.fetch(of.owner)
        tracked = characters.tracker(context.desk, of, name)
    try:
        lines = context.table.answer_to(node, context.actor.name, storyteller=context.message.storyteller)
    except RuleError:
        if tracked is None:
            raise
        return (tracked.shown(),)
    if lines is None or tracked is None or context.table.tracked(Track(tracked.name, change=0), of.name):
        return lines
    return (f"{'; '.join(lines).rstrip('.')}; tracked: {tracked.name} {tracked.level}.",)


def _under(context: Context[Command], seal: Seal) -> Command:
    """The node as completed by the table, with a secret difficulty, which no RuleError reveals (FW-10)."""
    try:
        return context.table.prepared(secrets.under(context.node, seal), context.actor.name)
    except RuleError as refusal:
        context.table.prepared(context.node, context.actor.name)  # refused as if there were no secret difficulty
        raise RuleError(str(refusal)) from None


async def _open(context: Context[Command], rolled: Judged, acting: str, other: str) -> Answer:
    """A contest with @nick: its dice are drawn, and covered until it is answered (GEN-06)."""
    minutes, node = context.settings.contest_minutes, rolled.command
    system = dispatcher.system_of(node)
    line = reply.waiting_line(system, node, (acting, other), minutes, rolled.comment, context.official)
    record = await context.record("contest", line, judged=rolled)
    # IRC-29; a character's player may change
    owners = {**context.place.owners, record.seq: None if context.find(other) else context.message.owner_of(other)}
    context.place.owners = {seq: owner for seq, owner in owners.items() if seq in context.table.waiting}
    replies = [context.post(record)]
    if absent := context.absent(other):
        waits = f'the contest waits; "withdraw {record.short_id}" takes it back.'
        replies.append(context.whisper(f"{absent}: {waits}"))
    return Answer(tuple(replies), "waiting", dispatcher.game_name(node), Outcome(kind="waiting"), record, other)


async def answer(context: Context[Command], contest: Chain) -> Answer:
    """The other side of a contest: rolled, or passed."""
    acting, other = await _actor_of(context, contest.root), context.actor
    command, earlier = context.table.prepared(context.node, other.name), context.table.standing(contest)
    outcome = context.table.amended(contest, command, earlier, context.dice)
    theirs = context.posted_name(command) if other.named or command.character else contest.against or other.name
    sides, actors = (contest.names()[0], theirs), {"mine": other, "acting": acting, "other": other}
    now = Judged(command, contest.comment, earlier.after(outcome))
    answering = None if context.reading.ref else context.reading.comment  # the id of the contest is not a comment
    return await _recorded(context, "answer", now, sides, actors, contest.root.seq, earlier, answering=answering)


async def do_pass(context: Context[Pass]) -> Answer:
    """`pass`: no resistance."""
    return await answer(context, contests.passed(context))


async def follow(context: Context[Command]) -> Answer:
    """Handle a follow-up, such as Willpower or Hunger typed later, which changes an earlier roll."""
    if context.called and context.node.tracks and (text := trackers.for_whom(context)):
        context = await context.instead(text, Command)
    command = context.table.prepared(context.node, context.actor_of(None).name)
    try:
        chain, earlier = located(context, command)
        return await amend(context, command, chain, earlier)
    except RuleError as refusal:
        if context.called and (tracked := command.tracks):
            return await trackers.set_instead(context, *tracked, refusal)
        raise


async def amend(context: Context[Command], command: Command, chain: Chain, earlier: Earlier) -> Answer:
    """Change the roll `earlier` by `command`, the command prepared by the table. RuleError if impossible."""
    acting, replaced = await _actor_of(context, chain.root), chain.latest
    other = await _actor_of(context, chain.resisted) if chain.resisted else None
    outcome = context.table.amended(chain, command, earlier, context.dice)
    actors = {"mine": other if other and earlier.side == "other" else acting, "acting": acting, "other": other}
    sides = chain.names() if chain.against or outcome.opponent else (chain.names()[0], None)
    now = Judged(command, context.reading.comment, earlier.after(outcome))
    bare = replace(context.node, ref=None) if context.node.ref else context.node
    asked = f"{bare} on {base32(replaced.seq)}"
    by = None if earlier.own and outcome.opponent is None else context.actor_of(None).name
    kind = cast(RecordKind, chain.game.amends[type(context.node)])
    answered = await _recorded(context, kind, now, sides, actors, chain.root.seq, earlier, asked=asked, by=by)
    return answered._replace(replaces=replaced.id, rerolled=earlier.side if context.dice.draws else None)


async def _recorded(
    context: Context[Command],
    kind: RecordKind,
    judged: Judged,
    sides: tuple[str, str | None],
    actors: Mapping[str, Character | None],
    ref: int,
    earlier: Earlier | None = None,
    *,
    asked: str | None = None,
    answering: str | None = None,
    by: str | None = None,
) -> Answer:
    """Record a roll as it stands now, and its changes of the trackers of `actors` (as in `moves.by_outcome`). Answer
    with its line, then the private lines to each side. `sides` are the names as posted."""
    node, outcome = judged.standing.node, judged.standing.outcome
    system = dispatcher.system_of(node)
    before = earlier.outcome if earlier else None
    moved = moves.by_outcome(context, node, outcome, judged.command, actors, before)
    outcome = moved.outcome or outcome
    line = reply.line(
        system, node, outcome, names=sides, asked=asked, comment=judged.comment, answering=answering,
        official=context.official, moved=moved.words, instead=moved.instead, by=by,
    )  # fmt: skip
    record = await context.record(kind, line, *moved.drafts, *scenes.of_game(context), ref=ref, judged=judged)
    offers: tuple[Reply, ...] = ()
    if chain := context.table.roll_of(record.seq):
        if outcome.opponent or kind == "answer":
            offers = contests.offers(context, chain)
        elif chain.covered and (seal := context.table.seals.get(chain.root.draft.ref)):
            offers = for_setter(context, seal)
    what = "contest" if outcome.opponent and outcome.kind == "roll" else outcome.kind
    return Answer((context.post(record), *offers), what, dispatcher.game_name(node), outcome, record, sides[1])


async def _actor_of(context: Context[Command], record: Record) -> Character:
    """The actor of a record, whose stored values are loaded."""
    draft, name = record.draft, record.draft.character
    await context.place.fetch(draft.who)
    actor = name and characters.find(context.desk, draft.channel, draft.who, name)
    if name and not actor and reading_of(record).speaks_as:  # a nick that a storyteller rolled for
        actor = Character(context.who_of(name), name, named=False)
    actor = actor or Character(draft.who, name or draft.nick, named=bool(name))
    await context.place.fetch(actor.owner)
    return actor


async def discard(context: Context[Discard]) -> Answer:
    """Discard a roll, by its player or a storyteller, in public and for good (SC-21)."""
    chain, storyteller = _to_discard(context), context.message.storyteller
    if chain.waiting:
        raise RuleError(f"that contest is open: withdraw {chain.id} takes it back.")
    if chain.discarded:
        raise RuleError(f"roll {chain.latest.short_id} is discarded already.")
    if chain.resisted and not storyteller:  # its dice do not belong to one player
        other = chain.names()[1 if side_of(chain, context.person) == "acting" else 0]
        contest = f"{chain.latest.short_id} is a contest, and {other}'s as well"
        raise RuleError(f"{contest}: only a storyteller may discard it.")
    for each in chain.moved:
        await context.place.fetch(each.draft.key.partition(" ")[0])
    back, why = moves.taken_back(context, chain), context.node.reason or context.reading.comment
    parts = [
        f"{context.message.nick}: {chain.latest.short_id} is discarded: it does not count and is not listed",
        context.table.memories[chain.game].returns(chain.root.seq),
        *back.words,
    ]
    line = reply.marked(reply.commented("; ".join(filter(None, parts)), why), context.official)
    record = await context.record("discard", line, *back.drafts, ref=chain.root.seq)
    return context.answer_with(record)._replace(replaces=chain.latest.id)


def _to_discard(context: Context[Discard]) -> Chain:
    """The roll named, or else the speaker's latest, even if already discarded (GEN-09). RuleError if it is not theirs,
    or was made in secret."""
    ref, name = context.node.ref, context.reading.speaks_as
    if ref is None and name:
        of = context.require_own("discard a roll of")
        if chain := next(filter(is_a_roll, context.table.named(name)), None):
            return chain
        raise RuleError(f"{of.name} has no roll here to discard.", keeps_case=True)
    if ref is None:
        return latest_own(context, "discard", "discarded: name an older one by its id")
    chain = named(context.table, ref)
    if (secret := context.table.seals.find(ref)) and secret.nick is None:
        raise RuleError(f"roll {secret.record.short_id} was made in secret, and cannot be discarded.")
    if chain is None:
        raise RuleError(f"there is no roll #{ref} here to discard.")
    if not is_a_roll(chain):
        raise RuleError(f'{chain.latest.short_id}, "{head_of(chain.latest)}", cannot be discarded.')
    if not (context.message.storyteller or side_of(chain, context.person)):
        raise RuleError(f"that roll is {chain.names()[0]}'s: only they or a storyteller may discard it.")
    return chain
